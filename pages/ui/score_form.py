"""Scores that a campaign lacks: which metrics, a bar, and a way to stop. What was computed is stored."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from core.metaeval.evaluation import Evaluation
from core.metrics import METRICS
from db.campaigns.scoring import ScoringReport
from db.records import CampaignSummary
from pages.ui.scoring import score_here
from pages.ui.text import line, show_error, t

USUAL = ("bleu", "chrf", "bertscore", "bertscore-reading", "subspace", "sentence-cosine")
_ASKING = ("gemba-mqm", "gemba-da")
_SAID = "score-form-said"


def offer(campaign: CampaignSummary, found: Evaluation) -> None:
    """The form, open while there is no score at all."""
    with st.expander(t("score.title"), expanded=not found.metrics, icon=":material/calculate:"):
        _form(campaign, found)


def _form(campaign: CampaignSummary, found: Evaluation) -> None:
    line(t("score.what"), tone="quiet")
    able = [name for name in METRICS if name not in _ASKING]  # what costs money is the command line's
    lacking = [name for name in USUAL if name not in found.metrics]
    chosen = st.multiselect(
        t("score.metrics"), able, lacking, key=f"score-metrics-{campaign.id}",
        format_func=lambda name: t(f"metric.{name}"),
    )  # fmt: skip
    said = st.session_state.pop(_SAID, None)
    if said is not None and said[0] == campaign.id:
        _say(said[1])
    if st.button(t("score.run"), key="score-run", type="primary", disabled=not chosen):
        _run(campaign, chosen)


def _run(campaign: CampaignSummary, metrics: list[str]) -> None:
    """Score, and say after the page has been drawn anew what came of it."""
    outcome: ScoringReport | YomikurabeError
    try:
        outcome = score_here(campaign, metrics)
    except YomikurabeError as error:
        outcome = error
    st.session_state[_SAID] = (campaign.id, outcome)
    st.rerun()


def _say(outcome: ScoringReport | YomikurabeError) -> None:
    if isinstance(outcome, YomikurabeError):
        show_error(outcome)
    else:
        line(t("score.done", computed=outcome.computed, kept=outcome.kept, missing=outcome.missing))
