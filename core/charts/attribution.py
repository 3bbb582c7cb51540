"""Changes of scores: slopes per metric, waterfalls of contributions, and how edits affect each metric.

A waterfall has two whole bars and between them the steps that lead from one to the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

import plotly.graph_objects as go
from rich.cells import cell_len

from core.attribution import Attribution
from core.charts.palette import Palette, at, scale
from core.hacks.robustness import Weakness
from core.metrics.reading import ReadingTrace

ROW = 34  # pixels
_CELL, _NUMBER, _LONGEST = 7, 46, 230
"""Pixels of a label: a letter, a number beside the axis, and the most that a name with its number takes."""
_MARKS = {True: "↑", False: "↓", None: "∼"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessWords:
    """hover has places {share}, {n}; metrics, edits: their names; no_verdict: where no way is wrong."""

    hover: str
    no_verdict: str
    metrics: Mapping[str, str]
    edits: Mapping[str, str]


def weaknesses(rows: Sequence[Weakness], *, words: WeaknessWords, palette: Palette) -> go.Figure:
    """Edits × metrics: the share of texts that moved the wrong way, from paper (none) to indigo (all).

    ↑ before an edit that breaks the meaning: the share that rose; ↓ before one that keeps it: that fell.
    """
    edits = list(dict.fromkeys(one.edit for one in sorted(rows, key=lambda one: _MARKS[one.breaks])))
    metrics = list(dict.fromkeys(one.metric for one in rows))
    found = {(one.edit, one.metric): one for one in rows}
    first = {one.edit: one for one in reversed(rows)}
    grid = [[_share(found.get((edit, metric))) for metric in metrics] for edit in edits]
    figure = go.Figure(
        go.Heatmap(
            z=grid,
            zmin=0,
            zmax=1,
            colorscale=scale(palette.sequential),
            xgap=2,
            ygap=2,
            showscale=False,
            hoverinfo="skip",
        )
    )
    for row, edit in enumerate(edits):
        for column, metric in enumerate(metrics):
            one = found.get((edit, metric))
            share = _share(one)
            colour = palette.quiet if share is None else palette.on(at(palette.sequential, share))
            figure.add_annotation(
                x=column,
                y=row,
                text="–" if share is None else f"{100 * share:.0f}",
                showarrow=False,
                font={"color": colour, "size": 13},
                hovertext=_hover(one, words),
            )
    figure.update_xaxes(
        tickvals=list(range(len(metrics))),
        ticktext=[escape(words.metrics[name]) for name in metrics],
        side="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(edits))),
        ticktext=[_row_name(first[edit], words) for edit in edits],
        range=[len(edits) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        height=70 + ROW * len(edits), margin={"l": 8, "r": 8, "t": 48, "b": 8}, dragmode=False
    )
    return figure


def _row_name(one: Weakness, words: WeaknessWords) -> str:
    return escape(f"{_MARKS[one.breaks]} {words.edits[one.edit]}")


def _share(one: Weakness | None) -> float | None:
    return None if one is None else one.fooled


def _hover(one: Weakness | None, words: WeaknessWords) -> str:
    if one is None or one.fooled is None:
        return escape(words.no_verdict)
    return escape(words.hover.format(share=f"{100 * one.fooled:.0f}", n=one.n))


def steps(names: Sequence[str], values: Sequence[float], shown: Sequence[str], palette: Palette) -> go.Figure:
    """Names and shown: of every bar. values: the first number, the steps, the last number."""
    between = len(values) - 2
    figure = go.Figure(
        go.Waterfall(
            x=[escape(name) for name in names],
            y=list(values),
            measure=["absolute", *["relative"] * between, "total"],
            text=list(shown),
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{text}<extra></extra>",
            decreasing={"marker": {"color": palette.delete}},
            increasing={"marker": {"color": palette.insert}},
            totals={"marker": {"color": palette.match}},
            connector={"line": {"color": palette.quiet, "width": 1, "dash": "dot"}},
        )
    )
    figure.update_layout(margin={"l": 50, "r": 10, "t": 20, "b": 40}, showlegend=False, dragmode=False)
    return figure


def signed(value: float, digits: int = 3) -> str:
    """A step as it is written: `+0.012`, with a true minus sign."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


_ROOM = 0.14  # of the height, above the highest number
_SMALL = 0.25  # steps that take less of the height than this are looked at closely
_NEAR = 0.045  # labels closer than this share of the height are pushed apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """A metric before and after, with its range; people have one score that no edit changes."""

    name: str
    before: float
    after: float
    low: float
    high: float
    digits: int = 3
    higher_is_better: bool = True

    def height(self, value: float) -> float:
        """Where a value lies between the worst (0) and the best (1) that there is."""
        share = (value - self.low) / (self.high - self.low)
        return share if self.higher_is_better else 1 - share


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveWords:
    """The charts' words. cut: the value's name on an axis that does not begin at 0. kinds: of moves."""

    before: str
    after: str
    value: str
    cut: str
    share: str
    kinds: Mapping[str, str]


