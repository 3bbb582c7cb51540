"""From one score to another: a line for each metric, and the steps of one of them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.attribution import Moves
from core.charts.palette import Palette
from core.charts.steps import signed, steps

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
                x=[0, 1], y=ends, mode="lines+markers", showlegend=False,
                line={"color": colour, "width": 2.5, "dash": dash}, marker={"size": 8, "color": colour},
                customdata=[[one.before, escape(one.name)], [one.after, escape(one.name)]],
                hovertemplate=f"%{{customdata[1]}} %{{customdata[0]:.{one.digits}f}}<extra></extra>",
            )
        )  # fmt: skip
        numbers = [_plain(value, one.digits) for value in (one.before, one.after)]
        labels = ((0, left[place], numbers[0]), (1, right[place], f"{escape(one.name)} {numbers[1]}"))
        for x, y, text in labels:
            figure.add_annotation(
                x=x, y=y, text=text, showarrow=False, xanchor="left" if x else "right",
                xshift=10 if x else -10, font={"color": colour, "size": 13},
            )  # fmt: skip
    figure.update_xaxes(
        tickvals=[0, 1], ticktext=[escape(words.before), escape(words.after)], range=[-0.25, 2.3],
        showgrid=False, zeroline=False, side="top",
    )  # fmt: skip
    figure.update_yaxes(title=escape(words.share), tickformat=".0%", range=[-0.08, 1.08], zeroline=False)
    figure.update_layout(
        height=460, margin={"l": 60, "r": 10, "t": 36, "b": 10}, dragmode=False, hovermode="closest"
    )
    return figure


def waterfall(found: Moves, *, words: MoveWords, palette: Palette, digits: int = 3) -> go.Figure:
    """Two whole bars, before and after, and between them what each kind of move did."""
    kinds = found.by_kind()
    names = [words.before, *(words.kinds[kind] for kind in kinds), words.after]
    values = [found.before, *kinds.values(), found.after]
    shown = [_plain(found.before, digits), *(signed(one, digits) for one in kinds.values()),
             _plain(found.after, digits)]  # fmt: skip
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
