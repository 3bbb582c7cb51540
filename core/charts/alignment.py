"""BERTScore's token alignment as a heatmap with the greedy matches, and the n-grams of BLEU and chrF."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from core.charts.palette import Palette, scale
from core.errors import InputError
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import BertScoreTrace, Side, visible
from core.metrics.surface import BleuTrace, ChrfTrace

CELL = 24  # pixels a token in a close-up
OVERVIEW_CELL = 9  # and in an overview, where labels are thinned out
CLOSE_UP = 36  # tokens a side that still have room for their labels
MARGIN_LEFT, MARGIN_TOP = 120, 120


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentWords:
    """The chart's words in the reader's language."""

    reference: str
    hypothesis: str
    cosine: str
    weight: str
    best_for_reference: str
    best_for_hypothesis: str


def alignment(
    trace: BertScoreTrace,
    *,
    words: AlignmentWords,
    palette: Palette,
    chosen: tuple[int, int] | None = None,
    window: tuple[range, range] | None = None,
) -> go.Figure:
    """Rows are the reference's tokens from top to bottom, columns the translation's.

    A circle marks the match of each reference token (recall), a square that of each translation token
    (precision). `chosen` is a (row, column) to frame; `window` the rows and columns to show, default all.
    Raises InputError when the trace holds no matrix.
    """
    if trace.similarity is None:
        raise InputError(
            "The texts are too long for a matrix of all their tokens; the ledger has every match."
        )
    whole = (range(len(trace.reference.tokens)), range(len(trace.hypothesis.tokens)))
    shown = window or whole
    size = 9 if max(map(len, shown)) <= CLOSE_UP else 4
    figure = go.Figure(_heatmap(trace, trace.similarity, words, palette))
    figure.add_trace(
        _marks(trace.reference, "circle-open", words.best_for_reference, palette, swap=False, size=size)
    )
    figure.add_trace(
        _marks(trace.hypothesis, "square-open", words.best_for_hypothesis, palette, swap=True, size=size)
    )
    if chosen is not None:
        row, column = chosen
        figure.add_shape(
            type="rect",
            x0=column - 0.5,
            x1=column + 0.5,
            y0=row - 0.5,
            y1=row + 0.5,
            line={"color": palette.accent, "width": 3},
        )
    _axes(figure, trace, shown)
    return figure


def _heatmap(
    trace: BertScoreTrace, similarity: np.ndarray, words: AlignmentWords, palette: Palette
) -> go.Heatmap:
    rows = [f"{escape(visible(token))}" for token in trace.reference.tokens]
    columns = [f"{escape(visible(token))}" for token in trace.hypothesis.tokens]
    weights = [_shown_weights(trace.reference), _shown_weights(trace.hypothesis)]
    hover = np.empty((*similarity.shape, 4), object)
    hover[..., 0], hover[..., 2] = np.array(rows, object)[:, None], np.array(weights[0], object)[:, None]
    hover[..., 1], hover[..., 3] = np.array(columns, object)[None, :], np.array(weights[1], object)[None, :]
    low = float(np.floor(10 * similarity.min()) / 10) if similarity.size else 0.0
    return go.Heatmap(
        z=similarity,
        customdata=hover,
        colorscale=scale(palette.sequential),
        zmin=min(low, 0.9),
        zmax=1,
        xgap=0.5,
        ygap=0.5,
        colorbar={"title": {"text": words.cosine, "side": "right"}, "thickness": 10, "len": 0.6},
        hovertemplate=(
            f"{words.reference}: <b>%{{customdata[0]}}</b> ({words.weight} %{{customdata[2]}})<br>"
            f"{words.hypothesis}: <b>%{{customdata[1]}}</b> ({words.weight} %{{customdata[3]}})<br>"
            f"{words.cosine}: %{{z:.4f}}<extra></extra>"
        ),
    )


def _shown_weights(side: Side) -> list[str]:
    return [f"{weight:.3g}" for weight in side.weights]


def _marks(side: Side, symbol: str, name: str, palette: Palette, *, swap: bool, size: int) -> go.Scatter:
    """One mark per token that counts, at its partner; tokens of weight 0 have none in the score."""
    places = [
        (place, int(partner))
        for place, (partner, weight) in enumerate(zip(side.partner, side.weights, strict=True))
        if weight > 0 and partner != NO_PARTNER
    ]
    own, other = [place for place, _ in places], [partner for _, partner in places]
    return go.Scatter(
        x=own if swap else other,
        y=other if swap else own,
        mode="markers",
        name=name,
        hoverinfo="skip",
        marker={
            "symbol": symbol,
            "size": size if swap else size + 4,
            "color": palette.insert if swap else palette.substitute,
            "line": {"width": 2 if size > 4 else 1},
        },
    )


def close_up(trace: BertScoreTrace, start: int) -> tuple[range, range]:
    """A window that begins at reference token `start`, and the columns round what its tokens match."""
    rows = range(start, min(start + CLOSE_UP, len(trace.reference.tokens)))
    partners = [int(trace.reference.partner[row]) for row in rows if trace.reference.weights[row] > 0]
    centre = int(np.median(partners)) if partners else 0
    size = len(trace.hypothesis.tokens)
    first = max(0, min(centre - CLOSE_UP // 2, size - CLOSE_UP))
    return rows, range(first, min(first + CLOSE_UP, size))


def _axes(figure: go.Figure, trace: BertScoreTrace, window: tuple[range, range]) -> None:
    rows, columns = window
    longest = max(len(rows), len(columns))
    near = longest <= CLOSE_UP
    step = 1 if near else max(1, longest // 40)
    font = {"size": 13 if near else 10}
    shared = {"tickmode": "array", "tickfont": font, "showgrid": False, "zeroline": False}
    upright = _mostly_upright(trace.hypothesis)
    figure.update_xaxes(
        **shared,
        **_ticks(columns[::step], trace.hypothesis, upright=upright),
        side="top",
        tickangle=0 if upright else -90,
        range=[columns.start - 0.5, columns.stop - 0.5],
    )
    figure.update_yaxes(
        **shared, **_ticks(rows[::step], trace.reference), range=[rows.stop - 0.5, rows.start - 0.5]
    )
    figure.update_layout(
        height=MARGIN_TOP + 60 + (CELL if near else OVERVIEW_CELL) * max(len(rows), 6),
        margin={"l": MARGIN_LEFT, "r": 10, "t": MARGIN_TOP, "b": 50},
        legend={"orientation": "h", "y": 0, "yanchor": "top", "x": 0},
    )


def _ticks(places: range, side: Side, *, upright: bool = False) -> dict[str, list[int] | list[str]]:
    texts = [visible(side.tokens[place]) for place in places]
    labels = [
        "<br>".join(map(escape, text)) if upright and _is_upright(text) else escape(text) for text in texts
    ]
    return {"tickvals": list(places), "ticktext": labels}


def _is_upright(text: str) -> bool:
    """Japanese and Chinese are written from top to bottom, letters lie on their side."""
    return not any(char.isascii() and char.isalnum() for char in text)


def _mostly_upright(side: Side) -> bool:
    words = [token.text for token in side.tokens if not token.special]
    return sum(map(_is_upright, words)) > 0.9 * len(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramWords:
    """The chart's words in the reader's language."""

    order: str
    matched: str
    only_hypothesis: str
    count: str


def ngram_bars(trace: BleuTrace | ChrfTrace, *, words: NgramWords, palette: Palette) -> go.Figure:
    """A bar per order: n-grams of the translation that the reference has too, and those it has not."""
    counts = trace.counts()
    orders = [str(one.order) for one in counts]
    matched = [one.matched for one in counts]
    rest = [one.hypothesis - one.matched for one in counts]
    text = [f"{one.matched}/{one.hypothesis}" if one.hypothesis else "–" for one in counts]
    figure = go.Figure()
    figure.add_bar(
        x=orders,
        y=matched,
        name=words.matched,
        text=text,
        textposition="inside",
        marker={"color": palette.match},
        insidetextfont={"color": palette.on(palette.match)},
    )
    figure.add_bar(
        x=orders,
        y=rest,
        name=words.only_hypothesis,
        marker={"color": palette.hairline, "pattern": {"shape": "/", "fgcolor": palette.quiet}},
    )
    figure.update_layout(
        barmode="stack",
        height=260,
        margin={"l": 50, "r": 10, "t": 10, "b": 40},
        xaxis_title=words.order,
        yaxis_title=words.count,
        legend={"orientation": "h", "y": 1.15, "x": 0},
    )
    return figure
