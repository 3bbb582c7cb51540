"""Metrics against people over systems and over pairs of systems.

Soft pairwise accuracy (Thompson et al. 2024): 1 - mean |p_people - p_metric| over pairs of systems; p is
the share of random sign flips after which the first system is at least as far ahead.

accuracy (acc23, Deutsch et al. 2023): the share of pairs of translations of a segment that the metric
orders, or ties, as people do. Metrics rarely tie, so a threshold is calibrated: two scores within epsilon
are a tie, and epsilon is the value with the highest accuracy. kendall_like (WMT's DARR): (concordant -
discordant) / (concordant + discordant) over pairs that people separate by at least 25 points; a metric's
tie is discordant.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metaeval.correlation import MIN_POINTS
from core.metaeval.evaluation import Floats, MetaTable
from core.stats.bootstrap import MIN_UNITS, percentiles, ratio, resamples
from core.stats.correlation import is_flat, kendall, pearson, spearman
from core.stats.permutation import perm_both_means, shares_ahead

DARR_POINTS = 25.0
ROUNDED = 1e-12
"""Two numbers that differ by less than this share are the same."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs:
    """The p pairs of translations of one segment that both people and the metric scored.

    people, metric: (p,) differences, first less second. item: (p,) which segment.
    """

    people: Floats
    metric: Floats
    item: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """A share in 0..1 of p pairs, averaged over `items` segments where `by_item`; None without pairs.

    epsilon: differences of the metric up to it are ties; plain: the share with no threshold.
    """

    metric: str
    value: float | None
    plain: float | None
    epsilon: float
    pairs: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KendallLike:
    """WMT's tau in -1..1 over p pairs that people separate; None without any."""

    metric: str
    value: float | None
    concordant: int
    discordant: int


def pairs_of(table: MetaTable, metric: str) -> Pairs:
    """Every two systems of each segment."""
    people, scores = table.grid(table.people), table.grid(table.metrics[metric])
    gaps, others, items = [], [], []
    for a, b in itertools.combinations(range(len(table.systems)), 2):
        people_gap, metric_gap = _apart(people[:, a], people[:, b]), _apart(scores[:, a], scores[:, b])
        there = np.flatnonzero(np.isfinite(people_gap) & np.isfinite(metric_gap))
        gaps.append(people_gap[there])
        others.append(metric_gap[there])
        items.append(there)
    if not gaps:
        return Pairs(people=np.zeros(0), metric=np.zeros(0), item=np.zeros(0, np.int64))
    return Pairs(people=np.concatenate(gaps), metric=np.concatenate(others), item=np.concatenate(items))


def _apart(first: Floats, second: Floats) -> Floats:
    """The differences; 0 where two numbers differ by rounding only, as means of the same scores do."""
    differences: Floats = first - second
    differences[np.isclose(first, second, rtol=ROUNDED, atol=0)] = 0
    return differences


def accuracy(table: MetaTable, metric: str, *, by_item: bool = True, calibrate: bool = True) -> Accuracy:
    """Pairwise accuracy with ties. by_item: the mean of each segment's share, else all pairs alike."""
    pairs = pairs_of(table, metric)
    n = len(pairs.people)
    if not n:
        return Accuracy(metric=metric, value=None, plain=None, epsilon=0.0, pairs=0, items=0)
    counts = np.bincount(pairs.item)
    items = int((counts > 0).sum())
    weights = 1 / (counts[pairs.item] * items) if by_item else np.full(n, 1 / n)
    tied = pairs.people == 0
    agrees = ~tied & (np.sign(pairs.people) == np.sign(pairs.metric))
    size = np.abs(pairs.metric)
    plain = float(weights[(tied & (size == 0)) | agrees].sum())
    epsilon, value = _calibrated(size, tied, agrees, weights) if calibrate else (0.0, plain)
    return Accuracy(metric=metric, value=value, plain=plain, epsilon=epsilon, pairs=n, items=items)


def _calibrated(
    size: Floats, tied: NDArray[np.bool_], agrees: NDArray[np.bool_], weights: Floats
) -> tuple[float, float]:
    """The smallest threshold among 0 and the sizes with the highest accuracy, and that accuracy."""
    order = np.argsort(size, kind="stable")
    ordered = size[order]
    gained = np.cumsum((weights * tied)[order])  # ties of people that are ties of the metric, too
    lost = np.cumsum((weights * agrees)[order])  # orders that were right and are called ties now
    last = np.flatnonzero(np.append(np.diff(ordered) > 0, True))  # each threshold takes all equal sizes
    values = np.append((weights * agrees).sum(), gained[last] + (weights * agrees).sum() - lost[last])
    thresholds = np.append(0.0, ordered[last])
    if ordered[0] == 0:  # with threshold 0, what is equal is a tie
        values, thresholds = values[1:], thresholds[1:]
    best = int(np.argmax(np.round(values, 12)))
    return float(thresholds[best]), float(values[best])


def kendall_like(table: MetaTable, metric: str, *, points: float = DARR_POINTS) -> KendallLike:
    """WMT's Kendall-like tau: pairs that people separate by at least a number of points."""
    pairs = pairs_of(table, metric)
    apart = np.abs(pairs.people) >= points
    right = np.sign(pairs.people[apart]) == np.sign(pairs.metric[apart])
    concordant, total = int(right.sum()), int(apart.sum())
    value = (2 * concordant - total) / total if total else None
    return KendallLike(metric=metric, value=value, concordant=concordant, discordant=total - concordant)


SEED = 4
OUTLIER = 2.5
"""Systems further from the median than this many median absolute deviations (scaled by 1.483, as at WMT)."""