def slopes(rows: Sequence[Slope], *, still: Slope | None, words: MoveWords, palette: Palette) -> go.Figure:
    """A line per metric from before to after, each at its share of the metric's range, with its numbers.

    Lines that rise are solid and green, those that fall dashed and rose, others dotted. still: people's.
    """
    figure = go.Figure()
    drawn = [*rows, *([still] if still else [])]
    left = _apart([one.height(one.before) for one in drawn])
    right = _apart([one.height(one.after) for one in drawn])
    for place, one in enumerate(drawn):
        colour, dash = _look(one, one is still, palette)
        ends = [one.height(one.before), one.height(one.after)]
        figure.add_trace(
            go.Scatter(
                x=[0, 1],
                y=ends,
                mode="lines+markers",
                showlegend=False,
                line={"color": colour, "width": 2.5, "dash": dash},
                marker={"size": 8, "color": colour},
                customdata=[[one.before, escape(one.name)], [one.after, escape(one.name)]],
                hovertemplate=f"%{{customdata[1]}} %{{customdata[0]:.{one.digits}f}}<extra></extra>",
            )
        )
        numbers = [_plain(value, one.digits) for value in (one.before, one.after)]
        labels = ((0, left[place], numbers[0]), (1, right[place], f"{escape(one.name)} {numbers[1]}"))
        for x, y, text in labels:
            figure.add_annotation(
                x=x,
                y=y,
                text=text,
                showarrow=False,
                xanchor="left" if x else "right",
                xshift=10 if x else -10,
                font={"color": colour, "size": 13},
            )
    figure.update_xaxes(
        tickvals=[0, 1],
        ticktext=[escape(words.before), escape(words.after)],
        range=[-0.03, 1.03],
        showgrid=False,
        zeroline=False,
        side="top",
    )
    figure.update_yaxes(
        title={"text": escape(words.share), "standoff": 6},
        tickformat=".0%",
        range=[-0.08, 1.08],
        zeroline=False,
        ticklabelstandoff=_NUMBER,
    )
    labels_of = (f"{one.name} {_plain(one.after, one.digits)}" for one in drawn)
    longest = max((_CELL * cell_len(label) for label in labels_of), default=0)
    margin = {"l": _NUMBER + 62, "r": min(longest, _LONGEST) + 16, "t": 36, "b": 10}
    figure.update_layout(height=460, margin=margin, dragmode=False, hovermode="closest")
    return figure


def waterfall(found: Attribution, *, words: MoveWords, palette: Palette, digits: int = 3) -> go.Figure:
    """Two whole bars, before and after, and between them what each kind of move did."""
    kinds = found.by_kind()
    names = [words.before, *(words.kinds[kind] for kind in kinds), words.after]
    values = [found.before, *kinds.values(), found.after]
    shown = [
        _plain(found.before, digits),
        *(signed(one, digits) for one in kinds.values()),
        _plain(found.after, digits),
    ]
    figure = steps(names, values, shown, palette)
    levels = [0.0, found.before]
    for value in kinds.values():
        levels.append(levels[-1] + value)
    title, axis = _axis(levels, words)
    figure.update_yaxes(title=escape(title), range=axis, zeroline=True)
    figure.update_xaxes(tickfont={"size": 12})
    figure.update_layout(height=330, bargap=0.4)
    return figure


def _axis(levels: Sequence[float], words: MoveWords) -> tuple[str, list[float]]:
    """The axis of a waterfall. Where the steps would be too small to see it begins near them, and says so."""
    low, high = min(levels), max(levels)
    steps = [one for one in levels if one]
    if steps and (min(steps) > 0 or max(steps) < 0) and max(steps) - min(steps) < _SMALL * (high - low):
        room = max(max(steps) - min(steps), 1e-6)
        return words.cut, [min(steps) - room, max(steps) + room / 2]
    room = _ROOM * (high - low or 1)
    return words.value, [low - (room if low < 0 else 0), high + room]


def _look(one: Slope, still: bool, palette: Palette) -> tuple[str, str]:
    change = one.height(one.after) - one.height(one.before)
    if still:
        return palette.ink, "longdash"
    if abs(change) < 1e-9:
        return palette.quiet, "dot"
    return (palette.insert, "solid") if change > 0 else (palette.delete, "dash")


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights for labels, in the order of the lines, none nearer to the next than `_NEAR`."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    for below, above in itertools.pairwise(order):
        placed[above] = max(placed[above], placed[below] + _NEAR)
    return placed


def _plain(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


_PENALTY_ROOM = 0.12  # of the height, above the highest number


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallWords:
    """The chart's words in the reader's language."""

    base: str
    precision: str
    recall: str
    penalised: str
    value: str


_TICK_LETTERS = 10
"""In a line of a step's name; a longer name goes on below, for a slanted one takes the room of the bars."""


def penalty_waterfall(trace: ReadingTrace, *, words: WaterfallWords, palette: Palette) -> go.Figure:
    """Two whole bars, base F and penalised F, and between them what each penalty takes (or gives)."""
    at = trace.steps()
    changes = [at.halfway - at.base, at.penalised - at.halfway]
    shown = [f"{at.base:.3f}", *map(signed, changes), f"{at.penalised:.3f}"]
    names = [words.base, words.precision, words.recall, words.penalised]
    figure = steps(names, [at.base, *changes, at.penalised], shown, palette)
    levels = [at.base, at.halfway, at.penalised, 0.0]
    low, high = min(levels), max(levels)
    room = _PENALTY_ROOM * (high - low or 1)
    figure.update_yaxes(
        title=escape(words.value), range=[low - (room if low < 0 else 0), high + room], zeroline=True
    )
    figure.update_xaxes(
        tickfont={"size": 13},
        tickangle=0,
        tickvals=list(range(len(names))),
        ticktext=["<br>".join(map(escape, wrap(name, _TICK_LETTERS))) for name in names],
    )
    figure.update_layout(height=280, bargap=0.45)
    return figure
