"""Beads mended by a person, and the rest aligned again between those that hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.alignment.align import align_some
from core.alignment.beads import Bead
from core.alignment.sides import TokenSide
from core.backends import Progress, silent
from core.errors import InputError

BeadSide = Literal["left", "right"]
Numbers = tuple[tuple[int, ...], tuple[int, ...]]
"""The sentences of a bead, left and right."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The beads of two texts in their order, and which of them a person made or confirmed.

    Every method gives the beads after one change. What a change makes holds: its confidence is 1. Raises
    InputError for a change that cannot be made.
    """

    beads: tuple[Bead, ...]
    fixed: frozenset[Numbers] = frozenset()

    def holds(self, place: int) -> bool:
        """Whether a person made or confirmed a bead."""
        bead = self.beads[place]
        return (bead.left, bead.right) in self.fixed

    def doubtful(self) -> list[int]:
        """The places of the beads that nobody has looked at, the least sure first."""
        open_ones = [place for place in range(len(self.beads)) if not self.holds(place)]
        return sorted(open_ones, key=lambda place: self.beads[place].confidence)

    def confirm(self, place: int) -> Mended:
        """Keep a bead as it is."""
        bead = self.beads[place]
        return self._with(place, 1, [(bead.left, bead.right)])

    def merge(self, place: int) -> Mended:
        """Join a bead with the next one."""
        first, second = self._two(place)
        return self._with(place, 2, [(first.left + second.left, first.right + second.right)])

    def split(self, place: int, left: int, right: int) -> Mended:
        """Cut a bead behind this many of its left and of its right sentences."""
        bead = self.beads[place]
        parts = [(bead.left[:left], bead.right[:right]), (bead.left[left:], bead.right[right:])]
        if not all(one or other for one, other in parts):
            raise InputError("Nothing is left on one side of this cut; choose another one.")
        return self._with(place, 1, parts)

    def move(self, place: int, side: BeadSide, count: int) -> Mended:
        """Move the boundary to the next bead down (`count` sentences above 0) or up (below 0) on a side.

        The first of the two beads holds from then on; the second is open as before.
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
        """Say that the sentences of a bead do not belong together: left ones omitted, right ones added."""
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
        """`count` beads replaced by those of these parts, which hold, and by the rest, which does not."""
        gone = {(bead.left, bead.right) for bead in self.beads[place : place + count]}
        made = [*(Bead(left, right, 1.0) for left, right in parts), *rest]
        beads = (*self.beads[:place], *made, *self.beads[place + count :])
        return Mended(beads, (self.fixed - gone) | set(parts))

    def stretches(self, chapter_of: Callable[[int], int]) -> Iterator[range]:
        """Runs of beads that nobody has looked at beside one that holds, within a chapter of the left text.

        chapter_of: of a left sentence.
        """
        start = 0
        while start < len(self.beads):
            end = start
            while end < len(self.beads) and not self.holds(end) and not self._begins(start, end, chapter_of):
                end += 1
            beside = (start > 0 and self.holds(start - 1)) or (end < len(self.beads) and self.holds(end))
            if end > start and beside:
                yield range(start, end)
            start = max(end, start + 1)

    def _begins(self, start: int, place: int, chapter_of: Callable[[int], int]) -> bool:
        """Whether a bead begins another chapter than the run from `start` is in, or lies apart from it."""
        if place == start:
            return False
        before, bead = self.beads[place - 1], self.beads[place]
        if before.left and bead.left and chapter_of(before.left[-1]) != chapter_of(bead.left[0]):
            return True
        sides = ((before.left, bead.left), (before.right, bead.right))
        return any(one and other and one[-1] + 1 != other[0] for one, other in sides)


def realign(
    mended: Mended,
    left: TokenSide,
    right: TokenSide,
    chapter_of: Callable[[int], int],
    *,
    progress: Progress = silent,
) -> Mended:
    """Align anew what lies between the beads that hold; chapters stay together as they are.

    left, right: the encoded texts, whole. progress: called with (done, total) beads.
    """
    anew = list(mended.stretches(chapter_of))
    total, done = sum(map(len, anew)), 0
    beads = list(mended.beads)
    for stretch in reversed(anew):  # from the end, for the places before stay as they are
        inside = mended.beads[stretch.start : stretch.stop]
        rows = sorted(number for bead in inside for number in bead.left)
        columns = sorted(number for bead in inside for number in bead.right)
        beads[stretch.start : stretch.stop] = align_some(left, right, rows, columns)
        done += len(stretch)
        progress(done, total)
    return Mended(tuple(beads), mended.fixed)
