"""Agreement of raters: Pearson's r of every two of them, gold scores, and Bland and Altman's (1999) limits.

r is computed from the scores as given: a shift or a scaling of a rater's scores does not change it; ranks
would.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.raters.pairs import MIN_SHARED, Floats, pearsons, shared_rows
from core.raters.ratings import (
    Method,
    RaterSummary,
    Rating,
    RatingTable,
    SkippedRater,
    columns,
    merged,
    normalised,
    scale,
    subset,
    summaries,
)
from core.stats.estimate import Estimate, Missing, absent

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Two raters, n shared items, Pearson's r with its 95 % interval (Fisher's z; from 4 items on).

    `r` is None exactly when `missing` says why: `few-shared` (n < 3) or `no-variance` (one of them gave all
    shared items the same score).
    """

    first: str
    second: str
    n: int
    r: float | None
    low: float | None = None
    high: float | None = None
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What people say of an item: the mean of the normalised scores of its n raters."""

    item: Hashable
    mean: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldGroup:
    """The gold scores of one group, such as a system, and their plain mean."""

    group: str
    mean: float
    items: tuple[Gold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedScores:
    """The items two raters share, in order of appearance: x is the score of the first, y of the second."""

    first: str
    second: str
    items: tuple[Hashable, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementReport:
    """A campaign's agreement. `ratings`, `raters` and `gold` are under `method`, without `skipped` raters.

    names: all raters. raters: a summary each. pairs: every two, of the scores as given.
    mean_r: plain mean of the `n_defined` pairs that have an r, None if there is none.
    n_shared: items that at least two raters scored.
    """

    method: Method
    names: tuple[str, ...]
    ratings: tuple[Rating, ...]
    raters: tuple[RaterSummary, ...]
    skipped: tuple[SkippedRater, ...]
    pairs: tuple[Agreement, ...]
    mean_r: float | None
    n_defined: int
    n_shared: int
    gold: tuple[Gold, ...]


def report(ratings: Sequence[Rating], *, method: Method) -> AgreementReport:
    """Everything the agreement page shows. Several scores of one rater for one item count as their mean."""
    table = columns(ratings)
    scaled = scale(table, method)
    kept = replace(subset(table, scaled.rows), score=scaled.score)
    once = merged(table)
    pairs = _pairwise(once)
    defined = [pair.r for pair in pairs if pair.r is not None]
    return AgreementReport(
        method=method,
        names=table.raters,
        ratings=normalised(ratings, scaled, method).ratings,
        raters=summaries(kept),
        skipped=scaled.skipped,
        pairs=pairs,
        mean_r=math.fsum(defined) / len(defined) if defined else None,
        n_defined=len(defined),
        n_shared=int((np.bincount(once.item) > 1).sum()),
        gold=_gold(merged(kept)),
    )


def pairwise(ratings: Sequence[Rating]) -> tuple[Agreement, ...]:
    """Every two raters (by name, the first before the second) with their correlation."""
    return _pairwise(merged(columns(ratings)))


def shared_scores(ratings: Sequence[Rating], first: str, second: str) -> SharedScores:
    """What two raters gave the items they share; empty when they share none or one of them is unknown."""
    both = [rating for rating in ratings if rating.rater in (first, second)]
    table = merged(columns(both))
    found = {table.raters[i]: (rows, other) for i, _, rows, other in shared_rows(table)}
    if first == second or not found:
        return SharedScores(first=first, second=second, items=(), x=(), y=())
    ((one, rows),) = found.items()
    x, y = rows if one == first else rows[::-1]
    names = tuple(table.items[i] for i in table.item[x].tolist())
    scores = (tuple(table.score[side].tolist()) for side in (x, y))
    x_scores, y_scores = scores
    return SharedScores(first=first, second=second, items=names, x=x_scores, y=y_scores)


def gold(ratings: Sequence[Rating]) -> tuple[Gold, ...]:
    """Mean score and number of raters per item, in order of appearance."""
    return _gold(merged(columns(ratings)))


def by_group(items: Sequence[Gold], group_of: Mapping[Any, str]) -> tuple[GoldGroup, ...]:
    """Gold scores by group (a system, say), in order of appearance; items without a group are left out."""
    groups: dict[str, list[Gold]] = {}
    for one in items:
        if one.item in group_of:
            groups.setdefault(group_of[one.item], []).append(one)
    return tuple(
        GoldGroup(group=name, mean=math.fsum(one.mean for one in found) / len(found), items=tuple(found))
        for name, found in groups.items()
    )


def _pairwise(table: RatingTable) -> tuple[Agreement, ...]:
    found = pearsons(table)
    low, high = _fisher(found.r, found.n)
    pairs = []
    for i, j in itertools.combinations(range(len(table.raters)), 2):
        first, second, n = table.raters[i], table.raters[j], int(found.n[i, j])
        if n < MIN_SHARED or found.flat[i, j]:
            reason = "few-shared" if n < MIN_SHARED else "no-variance"
            pairs.append(Agreement(first=first, second=second, n=n, r=None, missing=reason))
        else:
            r, ends = float(found.r[i, j]), (float(low[i, j]), float(high[i, j]))
            interval = ends if n > MIN_SHARED else (None, None)
            pairs.append(Agreement(first=first, second=second, n=n, r=r, low=interval[0], high=interval[1]))
    return tuple(pairs)


def _fisher(r: Floats, n: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Ends of the 95 % interval of each r from n > 3 items: tanh(artanh r ± 1.96 / sqrt(n - 3))."""
    from scipy import stats

    half = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) / np.sqrt(np.maximum(n - MIN_SHARED, 1))
    with np.errstate(divide="ignore"):  # r = ±1: Fisher's z is infinite and the interval a point
        z = np.arctanh(r)
    return np.tanh(z - half), np.tanh(z + half)


