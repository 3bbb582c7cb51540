"""The guided tour: six pages, each with a sentence on what to look at; it can be left at any step."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from db.queries import list_campaigns
from pages.ui import picker, state
from pages.ui.showcase import showcase
from pages.ui.text import line, t

STEPS = ("rate", "agree", "look", "fool", "people", "report")
_PAGES = {
    "rate": "home/passages.py",
    "agree": "evaluate/agreement/page.py",
    "look": "debug/pair/page.py",
    "fool": "debug/hacks/page.py",
    "people": "debug/meta/page.py",
    "report": "evaluate/agreement/page.py",
}
_STEP = "tour-step"


def start() -> NoReturn:
    """Begin with the first step."""
    _go(0)


def strip() -> None:
    """Above the page, while the tour goes on: what to look at here, the next step, and the end."""
    place = st.session_state.get(_STEP)
    if place is None:
        return
    with st.container(border=True, key="tour"):
        line(t("tour.place", n=place + 1, total=len(STEPS)), tone="quiet")
        line(t(f"tour.{STEPS[place]}"))
        with st.container(horizontal=True):
            if place > 0 and st.button(t("tour.back"), key="tour-back"):
                _go(place - 1)
            if place + 1 < len(STEPS) and st.button(t("tour.next"), key="tour-next", type="primary"):
                _go(place + 1)
            last = place + 1 == len(STEPS)
            if st.button(t("tour.finish" if last else "tour.leave"), key="tour-leave", type="tertiary"):
                del st.session_state[_STEP]
                st.switch_page("pages/home/front/page.py")


def _go(place: int) -> NoReturn:
    """Open the page of a step, on the campaign where it has something to show."""
    step = STEPS[place]
    st.session_state[_STEP] = place
    shown = showcase()
    if step == "look" and shown is not None:
        picker.open_translation(shown.pair, shown.campaign.id)
    if step in ("agree", "people", "report"):
        rated = next((one.id for one in list_campaigns(state.engine()) if one.n_ratings), None)
        picker.choose_for_all_pages(rated)
    elif shown is not None:
        picker.choose_for_all_pages(shown.campaign.id)
    st.switch_page(f"pages/{_PAGES[step]}")
