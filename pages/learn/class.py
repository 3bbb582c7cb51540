"""A class: students rate and guess; class, panel and metrics are revealed as the teacher releases them."""

from __future__ import annotations

import streamlit as st

from db.queries import campaigns_of, get_campaign, list_campaigns
from db.queries.classroom import PANEL, own_record, panel, released, students
from db.records import CampaignRecord
from pages.auth import session
from pages.learn import cockpit, grades, joining, lesson, reveal
from pages.ui import address, glossary, picker, state
from pages.ui.text import column, errors_shown, line, projected, t
from pages.ui.widgets import to_manage

TABS = ("now", "reveal", "grades", "joining")
PARTS = (
    address.campaign("class"),
    address.tab("class-tabs", TABS, lambda name: t(f"class.tab.{name}")),
    lesson.PROJECTOR,
)
WORDS = ("metric", "agreement", "bleu", "bertscore")


def teacher() -> None:
    """The cockpit, the items to discuss, the grades, and the way in; before the class nothing with a name."""
    number = _campaign()
    if number is None:
        return
    campaign = get_campaign(state.engine(), number)
    if not state.projector():
        cockpit.controls(campaign)
    names = [name for name in TABS if name != "joining" or session.viewer().manages]
    tabs = st.tabs([t(f"class.tab.{name}") for name in names], on_change="rerun", key="class-tabs")
    drawn = {"now": _now, "reveal": reveal.for_class, "grades": _grades, "joining": joining.tab}
    for tab, name in zip(tabs, names, strict=True):
        if tab.open:
            with tab, errors_shown():
                drawn[name](campaign)


def _campaign() -> int | None:
    """The campaign chosen here; before the class the one that was chosen last, without the box."""
    if state.projector() and state.campaign_id() is not None:
        return state.campaign_id()
    chosen = picker.choose_campaign("class")
    return None if chosen is None else chosen.id


def _bar() -> None:
    """The words of the field for everybody, and the projector for those who teach."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson-bar"):
        glossary.button(WORDS)
        if viewer.sees_scores:
            st.toggle(t("lesson.projector"), key=state.PROJECTOR, help=t("class.projector_help"))


def _now(campaign: CampaignRecord) -> None:
    cockpit.watch(campaign.id)
    if not state.projector():
        cockpit.people(campaign)


def _grades(campaign: CampaignRecord) -> None:
    """Everybody's figures, and one student at a time; not before the class."""
    if state.projector():
        line(t("class.grades_hidden"))
        return
    who = session.viewer()
    everybody = students(state.engine(), who, campaign.id)
    experts = panel(state.engine(), who, campaign.id)
    if not everybody:
        line(t("class.no_students"))
        to_manage()
        return
    if not experts:
        line(t("class.no_panel"))
        to_manage()
    grades.overview(everybody, experts)
    by_id = {one.rater_id: one for one in everybody}
    rated = next((one.rater_id for one in everybody if one.scores), everybody[0].rater_id)
    picked = st.selectbox(
        t("class.look"),
        list(by_id),
        list(by_id).index(rated),
        format_func=lambda one: by_id[one].name,
        key="class-student",
    )
    if picked is not None and experts:
        grades.result(campaign, by_id[picked], experts)


def student(rater_id: int) -> None:
    """The own scores at once, and beside them what is released; nobody else's by name."""
    mine = campaigns_of(state.engine(), rater_id)
    offered = [one for one in list_campaigns(state.engine()) if one.id in mine]
    if not offered:
        line(t("rate.no_campaign"))
        return
    campaign = get_campaign(state.engine(), picker.choose("class", offered).id)
    who, steps = session.viewer(), released(campaign)
    own = own_record(state.engine(), who, campaign.id)
    if not own.scores:
        line(t("class.nothing_rated"))
        st.page_link("pages/evaluate/rate/page.py", label=t("door.to_rate"), icon=":material/edit_note:")
        return
    if not steps:
        line(t("class.not_released"))
    if PANEL in steps:
        grades.result(campaign, own, panel(state.engine(), who, campaign.id))
    st.subheader(t("class.own"), anchor=False)
    reveal.for_student(campaign, own)


viewer = session.viewer()
st.header(t("page.class"), anchor=False)
asked = address.read(PARTS)
if state.projector():
    projected()
else:
    with column():
        line(t("class.intro"))
_bar()
with errors_shown():
    if viewer.sees_scores:
        teacher()
    elif viewer.rater_id is not None:
        student(viewer.rater_id)
    else:
        line(t("class.stranger"))
address.settle(asked)
