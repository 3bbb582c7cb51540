"""How a visitor comes to a campaign: by a name in the open demo, else as the person they came as."""

from __future__ import annotations

import streamlit as st

from core.errors import RatingError, YomikurabeError
from db.names import RATER_NAME_LIMIT
from db.queries import campaigns_of, ensure_items, enter_rater, list_campaigns
from db.records import CampaignSummary, RaterRecord
from pages.auth import provider, session
from pages.evaluate.rate import navigation
from pages.ui import picker, resources, state
from pages.ui.text import line, show_error, t

_ENTERED, _NAME, _PROBLEM = "rating-campaign", "rater-name", "name-problem"


def campaign_id() -> int | None:
    """The campaign that is being rated in this session."""
    entered: int | None = st.session_state.get(_ENTERED)
    return entered


def leave() -> None:
    """Callback: back to the first screen."""
    state.set_rater(None)
    st.session_state.pop(_ENTERED, None)


def by_name() -> None:
    """The open demo: which campaign, and who."""
    st.header(t("rate.title"), anchor=False)
    line(t("rate.intro"))
    chosen = picker.campaign("rate")
    if chosen is None:
        return
    _about(chosen)
    with st.form("entrance", border=False):
        st.text_input(t("rate.name"), key=_NAME, max_chars=RATER_NAME_LIMIT, autocomplete="off")
        line(t("rate.name_note"), tone="quiet")
        st.form_submit_button(
            t("rate.start"), key="start", type="primary", on_click=_enter_by_name, args=("campaign-rate",)
        )
    problem = st.session_state.pop(_PROBLEM, None)
    if isinstance(problem, RatingError):
        st.error(t("rate.name_bad"), icon=":material/error:")
    elif problem is not None:
        show_error(problem)


def as_person(rater: RaterRecord) -> None:
    """A person's own campaigns; where there is only one it is entered at once."""
    mine = campaigns_of(resources.engine(), rater.id)
    offered = [one for one in list_campaigns(resources.engine()) if one.id in mine and one.state != "draft"]
    if len(offered) == 1:
        _enter(offered[0].id, rater)
        st.rerun()
    st.header(t("rate.title"), anchor=False)
    if not offered:
        line(t("rate.no_campaign"))
        return
    line(t("rate.intro"))
    chosen = picker.choose("mine", offered)
    _about(chosen)
    st.button(t("rate.start"), key="start", type="primary", on_click=_enter_as, args=("campaign-mine", rater))
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)


def out() -> None:
    """Callback: this session is nobody's again."""
    session.leave()
    st.query_params.pop(session.LINK_PARAM, None)
    provider.leave()


def _about(chosen: CampaignSummary) -> None:
    line(f"{picker.languages(chosen)} · {picker.sizes(chosen)}", tone="quiet")
    with st.expander(t("rate.about")):
        picker.about(chosen.id)


def _enter_by_name(box: str) -> None:
    """Callback: the name becomes a rater with items. What goes wrong is kept for the page to say.

    box: the key of the box with the campaigns. What it holds now counts, which may be newer than the page.
    """
    try:
        _enter(st.session_state[box], enter_rater(resources.engine(), st.session_state[_NAME] or ""))
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error


def _enter_as(box: str, rater: RaterRecord) -> None:
    """Callback: the same for a person who is known."""
    try:
        _enter(st.session_state[box], rater)
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error


def _enter(campaign: int, rater: RaterRecord) -> None:
    ensure_items(resources.engine(), campaign, rater.id)
    state.set_rater(rater)
    navigation.set_saved_at(None)
    st.session_state[_ENTERED] = campaign
