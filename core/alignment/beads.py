"""Beads: which sentences of a text stand for which of another."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 6
"""Most sentences of a bead on each side."""


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences that belong together, numbered from 0; one side is empty where the other has no partner.

    confidence: 0 to 1, how probable it is that exactly this bead is right. edge: 0 to 1, how probable it is
    that both texts can be cut behind it.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    confidence: float
    edge: float = 1.0
