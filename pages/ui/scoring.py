"""Scoring a campaign from a page: a bar and a way to stop; what was computed is stored."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.campaigns.scoring import ScoringReport, score_campaign
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import models, resources
from pages.ui.text import t


def score_here(campaign: CampaignSummary, metrics: Sequence[str]) -> ScoringReport:
    """Score what these metrics lack; a click on the button, or anywhere else, stops it.

    Not within a fragment, in which a click stops nothing. Raises AccessError for a viewer who may not see
    scores, and what `score_campaign` raises.
    """
    session.viewer().must_see_scores()
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=t("score.preparing"))
        st.button(t("asking.stop"), key="score-stop", help=t("score.stop_help"))

        def show(done: int, total: int) -> None:
            bar.progress(done / max(total, 1), text=t("score.progress", done=done, total=total))

        wanted: dict[str, dict[str, str]] = {name: {} for name in metrics}
        report = score_campaign(resources.engine(), campaign.id, wanted, models.backends(), progress=show)
    place.empty()
    return report
