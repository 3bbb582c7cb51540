"""Mean pairwise r and Krippendorff's alpha as weighted sums over items, for the bootstrap.

Items are drawn in the order of their repr, so that the order of rows changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.raters.pairs import pearsons, rater_edges
from core.raters.ratings import RatingTable
from core.stats.bootstrap import ROUNDING, Weights, ratio, weighted_r
from core.stats.correlation import standardised

_CELLS = 2_000_000  # weights in memory at a time
_MOST_WHOLE = 1000  # whole scores below this have squares that single precision represents exactly
_EXACT = 2**24

Summands = NDArray[np.float64] | NDArray[np.float32]


def shared_only(table: RatingTable) -> RatingTable:
    """A merged table without the items of one rater alone; items in the order of their repr."""
    n = np.bincount(table.item, minlength=len(table.items))
    order = sorted(np.flatnonzero(n > 1).tolist(), key=lambda item: repr(table.items[item]))
    place = np.full(len(table.items), -1)
    place[order] = np.arange(len(order))
    item = place[table.item]
    kept = np.flatnonzero(item >= 0)
    kept = kept[np.lexsort((item[kept], table.rater[kept]))]
    names = tuple(table.items[one] for one in order)
    return RatingTable(table.raters, names, table.rater[kept], item[kept], table.score[kept])


def mean_r(table: RatingTable, batches: Iterable[Weights]) -> NDArray[np.float64]:
    """Resamples to their means of r over the pairs that have one in the resample; NaN for none."""
    if len(table.score) == len(table.raters) * len(table.items):
        return _complete_mean_r(_standardised(table).reshape(len(table.raters), -1), batches)
    return MeanR.of(table)(batches)


def _complete_mean_r(x: NDArray[np.float64], batches: Iterable[Weights]) -> NDArray[np.float64]:
    """As `mean_r`, of (raters, items) standardised scores without a gap.

    With z the scores standardised in the resample, Σ_{i<j} r_ij = (Σ_u w_u (Σ_i z_iu)² / n - raters) / 2: no
    pair is looked at.
    """
    found = []
    for weights in (batch.astype(np.float64) for batch in batches):
        n = x.shape[1]
        mean, square = weights @ x.T / n, weights @ (x * x).T / n
        variance = square - mean**2
        varies = variance > ROUNDING * square
        per_sd = np.where(varies, 1 / np.sqrt(np.where(varies, variance, 1.0)), 0.0)
        total = per_sd @ x - (per_sd * mean).sum(axis=1)[:, None]
        raters = varies.sum(axis=1)
        twice = np.einsum("bu,bu,bu->b", weights, total, total) / n - raters
        found.append(ratio(twice, raters * (raters - 1), raters > 1))
    return np.concatenate(found)


@dataclass(frozen=True, slots=True, eq=False)
class MeanR:
    """Mean pairwise r as weighted sums of 1 x y x² y² xy over the items that two raters share.

    columns: (3 raters, items), sparse: who scored, x, x², with x standardised per rater, which r does not
    mind; whole scores are only moved by a whole number. known: (raters, raters), the pairs i < j with an r.
    """

    columns: sparse.csc_array[Any]
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, table: RatingTable) -> MeanR:
        """Of every two raters that have an r."""
        raters, items = len(table.raters), len(table.items)
        whole = bool((table.score % 1 == 0).all() and np.abs(table.score).max(initial=0) < _MOST_WHOLE)
        x = _moved(table) if whole else _standardised(table)
        row = np.concatenate([table.rater, table.rater + raters, table.rater + 2 * raters])
        values: Summands = np.concatenate([np.ones(len(x)), x, x * x])
        if whole:
            values = values.astype(np.float32)
        columns = sparse.csc_array((values, (row, np.tile(table.item, 3))), shape=(3 * raters, items))
        return cls(columns, np.triu(np.isfinite(pearsons(table).r), 1))

    def __call__(self, batches: Iterable[Weights]) -> NDArray[np.float64]:
        """Resamples to means, as `mean_r`: rater by rater, by products of full matrices."""
        weights = np.ascontiguousarray(np.concatenate(list(batches)).T)
        total, count = np.zeros((2, weights.shape[1]))
        for i in np.flatnonzero(self.known.any(axis=1)).tolist():
            own, summands = self._summands(i)
            drawn = weights.take(own, axis=0)
            step = max(1, _CELLS // len(own))
            for start in range(0, len(total), step):
                part = slice(start, start + step)
                sums = _product(summands, drawn[:, part])
                r, known = weighted_r(sums.reshape(6, -1, sums.shape[1]))
                total[part] += np.where(known, r, 0.0).sum(axis=0)
                count[part] += known.sum(axis=0)
        return ratio(total, count, count > 0)

    def _summands(self, i: int) -> tuple[NDArray[np.int64], Summands]:
        """The items of rater i, (own,), and what is summed over them: 1 x y x² y² xy, (6 pairs, own)."""
        own = np.flatnonzero(self.columns[[i]].toarray()[0])
        seen, y, yy = np.split(self.columns[:, own].toarray(), 3)
        x, others = y[i], np.flatnonzero(self.known[i])
        seen, y, yy = seen[others], y[others], yy[others]
        return own, np.vstack([seen, seen * x, y, seen * (x * x), yy, y * x])


@dataclass(frozen=True, slots=True, eq=False)
class Alpha:
    """Krippendorff's alpha for interval data, as weighted sums over the items u that m_u > 1 raters scored.

    alpha = 1 - D_o / D_e with D_o = 2/n Σ m_u SS_u / (m_u - 1) and D_e = 2 SS / (n - 1), where n = Σ m_u and
    SS is a sum of squares about the mean: SS_u of the item's scores, SS of all.
    sums: (items, 4), m_u, Σx, Σx², m_u SS_u / (m_u - 1), with x measured from the mean of all scores.
    """

    sums: NDArray[np.float64]

    @classmethod
    def of(cls, table: RatingTable) -> Alpha:
        """Of a table of shared items, not empty (`shared_only`)."""
        size, item = len(table.items), table.item
        x = table.score - table.score.mean()
        m = np.bincount(item, minlength=size).astype(np.float64)
        total = np.bincount(item, x, size)
        within = np.bincount(item, (x - (total / m)[item]) ** 2, size)
        return cls(np.column_stack([m, total, np.bincount(item, x * x, size), m * within / (m - 1)]))

    def __call__(self, batches: Iterable[Weights]) -> NDArray[np.float64]:
        """Resamples to their alphas; NaN where all scores of a resample are the same."""
        return np.concatenate([self.of_resamples(weights) for weights in batches])

    def of_resamples(self, weights: Weights | NDArray[np.float64]) -> NDArray[np.float64]:
        """(batch, items) weights to (batch,) alphas."""
        n, total, squares, observed = (weights.astype(np.float64) @ self.sums).T
        spread = squares - total**2 / n
        return 1 - ratio((n - 1) * observed, n * spread, spread > ROUNDING * squares)


def _product(summands: Summands, weights: Weights) -> NDArray[np.float64]:
    """(m, items) x (items, batch). In single precision summands are whole: below 2^24 sums are exact."""
    if summands.dtype == np.float32:
        sums = summands @ weights.astype(np.float32)
        if sums.max() < _EXACT:  # the sums of squares are the greatest, and those of xy lie between them
            return sums.astype(np.float64)
    return summands.astype(np.float64) @ weights.astype(np.float64)


def _moved(table: RatingTable) -> NDArray[np.float64]:
    """(n,) whole scores, less the whole number next to their rater's mean."""
    size = len(table.raters)
    n = np.bincount(table.rater, minlength=size)
    mean = np.bincount(table.rater, table.score, size) / np.maximum(n, 1)
    return table.score - np.round(mean)[table.rater]


def _standardised(table: RatingTable) -> NDArray[np.float64]:
    """(n,) each rater's scores with mean 0 and sd 1, all 0 where they are the same."""
    x = np.zeros(len(table.score))
    for start, stop in rater_edges(table):
        x[start:stop] = standardised(table.score[start:stop])
    return x
