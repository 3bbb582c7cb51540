"""Alignments corrected by a person, and the other sentences aligned again between confirmed beads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.alignment.align import align_some
from core.alignment.beads import Bead
from core.alignment.sides import TokenSide
from core.errors import InputError

BeadSide = Literal["left", "right"]
Numbers = tuple[tuple[int, ...], tuple[int, ...]]
"""The sentences of a bead, left and right."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The beads of two texts in order, and those that a person confirmed or made.

    Each method returns the beads after one change. The beads that a change makes are confirmed and have the
    confidence 1. Raises InputError for a change that is not possible.
    """

    beads: tuple[Bead, ...]
    confirmed: frozenset[Numbers] = frozenset()

    def is_confirmed(self, place: int) -> bool:
        """Whether a person confirmed or made this bead."""
        bead = self.beads[place]
        return (bead.left, bead.right) in self.confirmed

    def doubtful(self) -> list[int]:
        """The places of the beads that are not confirmed, lowest confidence first."""
        open_ones = [place for place in range(len(self.beads)) if not self.is_confirmed(place)]
        return sorted(open_ones, key=lambda place: self.beads[place].confidence)

    def confirm(self, place: int) -> Mended:
        """Confirm a bead without changing it."""
        bead = self.beads[place]
        return self._with(place, 1, [(bead.left, bead.right)])

    def merge(self, place: int) -> Mended:
        """Join a bead with the next one."""
        first, second = self._two(place)
        return self._with(place, 2, [(first.left + second.left, first.right + second.right)])

    def split(self, place: int, left: int, right: int) -> Mended:
        """Split a bead after `left` of its left and `right` of its right sentences."""
        bead = self.beads[place]
        parts = [(bead.left[:left], bead.right[:right]), (bead.left[left:], bead.right[right:])]
        if not all(one or other for one, other in parts):
            raise InputError("Nothing is left on one side of this cut; choose another one.")
        return self._with(place, 1, parts)

    def move(self, place: int, side: BeadSide, count: int) -> Mended:
        """Move the boundary to the next bead on one side: down by `count` sentences, up if it is negative.

        Only the first of the two beads is confirmed.
        """
        first, second = self._two(place)
        both = getattr(first, side) + getattr(second, side)
        cut = len(getattr(first, side)) + count
        if not 0 <= cut <= len(both):
            raise InputError("There is no further sentence on this side.")
        if side == "left":
            above, below = (both[:cut], first.right), (both[cut:], second.right)
        else:
            above, below = (first.left, both[:cut]), (second.left, both[cut:])
        holding = [above] if any(above) else []
        rest = [Bead(*below, second.confidence, second.edge)] if any(below) else []
        return self._with(place, 2, holding, rest)

    def part(self, place: int) -> Mended:
        """Separate a bead: its left sentences are omitted, its right sentences are added."""
        bead = self.beads[place]
        if not bead.left or not bead.right:
            return self.confirm(place)
        return self._with(place, 1, [(bead.left, ()), ((), bead.right)])

    def _two(self, place: int) -> tuple[Bead, Bead]:
        if place + 1 >= len(self.beads):
            raise InputError("This is the last bead; there is none behind it.")
        first, second = self.beads[place], self.beads[place + 1]
        for one, other in ((first.left, second.left), (first.right, second.right)):
            if one and other and one[-1] + 1 != other[0]:
                raise InputError("The next bead belongs to another chapter.")
        return first, second

    def _with(self, place: int, count: int, parts: Sequence[Numbers], rest: Sequence[Bead] = ()) -> Mended:
        """Replace `count` beads by confirmed beads (`parts`) and by others (`rest`)."""
        gone = {(bead.left, bead.right) for bead in self.beads[place : place + count]}
        made = [*(Bead(left, right, 1.0) for left, right in parts), *rest]
        beads = (*self.beads[:place], *made, *self.beads[place + count :])
        return Mended(beads, (self.confirmed - gone) | set(parts))

    def open_runs(self, chapter_of: Callable[[int], int]) -> Iterator[range]:
        """Runs of unconfirmed beads next to a confirmed one, each within one chapter of the left text.

        chapter_of: the chapter of a left sentence.
        """
        confirmed = [self.is_confirmed(place) for place in range(len(self.beads))]
        start = 0
        while start < len(confirmed):
            end = start
            while end < len(confirmed) and not confirmed[end] and not self._begins(start, end, chapter_of):
                end += 1
            if end > start and any(confirmed[max(start - 1, 0) : end + 1]):
                yield range(start, end)
            start = max(end, start + 1)

    def _begins(self, start: int, place: int, chapter_of: Callable[[int], int]) -> bool:
        """Whether a bead cannot continue the run from `start`: another chapter, or a gap before it."""
        if place == start:
            return False
        before, bead = self.beads[place - 1], self.beads[place]
        if before.left and bead.left and chapter_of(before.left[-1]) != chapter_of(bead.left[0]):
            return True
        sides = ((before.left, bead.left), (before.right, bead.right))
        return any(one and other and one[-1] + 1 != other[0] for one, other in sides)


def realign(mended: Mended, left: TokenSide, right: TokenSide, chapter_of: Callable[[int], int]) -> Mended:
    """Align the sentences between confirmed beads again. Chapters without a confirmed bead stay as they are.

    left, right: the whole texts, encoded. chapter_of: the chapter of a left sentence.
    """
    beads = list(mended.beads)
    for run in reversed(list(mended.open_runs(chapter_of))):  # from the end: the places before stay valid
        inside = mended.beads[run.start : run.stop]
        rows = sorted(number for bead in inside for number in bead.left)
        columns = sorted(number for bead in inside for number in bead.right)
        beads[run.start : run.stop] = align_some(left, right, rows, columns)
    return Mended(tuple(beads), mended.confirmed)
