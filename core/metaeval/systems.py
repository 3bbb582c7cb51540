"""Whether systems' mean scores stand in people's order: Pearson, pairwise and soft pairwise accuracy.

Soft pairwise accuracy (Thompson et al. 2024): 1 - mean |p_people - p_metric| over pairs of systems; p is the
share of random swaps of the two systems' translations after which the first is at least as far ahead.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metaeval.correlation import MIN_POINTS, pearson
from core.metaeval.table import Floats, MetaTable

PERMUTATIONS = 1000
SEED = 4
OUTLIER = 2.5
"""Systems further from the median than so many median absolute deviations (scaled by 1.483, as at WMT)."""

_MAD = 1.483
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLevel:
    """A metric against people over systems that both scored; None where there are too few.

    pearson: from three systems on. accuracy: share of pairs in the same order. soft: soft pairwise accuracy.
    outliers: systems far from the others by people's scores; pearson_inside: without them.
    """

    metric: str
    systems: int
    pearson: float | None
    accuracy: float | None
    soft: float | None
    outliers: tuple[str, ...]
    pearson_inside: float | None


def system_level(table: MetaTable, metric: str, *, seed: int = SEED) -> SystemLevel:
    """Everything about one metric on systems; means over the segments that people scored."""
    people, scores = table.grid(table.people), table.grid(table.metrics[metric])
    shared = np.isfinite(people) & np.isfinite(scores)
    there = np.flatnonzero(shared.any(axis=0))
    means = [_means(grid, shared)[there] for grid in (people, scores)]
    gaps = [(means[0][a] - means[0][b], means[1][a] - means[1][b]) for a, b in _pairs(len(there))]
    right = [np.sign(one) == np.sign(other) for one, other in gaps]
    inside = (
        np.abs(means[0] - np.median(means[0])) <= OUTLIER * _spread(means[0]) if len(there) else there == 0
    )
    return SystemLevel(
        metric=metric,
        systems=len(there),
        pearson=_pearson(means[0], means[1]),
        accuracy=float(np.mean(right)) if right else None,
        soft=_soft(people[:, there], scores[:, there], shared[:, there], seed),
        outliers=tuple(table.systems[there[place]] for place in np.flatnonzero(~inside)),
        pearson_inside=_pearson(means[0][inside], means[1][inside]),
    )


def _means(grid: Floats, shared: NDArray[np.bool_]) -> Floats:
    counts = shared.sum(axis=0)
    return np.asarray(np.where(shared, grid, 0).sum(axis=0) / np.maximum(counts, 1), np.float64)


def _pairs(count: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(count), 2))


def _pearson(x: Floats, y: Floats) -> float | None:
    if len(x) < MIN_POINTS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return pearson(x, y)


def _spread(values: Floats) -> float:
    """The scaled median absolute deviation; infinite where it is 0, for then nobody stands apart."""
    spread = _MAD * float(np.median(np.abs(values - np.median(values))))
    return spread or float("inf")


def _soft(people: Floats, scores: Floats, shared: NDArray[np.bool_], seed: int) -> float | None:
    """1 - mean |p_people - p_metric|; one matrix of signs serves all pairs."""
    items, count = people.shape
    if count < 2:
        return None
    p = [_p_values(np.where(shared, grid, 0.0), shared, items, seed) for grid in (people, scores)]
    there = [np.isfinite(one) & np.isfinite(other) for one, other in zip(*p, strict=True)]
    gaps = np.abs(p[0] - p[1])[np.array(there, bool)]
    return float(1 - gaps.mean()) if len(gaps) else None


def _p_values(grid: Floats, shared: NDArray[np.bool_], items: int, seed: int) -> Floats:
    """(pairs,) share of permutations in which the first system is at least as far ahead as it is."""
    gaps = np.stack([
        np.where(shared[:, a] & shared[:, b], grid[:, a] - grid[:, b], 0.0) for a, b in _pairs(grid.shape[1])
    ])  # fmt: skip
    observed = gaps.sum(axis=1)
    rng = np.random.default_rng(seed)
    at_least = np.zeros(len(gaps))
    block = max(1, _BLOCK // max(items, 1))
    for start in range(0, PERMUTATIONS, block):
        signs = rng.choice((-1.0, 1.0), (min(block, PERMUTATIONS - start), items))
        at_least += (signs @ gaps.T >= observed - 1e-9).sum(axis=0)
    return np.asarray(at_least / PERMUTATIONS, np.float64)
