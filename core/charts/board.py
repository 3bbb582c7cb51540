"""Any two columns of an evaluation against each other: a point for each translation, or for each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from core.charts.palette import Palette
from core.metaeval.board import SystemRow
from core.metaeval.evaluation import Evaluation
from core.metaeval.table import known

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
HEIGHT = 460  # pixels
_MOST_POINTS = 20_000
_NAME_LIMIT = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterWords:
    """The chart's words: the axes' titles."""

    x: str
    y: str


def translations(
    found: Evaluation, x: str, y: str, *, words: ScatterWords, palette: Palette, chosen: int | None = None
) -> go.Figure:
    """A point for each translation with both scores, coloured and shaped by domain where there are several.

    A point's `customdata` is its row. chosen: the row that stands out. Of more than 20,000 every so-manieth
    is drawn.
    """
    rows = np.flatnonzero(known(found.column(x), found.column(y)))
    rows = rows[:: max(1, -(-len(rows) // _MOST_POINTS))]
    figure = go.Figure()
    present = [one for one in range(len(found.domains)) if (found.domain[rows] == one).any()]
    for number, domain in enumerate(present):
        own = rows[found.domain[rows] == domain]
        figure.add_trace(
            go.Scattergl(
                x=found.column(x)[own], y=found.column(y)[own], customdata=own, mode="markers",
                name=_short(found.domains[domain]) or "–", showlegend=len(present) > 1,
                marker={
                    "color": palette.categorical[number % len(palette.categorical)], "size": 7,
                    "opacity": 0.55, "symbol": SYMBOLS[number % len(SYMBOLS)],
                },
                hovertext=[escape(found.place(row)) for row in own.tolist()],
                hovertemplate="%{hovertext}<br>%{x:.3~f} · %{y:.3~f}<extra></extra>",
            )
        )  # fmt: skip
    if chosen is not None and chosen in rows:
        figure.add_trace(
            go.Scatter(
                x=found.column(x)[[chosen]], y=found.column(y)[[chosen]], mode="markers", hoverinfo="skip",
                showlegend=False, customdata=[chosen],
                marker={"size": 16, "symbol": "circle-open", "color": palette.accent, "line": {"width": 3}},
            )
        )  # fmt: skip
    return _framed(figure, words)


def systems(rows: Sequence[SystemRow], x: str, y: str, *, words: ScatterWords, palette: Palette) -> go.Figure:
    """A point with its name and both intervals for each system that has both means."""
    figure = go.Figure()
    for row in rows:
        across, up = row.means[x], row.means[y]
        if across.mean is None or up.mean is None:
            continue
        figure.add_trace(
            go.Scatter(
                x=[across.mean], y=[up.mean], mode="markers+text", text=[_short(row.system)],
                textposition="top center", textfont={"size": 12}, showlegend=False, cliponaxis=False,
                marker={"color": palette.match, "size": 10},
                error_x=_bar(across.mean, across.low, across.high, palette),
                error_y=_bar(up.mean, up.low, up.high, palette),
                hovertemplate=f"{escape(row.system)}<br>%{{x:.3~f}} · %{{y:.3~f}}<extra></extra>",
            )
        )  # fmt: skip
    return _framed(figure, words)


def _bar(mean: float, low: float | None, high: float | None, palette: Palette) -> dict[str, object]:
    if low is None or high is None:
        return {"visible": False}
    return {
        "type": "data", "symmetric": False, "array": [high - mean], "arrayminus": [mean - low],
        "color": palette.hairline, "thickness": 1.5, "width": 0,
    }  # fmt: skip


def _framed(figure: go.Figure, words: ScatterWords) -> go.Figure:
    figure.update_xaxes(title=escape(words.x), zeroline=False)
    figure.update_yaxes(title=escape(words.y), zeroline=False)
    figure.update_layout(
        height=HEIGHT, margin={"l": 8, "r": 8, "t": 24, "b": 8}, hovermode="closest", dragmode="pan",
        legend={"orientation": "h", "y": 1.06},
    )  # fmt: skip
    return figure


def _short(name: str) -> str:
    return escape(name if len(name) <= _NAME_LIMIT else name[: _NAME_LIMIT - 1] + "…")
