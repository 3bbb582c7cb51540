"""Ratings as statistics see them: who gave what which score. Small frozen values, and their numpy form."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError


class Rating(NamedTuple):
    """One score of one rater for one item. The item is whatever names it: a number, a pair, a text."""

    rater: str
    item: Hashable
    score: float


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rater left out of a normalisation. `reason` is `no-variance` or `one-rating`."""

    rater: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """n ratings as columns. raters and items: the names, sorted and in order of appearance.

    rater, item: (n,) int64, indices into them. score: (n,) float64, finite.
    """

    raters: tuple[str, ...]
    items: tuple[Hashable, ...]
    rater: NDArray[np.int64]
    item: NDArray[np.int64]
    score: NDArray[np.float64]


def columns(ratings: Sequence[Rating]) -> Columns:
    """Ratings as numpy columns. Raises InputError for a score that is not a finite number."""
    score = np.array([rating.score for rating in ratings], np.float64)
    if not np.isfinite(score).all():
        bad = ratings[int(np.flatnonzero(~np.isfinite(score))[0])]
        raise InputError(f"The score {bad.score} of {bad.rater} for {bad.item} is no number; leave it out.")
    names = [rating.rater for rating in ratings]
    items = [rating.item for rating in ratings]
    raters = tuple(sorted(set(names)))
    different = tuple(dict.fromkeys(items))
    return Columns(raters, different, _indices(names, raters), _indices(items, different), score)


def merged(table: Columns) -> Columns:
    """One score per rater and item: where there are several, their mean. Sorted by rater, then item."""
    cell = table.rater * max(len(table.items), 1) + table.item
    kept, first, inverse = np.unique(cell, return_index=True, return_inverse=True)
    if len(kept) == len(cell):
        score = table.score[first]
    else:
        score = np.bincount(inverse, table.score, len(kept)) / np.bincount(inverse, minlength=len(kept))
    return Columns(table.raters, table.items, table.rater[first], table.item[first], score)


def subset(table: Columns, rows: NDArray[np.int64]) -> Columns:
    """Some rows, (n,) and ascending, of a table: the raters and items that are left, in their order."""
    if len(rows) == len(table.score):
        return table
    raters, rater = np.unique(table.rater[rows], return_inverse=True)
    items, item = np.unique(table.item[rows], return_inverse=True)
    return Columns(
        tuple(table.raters[i] for i in raters.tolist()),
        tuple(table.items[i] for i in items.tolist()),
        rater.astype(np.int64),
        item.astype(np.int64),
        table.score[rows],
    )


def _indices(names: Sequence[Hashable], order: Sequence[Hashable]) -> NDArray[np.int64]:
    place = {name: index for index, name in enumerate(order)}
    return np.array([place[name] for name in names], np.int64)
