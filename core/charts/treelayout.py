"""Where the marks and lines of a tree go: words in a column, the tree beside it, one row a word.

Coordinates: y is the word's row, the first at the top (0); x is the distance from the words, 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.metrics.bertscore.ledger import SideName
from core.metrics.structure.metric import StructureSide
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
