"""Units for raters: sentences of a book that no alignment cuts apart, joined to paragraphs or passages.

All other books are aligned with one, the pivot. The smallest unit is a run of the pivot's sentences at whose
edges a bead ends in every alignment, so that each book has its own text for it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.alignment.beads import Bead
from core.alignment.books import BookSentence

UnitKind = Literal["sentence", "paragraph", "passage"]
UNITS: tuple[UnitKind, ...] = ("sentence", "paragraph", "passage")
_OPENING, _CLOSING = "「『“（(", "」』”）)"


@dataclass(frozen=True, slots=True)
class RatedUnit:
    """What a rater judges at once. chapter: of its first sentence; place: which unit of it, from 0.

    pivot: sentence numbers of the pivot. others: those of each other book, empty where it leaves the text
    out. confidence: the least of its beads. added: for each other book how many of its sentences have no
    partner.
    """

    chapter: int
    place: int
    pivot: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    confidence: float
    added: tuple[int, ...]


def rated_units(
    pivot: Sequence[BookSentence],
    alignments: Sequence[Sequence[Bead]],
    *,
    kind: UnitKind = "paragraph",
    characters: int = 400,
) -> list[RatedUnit]:
    """The units of a whole book, in the pivot's order.

    alignments: of each other book with the pivot, whose sentences are the left side. characters: how many of
    the pivot a passage has at least, unless its chapter ends. A passage ends at the end of a paragraph where
    there is one near, and never within speech.
    """
    atoms = _atoms(pivot, alignments)
    ends = {atom[-1] for atom in atoms}
    runs: list[tuple[int, ...]] = []
    run: tuple[int, ...] = ()
    for atom in atoms:
        run += atom
        if run[-1] in ends and _complete(pivot, run, kind, characters):
            runs.append(run)
            run = ()
    if run:
        runs.append(run)
    tables = [_Table(beads) for beads in alignments]
    units: list[RatedUnit] = []
    for run in runs:
        chapter = pivot[run[0]].chapter
        place = units[-1].place + 1 if units and units[-1].chapter == chapter else 0
        found = [table.of(run) for table in tables]
        units.append(
            RatedUnit(
                chapter,
                place,
                run,
                tuple(numbers for numbers, _, _ in found),
                min((confidence for _, confidence, _ in found), default=1.0),
                tuple(added for _, _, added in found),
            )
        )
    return units


def _atoms(pivot: Sequence[BookSentence], alignments: Sequence[Sequence[Bead]]) -> list[tuple[int, ...]]:
    """Runs of sentences between which every alignment can be cut."""
    joined = [False] * (len(pivot) + 1)
    for beads in alignments:
        for bead in beads:
            for number in bead.left[1:]:
                joined[number] = True
    found: list[tuple[int, ...]] = []
    for number in range(len(pivot)):
        if found and joined[number]:
            found[-1] += (number,)
        else:
            found.append((number,))
    return found


def _complete(pivot: Sequence[BookSentence], run: tuple[int, ...], kind: UnitKind, characters: int) -> bool:
    """Whether a unit may end here."""
    last = run[-1]
    if last + 1 == len(pivot) or pivot[last + 1].chapter != pivot[last].chapter:
        return True
    if kind == "sentence":
        return True
    ends_paragraph = pivot[last + 1].paragraph != pivot[last].paragraph
    if kind == "paragraph":
        return ends_paragraph
    length = sum(pivot[number].end - pivot[number].start for number in run)
    if length < characters or _in_speech(pivot, run):
        return False
    return ends_paragraph or length >= 1.5 * characters


def _in_speech(pivot: Sequence[BookSentence], run: tuple[int, ...]) -> bool:
    """Whether quotation marks or brackets are open behind the last sentence of a run."""
    last = pivot[run[-1]]
    depth = 0
    straight = 0
    for char in last.block.text[: last.end]:
        depth += char in _OPENING
        depth = max(depth - (char in _CLOSING), 0)
        straight += char == '"'
    return depth > 0 or straight % 2 == 1


class _Table:
    """Which sentences of another book belong to each of the pivot's."""

    def __init__(self, beads: Sequence[Bead]) -> None:
        self._bead = {number: bead for bead in beads for number in bead.left}
        self._added: dict[int, list[Bead]] = {}
        before = -1
        for bead in beads:
            if bead.left:
                before = bead.left[-1]
            else:
                self._added.setdefault(before, []).append(bead)

    def of(self, run: tuple[int, ...]) -> tuple[tuple[int, ...], float, int]:
        """The sentences, the least confidence, and how many sentences have no partner.

        An added sentence goes with the one before it; those before the first bead are left out.
        """
        beads = list(dict.fromkeys(self._bead[number] for number in run if number in self._bead))
        added = [bead for number in run for bead in self._added.get(number, ())]
        numbers = sorted({number for bead in [*beads, *added] for number in bead.right})
        return (
            tuple(numbers),
            beads[-1].edge if beads else 0.0,
            sum(len(bead.right) for bead in added),
        )


def sample_units(units: Sequence[RatedUnit], count: int, *, apart: int = 0, seed: int = 0) -> list[RatedUnit]:
    """At most `count` units of each chapter, at least `apart` units between two of them; in their order.

    The same units and seed give the same sample. Fewer are drawn where a chapter has no more room.
    """
    chosen: list[RatedUnit] = []
    for chapter in dict.fromkeys(unit.chapter for unit in units):
        own = [unit for unit in units if unit.chapter == chapter]
        order = random.Random(f"{seed}:{chapter}").sample(range(len(own)), len(own))  # nosec B311  # no secret
        taken: list[int] = []
        for place in order:
            if len(taken) < count and all(abs(place - other) > apart for other in taken):
                taken.append(place)
        chosen += [own[place] for place in sorted(taken)]
    return chosen
