"""Correlations of metrics with people over all translations, within each segment, within each system.

`none` takes all translations together. `item` correlates the systems' translations of each segment and
averages over segments; `system` the segments of each system, averaged over systems. A group whose people or
metric do not vary has no correlation and is left out of the average (the field's own tool does the same).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import stats

from core.errors import OptionError
from core.metaeval.table import Floats, MetaTable, known

Coefficient = Literal["pearson", "spearman", "kendall"]
Grouping = Literal["none", "item", "system"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
MIN_POINTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A coefficient in -1..1 over n translations in `groups` groups that have one; None for no group.

    left_out: groups in which people or the metric do not vary, or with fewer than three translations.
    """

    metric: str
    value: float | None
    n: int
    groups: int
    left_out: int


def correlate(
    table: MetaTable, metric: str, coefficient: Coefficient = "pearson", grouping: Grouping = "none"
) -> Correlation:
    """One metric with people. Raises OptionError for an unknown coefficient or grouping."""
    if coefficient not in COEFFICIENTS or grouping not in GROUPINGS:
        raise OptionError(
            f"There is no {coefficient} by {grouping}; choose {', '.join(COEFFICIENTS)}, each by "
            f"{', '.join(GROUPINGS)}."
        )
    column = table.metrics[metric]
    rows = known(table.people, column)
    x, y = table.people[rows], column[rows]
    if grouping == "none":
        groups = np.zeros(len(x), np.int64)
    else:
        groups = (table.item if grouping == "item" else table.system)[rows]
    order = np.argsort(groups, kind="stable")
    edges = np.flatnonzero(np.diff(groups[order])) + 1
    values: list[float] = []
    left_out = 0
    for places in np.split(order, edges) if len(x) else ():
        value = _coefficient(x[places], y[places], _FUNCTIONS[coefficient])
        if value is None:
            left_out += 1
        else:
            values.append(value)
    mean = float(np.mean(values)) if values else None
    return Correlation(metric=metric, value=mean, n=len(x), groups=len(values), left_out=left_out)


def _coefficient(x: Floats, y: Floats, function: Callable[[Floats, Floats], float]) -> float | None:
    if len(x) < MIN_POINTS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    value = function(x, y)
    return value if np.isfinite(value) else None


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's r of two columns that vary."""
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1, 1))


_FUNCTIONS: dict[str, Callable[[Floats, Floats], float]] = {
    "pearson": pearson,
    "spearman": lambda x, y: pearson(stats.rankdata(x), stats.rankdata(y)),
    "kendall": lambda x, y: float(stats.kendalltau(x, y).statistic),
}
