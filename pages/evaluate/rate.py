"""Rate: say who you are, read the guideline, then one item after another."""

from __future__ import annotations

import streamlit as st

from core.errors import RatingError, YomikurabeError
from db.names import RATER_NAME_LIMIT
from db.queries import ensure_items, enter_rater, get_campaign, progress
from db.records import CampaignRecord, RaterRecord
from pages.ui import picker, resources, sheet, state, walk
from pages.ui.text import column, line, show_error, t

ENTERED, NAME, PROBLEM = "rating-campaign", "rater-name", "name-problem"


def enter(campaign_id: int) -> None:
    """Callback: the name becomes a rater with items. What goes wrong is kept for the page to say."""
    try:
        rater = enter_rater(resources.engine(), st.session_state[NAME] or "")
        ensure_items(resources.engine(), campaign_id, rater.id)
    except YomikurabeError as error:
        st.session_state[PROBLEM] = error
        return
    state.set_rater(rater)
    walk.set_saved_at(None)
    st.session_state[ENTERED] = campaign_id


def leave() -> None:
    """Callback: back to the first screen."""
    state.set_rater(None)
    st.session_state.pop(ENTERED, None)


def entrance() -> None:
    """Which campaign, and who."""
    st.header(t("rate.title"), anchor=False)
    line(t("rate.intro"))
    chosen = picker.campaign("rate")
    if chosen is None:
        return
    line(f"{picker.languages(chosen)} · {picker.sizes(chosen)}", tone="quiet")
    with st.expander(t("rate.about")):
        picker.about(chosen.id)
    with st.form("entrance", border=False):
        st.text_input(t("rate.name"), key=NAME, max_chars=RATER_NAME_LIMIT, autocomplete="off")
        line(t("rate.name_note"), tone="quiet")
        st.form_submit_button(t("rate.start"), key="start", type="primary", on_click=enter, args=(chosen.id,))
    problem = st.session_state.pop(PROBLEM, None)
    if isinstance(problem, RatingError):
        st.error(t("rate.name_bad"), icon=":material/error:")
    elif problem is not None:
        show_error(problem)


def rate(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """The guideline first, for a rater who has done nothing yet; then the items."""
    read = f"guideline-read-{campaign.id}-{rater.id}"
    done = progress(resources.engine(), campaign.id, rater.id)
    if read not in st.session_state and done.done + done.skipped == 0:
        with column():
            st.header(t("rate.guideline"), anchor=False)
            sheet.guideline(campaign)
        if st.button(t("rate.begin"), key="begin", type="primary"):
            st.session_state[read] = True
            st.rerun()
    else:
        sheet.desk(campaign, rater)
    st.button(t("rate.leave"), key="leave", type="tertiary", icon=":material/logout:", on_click=leave)


who, entered = state.rater(), st.session_state.get(ENTERED)
if who is None or entered is None:
    with column():
        entrance()
else:
    rate(get_campaign(resources.engine(), entered), who)
