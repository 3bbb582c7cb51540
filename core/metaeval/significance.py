"""Is one metric closer to people than another? Williams' test, PERM-BOTH, and bootstrap intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.metaeval.correlation import pearson
from core.metaeval.evaluation import Floats, MetaTable, known

PERMUTATIONS = 1000
RESAMPLES = 1000
_BLOCK = 4_000_000  # signs or weights held in memory at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Pearson's r with people of two metrics on the same n translations, and how sure the difference is.

    williams, permutation: one-sided p that the first is no better than the second. None where n < 4, or where
    nothing varies.
    """

    first: str
    second: str
    n: int
    r_first: float | None
    r_second: float | None
    williams: float | None
    permutation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A metric's Pearson r with its 95 % interval by a bootstrap over groups; None where there is none."""

    metric: str
    n: int
    groups: int
    r: float | None
    low: float | None
    high: float | None


def contrast(table: MetaTable, first: str, second: str, *, seed: int = 0) -> Contrast:
    """Two metrics on the translations that people and both of them scored."""
    a, b = table.metrics[first], table.metrics[second]
    rows = known(table.people, a, b)
    h, x, y = table.people[rows], a[rows], b[rows]
    n = len(h)
    if n < 4 or any(np.ptp(one) == 0 for one in (h, x, y)):
        return Contrast(first=first, second=second, n=n, r_first=None, r_second=None, williams=None,
                        permutation=None)  # fmt: skip
    r_first, r_second = pearson(h, x), pearson(h, y)
    return Contrast(
        first=first,
        second=second,
        n=n,
        r_first=r_first,
        r_second=r_second,
        williams=williams(r_first, r_second, pearson(x, y), n),
        permutation=perm_both(h, x, y, seed=seed),
    )


def williams(r12: float, r13: float, r23: float, n: int) -> float | None:
    """One-sided p of Williams (1959) for r12 > r13, two correlations that share variable 1, n observations.

    t = (r12 - r13) sqrt((n - 1)(1 + r23)) / sqrt(2K (n - 1)/(n - 3) + ((r12 + r13)²/4) (1 - r23)³) with n - 3
    degrees of freedom, K = 1 - r12² - r13² - r23² + 2 r12 r13 r23 (Graham and Baldwin 2014). None where one
    of the two is the other turned round, for which the test has no answer.
    """
    if math.isclose(r23, -1.0, abs_tol=1e-12):
        return None
    if math.isclose(r23, 1.0, abs_tol=1e-12):
        return 0.5
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(max(below, 1e-300))
    return float(stats.t.sf(t, n - 3))


def perm_both(people: Floats, first: Floats, second: Floats, *, seed: int = 0) -> float:
    """One-sided p by swapping the two metrics' z-scores at random (PERM-BOTH of Deutsch et al. 2021).

    p = (1 + permutations with a difference at least as large) / (1 + permutations).
    """
    h = _z(people)
    x, y = _z(first), _z(second)
    observed = pearson(people, first) - pearson(people, second)
    n, rng, hits = len(h), np.random.default_rng(seed), 0
    block = max(1, _BLOCK // n)
    for start in range(0, PERMUTATIONS, block):
        swap = rng.random((min(block, PERMUTATIONS - start), n)) < 0.5
        hits += int((_mixed_r(swap, x, y, h) - _mixed_r(~swap, x, y, h) >= observed - 1e-12).sum())
    return (1 + hits) / (1 + PERMUTATIONS)


def intervals(table: MetaTable, *, seed: int = 0) -> list[Interval]:
    """Every metric's r with an interval: whole groups (documents) are drawn, as many as there are.

    Sums by group make each resample a few weighted sums, so that 100 metrics of 500,000 translations take
    seconds. All metrics see the same resamples.
    """
    size = int(table.group.max()) + 1 if len(table.group) else 0
    drawn = _weights(size, seed)
    return [_interval(table, metric, size, drawn) for metric in table.metrics]


def _interval(table: MetaTable, metric: str, size: int, drawn: list[Floats]) -> Interval:
    column = table.metrics[metric]
    rows = known(table.people, column)
    h, x, group = table.people[rows], column[rows], table.group[rows]
    groups = len(np.unique(group))
    if len(h) < 4 or np.ptp(h) == 0 or np.ptp(x) == 0:
        return Interval(metric=metric, n=len(h), groups=groups, r=None, low=None, high=None)
    h, x = _z(h), _z(x)
    sums = np.stack(
        [np.bincount(group, one, size) for one in (np.ones(len(h)), h, x, h * h, x * x, h * x)], axis=1
    )
    n, a, b, aa, bb, ab = np.concatenate([weights @ sums for weights in drawn]).T
    least = np.maximum(n, 1)
    spread = (aa - a * a / least) * (bb - b * b / least)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (ab - a * b / least) / np.sqrt(spread)
    values = values[np.isfinite(values)]
    r = pearson(h, x)
    if groups < 5 or 2 * len(values) <= RESAMPLES:
        return Interval(metric=metric, n=len(h), groups=groups, r=r, low=None, high=None)
    low, high = np.quantile(values, (0.025, 0.975)).tolist()
    return Interval(metric=metric, n=len(h), groups=groups, r=r, low=low, high=high)


def _weights(size: int, seed: int) -> list[Floats]:
    """How often each group is drawn, (batch, size) each, in all RESAMPLES rows."""
    rng, found = np.random.default_rng(seed), []
    block = max(1, _BLOCK // max(size, 1))
    for start in range(0, RESAMPLES if size else 0, block):
        count = min(block, RESAMPLES - start)
        picks = rng.integers(0, size, (count, size)) + size * np.arange(count)[:, None]
        found.append(
            np.bincount(picks.ravel(), minlength=size * count).reshape(count, size).astype(np.float64)
        )
    return found


def _mixed_r(swap: NDArray[np.bool_], x: Floats, y: Floats, h: Floats) -> Floats:
    """(permutations,) r with people, h, of a column that is y where swapped and x elsewhere."""
    n = len(h)
    mask = swap.astype(np.float64)
    first, second, product = (
        mask @ (y - x) + x.sum(),
        mask @ (y * y - x * x) + (x * x).sum(),
        mask @ ((y - x) * h),
    )
    product += x @ h
    spread = second - first * first / n
    return np.asarray(product / np.sqrt(np.maximum(spread, 1e-300) * (h @ h)), np.float64)


def _z(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std(), np.float64)
