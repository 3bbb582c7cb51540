"""The frame round every page: the language switch and the menu."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui import state
from pages.ui.text import ASSETS, t

ROOT = Path(__file__).parents[2]
LANGUAGE_NAMES = {"ja": "日本語", "en": "English"}

# section, page, icon; the first is the default. A page that is not there is left out of the menu.
PAGES = (
    ("evaluate", "rate", ":material/edit_note:"),
    ("evaluate", "agreement", ":material/groups:"),
    ("debug", "pair", ":material/search:"),
    ("learn", "names", ":material/record_voice_over:"),
    ("learn", "subspace", ":material/scatter_plot:"),
    ("learn", "structure", ":material/account_tree:"),
    ("learn", "questions", ":material/quiz:"),
)


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


def pages() -> dict[str, list[st.Page]]:
    """The menu: sections with their pages, named in the reader's language."""
    menu: dict[str, list[st.Page]] = {}
    for section, name, icon in PAGES:
        if (ROOT / "pages" / section / f"{name}.py").exists():
            page = st.Page(
                f"pages/{section}/{name}.py",
                title=t(f"page.{name}"),
                icon=icon,
                url_path=name,
                default=not menu,
            )
            menu.setdefault(t(f"section.{section}"), []).append(page)
    return menu


def logo() -> None:
    """The mark in the corner."""
    st.logo(ASSETS / "logo.svg", size="large")
