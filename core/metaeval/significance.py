"""Is one metric closer to people than another? Williams' test, PERM-BOTH, and bootstrap intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.metaeval.evaluation import Floats, MetaTable, known
from core.stats.bootstrap import MIN_UNITS, Weights, moments, percentiles, resampled_r, resamples
from core.stats.correlation import is_flat, pearson, standardised
from core.stats.permutation import perm_both

_SAME = 1e-9
"""Distances that differ by less are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Pearson's r with people of two metrics on the same n translations, and how sure the difference is.

    williams, permutation: one-sided p that the first is no better than the second. nearer: see `nearness`.
    None where n < 4, or where nothing varies.
    """

    first: str
    second: str
    n: int
    r_first: float | None
    r_second: float | None
    williams: float | None
    permutation: float | None
    nearer: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Nearness:
    """Which of two settings is nearer to people, translation by translation.

    rows: (n,) int64, the translations that people and both scored. people, first, second: (n,) on one scale,
    each column with mean 0 and variance 1. share: in 0..1, of those on which the first is nearer, ties by
    half; None where something does not vary.
    """

    rows: NDArray[np.int64]
    people: Floats
    first: Floats
    second: Floats
    share: float | None

    @property
    def gains(self) -> Floats:
        """(n,) how much nearer to people the first is than the second, in standard deviations."""
        return np.abs(self.second - self.people) - np.abs(self.first - self.people)


def nearness(table: MetaTable, first: str, second: str) -> Nearness:
    """Two metrics beside people on one scale; with fewer than four translations there is no share."""
    a, b = table.metrics[first], table.metrics[second]
    rows = known(table.people, a, b)
    columns = [one[rows] for one in (table.people, a, b)]
    people, x, y = map(standardised, columns)
    found = Nearness(rows=np.flatnonzero(rows), people=people, first=x, second=y, share=None)
    if len(people) < 4 or any(map(is_flat, columns)):
        return found
    gains = found.gains
    ties = np.abs(gains) <= _SAME
    share = float(((gains > 0) & ~ties).mean() + ties.mean() / 2)
    return replace(found, share=share)


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
    if n < 4 or any(map(is_flat, (h, x, y))):
        return Contrast(
            first=first, second=second, n=n, r_first=None, r_second=None, williams=None, permutation=None
        )
    r_first, r_second = pearson(h, x), pearson(h, y)
    return Contrast(
        first=first,
        second=second,
        n=n,
        r_first=r_first,
        r_second=r_second,
        williams=williams(r_first, r_second, pearson(x, y), n),
        permutation=perm_both(h, x, y, seed=seed),
        nearer=nearness(table, first, second).share,
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


def intervals(table: MetaTable, *, seed: int = 0) -> list[Interval]:
    """Every metric's r with an interval: whole groups (documents) are drawn, as many as there are.

    Sums by group make each resample a few weighted sums, so that 100 metrics of 500,000 translations take
    seconds. All metrics see the same resamples.
    """
    size = int(table.group.max()) + 1 if len(table.group) else 0
    drawn = list(resamples(size, seed=seed))
    return [_interval(table, metric, size, drawn) for metric in table.metrics]


def _interval(table: MetaTable, metric: str, size: int, drawn: list[Weights]) -> Interval:
    column = table.metrics[metric]
    rows = known(table.people, column)
    h, x, group = table.people[rows], column[rows], table.group[rows]
    n, groups = len(h), len(np.unique(group))
    if n < 4 or is_flat(h) or is_flat(x):
        return Interval(metric=metric, n=n, groups=groups, r=None, low=None, high=None)
    h, x = standardised(h), standardised(x)
    low, high = None, None
    if groups >= MIN_UNITS:
        low, high = percentiles(resampled_r(moments(h, x, group, size), drawn))
    return Interval(metric=metric, n=n, groups=groups, r=pearson(h, x), low=low, high=high)
