"""Quality of raters by the declared rules: checks, pace, sameness, drift; rankings without flagged raters."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts import raters as charts
from core.raters.quality import CheckTest, QualityRow, RaterQuality, check_raters
from core.raters.rater_flags import Entry, Ranking, Sensitivity, ledger, sensitivity
from core.raters.rules import Rules, rules_for, rules_from_json
from core.report.formatting import p_value
from core.stats.estimate import Estimate
from core.text.languages import base_lang
from db.design import from_json
from db.records import CampaignRecord
from pages.ui import state
from pages.ui.text import NONE, line, number, t, table
from pages.ui.widgets import chart

COLUMNS = ("rater", "n", "checks", "repeat", "degraded", "reference", "pace", "same", "drift")


def rules_of(campaign: CampaignRecord) -> Rules:
    """The rules that the campaign declared, or the usual ones for its language."""
    stored = from_json(campaign.design).rules
    return rules_from_json(stored) if stored else rules_for(base_lang(campaign.target_lang))


def tab(campaign: CampaignRecord, rows: Sequence[QualityRow]) -> None:
    """The whole tab."""
    rules = rules_of(campaign)
    declared = bool(from_json(campaign.design).rules)
    line(t("quality.declared" if declared else "quality.usual"), tone="quiet")
    with st.spinner(t("statistics.working")):
        found = check_raters(rows, rules)
    people(found)
    entries = ledger(found, rules)
    _ledger(entries)
    flagged = tuple(dict.fromkeys(one.rater for one in entries))
    _sensitivity(sensitivity(rows, flagged))
    _drift(found)


def people(found: Sequence[RaterQuality]) -> None:
    """A row for each rater."""
    table(
        [t(f"quality.column.{name}") for name in COLUMNS],
        [_person(one) for one in found],
        numbers=frozenset(range(1, len(COLUMNS))),
    )
    line(t("quality.read"), tone="quiet")


def _person(one: RaterQuality) -> tuple[str, ...]:
    return (
        one.rater,
        str(one.n),
        str(one.checks),
        _figure(one.repeat_error, 1),
        _check(one.degraded),
        _check(one.reference),
        _figure(one.pace.a_minute, 0),
        NONE if one.same.share.value is None else f"{100 * one.same.share.value:.0f} % ({one.same.run})",
        _figure(one.drift.slope, 1, signed=True),
    )


def _figure(one: Estimate, digits: int, *, signed: bool = False) -> str:
    return number(one.value, digits, signed=signed)


def _check(one: CheckTest) -> str:
    """`p .03 (12)`; the share of pairs the right way round where there is no test."""
    if one.p is not None:
        return f"p {p_value(one.p)} ({one.n})"
    return NONE if one.share is None else f"{100 * one.share:.0f} % ({one.n})"


def _ledger(entries: Sequence[Entry]) -> None:
    st.subheader(t("quality.ledger"), anchor=False)
    if not entries:
        line(t("quality.nobody"))
        return
    line(t("quality.ledger_what"), tone="quiet")
    header = [t(f"quality.entry.{name}") for name in ("rater", "rule", "value", "threshold", "n")]
    table(header, [entry_row(one) for one in entries], numbers=frozenset({2, 3, 4}))


def entry_row(one: Entry) -> tuple[str, ...]:
    """An entry of the ledger as a row."""
    digits = 1 if one.rule in ("repeat", "drift", "same-run") else 2
    return (
        one.rater,
        t(f"quality.rule.{one.rule}"),
        number(one.value, digits),
        number(one.threshold, digits),
        str(one.n),
    )


def _sensitivity(found: Sensitivity) -> None:
    if found.without_all is None:
        return
    st.subheader(t("quality.sensitivity"), anchor=False)
    rankings = [found.everyone, *found.without_each]
    if len(found.without_each) > 1:
        rankings.append(found.without_all)
    header = [t("quality.without"), t("agreement.column.n"), t("quality.order"), t("quality.changed")]
    table(header, [_ranking(one) for one in rankings], numbers=frozenset({1}))


def _ranking(one: Ranking) -> tuple[str, ...]:
    order = " > ".join(f"{score.system} {number(score.value, 1)}" for score in one.systems)
    who = ", ".join(one.without) if one.without else t("quality.no_one")
    if not one.without:
        return who, str(one.n), order or NONE, ""
    if one.lost:
        return who, str(one.n), order or NONE, t("quality.lost", systems=", ".join(one.lost))
    return who, str(one.n), order or NONE, t("quality.yes" if one.changed else "quality.no")


def _drift(found: Sequence[RaterQuality]) -> None:
    drawn = {one.rater: one for one in found if one.drift.documents}
    if not drawn:
        return
    st.subheader(t("quality.drift"), anchor=False)
    name = st.selectbox(t("agreement.column.rater"), list(drawn), key="quality-drift", filter_mode=None)
    one = drawn[name]
    line(_drift_sentence(one), tone="quiet")
    figure = charts.drift(
        one.drift, x_title=t("quality.drift_x"), y_title=t("quality.drift_y"), palette=state.palette()
    )
    chart(figure, "quality-drift-chart", t("quality.drift_alt"))


def _drift_sentence(one: RaterQuality) -> str:
    slope = one.drift.slope
    if slope.value is None or slope.low is None or slope.high is None:
        return t(f"missing.{slope.missing}")
    return t(
        "quality.drift_slope",
        slope=number(slope.value, 1),
        low=number(slope.low, 1),
        high=number(slope.high, 1),
        p=p_value(one.drift.p),
    )
