"""The frame round every page: the language switch and the menu."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.assets import ASSETS, ROOT
from db.permissions import RATER, Viewer
from pages.ui import state
from pages.ui.text import t

APP = "Yomikurabe"
_RECENT, _MOST_RECENT = "recent-pages", 4
_document = st.components.v2.component(
    "yomikurabe_document", js="export default ({ data }) => { document.documentElement.lang = data; };"
)
LANGUAGE_NAMES = {"ja": "日本語", "en": "English"}

# section, page, icon, what a visitor needs to have it in the menu; the first is the default.
PAGES = (
    ("home", "front", ":material/home:", "nothing"),
    ("home", "passages", ":material/rate_review:", "hidden"),
    ("evaluate", "rate", ":material/edit_note:", "nothing"),
    ("evaluate", "agreement", ":material/groups:", "scores"),
    ("evaluate", "progress", ":material/hourglass:", "scores"),
    ("evaluate", "adjudicate", ":material/gavel:", "manages"),
    ("evaluate", "manage", ":material/tune:", "manages"),
    ("debug", "pair", ":material/search:", "scores"),
    ("debug", "systems", ":material/leaderboard:", "scores"),
    ("debug", "meta", ":material/balance:", "scores"),
    ("debug", "strip", ":material/view_timeline:", "scores"),
    ("debug", "cast", ":material/recent_actors:", "scores"),
    ("debug", "voice", ":material/record_voice_over:", "scores"),
    ("debug", "hacks", ":material/science:", "scores"),
    ("debug", "calibrate", ":material/model_training:", "scores"),
    ("learn", "ab", ":material/compare:", "nothing"),
    ("learn", "class", ":material/school:", "nothing"),
    ("learn", "names", ":material/record_voice_over:", "nothing"),
    ("learn", "structure", ":material/account_tree:", "nothing"),
    ("learn", "questions", ":material/quiz:", "nothing"),
    ("learn", "raters", ":material/diversity_3:", "nothing"),
    ("learn", "judge", ":material/gavel:", "nothing"),
    ("learn", "story", ":material/auto_stories:", "nothing"),
    ("learn", "readers", ":material/chrome_reader_mode:", "nothing"),
    ("learn", "oneself", ":material/menu_book:", "hidden"),
    ("learn", "fool", ":material/theater_comedy:", "nothing"),
    ("learn", "subspace", ":material/scatter_plot:", "nothing"),
    ("learn", "made", ":material/bookmarks:", "nothing"),
    ("learn", "kit", ":material/backpack:", "scores"),
)


def script(section: str, name: str) -> str:
    """The script of a page: a file of its own, or `page.py` in a folder with its parts."""
    folder = f"pages/{section}/{name}"
    return f"{folder}/page.py" if (ROOT / folder).is_dir() else f"{folder}.py"


def script_of(name: str) -> str:
    """The script of a page, by its name in the menu."""
    return next(script(section, page) for section, page, *_ in PAGES if page == name)


def language_switch() -> DeltaGenerator:
    """日本語 | English, in the title's line and in the address; the document says its language.

    Returns the line, for what has no place of its own.
    """
    bar = st.container(horizontal=True, horizontal_alignment="right", gap=None, key="frame-language")
    with bar:
        _document(data=state.language(), key="document-language", width="content")
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
    return bar


def pages(viewer: Viewer) -> dict[str, list[st.Page]]:
    """The menu: sections with their pages, named in the reader's language.

    A page that this visitor may not see is hidden, and guards itself as well.
    """
    allowed = {"nothing": True, "hidden": False, "scores": viewer.sees_scores, "manages": viewer.manages}
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
        header = "" if section == "home" else t(f"section.{section}")  # it stands in the menu alone
        menu.setdefault(header, []).append(page)
    return menu


def name_the_tab(page: st.Page) -> None:
    """The browser's tab and its history show the page's name in the reader's language."""
    st.set_page_config(page_title=f"{page.title} – {APP}")


def goes_straight_to_work(page: st.Page, viewer: Viewer) -> bool:
    """Whether this visitor is a rater or student, who has nothing to choose on the front page."""
    return page.url_path == "" and viewer.role == RATER


def remember(page: st.Page) -> None:
    """Count a page among those opened last in this session, the newest first."""
    name = page.url_path
    if name:
        others = [other for other in recent() if other != name]
        st.session_state[_RECENT] = [name, *others][:_MOST_RECENT]


def recent() -> list[str]:
    """The pages opened last, by their names."""
    names: list[str] = st.session_state.get(_RECENT, [])
    return names


def logo() -> None:
    """The mark in the corner."""
    st.logo(ASSETS / "logo.svg", size="large")
