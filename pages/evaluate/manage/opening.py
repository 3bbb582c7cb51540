"""Opening and closing a campaign, and the seal on its systems' names."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from db.permissions import Viewer
from db.queries.manage import STATES, set_state
from db.queries.sealed import seal_of
from db.records import CampaignRecord
from pages.ui import resources
from pages.ui.text import line, show_error, t, table

_PROBLEM = "state-problem"


def states(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Where the campaign is, and the two ways on."""
    line(t(f"state.{campaign.state}.about"))
    _seal(campaign.id)
    with st.container(horizontal=True, gap="small"):
        for state in STATES:
            if state != campaign.state:
                st.button(
                    t(f"state.{state}"),
                    key=f"state-{state}",
                    type="primary" if state == "open" else "secondary",
                    on_click=_set_state,
                    args=(viewer, campaign.id, state),
                )
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)


def _seal(campaign_id: int) -> None:
    """The commitment while the names are hidden; what it is made of when they are not any more."""
    found = seal_of(resources.engine(), campaign_id)
    if found is None:
        return
    commitment, seal = found
    line(t("seal.closed" if seal is None else "seal.opened"), tone="quiet")
    st.code(commitment, language=None, wrap_lines=True)
    if seal is not None:
        with st.expander(t("seal.what")):
            line(t("seal.how"), tone="quiet")
            header = (t("seal.name"), t("seal.shown"))
            table(header, sorted(seal.names.items(), key=lambda one: (len(one[1]), one[1])))
            st.code(seal.nonce, language=None)


def _set_state(viewer: Viewer, campaign_id: int, state: str) -> None:
    try:
        set_state(resources.engine(), viewer, campaign_id, state)
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
