"""Accounts; opening and closing a campaign; the seal on its systems' names. Links are in `links.py`."""

from __future__ import annotations

import streamlit as st

from db.names import RATER_NAME_LIMIT
from db.queries import add_account
from db.queries.manage import STATES, set_state
from db.queries.sealed import seal_of
from db.records import CampaignRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, line, show_kept_error, t, table

_SLOT, _STATE_SLOT = "account", "campaign-state"


def accounts(campaign: CampaignRecord) -> None:
    """An account with a password, for those who cannot keep a link."""
    with st.form("account", border=False, clear_on_submit=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            st.text_input(t("door.login"), key="account-login", max_chars=RATER_NAME_LIMIT, width=260)
            st.text_input(t("door.password"), key="account-password", type="password", width=260)
            st.selectbox(
                t("links.role"),
                ("rater", "teacher", "organiser"),
                key="account-role",
                format_func=lambda role: t(f"role.{role}"),
                width=200,
            )
        st.form_submit_button(
            t("links.account_make"), key="account-make", on_click=_account, args=(campaign.id,)
        )
    show_kept_error(_SLOT)


def _account(campaign_id: int) -> None:
    with error_kept(_SLOT):
        who = session.manager()
        add_account(
            state.engine(),
            who,
            login=st.session_state["account-login"] or "",
            password=st.session_state["account-password"] or "",
            role=st.session_state["account-role"],
            campaign_id=campaign_id,
        )
        st.toast(t("links.account_made"))


def states(campaign: CampaignRecord) -> None:
    """Where the campaign is, and the two ways on."""
    line(t(f"state.{campaign.state}.about"))
    _seal(campaign.id)
    with st.container(horizontal=True, gap="small"):
        for name in STATES:
            if name != campaign.state:
                st.button(
                    t(f"state.{name}"),
                    key=f"state-{name}",
                    type="primary" if name == "open" else "secondary",
                    on_click=_set_state,
                    args=(campaign.id, name),
                )
    show_kept_error(_STATE_SLOT)


def _seal(campaign_id: int) -> None:
    """The commitment while the names are hidden; what it is made of when they are not any more."""
    found = seal_of(state.engine(), campaign_id)
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


def _set_state(campaign_id: int, name: str) -> None:
    with error_kept(_STATE_SLOT):
        set_state(state.engine(), session.viewer(), campaign_id, name)
