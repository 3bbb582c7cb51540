"""The frame round every page: settings, who is here, language, menu, and a database that is ready."""

from __future__ import annotations

import streamlit as st

from pages.ui import door, frame, provider, resources, visitor
from pages.ui.text import errors_shown, frame_style, t

st.set_page_config(page_title="Yomikurabe", page_icon="assets/logo.svg", layout="wide")
frame.logo()
frame_style()
frame.language_switch()
with errors_shown():
    with st.spinner(t("start.database")):
        resources.engine()
    visitor.arrive()
    provider.arrive()
    page = st.navigation(frame.pages(visitor.viewer()), position="top")
    visitor.token_into_address()
    if not door.needed():
        page.run()
