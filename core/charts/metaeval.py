"""Metrics against people: correlations with intervals, matrices of metrics, scatters, and system rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from core.charts.palette import Palette, at, scale
from core.metaeval.evaluation import Evaluation, Floats, known
from core.metaeval.leaderboard import SystemMeans
from core.metaeval.significance import Contrast, Interval
from core.raters.normalisation import Order
from core.raters.ranking import SystemMean
from core.text.numbers import DASH, number, p_value

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
HEIGHT = 460  # pixels
_MOST_POINTS = 20_000
_SYSTEM_NAME_LIMIT = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterWords:
    """The chart's words: the axes' titles."""

    x: str
    y: str


def translations(
    found: Evaluation, x: str, y: str, *, words: ScatterWords, palette: Palette, chosen: int | None = None
) -> go.Figure:
    """A point for each translation with both scores, coloured and shaped by domain where there are several.

    A point's `customdata` is its row. chosen: the row that stands out. Of more than 20,000 a part is
    drawn, evenly spaced.
    """
    rows = np.flatnonzero(known(found.column(x), found.column(y)))
    rows = rows[:: max(1, -(-len(rows) // _MOST_POINTS))]
    figure = go.Figure()
    present = [one for one in range(len(found.domains)) if (found.domain[rows] == one).any()]
    for index, domain in enumerate(present):
        own = rows[found.domain[rows] == domain]
        figure.add_trace(
            go.Scattergl(
                x=found.column(x)[own],
                y=found.column(y)[own],
                customdata=own,
                mode="markers",
                name=_short(found.domains[domain], _SYSTEM_NAME_LIMIT) or "–",
                showlegend=len(present) > 1,
                marker={
                    "color": palette.categorical[index % len(palette.categorical)],
                    "size": 7,
                    "opacity": 0.55,
                    "symbol": SYMBOLS[index % len(SYMBOLS)],
                },
                hovertext=[escape(found.place(row)) for row in own.tolist()],
                hovertemplate="%{hovertext}<br>%{x:.3~f} · %{y:.3~f}<extra></extra>",
            )
        )
    if chosen is not None and chosen in rows:
        figure.add_trace(
            go.Scatter(
                x=found.column(x)[[chosen]],
                y=found.column(y)[[chosen]],
                mode="markers",
                hoverinfo="skip",
                showlegend=False,
                customdata=[chosen],
                marker={"size": 16, "symbol": "circle-open", "color": palette.accent, "line": {"width": 3}},
            )
        )
    return _framed(figure, words)


def systems(
    rows: Sequence[SystemMeans], x: str, y: str, *, words: ScatterWords, palette: Palette
) -> go.Figure:
    """A point with its name and both intervals for each system that has both means."""
    figure = go.Figure()
    for row in rows:
        across, up = row.means[x], row.means[y]
        if across.mean is None or up.mean is None:
            continue
        figure.add_trace(
            go.Scatter(
                x=[across.mean],
                y=[up.mean],
                mode="markers+text",
                text=[_short(row.system, _SYSTEM_NAME_LIMIT)],
                textposition="top center",
                textfont={"size": 12},
                showlegend=False,
                cliponaxis=False,
                marker={"color": palette.match, "size": 10},
                error_x=_bar(across.mean, across.low, across.high, palette),
                error_y=_bar(up.mean, up.low, up.high, palette),
                hovertemplate=f"{escape(row.system)}<br>%{{x:.3~f}} · %{{y:.3~f}}<extra></extra>",
            )
        )
    return _framed(figure, words)


def _bar(mean: float, low: float | None, high: float | None, palette: Palette) -> dict[str, object]:
    if low is None or high is None:
        return {"visible": False}
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - mean],
        "arrayminus": [mean - low],
        "color": palette.hairline,
        "thickness": 1.5,
        "width": 0,
    }


def _framed(figure: go.Figure, words: ScatterWords) -> go.Figure:
    figure.update_xaxes(title=escape(words.x), zeroline=False)
    figure.update_yaxes(title=escape(words.y), zeroline=False)
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
        hovermode="closest",
        dragmode="pan",
        legend={"orientation": "h", "y": 1.06},
    )
    return figure


ROW = 34  # pixels
ALPHA = 0.05
_NAME_LIMIT = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalWords:
    """axis: what is on it; hover has places {low}, {high}, {n}; names: of the metrics."""

    axis: str
    hover: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricMatrixWords:
    """hover has places {row}, {column}, {value}; none: for a cell without a value; names: of both sides."""

    hover: str
    none: str
    names: Mapping[str, str]


def intervals(found: Sequence[Interval], *, words: IntervalWords, palette: Palette) -> go.Figure:
    """A metric a row, the best first: Pearson's r with people and its interval."""
    rows = sorted((one for one in found if one.r is not None), key=lambda one: -(one.r or 0.0))
    figure = go.Figure()
    for place, one in enumerate(rows):
        if one.low is not None and one.high is not None:
            figure.add_trace(
                go.Scatter(
                    x=[one.low, one.high],
                    y=[place, place],
                    mode="lines",
                    hoverinfo="skip",
                    showlegend=False,
                    line={"color": palette.match, "width": 3},
                )
            )
    figure.add_trace(
        go.Scatter(
            x=[one.r for one in rows],
            y=list(range(len(rows))),
            mode="markers+text",
            showlegend=False,
            marker={"color": palette.accent, "size": 11, "symbol": "diamond"},
            cliponaxis=False,
            text=[number(one.r or 0.0) for one in rows],
            textposition="top center",
            textfont={"size": 12},
            hovertext=[escape(_hover(one, words)) for one in rows],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    figure.add_vline(x=0, line={"color": palette.hairline, "width": 1})
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[_short(words.names[one.metric]) for one in rows],
        range=[len(rows) - 0.4, -0.75],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(words.axis), zeroline=False)
    figure.update_layout(
        height=100 + ROW * len(rows),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        hovermode="closest",
    )
    return figure


def correlations(
    rows: Sequence[str], columns: Sequence[str], values: Floats, *, words: MetricMatrixWords, palette: Palette
) -> go.Figure:
    """(rows, columns) of correlations as a heatmap: indigo for +1, rose for -1, “–” for none (NaN)."""
    figure = go.Figure(
        go.Heatmap(
            z=[[None if x != x else x for x in row] for row in values.tolist()],
            zmin=-1,
            zmax=1,
            colorscale=scale(palette.diverging),
            xgap=2,
            ygap=2,
            showscale=False,
            hoverinfo="skip",
        )
    )
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            value = float(values[i, j])
            known = value == value
            colour = palette.on(at(palette.diverging, (value + 1) / 2)) if known else palette.quiet
            text = number(value) if known else DASH
            hover = words.hover if known else words.none
            figure.add_annotation(
                x=j,
                y=i,
                text=text,
                showarrow=False,
                font={"color": colour, "size": 13},
                hovertext=escape(hover.format(row=words.names[row], column=words.names[column], value=text)),
            )
    return _matrix(figure, rows, columns, words)


def better(
    metrics: Sequence[str],
    found: Sequence[Contrast],
    *,
    test: str,
    words: MetricMatrixWords,
    palette: Palette,
) -> go.Figure:
    """Whether the row's metric is closer to people than the column's: one-sided p, filled below .05.

    test: `williams` or `permutation`.
    """
    place = {name: index for index, name in enumerate(metrics)}
    grid: list[list[float | None]] = [[None] * len(metrics) for _ in metrics]
    figure = go.Figure()
    for one in found:
        p = one.williams if test == "williams" else one.permutation
        i, j = place[one.first], place[one.second]
        sure = p is not None and p < ALPHA
        grid[i][j] = 1.0 if sure else 0.0
        text = p_value(p)
        hover = words.none if p is None else words.hover
        colour = palette.on(palette.match) if sure else palette.quiet
        shown = hover.format(row=words.names[one.first], column=words.names[one.second], value=text)
        figure.add_annotation(
            x=j,
            y=i,
            text=f"<b>{escape(text)}</b>" if sure else escape(text),
            showarrow=False,
            font={"color": colour, "size": 13},
            hovertext=escape(shown),
        )
    figure.add_trace(
        go.Heatmap(
            z=grid,
            zmin=0,
            zmax=1,
            colorscale=[(0, palette.card), (1, palette.match)],
            xgap=2,
            ygap=2,
            showscale=False,
            hoverinfo="skip",
        )
    )
    return _matrix(figure, metrics, metrics, words)


def _matrix(
    figure: go.Figure, rows: Sequence[str], columns: Sequence[str], words: MetricMatrixWords
) -> go.Figure:
    plain = {"showgrid": False, "zeroline": False}
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=[_broken(words.names[name]) for name in columns],
        side="top",
        tickangle=0 if len(columns) < 7 else -35,
        range=[-0.5, len(columns) - 0.5],
        **plain,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[_short(words.names[name]) for name in rows],
        range=[len(rows) - 0.5, -0.5],
        **plain,
    )
    figure.update_layout(
        height=130 + ROW * len(rows), margin={"l": 8, "r": 40, "t": 8, "b": 8}, dragmode=False
    )
    return figure


