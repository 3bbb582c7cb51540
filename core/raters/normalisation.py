"""Rankings of systems under each normalisation of raters' scores, and under a mixed model.

score = system + rater + item + residual, with rater ~ N(0, s_r²), item ~ N(0, s_i²), residual ~ N(0, s²),
fitted by statsmodels (REML). A lenient rater or a hard segment that a system met more often does not affect
its mean.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.raters.ratings import METHODS, Rating, RatingTable, SkippedRater, columns, scale, summaries
from core.stats.bootstrap import MIN_UNITS
from core.stats.correlation import is_flat
from core.stats.estimate import Missing
from core.stats.mixed import MixedFit, fit_mixed

MIN_LEVELS = 3
"""Fewer items than this say nothing of how items vary."""

MOST_LEVELS = 400
"""Raters and items together; the time grows with their cube, and these take some ten seconds."""

_TAIL = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEstimate:
    """A system's score for an average rater and item, from n ratings, with its 95 % interval (Wald).

    The interval holds what is not known of raters and items, too: compare systems by `SystemContrast`.
    """

    system: str
    n: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemContrast:
    """The estimate of first less that of second, 95 % interval and two-sided p (Wald, not corrected)."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedModel:
    """Systems best first, contrasts of every two of them in that order, and standard deviations in points.

    Empty and None exactly when `missing` says why: `one-rater`, `few-items` (fewer than 3 items, or no more
    ratings than raters and systems and items), `no-variance`, `too-many` (over 400 raters and items),
    `no-fit`. n: ratings. raters, items: how many of them.
    """

    n: int
    raters: int
    items: int
    systems: tuple[SystemEstimate, ...] = ()
    contrasts: tuple[SystemContrast, ...] = ()
    rater_sd: float | None = None
    item_sd: float | None = None
    residual_sd: float | None = None
    missing: Missing | None = None


def mixed_model(ratings_by_system: Mapping[str, Sequence[Rating]]) -> MixedModel:
    """Fit the model to the ratings of all systems; an item is a segment, named alike under each system.

    The systems without ratings are left out. Raises InputError for a score that is not a number.
    """
    names = tuple(sorted(name for name, ratings in ratings_by_system.items() if ratings))
    table = columns([rating for name in names for rating in ratings_by_system[name]])
    system = np.repeat(np.arange(len(names)), [len(ratings_by_system[name]) for name in names])
    empty = MixedModel(n=len(table.score), raters=len(table.raters), items=len(table.items))
    missing = _missing(table, len(names))
    fit = None
    if not missing:
        fixed = (system[:, None] == np.arange(len(names))).astype(np.float64)
        fit = fit_mixed(table.score, fixed, {"rater": table.rater, "item": table.item})
    if fit is None:
        return replace(empty, missing=missing or "no-fit")
    order = sorted(range(len(names)), key=lambda i: (-round(float(fit.estimate[i]), 9), names[i]))
    return replace(
        empty,
        systems=tuple(_estimate(fit, i, names[i], int((system == i).sum())) for i in order),
        contrasts=tuple(_contrast(fit, i, j, names) for i, j in itertools.combinations(order, 2)),
        rater_sd=fit.sd["rater"],
        item_sd=fit.sd["item"],
        residual_sd=fit.sd["residual"],
    )


def _missing(table: RatingTable, systems: int) -> Missing | None:
    raters, items = len(table.raters), len(table.items)
    if raters < 2:
        return "one-rater"
    if items < MIN_LEVELS or len(table.score) <= systems + raters + items:
        return "few-items"
    if is_flat(table.score):
        return "no-variance"
    return "too-many" if raters + items > MOST_LEVELS else None


def _estimate(fit: MixedFit, i: int, name: str, n: int) -> SystemEstimate:
    estimate = float(fit.estimate[i])
    half = float(stats.norm.ppf(_TAIL) * np.sqrt(fit.covariance[i, i]))
    return SystemEstimate(system=name, n=n, estimate=estimate, low=estimate - half, high=estimate + half)


def _contrast(fit: MixedFit, i: int, j: int, names: Sequence[str]) -> SystemContrast:
    difference = float(fit.estimate[i] - fit.estimate[j])
    error = float(np.sqrt(fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j]))
    half = float(stats.norm.ppf(_TAIL)) * error
    return SystemContrast(
        first=names[i],
        second=names[j],
        difference=difference,
        low=difference - half,
        high=difference + half,
        p=float(2 * stats.norm.sf(abs(difference) / error)),
    )


Way = Literal["raw", "centred", "z", "minmax", "rank", "mixed"]
WAYS: tuple[Way, ...] = get_args(Way)

FLAT_SHARE = 0.05
"""A rater whose sd is at most this share of the median rater's is nearly flat.

z divides by the sd: differences of such a rater are stretched twenty times as much as everyone else's, and
what was a slip of the hand decides between systems. A share, not a number of points, for scales differ.
"""
MIN_RATINGS = 5
"""With fewer scores a rater's own mean and sd, which every normalisation rests on, are chance."""

MIN_SEGMENTS = MIN_UNITS
_DECIMALS = 9

