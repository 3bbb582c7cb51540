"""Scoring a campaign from a page: which metrics with which options, what it costs, and the run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.metaeval.evaluation import Evaluation
from db.campaigns.scoring import ScoringReport, carry_out, further_references, plan_scoring, score_campaign
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import metric_form, models, runs, state
from pages.ui.text import error_kept, line, show_kept_error, t
from pages.ui.widgets import metrics, stoppable

_ASKED = "score-form-asked"
"""What was asked for and is not agreed to yet: campaign, metrics with options, traces, further references."""
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
    """The form, open while there is no score at all; its run goes on in the background."""
    with st.expander(t("score.title"), expanded=not evaluation.metrics, icon=":material/calculate:"):
        line(t("score.what"), tone="quiet")
        lacking = [name for name in metrics(offered=True, fast=True) if name not in evaluation.metrics]
        chosen = metric_form.choose(t("score.metrics"), lacking, key=f"score-metrics-{campaign.id}")
        traces = st.toggle(t("score.traces"), True, key="score-traces", help=t("score.traces_help"))
        known = further_references(state.engine(), campaign.id)
        more = list[str]()
        if known:
            more = st.multiselect(
                t("score.references"),
                known,
                key=f"score-references-{campaign.id}",
                help=t("score.references_help"),
                placeholder=t("widget.choose"),
            )
        asked = (campaign.id, chosen, traces, tuple(more))
        if st.button(t("score.run"), key="score-run", type="primary", disabled=not chosen):
            st.session_state[_ASKED] = asked
        if st.session_state.get(_ASKED) == asked:
            _begin(campaign, chosen, with_trace=traces, references=more)
        show_kept_error(_SLOT)


def _begin(
    campaign: CampaignSummary, chosen: metric_form.Chosen, *, with_trace: bool, references: Sequence[str]
) -> None:
    """Start the run, or first show what it costs."""
    with error_kept(_SLOT):
        session.viewer().must_see_scores()
        with st.spinner(t("score.preparing")):
            plan = plan_scoring(
                state.engine(),
                campaign.id,
                chosen,
                models.backends(),
                with_trace=with_trace,
                references=references,
            )
            costs = plan.costs()
        if not metric_form.ready(costs, key="score"):
            return
        engine = state.engine()
        runs.start(
            campaign,
            runs.SCORES,
            plan.total,
            lambda progress: carry_out(engine, plan, progress=progress),
        )
    st.session_state.pop(_ASKED, None)
    st.rerun()