def _hover(one: Interval, words: IntervalWords) -> str:
    low, high = (number(end) for end in (one.low, one.high))
    return words.hover.format(low=low, high=high, n=one.n)


def _broken(name: str) -> str:
    """A long heading in two lines."""
    first, blank, rest = name.partition(" ")
    return f"{escape(first)}<br>{_short(rest)}" if blank else _short(name)


def _short(name: str, limit: int = _NAME_LIMIT) -> str:
    return escape(name if len(name) <= limit else name[: limit - 1] + "…")


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
            x=[one.mean for one in systems],
            y=list(range(len(systems))),
            mode="markers+text",
            marker={"color": palette.accent, "size": 11, "symbol": "diamond"},
            showlegend=False,
            text=[f"{one.mean:.{digits}f}" for one in systems],
            textposition="top center",
            textfont={"size": 12},
            hovertext=[escape(_mean_hover(one, words, digits)) for one in systems],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    )
    edge = 0
    for cluster in clusters[:-1]:
        edge += len(cluster)
        figure.add_hline(y=edge - 0.5, line={"color": palette.quiet, "width": 1, "dash": "dash"})
    figure.update_yaxes(
        tickvals=list(range(len(systems))),
        ticktext=[_short(one.system, _SYSTEM_NAME_LIMIT) for one in systems],
        range=[len(systems) - 0.4, -0.75],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=f"{escape(words.axis)}<br>{escape(words.test)}", zeroline=False)
    figure.update_layout(
        height=110 + ROW * len(systems),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        hovermode="closest",
    )
    return figure


