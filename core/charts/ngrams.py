"""Which n-grams a translation shares with its reference: the evidence of BLEU and chrF."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.metrics.surface import BleuTrace, ChrfTrace


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
        x=orders, y=matched, name=words.matched, text=text, textposition="inside",
        marker={"color": palette.match}, insidetextfont={"color": palette.on(palette.match)},
    )  # fmt: skip
    figure.add_bar(
        x=orders, y=rest, name=words.only_hypothesis,
        marker={"color": palette.hairline, "pattern": {"shape": "/", "fgcolor": palette.quiet}},
    )  # fmt: skip
    figure.update_layout(
        barmode="stack",
        height=260,
        margin={"l": 50, "r": 10, "t": 10, "b": 40},
        xaxis_title=words.order,
        yaxis_title=words.count,
        legend={"orientation": "h", "y": 1.15, "x": 0},
    )
    return figure
