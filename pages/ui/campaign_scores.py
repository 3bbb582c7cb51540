"""A campaign's scores for the pages of statistics, read once until somebody rates."""

from __future__ import annotations

import streamlit as st

from core.raters.quality_rows import QualityRow
from db.engine import Engine
from db.queries.judgements import Judgements, judgements, newest, quality_rows
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import resources

_KEPT = 4  # campaigns


def scores(campaign: CampaignSummary) -> Judgements:
    """Every score that holds. Raises AccessError for a visitor who may not see scores."""
    session.viewer().must_see_scores()
    engine = resources.engine()
    return _scores(engine, str(engine.url), campaign.id, campaign.state, newest(engine, campaign.id))


def checked(campaign: CampaignSummary) -> list[QualityRow]:
    """The same with check items, for what is asked about raters."""
    session.viewer().must_see_scores()
    engine = resources.engine()
    return _checked(engine, str(engine.url), campaign.id, campaign.state, newest(engine, campaign.id))


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _scores(_engine: Engine, url: str, campaign_id: int, state: str, version: tuple[int, int]) -> Judgements:
    return judgements(_engine, session.viewer(), campaign_id)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _checked(
    _engine: Engine, url: str, campaign_id: int, state: str, version: tuple[int, int]
) -> list[QualityRow]:
    return quality_rows(_engine, session.viewer(), campaign_id)
