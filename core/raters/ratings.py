"""Ratings for statistics, as values and as a table of numpy arrays, and their normalisation per rater.

centred: x - mean.  z: (x - mean) / sd, with the sample sd (ddof = 1), as in WMT's direct assessment.
minmax: (x - min) / (max - min), in 0..1.
rank: (mid-rank - 1) / (n - 1), in 0..1 with mean 0.5; equal scores share the mean of their ranks.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, OptionError
from core.raters.assignment import OFFICIAL, TARGET


class Rating(NamedTuple):
    """One score of one rater for one item, and what is known about it where that matters.

    item: anything hashable that names the translation; a repeat and a degraded text have the name of their
    original. segment: named alike under each system. place: where it stood among the rater's items, counted
    from anywhere. kind: `target` or a check item's (`repeat`, `reference`, `degraded`). mark: what an import
    says of it, `ok` where it counts. seconds: None without a measurement. characters: of the translation, 0
    where it is not known. computed: nobody gave the score; it is MQM's, 0 or below, from the marked errors.
    first: the score that was given first, where raters may correct those of a damaged text and its original.
    """

    rater: str
    item: Hashable
    score: float
    segment: Hashable = None
    system: str = ""
    document: str = ""
    place: int = 0
    kind: str = TARGET
    mark: str = OFFICIAL
    seconds: float | None = None
    characters: int = 0
    computed: bool = False
    first: float | None = None


@dataclass(frozen=True, slots=True)
class SkippedRater:
    """A rater left out of a normalisation. `reason` is `no-variance` or `one-rating`."""

    rater: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class RatingTable:
    """n ratings as columns. raters and items: the names, sorted and in order of appearance.

    rater, item: (n,) int64, indices into them. score: (n,) float64, finite.
    """

    raters: tuple[str, ...]
    items: tuple[Hashable, ...]
    rater: NDArray[np.int64]
    item: NDArray[np.int64]
    score: NDArray[np.float64]


def columns(ratings: Sequence[Rating]) -> RatingTable:
    """Ratings as numpy columns. Raises InputError for a score that is not a finite number."""
    score = np.array([rating.score for rating in ratings], np.float64)
    if not np.isfinite(score).all():
        bad = ratings[int(np.flatnonzero(~np.isfinite(score))[0])]
        raise InputError(
            "The score {score} of {rater} for {item} is not a number; leave it out.",
            score=bad.score,
            rater=bad.rater,
            item=bad.item,
        )
    names = [rating.rater for rating in ratings]
    items = [rating.item for rating in ratings]
    raters = tuple(sorted(set(names)))
    different = tuple(dict.fromkeys(items))
    return RatingTable(raters, different, _indices(names, raters), _indices(items, different), score)


def merged(table: RatingTable) -> RatingTable:
    """One score per rater and item: where there are several, their mean. Sorted by rater, then item."""
    cell = table.rater * max(len(table.items), 1) + table.item
    kept, first, inverse = np.unique(cell, return_index=True, return_inverse=True)
    if len(kept) == len(cell):
        score = table.score[first]
    else:
        score = np.bincount(inverse, table.score, len(kept)) / np.bincount(inverse, minlength=len(kept))
    return RatingTable(table.raters, table.items, table.rater[first], table.item[first], score)


def subset(table: RatingTable, rows: NDArray[np.int64]) -> RatingTable:
    """Some rows, (n,) and ascending, of a table: the raters and items that are left, in their order."""
    if len(rows) == len(table.score):
        return table
    raters, rater = np.unique(table.rater[rows], return_inverse=True)
    items, item = np.unique(table.item[rows], return_inverse=True)
    return RatingTable(
        tuple(table.raters[i] for i in raters.tolist()),
        tuple(table.items[i] for i in items.tolist()),
        rater.astype(np.int64),
        item.astype(np.int64),
        table.score[rows],
    )


def _indices(names: Sequence[Hashable], order: Sequence[Hashable]) -> NDArray[np.int64]:
    place = {name: index for index, name in enumerate(order)}
    return np.array([place[name] for name in names], np.int64)


Method = Literal["raw", "centred", "z", "minmax", "rank"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True)
class Normalised:
    """Ratings in their input order, with normalised scores, and the raters that could not be normalised."""

    ratings: tuple[Rating, ...]
    skipped: tuple[SkippedRater, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """The rows, (n,), of a table that could be normalised, their new scores, (n,), and who was left out."""

    rows: NDArray[np.int64]
    score: NDArray[np.float64]
    skipped: tuple[SkippedRater, ...]


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """One rater's scores. `sd` is the sample sd (ddof = 1), None where there is only one score."""

    rater: str
    n: int
    mean: float
    sd: float | None
    low: float
    high: float


