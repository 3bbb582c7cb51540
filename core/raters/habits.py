"""One rater's habits: pace, the same score again and again, and drift against what others say."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np
from scipy import stats

from core.raters.assignment import TARGET
from core.raters.figures import Figure, Missing, absent
from core.raters.pairs import MIN_SHARED, is_flat
from core.raters.quality_rows import QualityRow

PER = 100
"""Drift is given in points for so many items."""

_TAIL = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """seconds: the median time of an item. a_minute: the median of characters a minute.

    fast: the share of items faster than the floor; an item that took no time at all is. Missing: `no-times`.
    """

    seconds: Figure
    a_minute: Figure
    fast: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """Over all n items of the rater, checks too. share: of the commonest score, which is `score`.

    run: how many times in a row the rater gave one score, at most.
    """

    score: float
    share: Figure
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDrift:
    """The mean residual over the n items of a document that others rated, too, in points."""

    document: str
    n: int
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Residuals (a score less the mean of the others' for that item) in the order of the rater's items.

    rho: Spearman's, of place and residual; p: two-sided. slope: points in 100 items by least squares, with
    its 95 % interval. documents: in the order in which the rater met them. Missing: `one-rater`,
    `no-shared-items`, `few-items` (n < 3), `no-variance` (all residuals are the same: there is no drift).
    """

    rho: Figure
    p: float | None
    slope: Figure
    documents: tuple[DocumentDrift, ...]


def pace(rows: Sequence[QualityRow], floor: float | None) -> Pace:
    """Of one rater. floor: characters a minute that nobody can read; None for no floor."""
    timed = [row for row in rows if row.seconds is not None and row.seconds >= 0]
    sized = [(row.seconds or 0.0, row.characters) for row in timed if row.characters > 0]
    rates = [60 * characters / seconds for seconds, characters in sized if seconds > 0]
    fast = [60 * characters > floor * seconds for seconds, characters in sized] if floor is not None else []
    return Pace(
        seconds=_or_no_times([row.seconds or 0.0 for row in timed], median),
        a_minute=_or_no_times(rates, median),
        fast=_or_no_times([float(one) for one in fast], fmean),
    )


def sameness(rows: Sequence[QualityRow]) -> Sameness:
    """Of one rater's rows, at least one, in the rater's order. Of scores equally common, the first given."""
    scores = [row.score for row in rows]
    score, count = Counter(scores).most_common(1)[0]
    run = max(len(list(same)) for _, same in itertools.groupby(scores))
    return Sameness(score=score, share=Figure(value=count / len(scores), n=len(scores)), run=run)


class Others:
    """What the others say of each item: the mean of all target scores but one rater's own."""

    def __init__(self, by_rater: Mapping[str, Sequence[QualityRow]]) -> None:
        self.total: dict[Hashable, float] = {}
        self.count: Counter[Hashable] = Counter()
        for row in itertools.chain.from_iterable(by_rater.values()):
            if row.kind == TARGET:
                self.total[row.item] = self.total.get(row.item, 0.0) + row.score
                self.count[row.item] += 1

    def residuals(self, rows: Sequence[QualityRow]) -> list[tuple[int, QualityRow, float]]:
        """Index in the rater's order, row and residual, of the targets that somebody else rated, too."""
        total: dict[Hashable, float] = {}
        count: Counter[Hashable] = Counter()
        for row in rows:
            if row.kind == TARGET:
                total[row.item] = total.get(row.item, 0.0) + row.score
                count[row.item] += 1
        return [
            (index, row, row.score - (self.total[row.item] - total[row.item]) / others)
            for index, row in enumerate(rows)
            if row.kind == TARGET and (others := self.count[row.item] - count[row.item])
        ]


def drift(rows: Sequence[QualityRow], others: Others, *, raters: int) -> Drift:
    """Of one rater among so many, whose rows are in order."""
    found = others.residuals(rows)
    documents: dict[str, list[float]] = {}
    for _, row, residual in found:
        documents.setdefault(row.document, []).append(residual)
    by_document = tuple(
        DocumentDrift(document=name, n=len(own), residual=fmean(own)) for name, own in documents.items()
    )
    n = len(found)
    index = np.array([at for at, _, _ in found], np.float64)
    residuals = np.round([residual for _, _, residual in found], 9)  # rounding of means is no drift
    missing: Missing | None = None
    if n < MIN_SHARED:
        missing = "one-rater" if raters < 2 else "few-items" if n else "no-shared-items"
    elif is_flat(residuals):
        missing = "no-variance"
    if missing is not None:
        return Drift(rho=absent(missing, n), p=None, slope=absent(missing, n), documents=by_document)
    rank = stats.spearmanr(index, residuals)
    line = stats.linregress(index, residuals)
    slope, half = PER * float(line.slope), PER * float(line.stderr) * float(stats.t.ppf(_TAIL, n - 2))
    return Drift(
        rho=Figure(value=float(rank.statistic), n=n),
        p=float(rank.pvalue),
        slope=Figure(value=slope, n=n, low=slope - half, high=slope + half),
        documents=by_document,
    )


def _or_no_times(values: Sequence[float], middle: Callable[[Sequence[float]], float]) -> Figure:
    return Figure(value=middle(values), n=len(values)) if values else absent("no-times", 0)
