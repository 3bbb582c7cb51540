"""Two trees face to face: reference on the left, translation on the right, their words in the middle.

Every mark is a subtree, filled by its similarity to its partner; a subtree without a partner is an open
cross. The chosen subtree and its partner are joined by a band. y is the row of the word (the first at the
top, 0); x is the distance from the words, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette, scale
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import SideName
from core.metrics.structure.metric import StructureSide, StructureTrace
from core.metrics.structure.subtrees import PHRASE, WORD

Stretch = tuple[int, int]
Lines = tuple[tuple[tuple[float, float], ...], ...]
GAP, WORDS, TREE = 6.0, 13.0, 31.0  # widths of a half from the middle outwards, in hundredths of the figure
WORD_X = 0.0
NEAREST, FARTHEST = 0.12, 1.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A subtree's place. places: the subtrees that are drawn here (a unary chain has several), top first.

    Without any it is only the name of a dependency.
    """

    x: float
    y: float
    label: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Marks, and the lines of the tree as a list of (x, y) points each."""

    marks: tuple[Mark, ...]
    lines: Lines


def layout(side: StructureSide, rows: range) -> Layout:
    """The part of a tree that lies wholly in these rows (places of words)."""
    words = {
        one.words[0]: place
        for place, one in enumerate(side.subtrees)
        if one.kind == WORD and one.words[0] in rows
    }
    marks = [Mark(WORD_X, at, "", (place,)) for at, place in words.items()]
    phrase = any(one.kind == PHRASE for one in side.subtrees)
    above, lines = _phrases(side, rows) if phrase else _arcs(side, rows)
    return Layout((*marks, *above), lines)


def _phrases(side: StructureSide, rows: range) -> tuple[list[Mark], Lines]:
    """A mark per stretch of words, as far out as there are phrases inside it; elbows to what it holds."""
    spans: dict[Stretch, list[int]] = {}
    for place, one in enumerate(side.subtrees):
        if one.kind == PHRASE and one.words[0] in rows and one.words[-1] in rows:
            spans.setdefault((one.words[0], one.words[-1] + 1), []).append(place)
    height: dict[Stretch, int] = {}
    centre: dict[Stretch, float] = {}
    daughters: dict[Stretch, list[Stretch]] = {}
    for span in sorted(spans, key=lambda stretch: (stretch[1] - stretch[0], stretch[0])):
        daughters[span] = _daughters(span, height)
        height[span] = 1 + max((height[inner] for inner in daughters[span]), default=0)
        centre[span] = _middle(span, daughters[span], centre)
    far = {span: _distance(level, max(height.values())) for span, level in height.items()}
    marks = [
        Mark(far[span], centre[span], "·".join(side.subtrees[at].label for at in places), tuple(places))
        for span, places in spans.items()
    ]
    lines: list[tuple[tuple[float, float], ...]] = []
    for span in spans:
        held = {at for start, end in daughters[span] for at in range(start, end)}
        ends = [(far[inner], centre[inner]) for inner in daughters[span]]
        ends += [(WORD_X, float(at)) for at in range(*span) if at not in held]
        lines += [((far[span], centre[span]), (far[span], y), (x, y)) for x, y in ends]
    return marks, tuple(lines)


def _daughters(span: Stretch, placed: dict[Stretch, int]) -> list[Stretch]:
    """The largest of the placed stretches that lie inside, from left to right."""
    inner = [one for one in placed if one != span and span[0] <= one[0] and one[1] <= span[1]]
    inner.sort(key=lambda one: (one[0] - one[1], one[0]))
    kept: list[Stretch] = []
    for one in inner:
        if not any(other[0] <= one[0] and one[1] <= other[1] for other in kept):
            kept.append(one)
    return sorted(kept)


def _middle(span: Stretch, inner: list[Stretch], centre: dict[Stretch, float]) -> float:
    """Half way between the first and the last thing that it holds."""
    first = next((centre[one] for one in inner if one[0] == span[0]), float(span[0]))
    last = next((centre[one] for one in inner if one[1] == span[1]), float(span[1] - 1))
    return (first + last) / 2


def _arcs(side: StructureSide, rows: range) -> tuple[list[Mark], Lines]:
    """An arc from each word to the one it depends on, wider the further apart they are.

    On it stands the word's branch: the word with all its descendants.
    """
    heads = {at: side.parse.words[at].head for at in rows if side.parse.words[at].head in rows}
    longest = max((abs(at - head) for at, head in heads.items()), default=0) + 1
    known = {(one.words, one.head): place for place, one in enumerate(side.subtrees)}
    below = _descendants(side)
    marks: list[Mark] = []
    lines: list[tuple[tuple[float, float], ...]] = []
    for at, head in heads.items():
        root = at == head
        x = FARTHEST if root else _distance(abs(at - head), longest)
        ends = [(x, float(at)), (WORD_X, float(at))]
        lines.append(tuple(ends if root else [(WORD_X, float(head)), (x, float(head)), *ends]))
        place = known.get((below[at], at))
        relation, y = side.parse.words[at].relation, float(at) if root else (at + head) / 2
        drawn = place is not None and side.subtrees[place].kind != WORD
        marks.append(Mark(x, y, relation, (place,) if place is not None and drawn else ()))
    return marks, tuple(lines)


def _descendants(side: StructureSide) -> list[tuple[int, ...]]:
    """For each word its place and those of all words below it, ascending."""
    below: list[set[int]] = [{at} for at in range(len(side.parse.words))]
    for at, word in enumerate(side.parse.words):
        above, here = word.head, at
        while above != here:
            below[above].add(at)
            above, here = side.parse.words[above].head, above
    return [tuple(sorted(one)) for one in below]


def _distance(level: int, most: int) -> float:
    return NEAREST + (FARTHEST - NEAREST) * level / most


def x_of(distance: float, side: SideName) -> float:
    """From the distance to the words (0 to 1) to the figure's axis, -50 to 50."""
    away = GAP + WORDS + 1 + TREE * distance
    return -away if side == "reference" else away


