"""A settings grid as a heatmap of correlations with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import product

import plotly.graph_objects as go

from core.charts.palette import Palette, at, scale
from core.grid.run import Axis, CellResult, GridResult, shown

ROW = 34  # pixels
SIDEWAYS = 3  # so many axes have one of them across; more have two
_NAME_LIMIT = 30
_STRAIGHT = 7  # columns whose names stand level


@dataclass(frozen=True, slots=True, kw_only=True)
class GridWords:
    """hover has places {cell}, {value}, {n}; none: for a cell without a value.

    axes: the axes' names for a reader, values: those of values by (axis, value); what is not there stays.
    """

    hover: str
    none: str
    axes: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[tuple[str, str], str] = field(default_factory=dict)


def heatmap(found: GridResult, coefficient: str, *, words: GridWords, palette: Palette) -> go.Figure:
    """The last axis across (of four and more the last two), the others down, paper for the lowest cell.

    coefficient: `pearson`, `spearman` or `kendall`. The scale runs from the lowest cell to the highest; the
    figure stands in each, and the highest has a frame.
    """
    down, across = _split(found.axes)
    by_choice = {one.cell.choice: one for one in found.cells}
    grid = [[by_choice[row + column] for column in _choices(across)] for row in _choices(down)]
    values = [[one.value(coefficient) for one in row] for row in grid]
    known = [value for row in values for value in row if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    figure = go.Figure(
        go.Heatmap(
            z=values,
            zmin=low,
            zmax=high if high > low else low + 1,
            colorscale=scale(palette.sequential),
            xgap=2,
            ygap=2,
            showscale=False,
            hoverinfo="skip",
        )
    )
    for i, row in enumerate(grid):
        for j, one in enumerate(row):
            value = values[i][j]
            share = (value - low) / (high - low) if value is not None and high > low else 0.0
            text = "–" if value is None else f"{value:.3f}".replace("-", "\N{MINUS SIGN}")
            cell = _name(found.axes, one.cell.choice, words)
            hover = words.none if value is None else words.hover.format(cell=cell, value=text, n=one.n)
            colour = palette.quiet if value is None else palette.on(at(palette.sequential, share))
            figure.add_annotation(
                x=j,
                y=i,
                text=text,
                showarrow=False,
                font={"color": colour, "size": 13},
                hovertext=escape(hover),
            )
    _frame(figure, grid, found.best(coefficient), palette)
    return _labelled(figure, down, across, words)


def _frame(
    figure: go.Figure, grid: Sequence[Sequence[CellResult]], best: CellResult | None, palette: Palette
) -> None:
    for i, row in enumerate(grid):
        for j, one in enumerate(row):
            if one is best:
                figure.add_shape(
                    type="rect",
                    x0=j - 0.49,
                    x1=j + 0.49,
                    y0=i - 0.46,
                    y1=i + 0.46,
                    line={"color": palette.accent, "width": 3},
                )


def _labelled(figure: go.Figure, down: Sequence[Axis], across: Sequence[Axis], words: GridWords) -> go.Figure:
    rows, columns = ([_short(_name(axes, one, words)) for one in _choices(axes)] for axes in (down, across))
    plain = {"showgrid": False, "zeroline": False}
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=columns,
        side="top",
        title=_title(across, words),
        tickangle=0 if len(columns) < _STRAIGHT else -35,
        range=[-0.5, len(columns) - 0.5],
        **plain,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=rows,
        title={"text": _title(down, words), "standoff": 16},
        range=[len(rows) - 0.5, -0.5],
        **plain,
    )
    figure.update_layout(
        height=130 + ROW * max(len(rows), 2), margin={"l": 8, "r": 24, "t": 8, "b": 8}, dragmode=False
    )
    return figure


def _split(axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], tuple[Axis, ...]]:
    """What stands down and what across; a single axis stands down."""
    if len(axes) == 1:
        return tuple(axes), ()
    place = len(axes) - (1 if len(axes) <= SIDEWAYS else 2)
    return tuple(axes[:place]), tuple(axes[place:])


def _choices(axes: Sequence[Axis]) -> list[tuple[str, ...]]:
    return list(product(*(axis.values for axis in axes)))


def _title(axes: Sequence[Axis], words: GridWords) -> str:
    return escape(" · ".join(words.axes.get(axis.name, axis.name) for axis in axes))


def _name(axes: Sequence[Axis], choice: Sequence[str], words: GridWords) -> str:
    named = (words.values.get((axis.name, one), shown(one)) for axis, one in zip(axes, choice, strict=True))
    return " · ".join(named)


def _short(text: str) -> str:
    return escape(text if len(text) <= _NAME_LIMIT else text[: _NAME_LIMIT - 1] + "…")
