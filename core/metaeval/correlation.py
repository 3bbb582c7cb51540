"""Correlations of metrics with people over all translations, and within segments, documents or systems.

`none` takes all translations together. `item` correlates the systems' translations of each segment and
averages over segments; `document` correlates the translations of each document and averages over documents;
`system` correlates the segments of each system and averages over systems. A group whose people's or metric's
scores do not vary has no correlation and is left out, as in mt-metrics-eval.

The correlation over all translations depends on how much the documents differ in quality, and changes from
one set of documents to another; those within segments and within documents do not rest on that difference.

Partial correlations given people (Chousa and Hirao, §4.4):
r(x, y | h) = (r_xy - r_xh r_yh) / sqrt((1 - r_xh²)(1 - r_yh²)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import OptionError
from core.metaeval.evaluation import Floats, MetaTable, known
from core.stats.bootstrap import MIN_UNITS, percentiles, ratio, resamples
from core.stats.correlation import is_flat, kendall, pearson, spearman, standardised

Coefficient = Literal["pearson", "spearman", "kendall"]
Grouping = Literal["none", "item", "document", "system"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
MIN_POINTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A coefficient in -1..1 over n translations in `groups` groups that have one; None for no group.

    left_out: groups in which people or the metric do not vary, or with fewer than three translations.
    lowest, highest: the coefficients of the groups that differ most from each other.
    """

    metric: str
    value: float | None
    n: int
    groups: int
    left_out: int
    lowest: float | None
    highest: float | None


def correlate(
    table: MetaTable, metric: str, coefficient: Coefficient = "pearson", grouping: Grouping = "none"
) -> Correlation:
    """One metric with people. Raises OptionError for an unknown coefficient or grouping."""
    if coefficient not in COEFFICIENTS or grouping not in GROUPINGS:
        raise OptionError(
            "There is no {coefficient} by {grouping}; choose {coefficients}, each by {groupings}.",
            coefficient=coefficient,
            grouping=grouping,
            coefficients=", ".join(COEFFICIENTS),
            groupings=", ".join(GROUPINGS),
        )
    rows = known(table.people, table.metrics[metric])
    found = _by_group(table, metric, coefficient, grouping, np.flatnonzero(rows))
    values = [value for value, _ in found if value is not None]
    return Correlation(
        metric=metric,
        value=float(np.mean(values)) if values else None,
        n=int(rows.sum()),
        groups=len(values),
        left_out=len(found) - len(values),
        lowest=min(values, default=None),
        highest=max(values, default=None),
    )


def interval(
    table: MetaTable,
    metric: str,
    coefficient: Coefficient = "pearson",
    grouping: Grouping = "none",
    *,
    seed: int = 0,
) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval of `correlate`: whole documents are drawn, as many as there are.

    None for both ends with fewer than MIN_UNITS documents.
    """
    rows: NDArray[np.int64] = np.flatnonzero(known(table.people, table.metrics[metric]))
    units = np.unique(table.group[rows], return_inverse=True)[1]
    count = int(units.max()) + 1 if len(units) else 0
    if count < MIN_UNITS:
        return None, None
    drawn = np.concatenate(list(resamples(count, seed=seed)))
    if grouping in ("item", "document"):  # these lie within documents: their values stay, and are weighted
        found = [
            (value, int(units[np.searchsorted(rows, place)]))
            for value, place in _by_group(table, metric, coefficient, grouping, rows)
            if value is not None
        ]
        sums, counts = np.zeros(count), np.zeros(count)
        for value, unit in found:
            sums[unit], counts[unit] = sums[unit] + value, counts[unit] + 1
        below = drawn @ counts
        return percentiles(ratio(drawn @ sums, below, below > 0))
    values = []
    for weights in drawn:
        again = np.repeat(rows, weights[units])
        means = [one for one, _ in _by_group(table, metric, coefficient, grouping, again) if one is not None]
        values.append(float(np.mean(means)) if means else np.nan)
    return percentiles(np.array(values))


def _by_group(
    table: MetaTable, metric: str, coefficient: Coefficient, grouping: Grouping, rows: NDArray[np.int64]
) -> list[tuple[float | None, int]]:
    """The coefficient of each group, None where it has none, and the group's first row. rows: which count."""
    x, y = table.people[rows], table.metrics[metric][rows]
    if grouping == "none":
        groups = np.zeros(len(x), np.int64)
    else:
        groups = {"item": table.item, "document": table.group, "system": table.system}[grouping][rows]
    order = np.argsort(groups, kind="stable")
    edges = np.flatnonzero(np.diff(groups[order])) + 1
    return [
        (_coefficient(x[places], y[places], _FUNCTIONS[coefficient]), int(rows[places[0]]))
        for places in (np.split(order, edges) if len(x) else ())
    ]


def _coefficient(x: Floats, y: Floats, function: Callable[[Floats, Floats], float]) -> float | None:
    if len(x) < MIN_POINTS or is_flat(x) or is_flat(y):
        return None
    value = function(x, y)
    return value if np.isfinite(value) else None


_FUNCTIONS: dict[str, Callable[[Floats, Floats], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


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
    """The known scores with mean 0 and variance 1, so that sums of squares keep their digits; NaN stays."""
    scaled = np.full(len(column), np.nan)
    known_rows = np.isfinite(column)
    scaled[known_rows] = standardised(column[known_rows])
    return scaled
