"""The hack lab: edit a translation on purpose and see which number notices."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.auth import session
from pages.debug.hacks import campaign as hack_campaign
from pages.debug.hacks import flip as hack_flip
from pages.debug.hacks import pair as hack_pair
from pages.ui import address, glossary, picker
from pages.ui.text import errors_shown, line, t

TABS = ("pair", "flip", "campaign")
TAB = address.tab("hack-tabs", TABS, lambda name: t(f"hacks.tab.{name}"))


def _open(name: str) -> bool:
    return (TAB.current() or TABS[0]) == name


PARTS = (
    TAB,
    *(address.within(part, lambda: not _open("campaign")) for part in picker.PAIR_PARTS),
    address.within(address.campaign("hacks"), lambda: _open("campaign")),
)


@st.fragment
def one_pair(chosen: picker.Chosen) -> None:
    """Everything that an edit changes; it is redrawn alone."""
    session.guard_part("scores")
    with errors_shown():
        hack_pair.lab(chosen)


@st.fragment
def smallest_change(chosen: picker.Chosen) -> None:
    """Everything that the search changes; it is redrawn alone."""
    session.guard_part("scores")
    with errors_shown():
        hack_flip.search(chosen)


def with_pair(draw: Callable[[picker.Chosen], None]) -> None:
    """The choice of a pair, and what a tab draws of it."""
    selected = picker.choose_pair()
    with st.container(horizontal=True):
        glossary.button()
        picker.copy_link(PARTS)
        if selected is not None and picker.lens_button("hack-lens"):
            picker.open_chosen()
    if selected is not None:
        draw(selected)


session.guard("scores")
st.header(t("page.hacks"), anchor=False)
line(t("hacks.intro"))
asked = address.read(PARTS)
tabs = st.tabs([t(f"hacks.tab.{name}") for name in TABS], on_change="rerun", key="hack-tabs")
if tabs[0].open:
    with tabs[0]:
        with_pair(one_pair)
if tabs[1].open:
    with tabs[1]:
        line(t("flip.intro"), tone="quiet")
        with_pair(smallest_change)
if tabs[2].open:
    with tabs[2], errors_shown(), address.shared(PARTS):
        hack_campaign.lab()
address.settle(asked)
