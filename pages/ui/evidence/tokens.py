"""The evidence behind the numbers of a pair, one tab each: tokens with their ledger, words, characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import streamlit as st

from core.charts.alignment import CLOSE_UP, AlignmentWords, NgramWords, alignment, close_up, ngram_bars
from core.metrics.bertscore.ledger import PART_OF_SIDE, SideName, ledger, visible
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import BertScoreTrace
from core.metrics.subspace import SubspaceTrace
from core.types import Result
from pages.ui import state
from pages.ui.evidence.overview import Focus
from pages.ui.text import line, number, t

_REFERENCE, _HYPOTHESIS = "focus-reference", "focus-hypothesis"
_CHART = "alignment-chart"
_WINDOW = "alignment-from"
SIDES: tuple[SideName, ...] = ("reference", "hypothesis")


def focus(trace: BertScoreTrace | SubspaceTrace) -> Focus:
    """The token chosen last, if this pair has it."""
    places = [st.session_state.get(key) for key in (_REFERENCE, _HYPOTHESIS)]
    sizes = (len(trace.reference.tokens), len(trace.hypothesis.tokens))
    known = [p if p is not None and p < size else None for p, size in zip(places, sizes, strict=True)]
    return Focus(*known)


def tokens(result: Result[BertScoreTrace]) -> None:
    """The heatmap, and the ledger of each side."""
    trace = cast(BertScoreTrace, result.trace)
    if trace.empty:
        line(t("pair.empty_side"))
        return
    _token_boxes(trace)
    at = focus(trace)
    if trace.similarity is None:
        line(t("pair.too_long"))
    else:
        chosen = (at.reference, at.hypothesis) if None not in (at.reference, at.hypothesis) else None
        _heatmap(trace, cast(tuple[int, int] | None, chosen))
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            _ledger(result, trace, side)


def _token_boxes(trace: BertScoreTrace) -> None:
    """Any token by keyboard: choosing one goes to its best partner on the other side."""
    with st.container(horizontal=True, gap="medium"):
        for key, side in zip((_REFERENCE, _HYPOTHESIS), SIDES, strict=True):
            own = getattr(trace, side).tokens
            if (st.session_state.get(key) or 0) >= len(own):
                st.session_state[key] = None
            st.selectbox(
                t(f"pair.focus.{side}"),
                range(len(own)),
                index=None,
                format_func=lambda place, own=own: f"{place}: {visible(own[place])}",
                placeholder=t("pair.focus.none"),
                key=key,
                on_change=_follow,
                args=(trace, side, key),
                width=280,
                persist_state="page",
            )


def choose(side: SideName, place: int | None, partner: int | None) -> None:
    """Choose a token for the whole page, with its partner on the other side; None for no token.

    Call it from a callback: the boxes of the Tokens tab have the same keys. `partner` may be NO_PARTNER.
    """
    own, other = (_REFERENCE, _HYPOTHESIS) if side == "reference" else (_HYPOTHESIS, _REFERENCE)
    st.session_state[own] = place
    st.session_state[other] = None if partner == NO_PARTNER else partner
    row = st.session_state[_REFERENCE]
    if row is not None:
        st.session_state[_WINDOW] = max(row - CLOSE_UP // 2, 0)


def _follow(trace: BertScoreTrace, side: SideName, key: str) -> None:
    place = st.session_state[key]
    choose(side, place, None if place is None else int(getattr(trace, side).partner[place]))


def token_table(
    columns: Mapping[str, Sequence[object]],
    *,
    key: str,
    trace: BertScoreTrace,
    side: SideName,
    places: Sequence[int],
    formats: Mapping[str, str],
) -> None:
    """A table with a row per token; choosing a row chooses its token, of this place, for the whole page."""
    st.dataframe(
        columns,
        hide_index=True,
        height=min(38 + 35 * len(places), 420),
        column_config={name: st.column_config.NumberColumn(format=form) for name, form in formats.items()},
        key=key,
        on_select=lambda: _follow_row(key, trace, side, places),
        selection_mode="single-row",
    )


def _follow_row(key: str, trace: BertScoreTrace, side: SideName, places: Sequence[int]) -> None:
    rows = st.session_state[key].selection.rows
    place = places[rows[0]] if rows and rows[0] < len(places) else None
    choose(side, place, None if place is None else int(getattr(trace, side).partner[place]))


def _heatmap(trace: BertScoreTrace, chosen: tuple[int, int] | None) -> None:
    words = AlignmentWords(
        reference=t("pair.reference"),
        hypothesis=t("pair.translation"),
        cosine=t("pair.cosine"),
        weight=t("pair.weight"),
        best_for_reference=t("pair.best_for_reference"),
        best_for_hypothesis=t("pair.best_for_hypothesis"),
    )
    window = _window(trace)
    figure = alignment(trace, words=words, palette=state.palette(), chosen=chosen, window=window)
    st.plotly_chart(
        figure,
        key=_CHART,
        on_select=_choose_mark,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=t("pair.heatmap_alt"),
    )


def _window(trace: BertScoreTrace) -> tuple[range, range] | None:
    """For long texts: the whole picture, or a stretch of it in which every token can be read."""
    size = len(trace.reference.tokens)
    if max(size, len(trace.hypothesis.tokens)) <= CLOSE_UP:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        near = st.segmented_control(
            t("pair.view"),
            ("whole", "near"),
            default="near",
            required=True,
            key="pair-view",
            format_func=lambda name: t(f"pair.view.{name}"),
            persist_state="session",
        )
        if near == "whole":
            return None
        last = max(size - CLOSE_UP, 0)
        start = st.session_state.get(_WINDOW) or 0
        st.session_state[_WINDOW] = min(start, last)
        if last:
            start = st.slider(t("pair.view.from"), 0, last, key=_WINDOW, width=420)
    return close_up(trace, start)


def _choose_mark() -> None:
    points = st.session_state[_CHART].selection.points
    if points:
        choose("reference", round(points[0]["y"]), round(points[0]["x"]))


def _ledger(result: Result[BertScoreTrace], trace: BertScoreTrace, side: SideName) -> None:
    part = PART_OF_SIDE[side]
    st.subheader(t(f"pair.ledger.{part}"), anchor=False)
    rows = ledger(trace, side)
    names = [t(f"pair.column.{name}") for name in ("token", "partner", "weight", "cosine", "share")]
    columns: dict[str, list[Any]] = {
        names[0]: [visible(row.token) for row in rows],
        names[1]: ["–" if row.partner is None else visible(row.partner) for row in rows],
        names[2]: [row.weight for row in rows],
        names[3]: [row.cosine for row in rows],
        names[4]: [row.share for row in rows],
    }
    formats = {names[2]: "%.3f", names[3]: "%.3f", names[4]: "%.4f"}
    places = [row.place for row in rows]
    token_table(columns, key=f"ledger-{side}", trace=trace, side=side, places=places, formats=formats)
    total = sum(row.share for row in rows)
    line(
        t(
            "pair.sum",
            total=number(total, 4),
            part=t(f"pair.part.{part}"),
            value=number(result.parts[part], 4),
        )
    )


def ngrams(result: Result[Any]) -> None:
    """Bars per n-gram order, and the numbers that the score is made of."""
    words = NgramWords(
        order=t("pair.ngram.order"),
        matched=t("pair.ngram.matched"),
        only_hypothesis=t("pair.ngram.only_hypothesis"),
        count=t("pair.ngram.count"),
    )
    figure = ngram_bars(result.trace, words=words, palette=state.palette())
    st.plotly_chart(
        figure, key=f"ngrams-{result.metric}", config={"displayModeBar": False}, alt=t("pair.ngram.alt")
    )
    parts = "  ·  ".join(
        f"{t(f'pair.part.{name}')} {number(value, 2)}" for name, value in result.parts.items()
    )
    line(parts, tone="quiet")
