"""How far people's scores can be relied on: coefficients with intervals, each rater's part, groups."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.charts import raters as charts
from core.raters.reliability import (
    GroupAgreement,
    Reliability,
    Statistic,
    agreement_by_group,
    intervals,
    reliability,
)
from core.stats.estimate import Estimate
from db.queries.evaluation import Judgements
from pages.ui import state
from pages.ui.campaign_data import Figures
from pages.ui.text import interval, line, number, t, table
from pages.ui.widgets import chart, switch

_MOST_GROUPS = 200
GROUPS = ("document", "domain", "system")


def tab(figures: Figures, judgements: Judgements) -> None:
    """The whole tab."""
    with st.spinner(t("statistics.working")):
        whole = figures.get("reliability", lambda: reliability(judgements.scores))
        bootstrap = figures.get("reliability-intervals", lambda: intervals(judgements.scores))
    coefficients(whole, bootstrap)
    _without(whole)
    _groups(figures, judgements)


def coefficients(whole: Reliability, bootstrap: Mapping[Statistic, Estimate]) -> None:
    """One row for each coefficient, or a sentence where it cannot be had."""
    rows = (
        ("mean_r", bootstrap["mean_r"], whole.mean_r.n),
        ("mean_spearman", whole.mean_spearman, whole.mean_spearman.n),
        ("mean_kendall", whole.mean_kendall, whole.mean_kendall.n),
        ("icc_single", whole.icc_single, whole.icc_single.n),
        ("icc_mean", whole.icc_mean, whole.icc_mean.n),
        ("alpha", bootstrap["alpha"], whole.alpha.n),
    )
    header = [t(f"reliability.column.{name}") for name in ("what", "value", "interval", "n", "how")]
    table(
        header,
        [
            (
                t(f"reliability.{name}"),
                value(one),
                interval(one.low, one.high),
                number(n, 0),
                t(f"reliability.{name}.how"),
            )
            for name, one, n in rows
        ],
        numbers=frozenset({1, 2, 3}),
    )
    reasons = dict.fromkeys(one.missing for _, one, _ in rows if one.missing is not None)
    for reason in reasons:
        line(t(f"missing.{reason}"), tone="quiet")
    line(t("reliability.seed"), tone="quiet")


def value(estimate: Estimate) -> str:
    """A coefficient as it is printed, or a dash."""
    return number(estimate.value)


def _without(whole: Reliability) -> None:
    if len(whole.raters) < 3 or whole.mean_r.value is None:
        return
    st.subheader(t("reliability.without"), anchor=False)
    line(t("reliability.without_what"), tone="quiet")
    figure = charts.without(
        whole.without,
        whole.mean_r.value,
        x_title=t("reliability.without_axis"),
        palette=state.palette(),
    )
    chart(figure, "reliability-without", t("reliability.without_alt"))


def _groups(figures: Figures, judgements: Judgements) -> None:
    st.subheader(t("reliability.groups"), anchor=False)
    kind = switch(
        t("reliability.by"),
        GROUPS,
        "reliability-by",
        lambda name: t(f"agreement.column.{name}"),
        hidden=True,
    )

    def by_kind() -> tuple[GroupAgreement, ...]:
        group_of = {item: str(getattr(place, kind)) for item, place in judgements.places.items()}
        return agreement_by_group(judgements.scores, group_of)

    groups = figures.get(f"reliability-by-{kind}", by_kind)
    header = [t(f"reliability.group.{name}") for name in ("group", "items", "ratings", "r", "alpha")]
    table(header, [_group(group) for group in groups[:_MOST_GROUPS]], numbers=frozenset({1, 2, 3, 4}))
    if len(groups) > _MOST_GROUPS:
        line(t("agreement.more", shown=_MOST_GROUPS, total=len(groups)), tone="quiet")


def _group(group: GroupAgreement) -> tuple[str, ...]:
    return (
        group.group or t("reliability.no_name"),
        number(group.items, 0),
        number(group.ratings, 0),
        value(group.mean_r),
        value(group.alpha),
    )
