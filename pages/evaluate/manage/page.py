"""Manage: make a campaign, choose how it is rated, let people in, open and close it."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import STUDIES
from db.queries import get_campaign
from pages.auth import session
from pages.evaluate.manage import attention_checks, books, invitations, links, practice, prefilled, upload
from pages.evaluate.manage import design as design_form
from pages.ui import picker, state
from pages.ui.text import errors_shown, line, t

TABS = ("design", "practice", "checks", "prefill", "links", "accounts")
NOT_IN_A_STUDY = ("practice", "checks", "prefill")
"""What has no place where whole versions are read."""

session.guard("manages")
who = session.viewer()
st.header(t("page.manage"), anchor=False)
line(t("manage.intro"))
if who.open:
    st.info(t("manage.open"), icon=":material/lock_open:")
with upload.box(), errors_shown():
    upload.new_campaign(who)
with books.box(), errors_shown():
    books.new_campaign(who)
chosen = picker.choose_campaign("manage")
if chosen is not None:
    campaign = get_campaign(state.engine(), chosen.id)
    line(f"{picker.languages(campaign)} · {picker.sizes(chosen)}", tone="quiet")
    invitations.states(campaign)
    tabs = st.tabs([t(f"manage.tab.{name}") for name in TABS], on_change="rerun", key="manage-tabs")
    for tab, name in zip(tabs, TABS, strict=True):
        if tab.open:
            with tab, errors_shown():
                line(t(f"manage.what.{name}"), tone="quiet")
                if campaign.protocol in STUDIES and name in NOT_IN_A_STUDY:
                    line(t("study.no_part"))
                elif name == "design":
                    design_form.form(who, campaign)
                elif name == "practice":
                    practice.tab(who, campaign)
                elif name == "checks":
                    attention_checks.tab(who, campaign)
                elif name == "prefill":
                    prefilled.tab(who, campaign)
                elif name == "links":
                    links.tab(who, campaign)
                else:
                    invitations.accounts(campaign)
