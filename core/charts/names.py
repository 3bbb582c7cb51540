"""What the reading penalty takes away: from BERTScore's F to the penalised F, in steps that add up."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.metrics.reading import ReadingTrace

_ROOM = 0.12  # of the height, above the highest number


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallWords:
    """The chart's words in the reader's language."""

    base: str
    precision: str
    recall: str
    penalised: str
    value: str


def waterfall(trace: ReadingTrace, *, words: WaterfallWords, palette: Palette) -> go.Figure:
    """Two whole bars, base F and penalised F, and between them what each penalty takes (or gives)."""
    at = trace.steps()
    changes = [at.halfway - at.base, at.penalised - at.halfway]
    shown = [f"{at.base:.3f}", *map(_signed, changes), f"{at.penalised:.3f}"]
    names = [words.base, words.precision, words.recall, words.penalised]
    figure = go.Figure(
        go.Waterfall(
            x=[escape(name) for name in names],
            y=[at.base, *changes, at.penalised],
            measure=["absolute", "relative", "relative", "total"],
            text=shown,
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{text}<extra></extra>",
            decreasing={"marker": {"color": palette.delete}},
            increasing={"marker": {"color": palette.insert}},
            totals={"marker": {"color": palette.match}},
            connector={"line": {"color": palette.quiet, "width": 1, "dash": "dot"}},
        )
    )
    levels = [at.base, at.halfway, at.penalised, 0.0]
    low, high = min(levels), max(levels)
    room = _ROOM * (high - low or 1)
    figure.update_yaxes(
        title=escape(words.value), range=[low - (room if low < 0 else 0), high + room], zeroline=True
    )
    figure.update_xaxes(tickfont={"size": 13})
    figure.update_layout(
        height=280, bargap=0.45, margin={"l": 50, "r": 10, "t": 20, "b": 40}, showlegend=False, dragmode=False
    )
    return figure


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")