CautionWord = Literal[
    "flat-rater",  # a rater's sd is 0 or nearly 0
    "few-ratings",  # a rater with fewer than 5 scores
    "few-segments",  # a system with fewer than 5 segments
    "one-rating",  # a system with a single score
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScore:
    """A system's mean over its n segments, on the scale of the normalisation.

    Of the mixed model: its estimate in points, and n ratings.
    """

    system: str
    n: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The systems best first, equal ones by name, and the raters who could not be normalised this way.

    missing: why the mixed model has no systems, as in core/raters/normalisation.py; None for all others.
    """

    way: Way
    systems: tuple[SystemScore, ...]
    skipped: tuple[SkippedRater, ...] = ()
    missing: Missing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two systems that change places: the ways in which the first is ahead, and those in which the second is.

    The first is ahead in the first way that separates the two. Equal means (to 9 decimals) are neither.
    """

    first: str
    second: str
    first_ahead: tuple[Way, ...]
    second_ahead: tuple[Way, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """What makes an order doubtful. name: of a rater or a system; n: ratings, or segments of a system.

    sd, limit: of a `flat-rater`, in points: the sample sd, and the greatest sd that counts as flat.
    """

    word: CautionWord
    name: str
    n: int
    sd: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """One order for each way, in the order of `WAYS`, and what to be warned of."""

    orders: tuple[Order, ...]
    swaps: tuple[Swap, ...]
    cautions: tuple[Caution, ...]


def orders(ratings_by_system: Mapping[str, Sequence[Rating]], *, mixed: bool = True) -> Orders:
    """Systems under every normalisation, as `system_means` has them, and under the mixed model if wanted.

    An item is a segment, named alike under each system; a rater is normalised over all systems' items.
    The mixed model may take ten seconds. Raises InputError for a score that is not a number.
    """
    names = tuple(sorted(name for name, ratings in ratings_by_system.items() if ratings))
    table = columns([rating for name in names for rating in ratings_by_system[name]])
    system = np.repeat(np.arange(len(names)), [len(ratings_by_system[name]) for name in names])
    found = []
    for method in METHODS:
        scaled = scale(table, method)
        scores = system_scores(table, system, names, rows=scaled.rows, score=scaled.score)
        found.append(Order(way=method, systems=scores, skipped=scaled.skipped))
    if mixed:
        model = mixed_model(ratings_by_system)
        estimates = tuple(
            SystemScore(system=one.system, n=one.n, value=one.estimate) for one in model.systems
        )
        found.append(Order(way="mixed", systems=estimates, missing=model.missing))
    cautions = (*_rater_cautions(table), *_system_cautions(table, system, names))
    return Orders(orders=tuple(found), swaps=swaps(found), cautions=cautions)


def system_scores(
    table: RatingTable,
    system: NDArray[np.int64],
    names: Sequence[str],
    *,
    rows: NDArray[np.int64],
    score: NDArray[np.float64],
) -> tuple[SystemScore, ...]:
    """Each system's mean over its segments, of some rows of a table with these scores, best first.

    system: (ratings,), the index of each rating's system in names. Several scores of a rater for an item
    count as their mean, a segment as the mean of its raters.
    """
    size = len(table.items)
    cell = (system[rows] * len(table.raters) + table.rater[rows]) * size + table.item[rows]
    cell, score = _means(cell, score)
    segment = cell // (size * len(table.raters) or 1) * size + cell % max(size, 1)
    segment, score = _means(segment, score)
    which = segment // max(size, 1)
    n = np.bincount(which, minlength=len(names)).tolist()
    total = np.bincount(which, score, len(names)).tolist()
    found = [
        SystemScore(system=name, n=k, value=whole / k)
        for name, k, whole in zip(names, n, total, strict=True)
        if k
    ]
    return tuple(sorted(found, key=lambda one: (-round(one.value, _DECIMALS), one.system)))


def swaps(found: Sequence[Order]) -> tuple[Swap, ...]:
    """The pairs of systems whose order is not the same in all of these orders, by name."""
    values = {one.way: {s.system: round(s.value, _DECIMALS) for s in one.systems} for one in found}
    systems = sorted({system for scores in values.values() for system in scores})
    swapped = []
    for a, b in itertools.combinations(systems, 2):
        both = {way: scores for way, scores in values.items() if a in scores and b in scores}
        a_ahead = tuple(way for way, scores in both.items() if scores[a] > scores[b])
        b_ahead = tuple(way for way, scores in both.items() if scores[a] < scores[b])
        if a_ahead and b_ahead:
            decided = next(way for way in both if way in a_ahead + b_ahead)
            first = decided in a_ahead
            swapped.append(
                Swap(
                    first=a if first else b,
                    second=b if first else a,
                    first_ahead=a_ahead if first else b_ahead,
                    second_ahead=b_ahead if first else a_ahead,
                )
            )
    return tuple(swapped)


def _means(
    cell: NDArray[np.int64], score: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The different cells, ascending, and the mean score of each."""
    kept, place = np.unique(cell, return_inverse=True)
    return kept, np.bincount(place, score, len(kept)) / np.bincount(place, minlength=len(kept))


def _rater_cautions(table: RatingTable) -> list[Caution]:
    raters = summaries(table)
    spreads = [one.sd for one in raters if one.sd is not None]
    limit = FLAT_SHARE * median(spreads) if spreads else 0.0
    found = []
    for one in raters:
        if one.n < MIN_RATINGS:
            found.append(Caution(word="few-ratings", name=one.rater, n=one.n))
        if one.sd is not None and one.sd <= limit:
            found.append(Caution(word="flat-rater", name=one.rater, n=one.n, sd=one.sd, limit=limit))
    return found


def _system_cautions(table: RatingTable, system: NDArray[np.int64], names: Sequence[str]) -> list[Caution]:
    found = []
    for i, name in enumerate(names):
        own = table.item[system == i]
        n = len(np.unique(own))
        if len(own) == 1:
            found.append(Caution(word="one-rating", name=name, n=n))
        elif n < MIN_SEGMENTS:
            found.append(Caution(word="few-segments", name=name, n=n))
    return found
