"""Systems side by side under one metric: score, interval, and paired tests of each two.

A metric that is counted (BLEU, chrF) is computed from the summed counts of all segments, as sacreBLEU does;
of any other the score of a system is the mean over its segments. Both are functions of sums over segments,
so the bootstrap and approximate randomization draw and swap segments and sum again (Koehn 2004; Riezler and
Maxwell 2005).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.metrics import find_metric
from core.metrics.count_pool import CountPool
from core.stats.bootstrap import RESAMPLES, percentiles, resamples
from core.types import Result

Floats = NDArray[np.float64]
Value = Callable[[Floats], float]
"""The score of a system from the sums over its segments."""

SWAPS = 2000
SEED = 20261128


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """A system's score with its 95 % interval, from n segments; None where there is none."""

    system: str
    score: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """Two systems: `difference` is the first's score less the second's, with the bootstrap's 95 % interval.

    p: two-sided, of approximate randomization. wins, losses, ties: segments on which the first is better,
    worse and equal.
    """

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p: float
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemComparison:
    """Systems under one metric, the best first, and every two of them.

    n: segments that every system has a score for. counted: the score is of summed counts, not a mean.
    """

    metric: str
    signature: str
    n: int
    counted: bool
    higher_is_better: bool
    systems: tuple[ComparedSystem, ...]
    tests: tuple[PairedTest, ...]

    def best(self) -> set[str]:
        """The first system, and those that do not differ from it at p < .05."""
        if not self.systems:
            return set()
        first = self.systems[0].system
        equal = {
            other
            for one in self.tests
            if one.p >= 0.05
            for other in (one.first, one.second)
            if first in (one.first, one.second)
        }
        return equal | {first}


def compare_systems(
    metric: str, results: Mapping[str, Sequence[Result[Any]]], *, seed: int = SEED, count: int = RESAMPLES
) -> SystemComparison:
    """Compare systems on the segments that all of them have a score for.

    results: by system, one for each segment in the same order; of a counted metric with traces. Raises
    InputError for unequal numbers of results, for other signatures, and where no segment has all scores.
    """
    if len({len(rows) for rows in results.values()}) != 1:
        raise InputError("The systems have different numbers of segments.")
    described = find_metric(metric)
    scored = [all(one.score is not None for one in row) for row in zip(*results.values(), strict=True)]
    kept = {
        name: [one for one, use in zip(rows, scored, strict=True) if use] for name, rows in results.items()
    }
    n = sum(scored)
    if not n:
        raise InputError("No segment has a score of {metric} for every system.", metric=metric)
    signatures = {one.signature for rows in kept.values() for one in rows}
    if len(signatures) != 1:
        raise InputError("Only scores of one metric with the same signature can be compared.")
    sums, value = _sums(metric, kept)
    scores = {name: np.array([one.score for one in rows], float) for name, rows in kept.items()}
    drawn = _drawn(sums, n, seed, count)
    sign = 1 if described.higher_is_better else -1
    whole = {name: value(rows.sum(axis=0)) for name, rows in sums.items()}
    order = sorted(whole, key=lambda name: (-sign * whole[name], name))
    values = {name: np.array([value(one) for one in drawn[name]]) for name in order}
    return SystemComparison(
        metric=metric,
        signature=signatures.pop(),
        n=n,
        counted=described.counted,
        higher_is_better=described.higher_is_better,
        systems=tuple(_system(name, whole[name], values[name], n) for name in order),
        tests=tuple(
            _test(
                (first, second),
                whole[first] - whole[second],
                percentiles(values[first] - values[second]),
                _randomization(sums[first], sums[second], value, seed),
                sign * (scores[first] - scores[second]),
            )
            for first, second in combinations(order, 2)
        ),
    )


def _sums(metric: str, results: Mapping[str, Sequence[Result[Any]]]) -> tuple[dict[str, Floats], Value]:
    """By system (segments, k): what is summed; and the score of such a sum."""
    pool = find_metric(metric).pool()
    if isinstance(pool, CountPool):
        return {
            name: np.array([pool.row(one) for one in rows], float) for name, rows in results.items()
        }, pool.value
    rows = {name: np.array([(one.score, 1.0) for one in rows], float) for name, rows in results.items()}
    return rows, lambda sums: float(sums[0] / sums[1])


def _drawn(sums: Mapping[str, Floats], n: int, seed: int, count: int) -> dict[str, Floats]:
    """By system (count, k): the sums of each resample, the same segments for every system."""
    weights = np.concatenate(list(resamples(n, seed=seed, count=count))).astype(float)
    return {name: weights @ rows for name, rows in sums.items()}


def _system(name: str, score: float, values: Floats, n: int) -> ComparedSystem:
    low, high = percentiles(values)
    return ComparedSystem(system=name, score=score, low=low, high=high, n=n)


def _test(
    names: tuple[str, str],
    difference: float,
    interval: tuple[float | None, float | None],
    p: float,
    by_segment: Floats,
) -> PairedTest:
    """by_segment: (n,) above 0 where the first system is better."""
    return PairedTest(
        first=names[0],
        second=names[1],
        difference=difference,
        low=interval[0],
        high=interval[1],
        p=p,
        wins=int((by_segment > 0).sum()),
        losses=int((by_segment < 0).sum()),
        ties=int((by_segment == 0).sum()),
    )


def _randomization(first: Floats, second: Floats, value: Value, seed: int) -> float:
    """P = (1 + swaps with at least the observed difference) / (1 + SWAPS)."""
    observed = abs(value(first.sum(axis=0)) - value(second.sum(axis=0)))
    rng = np.random.default_rng(seed)
    change = second - first
    whole, other = first.sum(axis=0), second.sum(axis=0)
    least = observed - 1e-12 * max(1.0, observed)
    hits = 0
    for _ in range(SWAPS):
        moved = change[rng.integers(0, 2, len(change), dtype=np.uint8).astype(bool)].sum(axis=0)
        hits += abs(value(whole + moved) - value(other - moved)) >= least
    return (1 + hits) / (1 + SWAPS)
