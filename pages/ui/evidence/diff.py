"""Another translation of the same reference: what makes the difference between the scores, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.attribution import KINDS, Contribution
from core.charts import attribution as charts
from core.metrics import attribute, digits_of
from core.types import Result
from pages.ui import models, state
from pages.ui.picker import Chosen
from pages.ui.text import NONE, line, metric_name, number, t, table
from pages.ui.widgets import chart, switch, texts

LARGEST = 12


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
    if any(result.score is None or result.trace is None for result in (before, after)):
        line(t("moves.missing"))
        return
    difference = attribute(before, after)
    digits = digits_of(difference.metric)
    figure = charts.waterfall(difference, words=words(), palette=state.palette(), digits=digits)
    chart(figure, f"{key}-waterfall", t("moves.waterfall_alt"))
    largest = difference.largest(LARGEST)
    if not largest:
        line(t("moves.nothing"), tone="quiet")
        return
    header = [t(f"moves.column.{name}") for name in ("kind", "what", "side", "before", "after", "amount")]
    table(header, [_step_row(step, digits) for step in largest], numbers=frozenset({3, 4, 5}))
    total = sum(bool(step.amount) for step in difference.contributions)
    line(t("moves.largest", shown=len(largest), total=total), tone="quiet")


def _step_row(step: Contribution, digits: int) -> tuple[str, ...]:
    return (
        t(f"moves.kind.{step.kind}"),
        _what(step),
        t(f"moves.side.{step.side}") if step.side else NONE,
        number(step.before, digits),
        number(step.after, digits),
        number(step.amount, digits + 1, signed=True),
    )


def _what(step: Contribution) -> str:
    if step.kind == "n-grams":
        return t("moves.order", n=step.what)
    if step.kind == "error":
        return t(f"judge.severity.{step.what}")
    return step.what or NONE


TYPED = "typed"


def diff(chosen: Chosen, results: Mapping[str, Result[Any]]) -> None:
    """The whole tab. results: the metrics of the page; both translations are scored with default settings."""
    other = _other(chosen)
    if other is None:
        return
    shown = ((t("diff.this"), chosen.pair.hypothesis, None), (t("diff.other"), other.pair.hypothesis, None))
    texts(shown, lang=chosen.pair.lang)
    own, others = (
        {
            name: models.attempt(name, scored.pair, context=scored.context, stored=scored.stored)
            for name in results
        }
        for scored in (chosen, other)
    )
    header = [t("hacks.metric"), t("diff.this"), t("diff.other"), t("diff.gap")]
    table(header, [_row(name, own[name], others[name]) for name in results], numbers=frozenset({1, 2, 3}))
    name = metric_switch(list(results), "diff-metric")
    steps(own[name], others[name], key="diff")


def metric_switch(names: Sequence[str], key: str) -> str:
    """One of several metrics, at first BERTScore."""
    default = "bertscore" if "bertscore" in names else None
    return switch(t("hacks.metric"), names, key, metric_name, default=default, hidden=True)


def _other(chosen: Chosen) -> Chosen | None:
    """Another system's translation, or one that is typed; None while there is none."""
    others = {other.system: other for other in chosen.others()}
    name = st.selectbox(
        t("diff.choose"),
        [*others, TYPED],
        format_func=lambda name: t("diff.typed") if name == TYPED else str(name),
        key=f"diff-other-{chosen.translation and chosen.translation.id}",
        filter_mode=None,
    )
    if name != TYPED:
        return chosen.instead(others[name])
    text = st.text_area(t("diff.type"), chosen.pair.hypothesis, key="diff-typed", height=120)
    if not text.strip():
        line(t("pair.nothing_typed"))
        return None
    return chosen.instead(text)


def _row(name: str, own: Result[Any], other: Result[Any]) -> tuple[str, ...]:
    digits = digits_of(name)
    gap = None if own.score is None or other.score is None else other.score - own.score
    shown = (number(own.score, digits), number(other.score, digits), number(gap, digits, signed=True))
    return (metric_name(name), *shown)
