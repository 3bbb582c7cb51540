"""The bootstrap over items: draw as many items as there are, with replacement, and compute the figure anew.

A resample is a row of weights, (items,): how often each item was drawn. Figures are weighted sums, so that
all resamples are one matrix product. Items are drawn in the order of their repr, so that the order of rows
changes nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.human.agreement import MIN_SHARED, common_items, is_flat, rows_by_rater
from core.human.ratings import Columns

RESAMPLES = 1000
MIN_ITEMS = 5
"""With fewer items than this there is no bootstrap interval: most resamples repeat one or two of them."""

ROUNDING = 1e-12
"""A sum of squares below this share of its parts is rounding."""

_TAILS = (0.025, 0.975)
_CELLS = 2_000_000  # weights held in memory at a time

Weights = NDArray[np.float64]


def resamples(items: int, *, seed: int, count: int = RESAMPLES) -> Iterator[Weights]:
    """`count` resamples in batches of weights, (batch, items) each; each row sums to `items`."""
    rng = np.random.default_rng(seed)
    batch = max(1, _CELLS // items)
    for start in range(0, count, batch):
        size = min(batch, count - start)
        picks = rng.integers(0, items, (size, items))
        picks += items * np.arange(size)[:, None]
        yield np.bincount(picks.ravel(), minlength=size * items).reshape(size, items).astype(np.float64)


def percentiles(values: NDArray[np.float64]) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the resamples' values, NaN where one has none; None where half or more have none."""
    defined = values[np.isfinite(values)]
    if 2 * len(defined) <= len(values):
        return None, None
    low, high = np.quantile(defined, _TAILS)
    return float(low), float(high)


def shared_only(table: Columns) -> Columns:
    """A merged table without the items of one rater alone; items in the order of their repr."""
    n = np.bincount(table.item, minlength=len(table.items))
    order = sorted(np.flatnonzero(n > 1).tolist(), key=lambda item: repr(table.items[item]))
    place = np.full(len(table.items), -1)
    place[order] = np.arange(len(order))
    item = place[table.item]
    kept = np.flatnonzero(item >= 0)
    kept = kept[np.lexsort((item[kept], table.rater[kept]))]
    names = tuple(table.items[one] for one in order)
    return Columns(table.raters, names, table.rater[kept], item[kept], table.score[kept])


@dataclass(frozen=True, slots=True, eq=False)
class MeanR:
    """Mean pairwise r as weighted sums. A pair: item indices, (shared,), and 1 x y x² y² xy, (6, shared)."""

    pairs: tuple[tuple[NDArray[np.int64], NDArray[np.float64]], ...]

    @classmethod
    def of(cls, table: Columns) -> MeanR:
        """Of every two raters that have an r: x and y are standardised, which r does not mind."""
        found = []
        for one, other in itertools.combinations(rows_by_rater(table), 2):
            items, x, y = common_items(one, other)
            if len(items) >= MIN_SHARED and not is_flat(x) and not is_flat(y):
                found.append((items, _products(_standard(x), _standard(y))))
        return cls(tuple(found))

    def __call__(self, weights: Weights) -> NDArray[np.float64]:
        """(batch, items) weights to (batch,) means over the pairs with an r in the resample; NaN for none."""
        by_item = np.ascontiguousarray(weights.T)
        sums = np.empty((6, len(self.pairs), len(weights)))
        for i, (items, products) in enumerate(self.pairs):
            drawn = by_item if len(items) == len(by_item) else by_item[items]
            sums[:, i] = products @ drawn
        r, known = _weighted_r(sums)
        count = known.sum(axis=0)
        return _ratio(np.where(known, r, 0.0).sum(axis=0), count, count > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Alpha:
    """Krippendorff's alpha for interval data, as weighted sums over the items u that m_u > 1 raters scored.

    alpha = 1 - D_o / D_e with D_o = 2/n Σ m_u SS_u / (m_u - 1) and D_e = 2 SS / (n - 1), where n = Σ m_u and
    SS is a sum of squares about the mean: SS_u of the item's scores, SS of all.
    sums: (items, 4), m_u, Σx, Σx², m_u SS_u / (m_u - 1), with x measured from the mean of all scores.
    """

    sums: NDArray[np.float64]

    @classmethod
    def of(cls, table: Columns) -> Alpha:
        """Of a table of shared items, not empty (`shared_only`)."""
        size, item = len(table.items), table.item
        x = table.score - table.score.mean()
        m = np.bincount(item, minlength=size).astype(np.float64)
        total = np.bincount(item, x, size)
        within = np.bincount(item, (x - (total / m)[item]) ** 2, size)
        return cls(np.column_stack([m, total, np.bincount(item, x * x, size), m * within / (m - 1)]))

    def __call__(self, weights: Weights) -> NDArray[np.float64]:
        """(batch, items) weights to (batch,) alphas; NaN where all scores of a resample are the same."""
        n, total, squares, observed = (weights @ self.sums).T
        spread = squares - total**2 / n
        return 1 - _ratio((n - 1) * observed, n * spread, spread > ROUNDING * squares)


def _products(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.vstack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def _standard(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((x - x.mean()) / x.std(), np.float64)


def _weighted_r(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(6, pairs, batch) sums of `_products` to (pairs, batch) Pearson's r, and where it is known."""
    n, x, y, xx, yy, xy = sums
    least = np.maximum(n, 1)
    in_x, in_y = xx - x * x / least, yy - y * y / least
    known = (in_x > ROUNDING * xx) & (in_y > ROUNDING * yy)
    return _ratio(xy - x * y / least, np.sqrt(np.abs(in_x * in_y)), known), known


def _ratio(
    above: NDArray[np.float64], below: NDArray[np.float64] | NDArray[np.int64], known: NDArray[np.bool_]
) -> NDArray[np.float64]:
    found = np.full(above.shape, np.nan)
    np.divide(above, below, out=found, where=known)
    return found
