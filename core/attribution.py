"""Why a metric's score changed between two translations of one reference, from the two traces alone.

An attribution is a list of contributions that add up to the difference of the scores. There are three ways:

`shapley`: which factor of a formula changed its value. phi_k is the mean, over all orders in which the
factors can change, of what changing k does (Shapley, 1953); exact, whatever the formula.

`attribute_mean`: which term of a weighted mean changed it. M = Σ w v / Σ w becomes M' = Σ w' v' / W'.
With w and v of the terms that both versions have:
M' - M = Σ w' (v' - v) / W'  (other values)  +  Σ (w' - w) (v - M) / W'  (other weights)
       + Σ w' (v' - M) / W' over added terms  -  Σ w (v - M) / W' over removed terms. Exactly.

`attribute_whole`: one contribution, for a number that cannot be taken apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from core.types import Trace

KINDS = (
    "added",
    "removed",
    "new-partner",
    "lost-partner",
    "other-partner",
    "context",
    "weight",
    "span",
    "reading",
    "n-grams",
    "length",
    "question",
    "error",
    "whole",
)
"""What a step is of.

added, removed: a token, subtree or question of one trace only. new-partner: its partner is a token that was
added; lost-partner: its partner was removed; other-partner: it has another of those that were there before.
context: the same two tokens, whose vectors changed with the text round them. weight: it counts for more or
less. span: a token lies elsewhere to the other text's span (Subspace). reading: the penalty on rare words.
n-grams: matches of one order. length: the brevity penalty. error: errors that a judge lists. whole: a number
that cannot be taken apart.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """A part of a difference.

    side: `reference` or `hypothesis`, empty where it is of neither. what: the token, subtree, ….

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
class Attribution:
    """Two scores of one metric and the contributions that add up to their difference."""

    metric: str
    before: float
    after: float
    contributions: tuple[Contribution, ...]

    def by_kind(self) -> dict[str, float]:
        """The sum of each kind that there is, in the order of KINDS."""
        sums = {
            kind: math.fsum(one.amount for one in self.contributions if one.kind == kind)
            for kind in dict.fromkeys(one.kind for one in self.contributions)
        }
        return {kind: sums[kind] for kind in KINDS if kind in sums}

    def largest(self, count: int) -> tuple[Contribution, ...]:
        """The contributions with the largest amounts, the largest first."""
        moved = [one for one in self.contributions if one.amount]
        return tuple(sorted(moved, key=lambda one: -abs(one.amount))[:count])


def scaled(moves: Sequence[Contribution], factor: float) -> list[Contribution]:
    """The same contributions, each amount multiplied by `factor`."""
    return [
        Contribution(
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


F = TypeVar("F")
MOST_FACTORS = 8
_STEP = 1e-6


def shapley(
    formula: Callable[[Mapping[str, F]], float], before: Mapping[str, F], after: Mapping[str, F]
) -> dict[str, float]:
    """What each factor does to the difference formula(after) - formula(before); 2ⁿ evaluations.

    Raises ValueError for more than eight factors.
    """
    names = list(before)
    if len(names) > MOST_FACTORS:
        raise ValueError(f"{len(names)} factors are more than {MOST_FACTORS}")
    value: dict[frozenset[str], float] = {}
    for size in range(len(names) + 1):
        for changed in itertools.combinations(names, size):
            value[frozenset(changed)] = formula(
                {name: (after if name in changed else before)[name] for name in names}
            )
    return {name: _mean_effect(name, names, value) for name in names}


def steepness(
    formula: Callable[[Mapping[str, float]], float],
    name: str,
    before: Mapping[str, float],
    after: Mapping[str, float],
    effect: float,
) -> float:
    """How much the value moves for one unit of a factor: its effect over its difference.

    Where the factor stayed the same its effect is 0 and the slope half way between the two is taken, so that
    what moved within it and cancelled out is seen at its size.
    """
    difference = after[name] - before[name]
    if abs(difference) > _STEP:
        return effect / difference
    middle = {one: (before[one] + after[one]) / 2 for one in before}
    low, high = ({**middle, name: middle[name] + sign * _STEP} for sign in (-1, 1))
    return (formula(high) - formula(low)) / (2 * _STEP)


def _mean_effect(name: str, names: list[str], value: Mapping[frozenset[str], float]) -> float:
    others = [one for one in names if one != name]
    effects = []
    for size in range(len(others) + 1):
        share = math.factorial(size) * math.factorial(len(others) - size) / math.factorial(len(names))
        for changed in itertools.combinations(others, size):
            effects.append(share * (value[frozenset((*changed, name))] - value[frozenset(changed)]))
    return math.fsum(effects)


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


def attribute_mean(
    before: Terms,
    after: Terms,
    *,
    side: str,
    kept: NDArray[np.int64],
    others: NDArray[np.int64] | None,
    same: str = "context",
) -> list[Contribution]:
    """The contributions of terms to after.mean - before.mean.

    kept: from `same_places` of this side, others: of the other side. same: the kind of a change that no
    partner explains.
    """
    total = float(after.weights.sum())
    if not total:  # nothing is left to count
        return [
            Contribution(kind="whole", what="", amount=-before.mean, side=side, before=before.mean, after=0.0)
        ]
    old = before.mean
    moves = []
    for place, was in enumerate(kept):
        name, value, weight = after.names[place], float(after.values[place]), float(after.weights[place])
        if was == NONE:
            amount = weight * (value - old) / total
            moves.append(
                Contribution(kind="added", what=name, side=side, place=place, after=value, amount=amount)
            )
            continue
        earlier, counted = float(before.values[was]), float(before.weights[was])
        moved = Contribution(
            kind=_kind(before, after, int(was), place, others, same),
            what=name,
            side=side,
            place=place,
            before=earlier,
            after=value,
            amount=weight * (value - earlier) / total,
        )
        moves.append(moved)
        if weight != counted:
            moves.append(replace(moved, kind="weight", amount=(weight - counted) * (earlier - old) / total))
    for place in sorted(set(range(len(before.names))) - set(kept.tolist())):
        value = float(before.values[place])
        amount = -float(before.weights[place]) * (value - old) / total
        name = before.names[place]
        moves.append(
            Contribution(kind="removed", what=name, side=side, place=place, before=value, amount=amount)
        )
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


def attribute_whole(before: Trace, after: Trace) -> list[Contribution]:
    """One contribution for the whole difference of the first parts of two traces."""
    first, last = (next(iter(trace.parts().values())) for trace in (before, after))
    return [Contribution(kind="whole", what="", amount=last - first, before=first, after=last)]
