"""Every two raters on the items they share: Pearson's r of all pairs at once, rank correlations pair by pair.

The tables here are merged: one score per rater and item, sorted by rater, then item (core/raters/ratings.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.raters.ratings import RatingTable
from core.stats.correlation import pearson

MIN_SHARED = 3
"""Two points always lie on a line: with fewer shared items r says nothing."""

_DOUBTFUL = 1e-6  # a sum of squares about the mean below this share of that about 0 has lost digits
_CELLS = 2_000_000  # of raters x items, held in memory at a time

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pearsons:
    """(raters, raters) each, the diagonal without meaning: shared items, r in -1..1, who had no variance.

    r is NaN where n < 3 or one of the two gave all shared items the same score (`flat`).
    """

    n: NDArray[np.int64]
    r: Floats
    flat: NDArray[np.bool_]


def pearsons(table: RatingTable) -> Pearsons:
    """Pearson's r of every two raters. Sums of all pairs are matrix products; doubtful ones are done again.

    Scores are measured from their rater's mean. Where two raters share few of their items, or items with
    nearly the same score, r is computed from these items alone.
    """
    mean, top = _level(table)
    n, total, squares, products = _sums(table, mean)
    least = np.maximum(n, 1)
    within = squares - total**2 / least
    doubtful = (within <= _DOUBTFUL * squares) | (within <= n * (1e-9 * top[:, None]) ** 2)
    enough = n >= MIN_SHARED
    sure = enough & ~(doubtful | doubtful.T)
    r = np.full(n.shape, np.nan)
    below = np.sqrt(np.where(sure, within * within.T, 1.0))
    np.divide(products - total * total.T / least, below, out=r, where=sure)
    flat = np.zeros(n.shape, bool)
    again = np.argwhere(np.triu(enough & ~sure, 1)).tolist()
    edges = rater_edges(table)
    for i, j in again:
        one, other = _common(table, edges, i, j)
        r[i, j] = r[j, i] = pearson(table.score[one], table.score[other])
        flat[i, j] = flat[j, i] = bool(np.isnan(r[i, j]))
    return Pearsons(n.astype(np.int64), np.clip(r, -1, 1), flat)


def codes(table: RatingTable) -> tuple[Floats, int]:
    """Each score as its place among all different scores, (n,), and how many different ones there are."""
    values, place = np.unique(table.score, return_inverse=True)
    return place.astype(np.float64), len(values)


def shared_rows(table: RatingTable) -> Iterator[tuple[int, int, Rows, Rows]]:
    """For every two raters i < j the rows of i and of j, (n,) each, with the items that both scored."""
    edges = rater_edges(table)
    row_of = np.full(len(table.items), -1, np.int64)
    for i, (start, stop) in enumerate(edges):
        row_of[:] = -1
        row_of[table.item[start:stop]] = np.arange(start, stop)
        for j in range(i + 1, len(edges)):
            first = row_of[table.item[slice(*edges[j])]]
            hit = np.flatnonzero(first >= 0)
            yield i, j, first[hit], hit + edges[j][0]


def rater_edges(table: RatingTable) -> list[tuple[int, int]]:
    """Per rater, by index, the first row and the one behind the last."""
    edges = np.searchsorted(table.rater, np.arange(len(table.raters) + 1)).tolist()
    return list(itertools.pairwise(edges))


def _level(table: RatingTable) -> tuple[Floats, Floats]:
    """(raters,) each: the mean and the greatest absolute value of a rater's scores."""
    size = len(table.raters)
    mean = np.bincount(table.rater, table.score, size) / np.bincount(table.rater, minlength=size)
    top = np.zeros(size)
    np.maximum.at(top, table.rater, np.abs(table.score))
    return mean, top


def _sums(table: RatingTable, mean: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(raters, raters) each, of x, the scores less their rater's mean, over the items that i and j share.

    How many; the sum of x_i; the sum of x_i²; the sum of x_i x_j.
    """
    from scipy import sparse

    raters, items = len(table.raters), len(table.items)
    where = (table.rater, table.item)
    seen = sparse.csc_array((np.ones(len(table.rater)), where), shape=(raters, items))
    x = sparse.csc_array((table.score - mean[table.rater], where), shape=(raters, items))
    n, total, squares, products = np.zeros((4, raters, raters))
    step = max(1, _CELLS // max(raters, 1))
    for start in range(0, items, step):
        part = slice(start, start + step)
        m, d = seen[:, part].toarray(), x[:, part].toarray()
        n += m @ m.T
        total += d @ m.T
        squares += (d * d) @ m.T
        products += d @ d.T
    return n, total, squares, products


def _common(table: RatingTable, edges: list[tuple[int, int]], i: int, j: int) -> tuple[Rows, Rows]:
    one, other = slice(*edges[i]), slice(*edges[j])
    _, a, b = np.intersect1d(table.item[one], table.item[other], assume_unique=True, return_indices=True)
    return a + edges[i][0], b + edges[j][0]
