"""How far ratings can be relied on: rank correlations, intraclass correlations, Krippendorff's alpha.

A figure that cannot be had is None with a word why (core/human/figures.py), never NaN. Several scores of one
rater for one item count as their mean, as in core/human/agreement.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.errors import OptionError
from core.human.agreement import MIN_SHARED, common_items, correlate, is_flat, rows_by_rater
from core.human.figures import Figure, Missing, absent
from core.human.intraclass import intraclass
from core.human.ratings import Columns, Rating, columns, merged
from core.human.resampling import MIN_ITEMS, Alpha, MeanR, percentiles, resamples, shared_only

Statistic = Literal["mean_r", "alpha"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReliability:
    """Two raters, n shared items: Pearson's r, Spearman's rho, Kendall's tau-b, each in -1..1.

    All three are None exactly when `missing` says why: `no-shared-items`, `few-items` (n < 3), `no-variance`.
    """

    first: str
    second: str
    n: int
    pearson: float | None = None
    spearman: float | None = None
    kendall: float | None = None
    missing: Missing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutRater:
    """Mean pairwise r without one rater. change: that less everyone's mean; None where one is missing."""

    rater: str
    mean_r: Figure
    change: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """mean_…: plain means over the pairs that have one; their n is the number of those pairs.

    icc_single, icc_mean: ICC(2,1) and ICC(2,k) of Shrout and Fleiss (absolute agreement of random raters, of
    one and of the mean of all) on the n items that all raters scored; their interval is missing where the F
    ratio is 0 or infinite. alpha: Krippendorff's, interval data, on the n items that two or more scored.
    """

    raters: tuple[str, ...]
    pairs: tuple[PairReliability, ...]
    mean_r: Figure
    mean_spearman: Figure
    mean_kendall: Figure
    icc_single: Figure
    icc_mean: Figure
    alpha: Figure
    without: tuple[WithoutRater, ...]


def reliability(ratings: Sequence[Rating]) -> Reliability:
    """Every figure but the bootstrap's (`interval`). Raises InputError for a score that is no number."""
    table = merged(columns(ratings))
    pairs = _pairs(table)
    single, mean = intraclass(table)
    mean_r = _mean_r(pairs, len(table.raters))
    return Reliability(
        raters=table.raters,
        pairs=pairs,
        mean_r=mean_r,
        mean_spearman=_mean(pairs, [pair.spearman for pair in pairs], len(table.raters)),
        mean_kendall=_mean(pairs, [pair.kendall for pair in pairs], len(table.raters)),
        icc_single=single,
        icc_mean=mean,
        alpha=_alpha(table),
        without=tuple(_without(rater, table.raters, pairs, mean_r) for rater in table.raters),
    )


def interval(ratings: Sequence[Rating], statistic: Statistic, seed: int = 0) -> Figure:
    """`mean_r` or `alpha` with its 95 % percentile interval from 1,000 resamples of the n shared items.

    A pair enters the mean of a resample in which both its raters vary. With fewer than 5 shared items, or
    where half of the resamples have no value, there is no interval. The same seed gives the same interval.
    Raises OptionError for another statistic, InputError for a score that is no number.
    """
    if statistic not in STATISTICS:
        raise OptionError(f"There is no statistic “{statistic}”; choose one of {', '.join(STATISTICS)}.")
    table = merged(columns(ratings))
    value = _mean_r(_pairs(table), len(table.raters)) if statistic == "mean_r" else _alpha(table)
    shared = shared_only(table)
    n = len(shared.items)
    if value.value is None or n < MIN_ITEMS:
        return Figure(value=value.value, n=n, missing=value.missing)
    compute = MeanR.of(shared) if statistic == "mean_r" else Alpha.of(shared)
    low, high = percentiles(np.concatenate([compute(weights) for weights in resamples(n, seed=seed)]))
    return Figure(value=value.value, n=n, low=low, high=high)


def _pairs(table: Columns) -> tuple[PairReliability, ...]:
    """Every two raters, the first before the second by name."""
    found = []
    rows = zip(table.raters, rows_by_rater(table), strict=True)
    for (first, one), (second, other) in itertools.combinations(rows, 2):
        _, x, y = common_items(one, other)
        found.append(_pair(first, second, x, y))
    return tuple(found)


def _pair(first: str, second: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> PairReliability:
    n = len(x)
    missing: Missing | None = None
    if n < MIN_SHARED:
        missing = "few-items" if n else "no-shared-items"
    elif is_flat(x) or is_flat(y):
        missing = "no-variance"
    if missing is not None:
        return PairReliability(first=first, second=second, n=n, missing=missing)
    return PairReliability(
        first=first,
        second=second,
        n=n,
        pearson=correlate(first, second, x, y).r,
        spearman=float(stats.spearmanr(x, y).statistic),
        kendall=float(stats.kendalltau(x, y).statistic),
    )


def _mean_r(pairs: Sequence[PairReliability], raters: int) -> Figure:
    return _mean(pairs, [pair.pearson for pair in pairs], raters)


def _mean(pairs: Sequence[PairReliability], values: Sequence[float | None], raters: int) -> Figure:
    """The mean of the values there are, or the reason nearest to having one: no-variance, few-items."""
    defined = [value for value in values if value is not None]
    if defined:
        return Figure(value=math.fsum(defined) / len(defined), n=len(defined))
    if raters < 2:
        return absent("one-rater", 0)
    reasons = {pair.missing for pair in pairs}
    if "no-variance" in reasons:
        return absent("no-variance", 0)
    return absent("few-items" if "few-items" in reasons else "no-shared-items", 0)


def _without(
    rater: str, raters: Sequence[str], pairs: Sequence[PairReliability], everyone: Figure
) -> WithoutRater:
    left = [pair for pair in pairs if rater not in (pair.first, pair.second)]
    mean = _mean_r(left, len(raters) - 1)
    if mean.value is None or everyone.value is None:
        return WithoutRater(rater=rater, mean_r=mean, change=None)
    return WithoutRater(rater=rater, mean_r=mean, change=mean.value - everyone.value)


def _alpha(table: Columns) -> Figure:
    if len(table.raters) < 2:
        return absent("one-rater", 0)
    shared = shared_only(table)
    n = len(shared.items)
    if n == 0:
        return absent("no-shared-items", 0)
    if is_flat(shared.score):
        return absent("no-variance", n)
    (value,) = Alpha.of(shared)(np.ones((1, n))).tolist()
    return Figure(value=value, n=n)