def _gold(table: RatingTable) -> tuple[Gold, ...]:
    n = np.bincount(table.item, minlength=len(table.items))
    mean = np.bincount(table.item, table.score, len(table.items)) / n
    return tuple(
        Gold(item=item, mean=m, n=k)
        for item, m, k in zip(table.items, mean.tolist(), n.tolist(), strict=True)
    )


LIMIT = 1.96
_TAIL = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class BlandAltmanPoint:
    """An item that both scored: the mean of the two scores, and that of the first less that of the second."""

    item: Hashable
    mean: float
    difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BlandAltman:
    """Two raters on the n items they share; all in points of the scale.

    bias: the mean of the differences, d; above 0 where the first is more lenient. sd: s, of the differences
    (ddof = 1). lower, upper: the limits of agreement, d ± 1.96 s; between them lie 95 % of differences that
    are normally distributed. The intervals have t with n - 1 degrees of freedom and the standard errors
    s sqrt(1/n) of the bias and s sqrt(1/n + 1.96² / (2 (n - 1))) of a limit.
    The three are missing, and sd is None, for `no-shared-items` and `few-items` (n < 3).
    """

    first: str
    second: str
    n: int
    bias: Estimate
    sd: float | None
    lower: Estimate
    upper: Estimate
    points: tuple[BlandAltmanPoint, ...]


def bland_altman(ratings: Sequence[Rating], first: str, second: str) -> BlandAltman:
    """Two raters' scores as given, points in order of appearance. Raises InputError for no number."""
    shared = shared_scores(ratings, first, second)
    x, y, n = np.array(shared.x), np.array(shared.y), len(shared.items)
    difference = x - y
    points = tuple(
        BlandAltmanPoint(item=item, mean=mean, difference=gap)
        for item, mean, gap in zip(shared.items, ((x + y) / 2).tolist(), difference.tolist(), strict=True)
    )
    if n < MIN_SHARED:
        missing: Missing = "few-items" if n else "no-shared-items"
        bias = lower = upper = absent(missing, n)
        return BlandAltman(
            first=first, second=second, n=n, bias=bias, sd=None, lower=lower, upper=upper, points=points
        )
    d, s = float(difference.mean()), float(difference.std(ddof=1))
    of_limit = s * math.sqrt(1 / n + LIMIT**2 / (2 * (n - 1)))
    return BlandAltman(
        first=first,
        second=second,
        n=n,
        bias=_figure(d, s / math.sqrt(n), n),
        sd=s,
        lower=_figure(d - LIMIT * s, of_limit, n),
        upper=_figure(d + LIMIT * s, of_limit, n),
        points=points,
    )


def _figure(value: float, error: float, n: int) -> Estimate:
    from scipy import stats

    half = float(stats.t.ppf(_TAIL, n - 1)) * error
    return Estimate(value=value, n=n, low=value - half, high=value + half)
