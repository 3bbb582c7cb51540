"""What moved a number: the steps from one trace of a metric to another, which add up to the difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

KINDS = (
    "added", "removed", "new-partner", "lost-partner", "other-partner", "context", "weight", "span",
    "reading", "n-grams", "length", "question", "error", "whole",
)  # fmt: skip
"""What a step is of.

added, removed: a token, subtree or question of one trace only. new-partner: its partner is a token that was
added; lost-partner: its partner was removed; other-partner: it has another of those that were there before.
context: the same two tokens, whose vectors changed with the text round them. weight: it counts for more or
less. span: a token lies elsewhere to the other text's span (Subspace). reading: the penalty on rare words.
n-grams: matches of one order. length: the brevity penalty. error: errors that a judge lists. whole: a number
that cannot be taken apart.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One step. side: `reference` or `hypothesis`, empty where it is of neither. what: the token, subtree, ….

    place: which of the tokens, … of its text, in the newer trace, in the older one for what was removed; -1
    for none. before, after: what it scored by itself. amount: what it adds to the difference of the scores.
    """

    kind: str
    what: str
    amount: float
    side: str = ""
    place: int = -1
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """From `before` to `after`, two scores of one metric; the amounts of the moves are the difference."""

    metric: str
    before: float
    after: float
    moves: tuple[Move, ...]

    def by_kind(self) -> dict[str, float]:
        """The sum of each kind that there is, in the order of KINDS."""
        sums = {
            kind: math.fsum(one.amount for one in self.moves if one.kind == kind)
            for kind in dict.fromkeys(one.kind for one in self.moves)
        }
        return {kind: sums[kind] for kind in KINDS if kind in sums}

    def largest(self, count: int) -> tuple[Move, ...]:
        """The moves that matter most, those with the largest amounts first."""
        moved = [one for one in self.moves if one.amount]
        return tuple(sorted(moved, key=lambda one: -abs(one.amount))[:count])


def scaled(moves: Sequence[Move], factor: float) -> list[Move]:
    """The same moves, each amount multiplied."""
    return [
        Move(
            kind=one.kind,
            what=one.what,
            amount=one.amount * factor,
            side=one.side,
            place=one.place,
            before=one.before,
            after=one.after,
        )
        for one in moves
    ]
