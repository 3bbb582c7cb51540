"""Metrics against people: correlations with intervals, and matrices of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.agreement import two_decimals
from core.charts.palette import Palette, at, scale
from core.metaeval.significance import Contrast, Interval
from core.metaeval.table import Floats

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
class MatrixWords:
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
                    x=[one.low, one.high], y=[place, place], mode="lines", hoverinfo="skip",
                    showlegend=False, line={"color": palette.match, "width": 3},
                )
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[one.r for one in rows], y=list(range(len(rows))), mode="markers+text", showlegend=False,
            marker={"color": palette.accent, "size": 11, "symbol": "diamond"}, cliponaxis=False,
            text=[two_decimals(one.r or 0.0) for one in rows], textposition="top center",
            textfont={"size": 12}, hovertext=[escape(_hover(one, words)) for one in rows],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": palette.hairline, "width": 1})
    figure.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=[_short(words.names[one.metric]) for one in rows],
        range=[len(rows) - 0.4, -0.75], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_xaxes(title=escape(words.axis), zeroline=False)
    figure.update_layout(
        height=100 + ROW * len(rows), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False,
        hovermode="closest",
    )  # fmt: skip
    return figure


def correlations(
    rows: Sequence[str], columns: Sequence[str], values: Floats, *, words: MatrixWords, palette: Palette
) -> go.Figure:
    """(rows, columns) of correlations as a heatmap: indigo for +1, rose for -1, “–” for none (NaN)."""
    figure = go.Figure(
        go.Heatmap(
            z=[[None if x != x else x for x in row] for row in values.tolist()], zmin=-1, zmax=1,
            colorscale=scale(palette.diverging), xgap=2, ygap=2, showscale=False, hoverinfo="skip",
        )
    )  # fmt: skip
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            value = float(values[i, j])
            known = value == value
            colour = palette.on(at(palette.diverging, (value + 1) / 2)) if known else palette.quiet
            text = two_decimals(value) if known else "–"
            hover = words.hover if known else words.none
            figure.add_annotation(
                x=j, y=i, text=text, showarrow=False, font={"color": colour, "size": 13},
                hovertext=escape(hover.format(row=words.names[row], column=words.names[column], value=text)),
            )  # fmt: skip
    return _matrix(figure, rows, columns, words)


def better(
    metrics: Sequence[str],
    found: Sequence[Contrast],
    *,
    test: str,
    words: MatrixWords,
    palette: Palette,
) -> go.Figure:
    """Whether the row's metric is closer to people than the column's: one-sided p, filled below .05.

    test: `williams` or `permutation`.
    """
    place = {name: number for number, name in enumerate(metrics)}
    grid: list[list[float | None]] = [[None] * len(metrics) for _ in metrics]
    figure = go.Figure()
    for one in found:
        p = one.williams if test == "williams" else one.permutation
        i, j = place[one.first], place[one.second]
        sure = p is not None and p < ALPHA
        grid[i][j] = 1.0 if sure else 0.0
        text = "–" if p is None else ("< .001" if p < 0.001 else f"{p:.3f}".lstrip("0"))
        hover = words.none if p is None else words.hover
        colour = palette.on(palette.match) if sure else palette.quiet
        shown = hover.format(row=words.names[one.first], column=words.names[one.second], value=text)
        figure.add_annotation(
            x=j, y=i, text=f"<b>{escape(text)}</b>" if sure else escape(text), showarrow=False,
            font={"color": colour, "size": 13}, hovertext=escape(shown),
        )  # fmt: skip
    figure.add_trace(
        go.Heatmap(
            z=grid, zmin=0, zmax=1, colorscale=[(0, palette.card), (1, palette.match)], xgap=2, ygap=2,
            showscale=False, hoverinfo="skip",
        )
    )  # fmt: skip
    return _matrix(figure, metrics, metrics, words)


def _matrix(figure: go.Figure, rows: Sequence[str], columns: Sequence[str], words: MatrixWords) -> go.Figure:
    plain = {"showgrid": False, "zeroline": False}
    figure.update_xaxes(
        tickvals=list(range(len(columns))), ticktext=[_broken(words.names[name]) for name in columns],
        side="top", tickangle=0 if len(columns) < 7 else -35, range=[-0.5, len(columns) - 0.5], **plain,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=[_short(words.names[name]) for name in rows],
        range=[len(rows) - 0.5, -0.5], **plain,
    )  # fmt: skip
    figure.update_layout(
        height=130 + ROW * len(rows), margin={"l": 8, "r": 40, "t": 8, "b": 8}, dragmode=False
    )
    return figure


def _hover(one: Interval, words: IntervalWords) -> str:
    low, high = ("–" if end is None else two_decimals(end) for end in (one.low, one.high))
    return words.hover.format(low=low, high=high, n=one.n)


def _broken(name: str) -> str:
    """A long heading in two lines."""
    first, blank, rest = name.partition(" ")
    return f"{escape(first)}<br>{_short(rest)}" if blank else _short(name)


def _short(name: str) -> str:
    return escape(name if len(name) <= _NAME_LIMIT else name[: _NAME_LIMIT - 1] + "…")