_MAD = 1.483


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLevel:
    """A metric against people over systems that both scored; None where there are too few.

    pearson, spearman, kendall (tau-b): from three systems on. accuracy: share of pairs in the same order.
    soft: soft pairwise accuracy.
    outliers: systems far from the others by people's scores; pearson_inside: without them.
    low, high: the 95 % interval of pearson, by a bootstrap over groups such as documents; None for too few.
    """

    metric: str
    systems: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    accuracy: float | None
    soft: float | None
    outliers: tuple[str, ...]
    pearson_inside: float | None
    low: float | None = None
    high: float | None = None


def system_level(table: MetaTable, metric: str, *, seed: int = SEED) -> SystemLevel:
    """Everything about one metric on systems; means over the segments that people scored."""
    people, scores = table.grid(table.people), table.grid(table.metrics[metric])
    shared = np.isfinite(people) & np.isfinite(scores)
    there = np.flatnonzero(shared.any(axis=0))
    means = [_means(grid, shared)[there] for grid in (people, scores)]
    first, second = np.array(_pairs(len(there)), np.int64).reshape(-1, 2).T
    gaps = zip(*(_apart(one[first], one[second]) for one in means), strict=True)
    right = [np.sign(one) == np.sign(other) for one, other in gaps]
    inside = (
        np.abs(means[0] - np.median(means[0])) <= OUTLIER * _spread(means[0]) if len(there) else there == 0
    )
    low, high = _interval(table, [grid[:, there] for grid in (people, scores)], shared[:, there], seed)
    return SystemLevel(
        metric=metric,
        systems=len(there),
        pearson=_pearson(means[0], means[1]),
        spearman=_pearson(means[0], means[1], spearman),
        kendall=_pearson(means[0], means[1], kendall),
        accuracy=float(np.mean(right)) if right else None,
        soft=_soft(people[:, there], scores[:, there], shared[:, there], seed),
        outliers=tuple(table.systems[there[place]] for place in np.flatnonzero(~inside)),
        pearson_inside=_pearson(means[0][inside], means[1][inside]),
        low=low,
        high=high,
    )


def _interval(
    table: MetaTable, grids: list[Floats], shared: NDArray[np.bool_], seed: int
) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval of Pearson's r over systems: whole groups are drawn, and all means taken again."""
    units, own = np.unique(table.group, return_inverse=True)
    if len(units) < MIN_UNITS or shared.shape[1] < MIN_POINTS:
        return None, None
    unit = np.zeros(len(table.items), np.int64)
    unit[table.item] = own
    drawn = np.concatenate(list(resamples(len(units), seed=seed))).astype(np.float64)
    counts = drawn @ _by_unit(shared.astype(np.float64), unit, len(units))
    known = counts > 0
    x, y = (
        ratio(drawn @ _by_unit(np.where(shared, grid, 0.0), unit, len(units)), counts, known)
        for grid in grids
    )
    x, y = (one - one.mean(axis=1, keepdims=True) for one in (x, y))
    below = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return percentiles(ratio((x * y).sum(axis=1), below, below > 0))


def _by_unit(grid: Floats, unit: NDArray[np.int64], units: int) -> Floats:
    """(units, systems) sums of a grid's rows."""
    found = np.zeros((units, grid.shape[1]))
    np.add.at(found, unit, grid)
    return found


def _means(grid: Floats, shared: NDArray[np.bool_]) -> Floats:
    counts = shared.sum(axis=0)
    return np.asarray(np.where(shared, grid, 0).sum(axis=0) / np.maximum(counts, 1), np.float64)


def _pairs(count: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(count), 2))


def system_permutation(table: MetaTable, first: str, second: str, *, seed: int = SEED) -> float | None:
    """One-sided p (PERM-BOTH) that the first metric's r over systems is no larger; None where there is none.

    Over the translations that people and both metrics scored, of systems that have one.
    """
    grids = [table.grid(one) for one in (table.people, table.metrics[first], table.metrics[second])]
    shared = np.logical_and.reduce([np.isfinite(grid) for grid in grids])
    there = shared.any(axis=0)
    means = [_means(grid, shared)[there] for grid in grids]
    if there.sum() < MIN_POINTS or any(map(is_flat, means)):
        return None
    scores = [np.where(shared, grid, np.nan)[:, there] for grid in grids[1:]]
    return perm_both_means(means[0], scores[0], scores[1], seed=seed)


def _pearson(x: Floats, y: Floats, coefficient: Callable[[Floats, Floats], float] = pearson) -> float | None:
    return None if len(x) < MIN_POINTS or is_flat(x) or is_flat(y) else coefficient(x, y)


def _spread(values: Floats) -> float:
    """The scaled median absolute deviation; infinite where it is 0, so that no system is an outlier."""
    spread = _MAD * float(np.median(np.abs(values - np.median(values))))
    return spread or float("inf")


def _soft(people: Floats, scores: Floats, shared: NDArray[np.bool_], seed: int) -> float | None:
    """1 - mean |p_people - p_metric|; one matrix of signs serves all pairs."""
    if people.shape[1] < 2:
        return None
    p = [shares_ahead(_differences(grid, shared), seed=seed) for grid in (people, scores)]
    return float(1 - np.abs(p[0] - p[1]).mean())


def _differences(grid: Floats, shared: NDArray[np.bool_]) -> Floats:
    """(pairs of systems, segments): the first's score less the second's, 0 where one of them has none."""
    filled = np.where(shared, grid, 0.0)
    return np.stack(
        [
            np.where(shared[:, a] & shared[:, b], filled[:, a] - filled[:, b], 0.0)
            for a, b in _pairs(grid.shape[1])
        ]
    )
