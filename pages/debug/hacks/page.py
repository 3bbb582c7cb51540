"""The hack lab: edit a translation on purpose and see which number notices."""

from __future__ import annotations

import streamlit as st

from pages.auth import session
from pages.debug.hacks import campaign as hack_campaign
from pages.debug.hacks import pair as hack_pair
from pages.ui import picker
from pages.ui.text import errors_shown, line, t

TABS = ("pair", "campaign")


@st.fragment
def one_pair(chosen: picker.Chosen) -> None:
    """Everything that an edit changes; it is redrawn alone."""
    session.guard_part("scores")
    with errors_shown():
        hack_pair.lab(chosen)


session.guard("scores")
st.header(t("page.hacks"), anchor=False)
line(t("hacks.intro"))
tabs = st.tabs([t(f"hacks.tab.{name}") for name in TABS], on_change="rerun", key="hack-tabs")
if tabs[0].open:
    with tabs[0]:
        selected = picker.choose_pair()
        if selected is not None:
            one_pair(selected)
if tabs[1].open:
    with tabs[1], errors_shown():
        hack_campaign.lab()
