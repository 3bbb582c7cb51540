"""Scores that a campaign lacks: which metrics, a bar, and a way to stop. What was computed is stored.

Scoring a campaign from a page: a bar and a way to stop; what was computed is stored.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import YomikurabeError
from core.metaeval.evaluation import Evaluation
from core.metrics import METRICS
from db.campaigns.scoring import ScoringReport, score_campaign
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import models, state
from pages.ui.text import line, show_error, t


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
        report = score_campaign(state.engine(), campaign.id, wanted, models.backends(), progress=show)
    place.empty()
    return report


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
