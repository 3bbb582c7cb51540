"""Another translation of the same reference: what makes the difference between the two scores.

What moved a metric's score from one translation to another: the waterfall and its largest steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

from core.attribution import KINDS, Contribution
from core.charts import attribution as charts
from core.metrics import attribute, digits_of
from core.types import Result, TextPair
from db.queries import list_translations
from pages.ui import models, state
from pages.ui.picker import Chosen
from pages.ui.text import label, line, novel, number, t, table

LARGEST = 12
_QUIET_CHART = {"displayModeBar": False}


def words() -> charts.MoveWords:
    """The charts' words."""
    return charts.MoveWords(
        before=t("moves.before"),
        after=t("moves.after"),
        value=t("moves.value"),
        cut=t("moves.cut"),
        share=t("moves.share"),
        kinds={kind: t(f"moves.kind.{kind}") for kind in KINDS},
    )


def steps(before: Result[Any], after: Result[Any], *, key: str) -> None:
    """The waterfall by kinds of steps, and the largest steps one by one."""
    if before.score is None or after.score is None:
        line(t("moves.missing"))
        return
    found = attribute(before, after)
    digits = digits_of(found.metric)
    figure = charts.waterfall(found, words=words(), palette=state.palette(), digits=digits)
    st.plotly_chart(figure, key=f"{key}-waterfall", config=_QUIET_CHART, alt=t("moves.waterfall_alt"))
    largest = found.largest(LARGEST)
    if not largest:
        line(t("moves.nothing"), tone="quiet")
        return
    header = [t(f"moves.column.{name}") for name in ("kind", "what", "side", "before", "after", "amount")]
    table(header, [_step_row(one, digits) for one in largest], numbers=frozenset({3, 4, 5}))
    total = sum(bool(one.amount) for one in found.contributions)
    line(t("moves.largest", shown=len(largest), total=total), tone="quiet")


def _step_row(one: Contribution, digits: int) -> tuple[str, ...]:
    shown = [("–" if value is None else number(value, digits)) for value in (one.before, one.after)]
    sign = "+" if one.amount > 0 else ""
    return (
        t(f"moves.kind.{one.kind}"),
        _what(one),
        t(f"moves.side.{one.side}") if one.side else "–",
        *shown,
        sign + number(one.amount, digits + 1),
    )


def _what(one: Contribution) -> str:
    if one.kind == "n-grams":
        return t("moves.order", n=one.what)
    if one.kind == "error":
        return t(f"judge.severity.{one.what}")
    return one.what or "–"


TYPED = "typed"


def diff(chosen: Chosen, results: Mapping[str, Result[Any]]) -> None:
    """The whole tab. results: the metrics of the page; both translations are scored with default settings."""
    other = _other(chosen)
    if other is None:
        return
    pair = chosen.pair
    compared = TextPair(reference=pair.reference, hypothesis=other, source=pair.source, lang=pair.lang)
    for column, caption, text in zip(
        st.columns(2, gap="medium"), (t("diff.this"), t("diff.other")), (pair.hypothesis, other), strict=True
    ):
        with column.container(border=True, height="stretch", gap=None):
            label(caption)
            novel(text, lang=pair.lang)
    others = {name: models.attempt(name, compared, context=chosen.context) for name in results}
    own = {name: models.attempt(name, pair, context=chosen.context) for name in results}
    header = [t("hacks.metric"), t("diff.this"), t("diff.other"), t("diff.gap")]
    table(header, [_row(name, own[name], others[name]) for name in results], numbers=frozenset({1, 2, 3}))
    name = st.segmented_control(
        t("hacks.metric"),
        list(results),
        default="bertscore",
        required=True,
        key="diff-metric",
        format_func=lambda one: t(f"metric.{one}"),
        label_visibility="collapsed",
        persist_state="session",
    )
    steps(own[cast(str, name)], others[cast(str, name)], key="diff")


def _other(chosen: Chosen) -> str | None:
    """Another system's translation, or one that is typed; None while there is none."""
    listed = [] if chosen.campaign_id is None else list_translations(state.engine(), chosen.campaign_id)
    own = next((one for one in listed if one.id == chosen.translation_id), None)
    texts = {
        one.system: one.text
        for one in listed
        if own is not None and one.segment_id == own.segment_id and one.id != own.id
    }
    name = st.selectbox(
        t("diff.choose"),
        [*texts, TYPED],
        format_func=lambda one: t("diff.typed") if one == TYPED else str(one),
        key=f"diff-other-{chosen.translation_id}",
        filter_mode=None,
    )
    if name != TYPED:
        return texts[name]
    text = st.text_area(t("diff.type"), chosen.pair.hypothesis, key="diff-typed", height=120)
    if not text.strip():
        line(t("pair.nothing_typed"))
        return None
    return text


def _row(name: str, own: Result[Any], other: Result[Any]) -> tuple[str, ...]:
    digits = digits_of(name)
    shown = [("–" if one.score is None else number(one.score, digits)) for one in (own, other)]
    if own.score is None or other.score is None:
        return (t(f"metric.{name}"), *shown, "–")
    gap = other.score - own.score
    return (t(f"metric.{name}"), *shown, ("+" if gap > 0 else "") + number(gap, digits))
