"""The front page: one sentence, three ways in, and below them what this visitor works on."""

from __future__ import annotations

import streamlit as st

from pages.auth import login, session
from pages.home.front import doors, mine
from pages.ui import tour
from pages.ui.showcase import showcase
from pages.ui.text import column, line, t

who = session.viewer()
st.header(t("front.question"), anchor=False)
mine.who_is_here(who)
shown = showcase()
rate, look, learn = st.columns([4, 6, 4], gap="small")
with rate.container(border=True, height="stretch", gap="small", key="door-rate"):
    doors.rate(shown)
with look.container(border=True, height="stretch", gap="small", key="door-look"):
    doors.look(shown, who)
with learn.container(border=True, height="stretch", gap="xsmall", key="door-learn"):
    doors.learn()
if who.sees_scores:
    with st.container(horizontal=True, vertical_alignment="center"):
        line(t("tour.offer", n=len(tour.STEPS)), tone="quiet")
        if st.button(t("tour.start"), key="tour-start", type="tertiary", icon=":material/tour:"):
            tour.start()
    mine.campaigns(who)
elif session.visit() is None:
    with column():
        login.entrance()
mine.recent()