def normalise(ratings: Sequence[Rating], *, method: Method) -> Normalised:
    """Normalise each rater's scores. z, minmax and rank need scores that vary: others are in `skipped`.

    Raises OptionError for another method, InputError for a score that is not a finite number.
    """
    return normalised(ratings, scale(columns(ratings), method), method)


def normalised(ratings: Sequence[Rating], scaled: Scaled, method: Method) -> Normalised:
    """The ratings with the scores that `scale` found for them by this method."""
    if method == "raw":
        return Normalised(tuple(ratings), ())
    rows = range(len(ratings)) if len(scaled.rows) == len(ratings) else scaled.rows.tolist()
    kept = [
        Rating(ratings[row].rater, ratings[row].item, score)
        for row, score in zip(rows, scaled.score.tolist(), strict=True)
    ]
    return Normalised(tuple(kept), scaled.skipped)


def scale(table: RatingTable, method: Method) -> Scaled:
    """As `normalise`, of columns."""
    if method not in METHODS:
        raise OptionError(
            "There is no normalisation “{method}”; choose one of {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    everyone = np.arange(len(table.score))
    if method == "raw" or not len(table.score):
        return Scaled(everyone, table.score, ())
    moments = _Moments.of(table)
    if method == "centred":
        return Scaled(everyone, table.score - moments.mean[table.rater], ())
    shift, spread = moments.shift_and_scale(method)
    usable = moments.varies & (spread > 0)
    rows = np.flatnonzero(usable[table.rater])
    rater = table.rater[rows]
    values = _mid_ranks(table) if method == "rank" else table.score
    skipped = tuple(
        SkippedRater(table.raters[i], "one-rating" if moments.n[i] == 1 else "no-variance")
        for i in np.flatnonzero(~usable).tolist()
    )
    return Scaled(rows, (values[rows] - shift[rater]) / spread[rater], skipped)


def summarise(ratings: Sequence[Rating]) -> tuple[RaterSummary, ...]:
    """Number, mean, sd and extremes per rater, by name."""
    return summaries(columns(ratings))


def summaries(table: RatingTable) -> tuple[RaterSummary, ...]:
    """As `summarise`, of columns."""
    if not table.raters:
        return ()
    m = _Moments.of(table)
    return tuple(
        RaterSummary(
            rater=name,
            n=int(m.n[i]),
            mean=float(m.mean[i]),
            sd=float(m.sd[i]) if m.n[i] > 1 else None,
            low=float(m.low[i]),
            high=float(m.high[i]),
        )
        for i, name in enumerate(table.raters)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """(raters,) each; sd is 0 where there is one score. `varies`: the scores are not all equal."""

    n: NDArray[np.int64]
    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    varies: NDArray[np.bool_]

    @classmethod
    def of(cls, table: RatingTable) -> _Moments:
        size = len(table.raters)
        n = np.bincount(table.rater, minlength=size)
        mean = np.bincount(table.rater, table.score, size) / n
        spread = np.bincount(table.rater, (table.score - mean[table.rater]) ** 2, size)
        low, high = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(low, table.rater, table.score)
        np.maximum.at(high, table.rater, table.score)
        varies = high > low
        sd = np.where(varies, np.sqrt(spread / np.maximum(n - 1, 1)), 0.0)
        return cls(n, mean, sd, low, high, varies)

    def shift_and_scale(self, method: Method) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(raters,) each: what z, minmax or rank takes away, and what it then divides by."""
        if method == "z":
            return self.mean, self.sd
        if method == "minmax":
            return self.low, self.high - self.low
        return np.ones(len(self.n)), self.n.astype(np.float64) - 1


def _mid_ranks(table: RatingTable) -> NDArray[np.float64]:
    """(n,) ranks of each score among its rater's scores, from 1; equal scores share their mean rank."""
    from scipy import stats

    ranks = np.empty(len(table.score))
    order = np.argsort(table.rater, kind="stable")
    edges = np.searchsorted(table.rater[order], np.arange(1, len(table.raters)))
    for rows in np.split(order, edges):
        ranks[rows] = stats.rankdata(table.score[rows])
    return ranks
