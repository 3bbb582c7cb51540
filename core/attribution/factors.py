"""Which factor of a formula moved its value: Shapley values, exact, for a handful of factors.

phi_k is the mean, over all orders in which the factors can change, of what changing k does (Shapley, 1953).
They add up to the difference, whatever the formula.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import TypeVar

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
