"""The evidence behind the numbers of a pair, one tab each: tokens with their ledger, words, characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from core.charts.alignment import CLOSE_UP, alignment, close_up, ngram_bars
from core.charts.evidence import alignment_words, ngram_words
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import PART_OF_SIDE, BertScoreTrace, Side, SideName, ledger, visible
from core.metrics.subspace import SubspaceTrace
from core.metrics.surface import BleuTrace, ChrfTrace
from core.text.html import Tint
from core.text.locale import Speaker
from core.types import Result, TextPair
from pages.ui import address, state
from pages.ui.text import NONE, line, number, t
from pages.ui.widgets import chart, data_table, switch, texts

_REFERENCE, _HYPOTHESIS = "focus-reference", "focus-hypothesis"
_CHART = "alignment-chart"
_WINDOW = "alignment-from"
SIDES: tuple[SideName, ...] = ("reference", "hypothesis")


PARTS = (
    address.number("token", _REFERENCE, clears=True),
    address.number("partner", _HYPOTHESIS, clears=True),
)
"""The parts of an address that choose a token: of the reference, and its partner in the translation."""


@dataclass(frozen=True, slots=True)
class Focus:
    """The token that the reader looks at: its index on each side, None where there is none."""

    reference: int | None = None
    hypothesis: int | None = None


def focus(trace: BertScoreTrace | SubspaceTrace) -> Focus:
    """The token chosen last, if this pair has it."""
    chosen = [st.session_state.get(key) for key in (_REFERENCE, _HYPOTHESIS)]
    sizes = (len(trace.reference.tokens), len(trace.hypothesis.tokens))
    return Focus(
        *(i if i is not None and 0 <= i < size else None for i, size in zip(chosen, sizes, strict=True))
    )


def settle(trace: BertScoreTrace) -> None:
    """Before anything is drawn: forget a chosen token that this pair does not have, and find its partner."""
    chosen = focus(trace)
    for key, index in ((_REFERENCE, chosen.reference), (_HYPOTHESIS, chosen.hypothesis)):
        if index is None and st.session_state.get(key) is not None:
            st.session_state[key] = None
    if chosen.reference is not None and chosen.hypothesis is None:
        choose("reference", chosen.reference, int(trace.reference.partner[chosen.reference]))
    elif chosen.hypothesis is not None and chosen.reference is None:
        choose("hypothesis", chosen.hypothesis, int(trace.hypothesis.partner[chosen.hypothesis]))


def tokens(result: Result[BertScoreTrace]) -> None:
    """The heatmap, and the ledger of each side."""
    trace = cast(BertScoreTrace, result.trace)
    if trace.empty:
        line(t("pair.empty_side"))
        return
    _token_boxes(trace)
    if trace.similarity is None:
        line(t("pair.too_long"))
    else:
        _heatmap(trace)
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            _ledger(result, trace, side)


def tints(side: Side, chosen: int | None = None) -> list[Tint]:
    """A tint per token: the weakest match of the sentence is clear, cosine 1 is full. chosen: underlined."""
    tokens_and_cosines = [
        (index, token, float(cosine))
        for index, (token, cosine) in enumerate(zip(side.tokens, side.cosine, strict=True))
        if not token.special
    ]
    low = min((cosine for _, _, cosine in tokens_and_cosines), default=0.0)
    return [
        Tint(
            start=token.start,
            end=token.end,
            strength=(cosine - low) / (1 - low) if low < 1 else 1.0,
            title=f"{cosine:.3f}",
            underline="double" if index == chosen else "none",
        )
        for index, token, cosine in tokens_and_cosines
    ]


def both_texts(pair: TextPair, trace: BertScoreTrace) -> None:
    """Both texts side by side, each token tinted by the cosine of its best match."""
    chosen = focus(trace)
    sides = (
        (t("pair.reference"), pair.reference, trace.reference, chosen.reference),
        (t("pair.translation"), pair.hypothesis, trace.hypothesis, chosen.hypothesis),
    )
    shown = [
        (caption, text, None if trace.empty or not text.strip() else tints(side, index))
        for caption, text, side, index in sides
    ]
    texts(shown, lang=pair.lang, colour=state.palette().match)


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
                format_func=[f"{index}: {visible(token)}" for index, token in enumerate(own)].__getitem__,
                placeholder=t("pair.focus.none"),
                key=key,
                on_change=_follow,
                args=(trace, side, key),
                width=280,
                persist_state="page",
            )


def choose(side: SideName, token: int | None, partner: int | None) -> None:
    """Choose a token for the whole page, with its partner on the other side; None for no token.

    Call it from a callback: the boxes of the Tokens tab have the same keys. `partner` may be NO_PARTNER.
    """
    own, other = (_REFERENCE, _HYPOTHESIS) if side == "reference" else (_HYPOTHESIS, _REFERENCE)
    st.session_state[own] = token
    st.session_state[other] = None if partner == NO_PARTNER else partner
    row = st.session_state[_REFERENCE]
    if row is not None:
        st.session_state[_WINDOW] = max(row - CLOSE_UP // 2, 0)


def _follow(trace: BertScoreTrace, side: SideName, key: str) -> None:
    token = st.session_state[key]
    choose(side, token, None if token is None else int(getattr(trace, side).partner[token]))


def token_table(
    columns: Mapping[str, Sequence[object]],
    *,
    key: str,
    trace: BertScoreTrace,
    side: SideName,
    indices: Sequence[int],
    formats: Mapping[str, str],
) -> None:
    """A table with a row per token; choosing a row chooses its token for the whole page.

    indices: the token of each row.
    """
    data_table(
        columns,
        key,
        formats,
        rows=len(indices),
        on_select=lambda: _follow_row(key, trace, side, indices),
    )


def _follow_row(key: str, trace: BertScoreTrace, side: SideName, indices: Sequence[int]) -> None:
    rows = st.session_state[key].selection.rows
    token = indices[rows[0]] if rows and rows[0] < len(indices) else None
    choose(side, token, None if token is None else int(getattr(trace, side).partner[token]))


def _heatmap(trace: BertScoreTrace) -> None:
    row, column = (index := focus(trace)).reference, index.hypothesis
    chosen = None if row is None or column is None else (row, column)
    words = alignment_words(Speaker(state.language()))
    figure = alignment(trace, words=words, palette=state.palette(), chosen=chosen, window=_window(trace))
    chart(figure, _CHART, t("pair.heatmap_alt"), on_select=_choose_mark, wide=True)


def _window(trace: BertScoreTrace) -> tuple[range, range] | None:
    """For long texts: the whole picture, or a stretch of it in which every token can be read."""
    size = len(trace.reference.tokens)
    if max(size, len(trace.hypothesis.tokens)) <= CLOSE_UP:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        view = switch(
            t("pair.view"),
            ("whole", "near"),
            "pair-view",
            lambda name: t(f"pair.view.{name}"),
            default="near",
        )
        if view == "whole":
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
        names[1]: [NONE if row.partner is None else visible(row.partner) for row in rows],
        names[2]: [row.weight for row in rows],
        names[3]: [row.cosine for row in rows],
        names[4]: [row.share for row in rows],
    }
    formats = {names[2]: "%.3f", names[3]: "%.3f", names[4]: "%.4f"}
    indices = [row.place for row in rows]
    token_table(columns, key=f"ledger-{side}", trace=trace, side=side, indices=indices, formats=formats)
    total = sum(row.share for row in rows)
    value = number(result.parts[part], 4)
    line(t("pair.sum", total=number(total, 4), part=t(f"pair.part.{part}"), value=value))


def ngrams(result: Result[Any]) -> None:
    """Bars per n-gram order, and the numbers that the score is made of."""
    words = ngram_words(Speaker(state.language()))
    figure = ngram_bars(cast(BleuTrace | ChrfTrace, result.trace), words=words, palette=state.palette())
    chart(figure, f"ngrams-{result.metric}", t("pair.ngram.alt"))
    parts = "  ·  ".join(
        f"{t(f'pair.part.{name}')} {number(value, 2)}" for name, value in result.parts.items()
    )
    line(parts, tone="quiet")
