"""Two raters: their scores of the items they share, as a scatter or with Bland and Altman's limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import streamlit as st

from core.charts import agreement as charts
from core.charts import raters
from core.raters.agreement import Agreement, AgreementReport, shared_scores
from core.raters.bland_altman import bland_altman
from db.queries.judgements import Judgements, Place
from pages.ui import state
from pages.ui.text import line, t

CHOSEN = "agreement-pair"
PICTURES = ("scatter", "limits")
_QUIET_CHART = {"displayModeBar": False}


def pair(report: AgreementReport, scores: Judgements) -> None:
    """Two raters' scores of the items they share, and what there is to say about them."""
    pairs = {(one.first, one.second): one for one in report.pairs}
    if st.session_state.get(CHOSEN) not in pairs:
        st.session_state[CHOSEN] = next(iter(pairs))
    chosen = st.selectbox(
        t("agreement.pair"), list(pairs), format_func=" × ".join, key=CHOSEN, filter_mode=None
    )
    line(_pair_sentence(pairs[chosen]), tone="quiet")
    picture = st.segmented_control(
        t("agreement.picture"),
        PICTURES,
        default="scatter",
        required=True,
        key="agreement-picture",
        format_func=lambda name: t(f"agreement.picture.{name}"),
        label_visibility="collapsed",
        persist_state="session",
    )
    if picture == "scatter":
        _scatter(report, scores.places, *chosen)
    else:
        _limits(scores, *chosen)


def _scatter(report: AgreementReport, places: Mapping[int, Place], first: str, second: str) -> None:
    shared = shared_scores(report.ratings, first, second)
    if not shared.items:
        return
    hover = [place(places[cast(int, item)]) for item in shared.items]
    figure = charts.scatter(shared, hover=hover, x_title=first, y_title=second, palette=state.palette())
    st.plotly_chart(figure, key="agreement-scatter", config=_QUIET_CHART, alt=t("agreement.scatter_alt"))


def _limits(scores: Judgements, first: str, second: str) -> None:
    """Bland and Altman's limits of agreement, of the scores as given."""
    found = bland_altman(scores.scores, first, second)
    if found.bias.missing is not None:
        line(t(f"missing.{found.bias.missing}"), tone="quiet")
        return
    words = raters.LimitWords(
        x=t("agreement.limits.x"),
        y=t("agreement.limits.y", first=first, second=second),
        bias=t("agreement.limits.bias"),
        lower=t("agreement.limits.lower"),
        upper=t("agreement.limits.upper"),
    )
    hover = [place(scores.places[cast(int, one.item)]) for one in found.points]
    figure = raters.limits(found, hover=hover, words=words, palette=state.palette())
    st.plotly_chart(figure, key="agreement-limits", config=_QUIET_CHART, alt=t("agreement.limits.alt"))
    line(t("agreement.limits.what"), tone="quiet")


def place(row: Place) -> str:
    """A translation's place, for a hover."""
    return f"{row.document} {row.position + 1} · {row.system}"


def _pair_sentence(one: Agreement) -> str:
    if one.r is None:
        reason = t("agreement.few_shared" if one.missing == "few-shared" else "agreement.no_variance")
        return f"{t('agreement.cell_n', n=one.n)} · {reason}"
    parts = [f"r {charts.two_decimals(one.r)}", t("agreement.cell_n", n=one.n)]
    if one.low is not None and one.high is not None:
        low, high = charts.two_decimals(one.low), charts.two_decimals(one.high)
        parts.insert(1, t("agreement.interval", low=low, high=high))
    return " · ".join(parts)
