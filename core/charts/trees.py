"""Two trees face to face: reference on the left, translation on the right, their words in the middle.

Every mark is a subtree, filled by its similarity to its partner; one without a partner is an open cross. The
chosen subtree and its partner are joined by a band.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.charts.treelayout import GAP, TREE, WORDS, Layout, layout, x_of
from core.charts.treemarks import TreeWords, marks_of, ring
from core.metrics.bertscore.ledger import SideName
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.structure.metric import StructureSide, StructureTrace

ROW = 22  # pixels a word
LONGEST_WORD = 13
SIDES: tuple[SideName, ...] = ("reference", "hypothesis")


@dataclass(frozen=True, slots=True)
class ChosenSubtree:
    """A subtree by its place on a side."""

    side: SideName
    place: int


def trees(
    trace: StructureTrace,
    *,
    words: TreeWords,
    palette: Palette,
    chosen: ChosenSubtree | None = None,
    rows: tuple[range, range] | None = None,
) -> go.Figure:
    """The two trees with their marks; `rows` are the words of each side to show, default all.

    The custom data of a mark begins with its side and the subtree's place, for a click.
    """
    shown = rows or (range(len(trace.reference.parse.words)), range(len(trace.hypothesis.parse.words)))
    figure = go.Figure()
    pair = _pair(trace, chosen)
    for side, some in zip(SIDES, shown, strict=True):
        own: StructureSide = getattr(trace, side)
        placed = layout(own, some)
        figure.add_trace(_lines(placed, side, some, palette))
        figure.add_trace(_names(placed, side, some, palette, phrases=trace.trees == "constituency"))
        figure.add_trace(_leaves(own, side, some, pair[side], palette))
        for matched in (True, False):
            figure.add_trace(marks_of(trace, placed, side, some, words, palette, matched=matched))
        if pair[side] is not None:
            figure.add_trace(ring(placed, side, some, pair[side], palette))
    if None not in pair.values():
        _band(figure, trace, pair, shown, palette)
    _axes(figure, max(map(len, shown)))
    return figure


def _pair(trace: StructureTrace, chosen: ChosenSubtree | None) -> dict[SideName, int | None]:
    """The chosen subtree and its partner, by side."""
    if chosen is None:
        return {"reference": None, "hypothesis": None}
    own: StructureSide = getattr(trace, chosen.side)
    partner = int(own.aligned.partner[chosen.place])
    other: SideName = "hypothesis" if chosen.side == "reference" else "reference"
    return {chosen.side: chosen.place, other: None if partner == NO_PARTNER else partner}


def _lines(placed: Layout, side: SideName, rows: range, palette: Palette) -> go.Scatter:
    x: list[float | None] = []
    y: list[float | None] = []
    for line in placed.lines:
        x += [*(x_of(point[0], side) for point in line), None]
        y += [*(point[1] - rows.start for point in line), None]
    return go.Scatter(
        x=x, y=y, mode="lines", hoverinfo="skip", line={"color": palette.quiet, "width": 1}, showlegend=False
    )


def _names(placed: Layout, side: SideName, rows: range, palette: Palette, *, phrases: bool) -> go.Scatter:
    """Labels of phrases stand above their marks, those of dependencies outside the arc."""
    named = [mark for mark in placed.marks if mark.label]
    outside = "middle left" if side == "reference" else "middle right"
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in named],
        y=[mark.y - rows.start for mark in named],
        mode="text",
        text=[f" {escape(mark.label)} " if phrases else f"  {escape(mark.label)}  " for mark in named],
        textposition="top center" if phrases else outside,
        textfont={"size": 10, "color": palette.quiet},
        hoverinfo="skip",
        showlegend=False,
    )


def _leaves(
    own: StructureSide, side: SideName, rows: range, chosen: int | None, palette: Palette
) -> go.Scatter:
    held = set() if chosen is None else set(own.subtrees[chosen].words)
    texts = [own.parse.words[at].text for at in rows]
    short = [text if len(text) <= LONGEST_WORD else f"{text[: LONGEST_WORD - 1]}…" for text in texts]
    labels = [
        f"<b>{escape(text)}</b>" if at in held else escape(text) for at, text in zip(rows, short, strict=True)
    ]
    middle = GAP if side == "hypothesis" else -GAP
    return go.Scatter(
        x=[middle] * len(labels),
        y=list(range(len(labels))),
        mode="text",
        text=labels,
        textposition="middle right" if side == "hypothesis" else "middle left",
        textfont={"size": 13, "color": palette.ink},
        customdata=[[escape(text)] for text in texts],
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )


def _band(
    figure: go.Figure,
    trace: StructureTrace,
    pair: dict[SideName, int | None],
    shown: tuple[range, range],
    palette: Palette,
) -> None:
    """Join the words of the chosen subtree with those of its partner, across the middle."""
    edges = []
    for side, rows in zip(SIDES, shown, strict=True):
        places = getattr(trace, side).subtrees[pair[side]].words
        inside = [at - rows.start for at in places if at in rows]
        if not inside:
            return
        edges.append((min(inside) - 0.5, max(inside) + 0.5))
    (top, bottom), (other_top, other_bottom) = edges
    x0, x1 = -GAP + 0.5, GAP - 0.5
    figure.add_shape(
        type="path",
        path=f"M {x0} {top} C 0 {top} 0 {other_top} {x1} {other_top} L {x1} {other_bottom} "
        f"C 0 {other_bottom} 0 {bottom} {x0} {bottom} Z",
        fillcolor=palette.accent,
        opacity=0.25,
        line={"width": 0},
        layer="below",
    )


def _axes(figure: go.Figure, rows: int) -> None:
    hidden = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    edge = GAP + WORDS + TREE + 8  # room for the name of what stands farthest out
    figure.update_xaxes(range=[-edge, edge], **hidden)
    figure.update_yaxes(range=[rows - 0.3, -1.2], **hidden)
    figure.update_layout(
        height=90 + ROW * max(rows, 4),
        margin={"l": 0, "r": 0, "t": 10, "b": 60},
        legend={"orientation": "h", "x": 0, "y": 0, "yanchor": "top"},
        hovermode="closest",
        dragmode=False,
    )
