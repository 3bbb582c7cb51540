"""What two metrics share that people do not explain: partial correlations given people (paper C, §4.4).

r(x, y | h) = (r_xy - r_xh r_yh) / sqrt((1 - r_xh²)(1 - r_yh²)).
"""

from __future__ import annotations

import numpy as np

from core.meta.table import Floats, MetaTable, known


def partial_correlations(table: MetaTable) -> tuple[tuple[str, ...], Floats]:
    """The metrics' names, and (metrics, metrics) partial correlations given people, NaN where there is none.

    Over the translations that people and all metrics scored; 1 on the diagonal.
    """
    names = tuple(table.metrics)
    rows = known(table.people, *table.metrics.values())
    size = len(names)
    found = np.full((size, size), np.nan)
    if rows.sum() < 4:
        return names, found
    columns = np.stack([table.people[rows], *(table.metrics[name][rows] for name in names)])
    centred = columns - columns.mean(axis=1, keepdims=True)
    lengths = np.sqrt((centred**2).sum(axis=1))
    varies = lengths > 1e-12 * np.abs(columns).max(axis=1).clip(1e-300)
    units = np.where(varies[:, None], centred / np.where(varies, lengths, 1)[:, None], np.nan)
    r = units @ units.T
    given = r[0, 1:]
    left = np.sqrt(np.maximum(1 - given**2, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (r[1:, 1:] - np.outer(given, given)) / np.outer(left, left)
    found[~np.isfinite(found)] = np.nan
    there = np.isfinite(np.diag(found))
    found = np.clip(found, -1, 1)
    found[there, there] = 1.0
    return names, found
