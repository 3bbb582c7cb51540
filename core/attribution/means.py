"""Which part of a weighted mean moved it, token by token, between two versions of a text.

M = Σ w v / Σ w becomes M' = Σ w' v' / W'. With w and v of what was there before and is there still:
M' - M = Σ w' (v' - v) / W'  (it scores otherwise)  +  Σ (w' - w) (v - M) / W'  (it counts otherwise)
       + Σ w' (v' - M) / W' over what was added  -  Σ w (v - M) / W' over what was removed. Exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from core.attribution.base import Move

NONE = -1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Terms:
    """The n terms of a weighted mean. names: what they are; by them two versions are laid side by side.

    weights, values: (n,) float64. partners: (n,) place of what gave the value on the other side, -1 for none;
    None where nothing in particular did.
    """

    names: Sequence[str]
    weights: NDArray[np.float64]
    values: NDArray[np.float64]
    partners: NDArray[np.int64] | None = None

    @property
    def mean(self) -> float:
        """Σ w v / Σ w; 0 without weight."""
        total = self.weights.sum()
        return float(self.weights @ self.values / total) if total else 0.0


def same_places(before: Sequence[str], after: Sequence[str]) -> NDArray[np.int64]:
    """(len(after),) place in `before` of what is still there (a longest common subsequence), else -1."""
    found = np.full(len(after), NONE, np.int64)
    for step in Indel.opcodes(list(before), list(after)):
        if step.tag == "equal":
            found[step.dest_start : step.dest_end] = np.arange(step.src_start, step.src_end)
    return found


def mean_moves(
    before: Terms, after: Terms, *, side: str, kept: NDArray[np.int64], others: NDArray[np.int64] | None,
    same: str = "context",
) -> list[Move]:  # fmt: skip
    """The moves from one mean to the other; their amounts add up to after.mean - before.mean.

    kept: from `same_places` of this side, others: of the other side. same: the kind of a change that no
    partner explains.
    """
    total = float(after.weights.sum())
    if not total:  # nothing is left to count
        return [Move(kind="whole", what="", amount=-before.mean, side=side, before=before.mean, after=0.0)]
    old = before.mean
    moves = []
    for place, was in enumerate(kept):
        name, value, weight = after.names[place], float(after.values[place]), float(after.weights[place])
        if was == NONE:
            amount = weight * (value - old) / total
            moves.append(Move(kind="added", what=name, side=side, place=place, after=value, amount=amount))
            continue
        earlier, counted = float(before.values[was]), float(before.weights[was])
        moved = Move(
            kind=_kind(before, after, int(was), place, others, same), what=name, side=side, place=place,
            before=earlier, after=value, amount=weight * (value - earlier) / total,
        )  # fmt: skip
        moves.append(moved)
        if weight != counted:
            moves.append(replace(moved, kind="weight", amount=(weight - counted) * (earlier - old) / total))
    for place in sorted(set(range(len(before.names))) - set(kept.tolist())):
        value = float(before.values[place])
        amount = -float(before.weights[place]) * (value - old) / total
        name = before.names[place]
        moves.append(Move(kind="removed", what=name, side=side, place=place, before=value, amount=amount))
    return moves


def _kind(
    before: Terms, after: Terms, was: int, place: int, others: NDArray[np.int64] | None, same: str
) -> str:
    """Why something that is still there has another value: whom it met, and whom it meets now."""
    if before.partners is None or after.partners is None or others is None:
        return same
    met, meets = int(before.partners[was]), int(after.partners[place])
    if meets == NONE or met == NONE:
        return same if meets == met else "lost-partner" if meets == NONE else "new-partner"
    if others[meets] == met:
        return same
    if others[meets] == NONE:
        return "new-partner"
    return "other-partner" if met in others else "lost-partner"
