"""What the reading penalty takes away: from BERTScore's F to the penalised F, in steps that add up."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.charts.steps import signed, steps
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
    shown = [f"{at.base:.3f}", *map(signed, changes), f"{at.penalised:.3f}"]
    names = [words.base, words.precision, words.recall, words.penalised]
    figure = steps(names, [at.base, *changes, at.penalised], shown, palette)
    levels = [at.base, at.halfway, at.penalised, 0.0]
    low, high = min(levels), max(levels)
    room = _ROOM * (high - low or 1)
    figure.update_yaxes(
        title=escape(words.value), range=[low - (room if low < 0 else 0), high + room], zeroline=True
    )
    figure.update_xaxes(tickfont={"size": 13})
    figure.update_layout(height=280, bargap=0.45)
    return figure