LONGEST_TEXT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeWords:
    """The chart's words in the reader's language. relations: names of dependency labels; others stay."""

    reference: str
    hypothesis: str
    similarity: str
    partner: str
    unmatched: str
    relations: Mapping[str, str] = field(default_factory=dict)

    def label(self, label: str) -> str:
        """A label for a reader."""
        return self.relations.get(label, label)


def marks_of(
    trace: StructureTrace,
    placed: Layout,
    side: SideName,
    rows: range,
    words: TreeWords,
    palette: Palette,
    *,
    matched: bool,
) -> go.Scatter:
    """The subtrees whose partner agrees, or those without one. The custom data begin with side and place."""
    own: StructureSide = getattr(trace, side)
    marks = [
        mark for mark in placed.marks if mark.places and bool(own.aligned.agrees[mark.places[0]]) == matched
    ]
    values = [float(own.aligned.similarity[mark.places[0]]) for mark in marks]
    filled = {
        "symbol": "circle",
        "size": 11,
        "color": values,
        "colorscale": scale(palette.sequential),
        "cmin": 0,
        "cmax": 1,
        "line": {"color": palette.match, "width": 1.5},
        "showscale": matched and side == "hypothesis",
        "colorbar": {
            "title": {"text": escape(words.similarity)},
            "orientation": "h",
            "thickness": 8,
            "len": 0.3,
            "x": 0.5,
            "y": 0,
            "yanchor": "top",
        },
    }
    crossed = {"symbol": "x-thin-open", "size": 9, "color": palette.delete, "line": {"width": 2}}
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in marks],
        y=[mark.y - rows.start for mark in marks],
        mode="markers",
        name=escape(words.unmatched),
        showlegend=not matched and side == "hypothesis",
        marker=filled if matched else crossed,
        customdata=[[side, mark.places[0], _about(trace, side, mark, words)] for mark in marks],
        hovertemplate="%{customdata[2]}<extra></extra>",
    )


def _about(trace: StructureTrace, side: SideName, mark: Mark, words: TreeWords) -> str:
    """What a mark says when one points at it: each subtree with its partner and their similarity."""
    own: StructureSide = getattr(trace, side)
    other = trace.hypothesis if side == "reference" else trace.reference
    found = []
    for place in mark.places:
        one, partner = own.subtrees[place], int(own.aligned.partner[place])
        met = (
            f"{escape(words.partner)}: {escape(_cut(other.text(other.subtrees[partner])))}<br>"
            f"{escape(words.similarity)}: {own.aligned.similarity[place]:.3f}"
            if partner != NO_PARTNER
            else escape(words.unmatched)
        )
        found.append(f"{escape(words.label(one.label))} <b>{escape(_cut(own.text(one)))}</b><br>{met}")
    return "<br>".join(found)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def ring(placed: Layout, side: SideName, rows: range, chosen: int | None, palette: Palette) -> go.Scatter:
    """A ring round the chosen subtree's mark."""
    marks = [mark for mark in placed.marks if chosen in mark.places]
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in marks],
        y=[mark.y - rows.start for mark in marks],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 18, "color": palette.accent, "line": {"width": 3}},
    )


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
        phrases = trace.trees == "constituency"
        figure.add_trace(_names(placed, side, some, palette, words, phrases=phrases))
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


def _names(
    placed: Layout, side: SideName, rows: range, palette: Palette, words: TreeWords, *, phrases: bool
) -> go.Scatter:
    """Labels of phrases stand above their marks, those of dependencies outside the arc."""
    named = [mark for mark in placed.marks if mark.label]
    outside = "middle left" if side == "reference" else "middle right"
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in named],
        y=[mark.y - rows.start for mark in named],
        mode="text",
        text=[
            f" {escape(mark.label)} " if phrases else f"  {escape(words.label(mark.label))}  "
            for mark in named
        ],
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
