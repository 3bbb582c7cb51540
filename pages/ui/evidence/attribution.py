"""What moved a metric's score from one translation to another: the waterfall and its largest steps."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.attribution import KINDS, Move, moves
from core.charts import moves as charts
from core.types import Result
from pages.ui import state
from pages.ui.evidence.overview import DIGITS
from pages.ui.text import line, number, t, table

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
    found = moves(before, after)
    digits = DIGITS.get(found.metric, 3)
    figure = charts.waterfall(found, words=words(), palette=state.palette(), digits=digits)
    st.plotly_chart(figure, key=f"{key}-waterfall", config=_QUIET_CHART, alt=t("moves.waterfall_alt"))
    largest = found.largest(LARGEST)
    if not largest:
        line(t("moves.nothing"), tone="quiet")
        return
    header = [t(f"moves.column.{name}") for name in ("kind", "what", "side", "before", "after", "amount")]
    table(header, [_row(one, digits) for one in largest], numbers=frozenset({3, 4, 5}))
    total = sum(bool(one.amount) for one in found.moves)
    line(t("moves.largest", shown=len(largest), total=total), tone="quiet")


def _row(one: Move, digits: int) -> tuple[str, ...]:
    shown = [("–" if value is None else number(value, digits)) for value in (one.before, one.after)]
    sign = "+" if one.amount > 0 else ""
    return (
        t(f"moves.kind.{one.kind}"),
        _what(one),
        t(f"moves.side.{one.side}") if one.side else "–",
        *shown,
        sign + number(one.amount, digits + 1),
    )


def _what(one: Move) -> str:
    if one.kind == "n-grams":
        return t("moves.order", n=one.what)
    if one.kind == "error":
        return t(f"judge.severity.{one.what}")
    return one.what or "–"
