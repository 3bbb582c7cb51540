"""Beads: which sentences of a text stand for which of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LARGEST = 6
"""Most sentences of a bead on each side."""


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences that belong together, numbered from 0; one side is empty where the other has no partner.

    confidence: 0 to 1, how probable it is that exactly this bead is right.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    confidence: float

    def moved(self, left: int, right: int) -> Bead:
        """The bead in texts that have so many more sentences before."""
        return Bead(
            tuple(one + left for one in self.left), tuple(one + right for one in self.right), self.confidence
        )


def matched_share(beads: Sequence[Bead]) -> float:
    """The share of all sentences, of both sides, that have a partner; 0 without sentences."""
    both = sum(len(bead.left) + len(bead.right) for bead in beads if bead.left and bead.right)
    total = sum(len(bead.left) + len(bead.right) for bead in beads)
    return both / total if total else 0.0
