"""Manage: make a campaign, choose how it is rated, let people in, open and close it."""

from __future__ import annotations

import streamlit as st

from db.queries import get_campaign
from pages.ui import check_texts, design_form, opening, picker, resources, upload, visitor, ways_in
from pages.ui.text import errors_shown, line, t

TABS = ("design", "checks", "links", "accounts")

visitor.guard("manages")
who = visitor.viewer()
st.header(t("page.manage"), anchor=False)
line(t("manage.intro"))
if who.open:
    st.info(t("manage.open"), icon=":material/lock_open:")
with st.expander(t("manage.new"), icon=":material/upload_file:"), errors_shown():
    upload.new_campaign(who)
chosen = picker.campaign("manage")
if chosen is not None:
    campaign = get_campaign(resources.engine(), chosen.id)
    line(f"{picker.languages(campaign)} · {picker.sizes(chosen)}", tone="quiet")
    opening.states(who, campaign)
    tabs = st.tabs([t(f"manage.tab.{name}") for name in TABS], on_change="rerun", key="manage-tabs")
    for tab, name in zip(tabs, TABS, strict=True):
        if tab.open:
            with tab, errors_shown():
                line(t(f"manage.what.{name}"), tone="quiet")
                if name == "design":
                    design_form.form(who, campaign)
                elif name == "checks":
                    check_texts.tab(who, campaign)
                elif name == "links":
                    ways_in.links(who, campaign)
                else:
                    ways_in.accounts(who, campaign)
