"""Do raters agree? Pearson's r of every two of them over the items both rated, and the gold score per item.

r is of the scores as given. Shifting or stretching the scores of a rater does not change it; ranks would.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats

from core.human.normalise import Method, RaterSummary, normalise, summarise
from core.human.ratings import Columns, Rating, Skipped, columns, merged

MIN_SHARED = 3
"""Two points always lie on a line: with fewer shared items r says nothing."""

CONFIDENCE = 0.95
_FLAT = 1e-12  # spread below this share of the size is rounding, not variance


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
    skipped: tuple[Skipped, ...]
    pairs: tuple[Agreement, ...]
    mean_r: float | None
    n_defined: int
    n_shared: int
    gold: tuple[Gold, ...]


def report(ratings: Sequence[Rating], *, method: Method) -> AgreementReport:
    """Everything the agreement page shows. Several scores of one rater for one item count as their mean."""
    scaled = normalise(ratings, method=method)
    pairs = pairwise(ratings)
    defined = [pair.r for pair in pairs if pair.r is not None]
    return AgreementReport(
        method=method,
        names=columns(ratings).raters,
        ratings=scaled.ratings,
        raters=summarise(scaled.ratings),
        skipped=scaled.skipped,
        pairs=pairs,
        mean_r=math.fsum(defined) / len(defined) if defined else None,
        n_defined=len(defined),
        n_shared=sum(one.n > 1 for one in gold(ratings)),
        gold=gold(scaled.ratings),
    )


def pairwise(ratings: Sequence[Rating]) -> tuple[Agreement, ...]:
    """Every two raters (by name, the first before the second) with their correlation."""
    table = merged(columns(ratings))
    rows = rows_by_rater(table)
    shared = _shared_counts(table)
    found = []
    for i, j in itertools.combinations(range(len(table.raters)), 2):
        first, second, n = table.raters[i], table.raters[j], int(shared[i, j])
        if n < MIN_SHARED:
            found.append(Agreement(first=first, second=second, n=n, r=None, missing="few-shared"))
        else:
            _, x, y = common_items(rows[i], rows[j])
            found.append(correlate(first, second, x, y))
    return tuple(found)


def correlate(first: str, second: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> Agreement:
    """Pearson's r of two equally long columns, (n,) each, with its interval, or why there is none."""
    n = len(x)
    if n < MIN_SHARED:
        return Agreement(first=first, second=second, n=n, r=None, missing="few-shared")
    if is_flat(x) or is_flat(y):
        return Agreement(first=first, second=second, n=n, r=None, missing="no-variance")
    result = stats.pearsonr(x, y)
    low: float | None = None
    high: float | None = None
    if n > MIN_SHARED:
        with np.errstate(divide="ignore"):  # r = ±1: Fisher's z is infinite and the interval a point
            interval = result.confidence_interval(CONFIDENCE)
        low, high = float(interval.low), float(interval.high)
    return Agreement(first=first, second=second, n=n, r=float(result.statistic), low=low, high=high)


def shared_scores(ratings: Sequence[Rating], first: str, second: str) -> SharedScores:
    """What two raters gave the items they share; empty when they share none or one of them is unknown."""
    table = merged(columns(ratings))
    rows = rows_by_rater(table)
    place = {name: index for index, name in enumerate(table.raters)}
    if first not in place or second not in place:
        return SharedScores(first=first, second=second, items=(), x=(), y=())
    item, x, y = common_items(rows[place[first]], rows[place[second]])
    names = tuple(table.items[i] for i in item)
    return SharedScores(first=first, second=second, items=names, x=tuple(x.tolist()), y=tuple(y.tolist()))


def gold(ratings: Sequence[Rating]) -> tuple[Gold, ...]:
    """Mean score and number of raters per item, in order of appearance."""
    table = merged(columns(ratings))
    n = np.bincount(table.item, minlength=len(table.items))
    mean = np.bincount(table.item, table.score, len(table.items)) / n
    return tuple(
        Gold(item=item, mean=m, n=k)
        for item, m, k in zip(table.items, mean.tolist(), n.tolist(), strict=True)
    )


def by_group(items: Sequence[Gold], group_of: Mapping[Hashable, str]) -> tuple[GoldGroup, ...]:
    """Gold scores by group (a system, say), in order of appearance; items without a group are left out."""
    groups: dict[str, list[Gold]] = {}
    for one in items:
        if one.item in group_of:
            groups.setdefault(group_of[one.item], []).append(one)
    return tuple(
        GoldGroup(group=name, mean=math.fsum(one.mean for one in found) / len(found), items=tuple(found))
        for name, found in groups.items()
    )


Row = tuple[NDArray[np.int64], NDArray[np.float64]]


def rows_by_rater(table: Columns) -> list[Row]:
    """Per rater the item indices, ascending, and the scores."""
    edges = np.searchsorted(table.rater, np.arange(len(table.raters) + 1))
    return [(table.item[a:b], table.score[a:b]) for a, b in itertools.pairwise(edges.tolist())]


def _shared_counts(table: Columns) -> NDArray[np.int64]:
    """(raters, raters): how many items two raters share."""
    ones = np.ones(len(table.rater), np.int64)
    size = (len(table.raters), len(table.items))
    seen = sparse.csr_array((ones, (table.rater, table.item)), shape=size)
    return np.asarray((seen @ seen.T).toarray(), np.int64)


def common_items(one: Row, other: Row) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """(n,) each: the item indices that two raters share, ascending, and their scores for them."""
    items, a, b = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    return items, one[1][a], other[1][b]


def is_flat(values: NDArray[np.float64]) -> bool:
    """Whether all values, (n,) with n > 0, are the same but for rounding."""
    return bool(np.ptp(values) <= _FLAT * np.abs(values).max())
