"""The frame round every page: settings, language, menu, and a database that is ready."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame, resources
from pages.ui.text import errors_shown, frame_style, t

st.set_page_config(page_title="Yomikurabe", page_icon="assets/logo.svg", layout="wide")
frame.logo()
frame_style()
frame.language_switch()
page = st.navigation(frame.pages(), position="top")
with errors_shown():
    with st.spinner(t("start.database")):
        resources.engine()
    page.run()
