"""The frame round every page: the language switch and the menu."""

from __future__ import annotations

import streamlit as st

from core.assets import ASSETS, ROOT
from db.permissions import Viewer
from pages.ui import state
from pages.ui.text import t

APP = "Yomikurabe"
LANGUAGE_NAMES = {"ja": "日本語", "en": "English"}

# section, page, icon, what a visitor needs to have it in the menu; the first is the default.
PAGES = (
    ("evaluate", "rate", ":material/edit_note:", "nothing"),
    ("evaluate", "agreement", ":material/groups:", "scores"),
    ("evaluate", "progress", ":material/hourglass:", "scores"),
    ("evaluate", "adjudicate", ":material/gavel:", "manages"),
    ("evaluate", "manage", ":material/tune:", "manages"),
    ("debug", "pair", ":material/search:", "scores"),
    ("debug", "systems", ":material/leaderboard:", "scores"),
    ("debug", "meta", ":material/balance:", "scores"),
    ("debug", "hacks", ":material/science:", "scores"),
    ("debug", "calibrate", ":material/model_training:", "scores"),
    ("learn", "class", ":material/school:", "nothing"),
    ("learn", "names", ":material/record_voice_over:", "nothing"),
    ("learn", "subspace", ":material/scatter_plot:", "nothing"),
    ("learn", "structure", ":material/account_tree:", "nothing"),
    ("learn", "questions", ":material/quiz:", "nothing"),
    ("learn", "fool", ":material/theater_comedy:", "nothing"),
)


def script(section: str, name: str) -> str:
    """The script of a page: a file of its own, or `page.py` in a folder with its parts."""
    folder = f"pages/{section}/{name}"
    return f"{folder}/page.py" if (ROOT / folder).is_dir() else f"{folder}.py"


def language_switch() -> None:
    """日本語 | English, at the top of every page and in the address."""
    with st.container(horizontal=True, horizontal_alignment="right", gap=None):
        st.segmented_control(
            "日本語 / English",
            state.LANGUAGES,
            default=state.language(),
            required=True,
            format_func=LANGUAGE_NAMES.__getitem__,
            key=state.LANGUAGE_SWITCH,
            label_visibility="collapsed",
            on_change=state.choose_language,
            persist_state="session",
        )
    state.language_into_address()


def pages(viewer: Viewer) -> dict[str, list[st.Page]]:
    """The menu: sections with their pages, named in the reader's language.

    A page that this visitor may not see is hidden, and guards itself as well.
    """
    allowed = {"nothing": True, "scores": viewer.sees_scores, "manages": viewer.manages}
    menu: dict[str, list[st.Page]] = {}
    for section, name, icon, needs in PAGES:
        page = st.Page(
            script(section, name),
            title=t(f"page.{name}"),
            icon=icon,
            url_path=name,
            default=not menu,
            visibility="visible" if allowed[needs] else "hidden",
        )
        menu.setdefault(t(f"section.{section}"), []).append(page)
    return menu


def name_the_tab(page: st.Page) -> None:
    """The browser's tab and its history show the page's name in the reader's language."""
    st.set_page_config(page_title=f"{page.title} – {APP}")


def logo() -> None:
    """The mark in the corner."""
    st.logo(ASSETS / "logo.svg", size="large")
