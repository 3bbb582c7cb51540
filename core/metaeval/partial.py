"""What two metrics share that people do not explain: partial correlations given people (paper C, §4.4).

r(x, y | h) = (r_xy - r_xh r_yh) / sqrt((1 - r_xh²)(1 - r_yh²)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metaeval.table import Floats, MetaTable

_BLOCK = 16_384
_LEAST = 4
_NOTHING = 1e-10
"""A share of a column's variance below which what is left of it is rounding."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Partial:
    """Partial correlations of every two metrics given people.

    r: (metrics, metrics) float64 in [-1, 1], 1 on the diagonal; NaN where fewer than 4 translations are
    shared, where one of the three does not vary, and where people explain a metric entirely.
    n: (metrics, metrics) int64, the translations that people and both metrics scored.
    """

    metrics: Sequence[str]
    r: Floats
    n: NDArray[np.int64]


def partial_correlations(table: MetaTable) -> Partial:
    """Each pair over the translations that people and both of them scored."""
    rated = np.isfinite(table.people)
    h = _scaled(table.people[rated])
    columns = [_scaled(column[rated]) for column in table.metrics.values()]
    names = tuple(table.metrics)
    if not names:
        return Partial(metrics=names, r=np.empty((0, 0)), n=np.empty((0, 0), np.int64))
    n, x, hh, h1, xh, xx, xy = _sums(h, columns)
    with np.errstate(invalid="ignore", divide="ignore"):
        # [i, j]: over the translations of both; x is that of i, its transpose that of j
        var_h, var_x = hh - h1**2 / n, xx - x**2 / n
        cov_xy, cov_xh = xy - x * x.T / n, xh - x * h1 / n
        left_x = var_x - cov_xh**2 / var_h
        r = (cov_xy - cov_xh * cov_xh.T / var_h) / np.sqrt(left_x * left_x.T)
    there = (n >= _LEAST) & (var_h > _NOTHING * hh) & (left_x > _NOTHING * xx) & (left_x > _NOTHING * xx).T
    r = np.where(there, np.clip(r, -1, 1), np.nan)
    kept = np.isfinite(np.diag(r))
    r[kept, kept] = 1.0
    return Partial(metrics=names, r=r, n=n.astype(np.int64))


def _sums(h: Floats, columns: Sequence[Floats]) -> tuple[Floats, ...]:
    """(metrics, metrics) sums over what both metrics scored: 1, x, h², h, x h, x², x y; x is the first's."""
    size = len(columns)
    sums = tuple(np.zeros((size, size)) for _ in range(7))
    for start in range(0, len(h), _BLOCK):
        part = np.stack([column[start : start + _BLOCK] for column in columns])
        there = np.isfinite(part).astype(np.float64)
        x, people = np.nan_to_num(part), h[start : start + _BLOCK]
        sides = (there, x, there * people**2, there * people, x * people, x**2)
        for total, side in zip(sums[:-1], sides, strict=True):
            total += side.sum(axis=1, keepdims=True) if there.all() else side @ there.T
        sums[-1][...] += x @ x.T
    return sums


def _scaled(column: Floats) -> Floats:
    """The same with mean 0 and variance 1, so that sums of squares lose nothing; NaN stays."""
    there = column[np.isfinite(column)]
    spread = there.std() if len(there) else 0.0
    return (column - there.mean()) / spread if spread > 1e-12 * np.abs(there).max(initial=0) else column * 0