def _bars(systems: Sequence[SystemMean], palette: Palette) -> go.Figure:
    """The intervals that there are."""
    figure = go.Figure()
    for row, one in enumerate(systems):
        if one.low is not None and one.high is not None:
            figure.add_trace(
                go.Scatter(
                    x=[one.low, one.high],
                    y=[row, row],
                    mode="lines",
                    hoverinfo="skip",
                    showlegend=False,
                    line={"color": palette.match, "width": 3},
                )
            )
    return figure


def ranks(orders: Sequence[Order], *, names: Mapping[str, str], palette: Palette) -> go.Figure:
    """A line for each system through its places under each normalisation; those that move are thick.

    names: of the ways. The best is on top; a system that a way has no score for is not in it.
    """
    shown = [one for one in orders if one.systems]
    places = [{score.system: rank for rank, score in enumerate(one.systems, 1)} for one in shown]
    systems = [score.system for score in shown[0].systems] if shown else []
    figure = go.Figure()
    for index, system in enumerate(systems):
        y = [place.get(system) for place in places]
        moves = len({one for one in y if one is not None}) > 1
        colour = palette.categorical[index % len(palette.categorical)] if moves else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=list(range(len(shown))),
                y=y,
                mode="lines+markers",
                showlegend=False,
                connectgaps=True,
                line={"color": colour, "width": 3 if moves else 1.5, "dash": "solid" if moves else "dot"},
                marker={"size": 9 if moves else 6, "color": colour},
                hovertemplate=f"{escape(system)} %{{y}}<extra></extra>",
            )
        )
        figure.add_annotation(
            x=0,
            y=y[0],
            text=_short(system, _SYSTEM_NAME_LIMIT),
            showarrow=False,
            xanchor="right",
            xshift=-10,
            font={"color": colour, "size": 13},
        )
    figure.update_xaxes(
        tickvals=list(range(len(shown))),
        ticktext=[escape(names[one.way]) for one in shown],
        side="top",
        range=[-1.3, len(shown) - 0.7],
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        range=[len(systems) + 0.5, 0.5], dtick=1, showgrid=False, zeroline=False, showticklabels=False
    )
    figure.update_layout(
        height=80 + 32 * max(len(systems), 2),
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        dragmode=False,
        hovermode="closest",
    )
    return figure


def _mean_hover(one: SystemMean, words: MeanWords, digits: int) -> str:
    low, high = ("–" if end is None else f"{end:.{digits}f}" for end in (one.low, one.high))
    return words.hover.format(mean=f"{one.mean:.{digits}f}", low=low, high=high, n=one.n)
