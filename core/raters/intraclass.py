"""Intraclass correlations of k raters, by pingouin: ICC(2,1) and ICC(2,k) of Shrout and Fleiss (1979)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.raters.figures import Figure, Missing, absent
from core.raters.pairs import MIN_SHARED, is_flat
from core.raters.ratings import Columns
from core.raters.resampling import ROUNDING


def intraclass(table: Columns) -> tuple[Figure, Figure]:
    """ICC of one rater and of the mean of all, on the n items that all raters of a merged table scored.

    Missing: `one-rater`, `no-shared-items`, `few-items` (n < 3), `no-variance` (no rater's scores vary).
    """
    k = len(table.raters)
    complete = np.bincount(table.item, minlength=len(table.items)) == k
    n = int(complete.sum())
    missing: Missing | None = None
    if k < 2:
        missing, n = "one-rater", 0
    elif n < MIN_SHARED:
        missing = "few-items" if n else "no-shared-items"
    else:
        scores = table.score[complete[table.item]].reshape(k, n)
        if not all(is_flat(row) for row in scores):
            return _absolute_agreement(scores)
        missing = "no-variance"
    return absent(missing, n), absent(missing, n)


def _absolute_agreement(scores: NDArray[np.float64]) -> tuple[Figure, Figure]:
    """(raters, items) scores to the two figures. Loads pingouin, which takes seconds, only here."""
    import pandas as pd
    import pingouin

    pingouin.options["round.column.CI95"] = None  # it rounds intervals to two places unless told
    scores = scores[:, np.lexsort(scores)]  # the order of items changes not even the rounding
    k, n = scores.shape
    rows = pd.DataFrame(
        {"rater": np.repeat(np.arange(k), n), "item": np.tile(np.arange(n), k), "score": scores.ravel()}
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # perfect agreement: F is infinite
        found = pingouin.intraclass_corr(rows, targets="item", raters="rater", ratings="score")
    found = found.set_index("Type")
    testable = _has_f(scores)
    single, mean = (
        _figure(found.ICC[kind], found.CI95[kind], n, testable) for kind in ("ICC(A,1)", "ICC(A,k)")
    )
    return single, mean


def _has_f(scores: NDArray[np.float64]) -> bool:
    """Whether F, of items over residual, is neither 0 nor infinite, but for rounding."""
    centred = scores - scores.mean()
    item, rater = centred.mean(axis=0), centred.mean(axis=1)[:, None]
    residual = ((centred - item - rater) ** 2).sum()
    between = len(scores) * (item**2).sum()
    return bool(min(residual, between) > ROUNDING * (centred**2).sum())


def _figure(value: float, ends: NDArray[np.float64], n: int, testable: bool) -> Figure:
    low, high = ends
    if not np.isfinite(value):
        return absent("no-variance", n)
    if not testable or not np.isfinite([low, high]).all():
        return Figure(value=float(value), n=n)
    return Figure(value=float(value), n=n, low=float(low), high=float(high))
