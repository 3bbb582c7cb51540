"""Choosing a campaign, and reading what it is."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.queries import get_campaign, list_campaigns
from db.records import CampaignRecord, CampaignSummary
from pages.ui import resources, state
from pages.ui.text import either, line, t


def campaign(page: str) -> CampaignSummary | None:
    """A box with all campaigns, opened at the one chosen last on any page. None, and words, for no campaigns.

    `page` names the page, for the widget's key.
    """
    campaigns = list_campaigns(resources.engine())
    if not campaigns:
        st.info(t("picker.none"), icon=":material/library_books:")
        return None
    return choose(page, campaigns)


def choose(page: str, campaigns: Sequence[CampaignSummary]) -> CampaignSummary:
    """The box with these campaigns, of which there is at least one."""
    names = {one.id: display_name(one) for one in campaigns}
    key = f"campaign-{page}"
    st.session_state.setdefault(key, state.campaign_id() if state.campaign_id() in names else campaigns[0].id)
    if st.session_state[key] not in names:
        st.session_state[key] = campaigns[0].id
    chosen = st.selectbox(
        t("picker.label"), list(names), format_func=names.__getitem__, key=key, filter_mode=None
    )
    state.set_campaign_id(chosen)
    return next(one for one in campaigns if one.id == chosen)


def display_name(record: CampaignSummary | CampaignRecord) -> str:
    """The campaign's name in the reader's language."""
    return either(record.name, record.name_ja)


def languages(record: CampaignSummary | CampaignRecord) -> str:
    """`en→ja`."""
    return f"{record.source_lang}→{record.target_lang}"


def sizes(summary: CampaignSummary) -> str:
    """How much there is, in one line."""
    return t(
        "picker.sizes",
        segments=summary.n_segments,
        systems=summary.n_systems,
        raters=summary.n_raters,
        ratings=summary.n_ratings,
    )


def about(campaign_id: int) -> None:
    """The campaign's description and credits, as its makers wrote them."""
    record = get_campaign(resources.engine(), campaign_id)
    line(either(record.description_en, record.description_ja) or t("picker.no_description"))
    credits_text = either(record.credits_en, record.credits_ja)
    if credits_text:
        line(t("picker.credits", credits=credits_text), tone="quiet")
