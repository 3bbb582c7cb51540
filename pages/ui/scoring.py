"""Scoring a campaign from a page: which metrics, a bar with Stop, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.metaeval.evaluation import Evaluation
from db.campaigns.scoring import ScoringReport, score_campaign
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import models, state
from pages.ui.text import error_kept, line, show_kept_error, t
from pages.ui.widgets import metric_choice, metrics, stoppable

_REPORT = "score-form-report"
_SLOT = "score-form"


def score_here(campaign: CampaignSummary, names: Sequence[str]) -> ScoringReport:
    """Compute and store the scores that the campaign lacks under these metrics; what is there is kept.

    Raises AccessError for a viewer who may not see scores, and what `score_campaign` raises.
    """
    session.viewer().must_see_scores()
    settings: dict[str, dict[str, str]] = {name: {} for name in names}
    with stoppable("score", kept=t("score.stop_help")) as progress:
        return score_campaign(state.engine(), campaign.id, settings, models.backends(), progress=progress)


def form(campaign: CampaignSummary, evaluation: Evaluation) -> None:
    """The form, open while there is no score at all."""
    with st.expander(t("score.title"), expanded=not evaluation.metrics, icon=":material/calculate:"):
        line(t("score.what"), tone="quiet")  # metrics that cost money are left to the command line
        lacking = [name for name in metrics(offered=True, fast=True) if name not in evaluation.metrics]
        chosen = metric_choice(t("score.metrics"), lacking, key=f"score-metrics-{campaign.id}")
        _last_report(campaign)
        if st.button(t("score.run"), key="score-run", type="primary", disabled=not chosen):
            with error_kept(_SLOT):
                st.session_state[_REPORT] = (campaign.id, score_here(campaign, chosen))
            st.rerun()


def _last_report(campaign: CampaignSummary) -> None:
    """What came of the run that ended just now."""
    show_kept_error(_SLOT)
    number, report = st.session_state.pop(_REPORT, (None, None))
    if report is not None and number == campaign.id:
        line(t("score.done", computed=report.computed, kept=report.kept, missing=report.missing))
