"""Raters one by one: limits of agreement of two, what each one's leaving does, drift over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.agreement import two_decimals
from core.charts.palette import Palette
from core.raters.bland_altman import BlandAltman
from core.raters.figures import Figure
from core.raters.habits import Drift
from core.raters.reliability import WithoutRater

_NAMED = 24  # documents; more are named on hover only


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitWords:
    """x, y: the axes; bias, lower, upper: the lines."""

    x: str
    y: str
    bias: str
    lower: str
    upper: str


def limits(found: BlandAltman, *, hover: Sequence[str], words: LimitWords, palette: Palette) -> go.Figure:
    """Bland and Altman's picture: difference over mean, the bias, and the limits with their intervals."""
    figure = go.Figure(
        go.Scatter(
            x=[one.mean for one in found.points], y=[one.difference for one in found.points], mode="markers",
            marker={"color": palette.match, "size": 9, "opacity": 0.6}, showlegend=False,
            hovertext=[escape(text) for text in hover],
            hovertemplate="%{hovertext}<br>%{x:.3~f} · %{y:.3~f}<extra></extra>",
        )
    )  # fmt: skip
    for one, name, dash in (
        (found.bias, words.bias, "solid"),
        (found.lower, words.lower, "dash"),
        (found.upper, words.upper, "dash"),
    ):
        if one.value is not None:
            _line(figure, one, f"{name} {_signed(one.value)}", dash, palette)
    figure.update_xaxes(title=escape(words.x), zeroline=False)
    figure.update_yaxes(title=escape(words.y), zeroline=False)
    figure.update_layout(
        height=420, margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False, hovermode="closest"
    )
    return figure


def without(rows: Sequence[WithoutRater], everyone: float, *, x_title: str, palette: Palette) -> go.Figure:
    """Mean pairwise r without each rater, and everyone's as a line: who stands apart from the others."""
    shown = [one for one in rows if one.mean_r.value is not None]
    figure = go.Figure(
        go.Scatter(
            x=[one.mean_r.value for one in shown], y=list(range(len(shown))), mode="markers+text",
            marker={"color": palette.match, "size": 10}, showlegend=False,
            text=[two_decimals(one.mean_r.value or 0.0) for one in shown], textposition="middle right",
            hovertemplate="%{text}<extra></extra>", cliponaxis=False,
        )
    )  # fmt: skip
    figure.add_vline(x=everyone, line={"color": palette.accent, "width": 2})
    figure.update_yaxes(
        tickvals=list(range(len(shown))), ticktext=[escape(one.rater) for one in shown],
        range=[len(shown) - 0.5, -0.5], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_xaxes(title=escape(x_title), zeroline=False)
    figure.update_layout(height=80 + 26 * len(shown), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False)
    return figure


def drift(found: Drift, *, x_title: str, y_title: str, palette: Palette) -> go.Figure:
    """What a rater gave above or below the others, document by document in the order of rating."""
    bars = [one.residual for one in found.documents]
    named = len(bars) <= _NAMED
    figure = go.Figure(
        go.Bar(
            x=[escape(one.document) for one in found.documents], y=bars, showlegend=False,
            marker={"color": [palette.insert if one >= 0 else palette.delete for one in bars]},
            text=[_signed(one) for one in bars] if named else None, textposition="outside", cliponaxis=False,
            customdata=[one.n for one in found.documents],
            hovertemplate="%{x} · %{y:+.1f} · n = %{customdata}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(title=escape(x_title), type="category", showticklabels=named)
    figure.update_yaxes(title=escape(y_title), zeroline=True)
    figure.update_layout(height=300, margin={"l": 8, "r": 8, "t": 24, "b": 8}, dragmode=False, bargap=0.4)
    return figure


def _line(figure: go.Figure, one: Figure, text: str, dash: str, palette: Palette) -> None:
    figure.add_hline(
        y=one.value, line={"color": palette.accent, "width": 1.5, "dash": dash},
        annotation_text=escape(text), annotation_position="top right",
    )  # fmt: skip
    if one.low is not None and one.high is not None:
        figure.add_hrect(y0=one.low, y1=one.high, fillcolor=palette.accent, opacity=0.12, line_width=0)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "\N{MINUS SIGN}")
