"""Rate: say who you are, read the guideline, then one item after another."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import STUDIES
from db.queries import get_campaign, items_of, may_rate, progress
from db.records import CampaignRecord, RaterRecord
from pages.auth import login, session
from pages.evaluate.rate import desk, entry, practice
from pages.evaluate.rate.reading import study
from pages.ui import state
from pages.ui.text import column, line, t


def rate(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """The guideline first, for a rater who has done nothing yet; then practice, if any, and the items."""
    if campaign.protocol in STUDIES:
        study.study(campaign, rater)
        return
    read = f"guideline-read-{campaign.id}-{rater.id}"
    done = progress(state.engine(), campaign.id, rater.id)
    practises = practice.wanted(campaign, rater.id)
    if read not in st.session_state and done.done + done.skipped == 0:
        with column():
            st.header(t("rate.guideline"), anchor=False)
            desk.guideline(campaign)
            items = items_of(state.engine(), campaign.id, rater.id)
            if needed := desk.minutes_to_go(campaign, rater.id, items):
                line(t("rate.minutes", n=needed))
        begin = t("practice.start" if practises else "rate.begin")
        if st.button(begin, key="begin", type="primary"):
            st.session_state[read] = True
            st.rerun()
    elif practises:
        practice.practise(campaign, rater)
    else:
        desk.desk(campaign, rater)


def ways_out(rater: RaterRecord, *, known: bool) -> None:
    """Another campaign, what is known of me, and out."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        other = t("rate.other_campaign") if known else t("rate.leave")
        if not known or entry.offered(rater.id) > 1:
            st.button(other, key="leave", type="tertiary", icon=":material/swap_horiz:", on_click=entry.leave)
        if known:
            with st.popover(t("profile.title"), icon=":material/person:", type="tertiary"):
                entry.form(rater.id)
                entry.way_out(rater.id)
            login.own_link()
            st.button(t("door.out"), key="out", type="tertiary", icon=":material/logout:", on_click=entry.out)


def person() -> RaterRecord | None:
    """The rater who has signed in, or None. In the open demo the name on the first screen decides."""
    visit = session.visit()
    if visit is None or visit.rater_id is None or visit.name is None:
        return None
    return RaterRecord(id=visit.rater_id, name=visit.name, imported=False)


who = session.viewer()
rater = state.rater() if who.open else person()
entered = state.entered()
if not who.rates or (rater is None and not who.open):
    with column():
        login.entrance()
elif rater is None:
    with column():
        entry.by_name()
elif not who.open and not entry.known(rater.id):
    with column():
        if who.manages:
            entry.organiser()
        st.header(t("profile.title"), anchor=False)
        line(t("profile.intro"))
        entry.form(rater.id)
elif entered is None:
    with column():
        entry.by_name() if who.open else entry.as_person(rater)
elif not may_rate(state.engine(), who, entered, rater.id):
    entry.leave()
    st.rerun()
else:
    rate(get_campaign(state.engine(), entered), rater)
    ways_out(rater, known=not who.open)
