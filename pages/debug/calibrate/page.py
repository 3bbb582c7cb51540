"""A score of one's own raters: fitted to them, tested on documents it has not seen, and taken away."""

from __future__ import annotations

import streamlit as st

from pages.auth import session
from pages.debug.calibrate import apply, fit
from pages.ui.text import column, line, t

TABS = ("fit", "apply")

session.guard("scores")
st.header(t("page.calibrate"), anchor=False)
with column():
    line(t("calibrate.intro"))
tabs = st.tabs([t(f"calibrate.tab.{name}") for name in TABS], on_change="rerun", key="calibrate-tabs")
if tabs[0].open:
    with tabs[0]:
        fit.tab()
if tabs[1].open:
    with tabs[1]:
        apply.tab()
