"""The token-alignment heatmap of BERTScore: every cosine, and the greedy matches the score is made of."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from core.charts.palette import Palette, scale
from core.errors import InputError
from core.metrics.bertscore import BertScoreTrace, Side
from core.metrics.ledger import visible
from core.metrics.matching import NO_PARTNER

CELL = 22  # pixels a token, so that labels do not touch
MARGIN_LEFT, MARGIN_TOP = 110, 110
SMALL_CELL, MANY_TOKENS = 16, 70


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
) -> go.Figure:
    """Rows are the reference's tokens from top to bottom, columns the translation's.

    A circle marks the match of each reference token (recall), a square that of each translation token
    (precision). `chosen` is a (row, column) to frame. Raises InputError when the trace holds no matrix.
    """
    if trace.similarity is None:
        raise InputError(
            "The texts are too long for a matrix of all their tokens; the ledger has every match."
        )
    figure = go.Figure(_heatmap(trace, trace.similarity, words, palette))
    figure.add_trace(_marks(trace.reference, "circle-open", words.best_for_reference, palette, swap=False))
    figure.add_trace(_marks(trace.hypothesis, "square-open", words.best_for_hypothesis, palette, swap=True))
    if chosen is not None:
        row, column = chosen
        figure.add_shape(
            type="rect", x0=column - 0.5, x1=column + 0.5, y0=row - 0.5, y1=row + 0.5,
            line={"color": palette.accent, "width": 3},
        )  # fmt: skip
    _axes(figure, trace)
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
        xgap=1,
        ygap=1,
        colorbar={"title": {"text": words.cosine, "side": "right"}, "thickness": 10, "len": 0.6},
        hovertemplate=(
            f"{words.reference}: <b>%{{customdata[0]}}</b> ({words.weight} %{{customdata[2]}})<br>"
            f"{words.hypothesis}: <b>%{{customdata[1]}}</b> ({words.weight} %{{customdata[3]}})<br>"
            f"{words.cosine}: %{{z:.4f}}<extra></extra>"
        ),
    )


def _shown_weights(side: Side) -> list[str]:
    return [f"{weight:.3g}" for weight in side.weights]


def _marks(side: Side, symbol: str, name: str, palette: Palette, *, swap: bool) -> go.Scatter:
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
            "size": 9 if swap else 13,
            "color": palette.insert if swap else palette.substitute,
            "line": {"width": 2},
        },
    )


def _axes(figure: go.Figure, trace: BertScoreTrace) -> None:
    rows, columns = trace.reference.tokens, trace.hypothesis.tokens
    cell = CELL if max(len(rows), len(columns)) <= MANY_TOKENS else SMALL_CELL
    size = {"size": 13 if cell == CELL else 10}
    figure.update_xaxes(
        side="top",
        tickmode="array",
        tickvals=list(range(len(columns))),
        ticktext=[escape(visible(token)) for token in columns],
        tickangle=-60,
        tickfont=size,
        showgrid=False,
        range=[-0.5, len(columns) - 0.5],
    )
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[escape(visible(token)) for token in rows],
        tickfont=size,
        showgrid=False,
        range=[len(rows) - 0.5, -0.5],
    )
    figure.update_layout(
        height=MARGIN_TOP + 60 + cell * max(len(rows), 4),
        width=MARGIN_LEFT + 90 + cell * max(len(columns), 16),
        margin={"l": MARGIN_LEFT, "r": 10, "t": MARGIN_TOP, "b": 50},
        legend={"orientation": "h", "y": 0, "yanchor": "top", "x": 0},
    )
