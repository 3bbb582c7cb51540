"""Pearson, Spearman and Kendall of two columns, and what counts as a column without variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FLAT = 1e-12
"""A spread below this share of the largest value is rounding, not variance."""

_MOST_LEVELS = 256
"""Columns with at most this many different values are counted in a table; others are sorted."""


def is_flat(values: Floats) -> bool:
    """Whether all values, (n,) with n > 0, are the same but for rounding."""
    return bool(np.ptp(values) <= _FLAT * np.abs(values).max())


def standardised(values: Floats) -> Floats:
    """(n,) values with mean 0 and standard deviation 1 (of the population); all 0 for a flat column."""
    if not len(values) or is_flat(values):
        return np.zeros(len(values))
    return np.asarray((values - values.mean()) / values.std(), np.float64)


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's r in [-1, 1] of two columns, (n,) each with n > 0; NaN where one of them is flat.

    Columns are scaled before they are squared, so that very small and very large values keep their digits.
    """
    if is_flat(x) or is_flat(y):
        return float("nan")
    x, y = (one / np.abs(one).max() for one in (x - x.mean(), y - y.mean()))
    return float(np.clip((x / np.linalg.norm(x)) @ (y / np.linalg.norm(y)), -1, 1))


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rho in [-1, 1] of two columns: Pearson's r of their mid-ranks."""
    from scipy import stats

    return pearson(stats.rankdata(x), stats.rankdata(y))


def kendall(x: Floats, y: Floats) -> float:
    """Kendall's tau-b in [-1, 1] of two columns; NaN where one of them has a single value."""
    from scipy import stats

    return float(stats.kendalltau(x, y).statistic)


def rank_correlations(x: Floats, y: Floats, *, levels: int) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-b of two columns, (n,) each, that both vary.

    x and y contain whole numbers 0 … levels - 1, as `core.raters.pairs.codes` makes them.
    """
    if levels > _MOST_LEVELS:
        return spearman(x, y), kendall(x, y)
    cell = x.astype(np.int64) * levels + y.astype(np.int64)
    counts = np.bincount(cell, minlength=levels * levels).reshape(levels, levels).astype(np.float64)
    counts = counts[np.ix_(counts.any(axis=1), counts.any(axis=0))]
    return _spearman(counts), _kendall(counts)


def _spearman(counts: Floats) -> float:
    """Of a table of counts without empty rows and columns: Pearson's r of the mid-ranks, measured from 0."""
    a, b = counts.sum(axis=1), counts.sum(axis=0)
    middle = counts.sum() / 2
    x, y = a.cumsum() - a / 2 - middle, b.cumsum() - b / 2 - middle
    return float(np.clip(x @ counts @ y / np.sqrt((a @ (x * x)) * (b @ (y * y))), -1, 1))


def _kendall(counts: Floats) -> float:
    """tau-b of a table of counts: (concordant - discordant) / sqrt of the pairs that no tie is among."""
    n, a, b = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    lower = counts[:-1, :-1].cumsum(axis=0).cumsum(axis=1)
    concordant = float((counts[1:, 1:] * lower).sum())
    pairs, tied_x, tied_y, tied = (float((c * (c - 1)).sum() / 2) for c in (n, a, b, counts))
    discordant = pairs - tied_x - tied_y + tied - concordant
    return (concordant - discordant) / float(np.sqrt((pairs - tied_x) * (pairs - tied_y)))
