"""Systems as people see them: means with intervals in clusters, and their ranks under each normalisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.raters.orders import Order
from core.raters.ranking import SystemMean

ROW = 34  # pixels a system
_NAME_LIMIT = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanWords:
    """The chart's words. hover has places {mean}, {low}, {high}, {n}; test: its name, below the axis."""

    axis: str
    hover: str
    test: str


def means(
    systems: Sequence[SystemMean],
    clusters: Sequence[Sequence[str]],
    *,
    words: MeanWords,
    palette: Palette,
    digits: int = 1,
) -> go.Figure:
    """A system a row, best first: its mean with number and interval. Broken lines part the clusters."""
    figure = _bars(systems, palette)
    figure.add_trace(
        go.Scatter(
            x=[one.mean for one in systems], y=list(range(len(systems))), mode="markers+text",
            marker={"color": palette.accent, "size": 11, "symbol": "diamond"}, showlegend=False,
            text=[f"{one.mean:.{digits}f}" for one in systems], textposition="top center",
            textfont={"size": 12}, hovertext=[escape(_hover(one, words, digits)) for one in systems],
            hovertemplate="%{hovertext}<extra></extra>", cliponaxis=False,
        )
    )  # fmt: skip
    edge = 0
    for cluster in clusters[:-1]:
        edge += len(cluster)
        figure.add_hline(y=edge - 0.5, line={"color": palette.quiet, "width": 1, "dash": "dash"})
    figure.update_yaxes(
        tickvals=list(range(len(systems))), ticktext=[_short(one.system) for one in systems],
        range=[len(systems) - 0.4, -0.75], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_xaxes(title=f"{escape(words.axis)}<br>{escape(words.test)}", zeroline=False)
    figure.update_layout(
        height=110 + ROW * len(systems), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False,
        hovermode="closest",
    )  # fmt: skip
    return figure


def _bars(systems: Sequence[SystemMean], palette: Palette) -> go.Figure:
    """The intervals that there are."""
    figure = go.Figure()
    for row, one in enumerate(systems):
        if one.low is not None and one.high is not None:
            figure.add_trace(
                go.Scatter(
                    x=[one.low, one.high], y=[row, row], mode="lines", hoverinfo="skip", showlegend=False,
                    line={"color": palette.match, "width": 3},
                )
            )  # fmt: skip
    return figure


def ranks(orders: Sequence[Order], *, names: Mapping[str, str], palette: Palette) -> go.Figure:
    """A line for each system through its places under each normalisation; those that move are thick.

    names: of the ways. The best is on top; a system that a way has no score for is not in it.
    """
    shown = [one for one in orders if one.systems]
    places = [{score.system: rank for rank, score in enumerate(one.systems, 1)} for one in shown]
    systems = [score.system for score in shown[0].systems] if shown else []
    figure = go.Figure()
    for number, system in enumerate(systems):
        y = [place.get(system) for place in places]
        moves = len({one for one in y if one is not None}) > 1
        colour = palette.categorical[number % len(palette.categorical)] if moves else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=list(range(len(shown))), y=y, mode="lines+markers", showlegend=False, connectgaps=True,
                line={"color": colour, "width": 3 if moves else 1.5, "dash": "solid" if moves else "dot"},
                marker={"size": 9 if moves else 6, "color": colour},
                hovertemplate=f"{escape(system)} %{{y}}<extra></extra>",
            )
        )  # fmt: skip
        figure.add_annotation(
            x=0, y=y[0], text=_short(system), showarrow=False, xanchor="right", xshift=-10,
            font={"color": colour, "size": 13},
        )  # fmt: skip
    figure.update_xaxes(
        tickvals=list(range(len(shown))), ticktext=[escape(names[one.way]) for one in shown], side="top",
        range=[-1.3, len(shown) - 0.7], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(systems) + 0.5, 0.5], dtick=1, showgrid=False, zeroline=False, showticklabels=False
    )
    figure.update_layout(
        height=80 + 32 * max(len(systems), 2), margin={"l": 8, "r": 8, "t": 40, "b": 8}, dragmode=False,
        hovermode="closest",
    )  # fmt: skip
    return figure


def _hover(one: SystemMean, words: MeanWords, digits: int) -> str:
    low, high = ("–" if end is None else f"{end:.{digits}f}" for end in (one.low, one.high))
    return words.hover.format(mean=f"{one.mean:.{digits}f}", low=low, high=high, n=one.n)


def _short(name: str) -> str:
    return escape(name if len(name) <= _NAME_LIMIT else name[: _NAME_LIMIT - 1] + "…")
