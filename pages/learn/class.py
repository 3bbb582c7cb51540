"""A class: rate first, then see your scores beside the experts', once the teacher releases them."""

from __future__ import annotations

import streamlit as st

from db.queries import campaigns_of, get_campaign, list_campaigns
from db.queries.classroom import own_scores, panel, students
from pages.auth import session
from pages.learn import grades
from pages.ui import picker, state
from pages.ui.text import column, errors_shown, line, t
from pages.ui.widgets import to_manage


def teacher() -> None:
    """The panel's switch, everybody's figures, and one student at a time."""
    chosen = picker.choose_campaign("class")
    if chosen is None:
        return
    who, campaign = session.viewer(), get_campaign(state.engine(), chosen.id)
    everybody = students(state.engine(), who, campaign.id)
    experts = panel(state.engine(), who, campaign.id)
    if not everybody:
        line(t("class.no_students"))
        to_manage()
        return
    grades.releasing(campaign)
    if not experts:
        line(t("class.no_panel"))
        to_manage()
    grades.overview(everybody, experts)
    by_id = {one.rater_id: one for one in everybody}
    picked = st.selectbox(
        t("class.look"), list(by_id), format_func=lambda one: by_id[one].name, key="class-student"
    )
    if picked is not None and experts:
        grades.result(campaign, by_id[picked], experts)


def student(rater_id: int) -> None:
    """The own result, and nobody else's."""
    mine = campaigns_of(state.engine(), rater_id)
    offered = [one for one in list_campaigns(state.engine()) if one.id in mine]
    if not offered:
        line(t("rate.no_campaign"))
        return
    campaign = get_campaign(state.engine(), picker.choose("class", offered).id)
    who = session.viewer()
    with errors_shown():
        grades.result(
            campaign,
            own_scores(state.engine(), who, campaign.id),
            panel(state.engine(), who, campaign.id),
        )


viewer = session.viewer()
st.header(t("page.class"), anchor=False)
with column():
    line(t("class.intro"))
with errors_shown():
    if viewer.sees_scores:
        teacher()
    elif viewer.rater_id is not None:
        student(viewer.rater_id)
    else:
        line(t("class.stranger"))
