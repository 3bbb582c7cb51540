"""A calibrated score: its r beside every single metric's, feature importance, and the learning curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.calibration.learning import Curve
from core.calibration.validation import Importance
from core.charts.palette import Palette
from core.stats.estimate import Estimate

ROW = 34  # pixels
_MARGIN = {"l": 8, "r": 16, "t": 8, "b": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingWords:
    """The chart's words. hover has places {r}, {low}, {high}, {n}; names: of the rows."""

    axis: str
    hover: str
    names: Mapping[str, str]


def standings(
    rows: Mapping[str, Estimate],
    *,
    first: str,
    best: str | None,
    words: StandingWords,
    palette: Palette,
) -> go.Figure:
    """A row each: r and its interval, the highest on top. first: a diamond; best: a filled circle."""
    shown = [(name, one) for name, one in rows.items() if one.value is not None]
    shown.sort(key=lambda row: -(row[1].value or 0.0))
    figure = go.Figure()
    for place, (name, one) in enumerate(shown):
        colour = palette.accent if name == first else palette.match
        if one.low is not None and one.high is not None:
            figure.add_trace(
                go.Scatter(
                    x=[one.low, one.high],
                    y=[place, place],
                    mode="lines",
                    hoverinfo="skip",
                    line={"color": colour, "width": 3},
                    showlegend=False,
                )
            )
        symbol = "diamond" if name == first else "circle" if name == best else "circle-open"
        figure.add_trace(
            go.Scatter(
                x=[one.value],
                y=[place],
                mode="markers+text",
                showlegend=False,
                cliponaxis=False,
                marker={"color": colour, "size": 12, "symbol": symbol, "line": {"width": 2, "color": colour}},
                text=[f"{one.value:.3f}"],
                textposition="top center",
                textfont={"size": 12},
                hovertext=[escape(_hover(one, words))],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    figure.add_vline(x=0, line={"color": palette.quiet, "width": 1})
    names = [escape(words.names.get(name, name)) for name, _ in shown]
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=names,
        range=[len(shown) - 0.4, -0.75],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(words.axis), zeroline=False)
    figure.update_layout(height=80 + ROW * len(shown), margin=_MARGIN, dragmode=False, hovermode="closest")
    return figure


def _hover(one: Estimate, words: StandingWords) -> str:
    low, high = ("–" if end is None else f"{end:.3f}" for end in (one.low, one.high))
    return words.hover.format(r=f"{one.value:.3f}", low=low, high=high, n=one.n)


def falls(rows: Sequence[Importance], *, axis: str, names: Mapping[str, str], palette: Palette) -> go.Figure:
    """A bar for each metric: how far r falls without what it says, with the extremes of the shufflings."""
    figure = go.Figure(
        go.Bar(
            x=[one.fall for one in rows],
            y=list(range(len(rows))),
            orientation="h",
            marker={"color": palette.match},
            error_x={
                "type": "data",
                "symmetric": False,
                "color": palette.ink,
                "thickness": 1.5,
                "array": [one.high - one.fall for one in rows],
                "arrayminus": [one.fall - one.low for one in rows],
            },
            hovertemplate="%{x:.3f}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[escape(names.get(one.group, one.group)) for one in rows],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(axis), zeroline=True, zerolinecolor=palette.quiet)
    figure.update_layout(height=80 + ROW * len(rows), margin=_MARGIN, dragmode=False, bargap=0.4)
    return figure


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveWords:
    """The chart's words. hover has places {n}, {r}, {low}, {high}; ahead: the name of the last point."""

    x: str
    y: str
    hover: str
    ahead: str


def curve(found: Curve, *, words: CurveWords, palette: Palette) -> go.Figure:
    """By the number of translations learnt from, r; a hollow diamond where more ratings would lead."""
    points = found.points
    figure = go.Figure(
        go.Scatter(
            x=[one.rated for one in points],
            y=[one.r for one in points],
            mode="lines+markers+text",
            line={"color": palette.match, "width": 2},
            marker={"size": 9},
            showlegend=False,
            text=[f"{one.r:.2f}" for one in points],
            textposition="bottom right",
            textfont={"size": 12},
            error_y={
                "type": "data",
                "symmetric": False,
                "color": palette.quiet,
                "thickness": 1.5,
                "array": [one.high - one.r for one in points],
                "arrayminus": [one.r - one.low for one in points],
            },
            hovertext=[
                escape(
                    words.hover.format(
                        n=f"{one.rated:.0f}", r=f"{one.r:.3f}", low=f"{one.low:.3f}", high=f"{one.high:.3f}"
                    )
                )
                for one in points
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    )
    if found.ahead is not None:
        figure.add_trace(
            go.Scatter(
                x=[points[-1].rated, found.ahead.rated],
                y=[points[-1].r, found.ahead.r],
                mode="lines+markers",
                line={"color": palette.accent, "dash": "dot", "width": 2},
                marker={"size": [0, 12], "symbol": "diamond-open", "color": palette.accent},
                showlegend=False,
                hovertext=[escape(words.ahead)] * 2,
                hovertemplate="%{hovertext} %{y:.3f}<extra></extra>",
                cliponaxis=False,
            )
        )
    figure.update_xaxes(title=escape(words.x), zeroline=False, rangemode="tozero")
    figure.update_yaxes(title=escape(words.y), zeroline=False)
    figure.update_layout(height=340, margin=_MARGIN, dragmode=False, hovermode="closest")
    return figure
