"""Quality of raters by the declared rules: checks, pace, sameness, drift; rankings without flagged raters."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts import raters as charts
from core.raters.quality import FEWEST_FOR_DRIFT, RaterQuality, check_raters
from core.raters.rater_flags import Entry, Ranking, Sensitivity, ledger, sensitivity
from core.raters.ratings import Rating
from core.report.raters import QUALITY, rater_row
from core.text.locale import Speaker
from core.text.numbers import p_value
from db.design import from_json, rules_of
from db.queries import get_campaign
from pages.ui import state
from pages.ui.campaign_data import Figures
from pages.ui.text import NONE, line, number, t, table
from pages.ui.widgets import chart


def tab(figures: Figures, rows: Sequence[Rating]) -> None:
    """The whole tab."""
    record = get_campaign(state.engine(), figures.campaign.id)
    design = from_json(record.design)
    rules, declared = rules_of(design, record.target_lang), bool(design.rules)
    line(t("quality.declared" if declared else "quality.usual"), tone="quiet")
    with st.spinner(t("statistics.working")):
        found = figures.get(f"quality-{rules}", lambda: check_raters(rows, rules))
    people(found)
    entries = ledger(found, rules)
    _ledger(entries)
    flagged = tuple(dict.fromkeys(entry.rater for entry in entries))
    _sensitivity(figures.get(f"sensitivity-{flagged}", lambda: sensitivity(rows, flagged)))
    _drift(found)


def people(found: Sequence[RaterQuality]) -> None:
    """A row for each rater."""
    say = Speaker(state.language())
    table(
        [t(f"quality.column.{name}") for name in QUALITY],
        [rater_row(one, say) for one in found],
        numbers=frozenset(range(1, len(QUALITY))),
    )
    line(t("quality.read"), tone="quiet")


def _ledger(entries: Sequence[Entry]) -> None:
    st.subheader(t("quality.ledger"), anchor=False)
    if not entries:
        line(t("quality.nobody"))
        return
    line(t("quality.ledger_what"), tone="quiet")
    header = [t(f"quality.entry.{name}") for name in ("rater", "rule", "value", "threshold", "n")]
    table(header, [entry_row(entry) for entry in entries], numbers=frozenset({2, 3, 4}))


def entry_row(entry: Entry) -> tuple[str, ...]:
    """An entry of the ledger as a row."""
    digits = 1 if entry.rule in ("repeat", "drift", "same-run") else 2
    return (
        entry.rater,
        t(f"quality.rule.{entry.rule}"),
        number(entry.value, digits),
        number(entry.threshold, digits),
        number(entry.n, 0),
    )


def _sensitivity(found: Sensitivity) -> None:
    if found.without_all is None:
        return
    st.subheader(t("quality.sensitivity"), anchor=False)
    rankings = [found.everyone, *found.without_each]
    if len(found.without_each) > 1:
        rankings.append(found.without_all)
    header = [t("quality.without"), t("agreement.column.n"), t("quality.order"), t("quality.changed")]
    table(header, [_ranking(ranking) for ranking in rankings], numbers=frozenset({1}))


def _ranking(ranking: Ranking) -> tuple[str, ...]:
    order = " > ".join(f"{score.system} {number(score.value, 1)}" for score in ranking.systems)
    who = ", ".join(ranking.without) if ranking.without else t("quality.no_one")
    if not ranking.without:
        return who, number(ranking.n, 0), order or NONE, ""
    if ranking.lost:
        return who, number(ranking.n, 0), order or NONE, t("quality.lost", systems=", ".join(ranking.lost))
    return who, number(ranking.n, 0), order or NONE, t("quality.yes" if ranking.changed else "quality.no")


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


def _drift_sentence(rater: RaterQuality) -> str:
    slope = rater.drift.slope
    if slope.value is None or slope.low is None or slope.high is None:
        return t(f"missing.{slope.missing}")
    if not rater.drift.tells:
        return t("quality.drift_withheld", n=FEWEST_FOR_DRIFT)
    return t(
        "quality.drift_slope",
        slope=number(slope.value, 1),
        low=number(slope.low, 1),
        high=number(slope.high, 1),
        p=p_value(rater.drift.p),
    )
