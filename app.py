"""The frame round every page: settings, who is here, language, menu, and a database that is ready."""

from __future__ import annotations

import streamlit as st

from pages.auth import login, session
from pages.ui import address, frame, models, runs, state, tour
from pages.ui.text import errors_shown, frame_style, t

st.set_page_config(page_title=frame.APP, page_icon="assets/logo.svg", layout="wide")
frame.logo()
frame_style()
bar = frame.language_switch()
with errors_shown():
    with st.spinner(t("start.database")):
        state.engine()
    session.arrive()
    login.arrive()
    page = st.navigation(frame.pages(session.viewer()), position="top")
    frame.name_the_tab(page)
    with bar:
        session.into_browser()
    if not login.needed():
        if frame.goes_straight_to_work(page, session.viewer()):
            st.switch_page(frame.script_of("rate"))
        frame.remember(page)
        address.enter(page.url_path)
        if session.viewer().sees_scores:
            tour.strip()
            runs.strip()
        page.run()
    models.warm_later()
