"""Reliability of ratings: rank and intraclass correlations, Krippendorff's alpha, and agreement by group.

A statistic that is not defined is None with a reason (`core/stats/estimate.py`), never NaN. Several scores
of one rater for one item count as their mean. Intraclass correlations are pingouin's ICC(2,1) and ICC(2,k)
(Shrout and Fleiss, 1979).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import OptionError
from core.raters.pairs import MIN_SHARED, Floats, codes, pearsons, shared_rows
from core.raters.ratings import Rating, RatingTable, columns, merged, subset
from core.raters.resampling import Alpha, mean_r, shared_only
from core.stats.bootstrap import MIN_UNITS, ROUNDING, percentiles, resamples
from core.stats.correlation import is_flat, rank_correlations
from core.stats.estimate import Estimate, Missing, absent


def intraclass(table: RatingTable) -> tuple[Estimate, Estimate]:
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


def _absolute_agreement(scores: NDArray[np.float64]) -> tuple[Estimate, Estimate]:
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


def _figure(value: float, ends: NDArray[np.float64], n: int, testable: bool) -> Estimate:
    low, high = ends
    if not np.isfinite(value):
        return absent("no-variance", n)
    if not testable or not np.isfinite([low, high]).all():
        return Estimate(value=float(value), n=n)
    return Estimate(value=float(value), n=n, low=float(low), high=float(high))


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
    mean_r: Estimate
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
    mean_r: Estimate
    mean_spearman: Estimate
    mean_kendall: Estimate
    icc_single: Estimate
    icc_mean: Estimate
    alpha: Estimate
    without: tuple[WithoutRater, ...]


def reliability(ratings: Sequence[Rating]) -> Reliability:
    """Every figure but the bootstrap's (`interval`). Raises InputError for a score that is not a number."""
    table = merged(columns(ratings))
    pairs = _pairs(table)
    single, mean = intraclass(table)
    everyone = _mean_of(pairs, "pearson", len(table.raters))
    return Reliability(
        raters=table.raters,
        pairs=pairs,
        mean_r=everyone,
        mean_spearman=_mean_of(pairs, "spearman", len(table.raters)),
        mean_kendall=_mean_of(pairs, "kendall", len(table.raters)),
        icc_single=single,
        icc_mean=mean,
        alpha=alpha_of(table),
        without=tuple(_without(rater, table.raters, pairs, everyone) for rater in table.raters),
    )


def interval(ratings: Sequence[Rating], statistic: Statistic, seed: int = 0) -> Estimate:
    """`mean_r` or `alpha` with its 95 % percentile interval from 1,000 resamples of the n shared items.

    A pair enters the mean of a resample in which both its raters vary. With fewer than 5 shared items, or
    where half of the resamples have no value, there is no interval. The same seed gives the same interval.
    Raises OptionError for another statistic, InputError for a score that is not a number.
    """
    if statistic not in STATISTICS:
        raise OptionError(
            "There is no statistic “{statistic}”; choose one of {statistics}.",
            statistic=statistic,
            statistics=", ".join(STATISTICS),
        )
    return _intervals(merged(columns(ratings)), (statistic,), seed)[statistic]


def intervals(ratings: Sequence[Rating], seed: int = 0) -> dict[Statistic, Estimate]:
    """`interval` of every statistic, from the same resamples."""
    return _intervals(merged(columns(ratings)), STATISTICS, seed)


def _intervals(table: RatingTable, statistics: Sequence[Statistic], seed: int) -> dict[Statistic, Estimate]:
    shared = shared_only(table)
    n = len(shared.items)
    drawn = list(resamples(n, seed=seed)) if n >= MIN_UNITS else []
    found = {}
    for statistic in statistics:
        mean = statistic == "mean_r"
        value = mean_r_of(table) if mean else _alpha(shared)
        figure = Estimate(value=value.value, n=n, missing=value.missing)
        if value.value is not None and drawn:
            low, high = percentiles(mean_r(shared, drawn) if mean else Alpha.of(shared)(drawn))
            figure = replace(figure, low=low, high=high)
        found[statistic] = figure
    return found


def mean_r_of(table: RatingTable) -> Estimate:
    """Mean pairwise r of a merged table, from as many pairs as have one."""
    found = pearsons(table)
    upper = np.triu_indices(len(table.raters), 1)
    return _mean(found.r[upper], found.n[upper], found.flat[upper], len(table.raters))


def alpha_of(table: RatingTable) -> Estimate:
    """Krippendorff's alpha of a merged table, on the items that two or more scored."""
    return _alpha(shared_only(table))


def _alpha(shared: RatingTable) -> Estimate:
    """The same of a table that `shared_only` made."""
    if len(shared.raters) < 2:
        return absent("one-rater", 0)
    n = len(shared.items)
    if n == 0:
        return absent("no-shared-items", 0)
    if is_flat(shared.score):
        return absent("no-variance", n)
    (value,) = Alpha.of(shared)([np.ones((1, n), np.uint8)]).tolist()
    return Estimate(value=value, n=n)


def _pairs(table: RatingTable) -> tuple[PairReliability, ...]:
    """Every two raters, the first before the second by name."""
    found = pearsons(table)
    by_rank = _rank_correlations(table, found.r)
    pairs = []
    for i, j in itertools.combinations(range(len(table.raters)), 2):
        n, first, second = int(found.n[i, j]), table.raters[i], table.raters[j]
        missing = _missing(n, flat=bool(found.flat[i, j]))
        if missing is not None:
            pairs.append(PairReliability(first=first, second=second, n=n, missing=missing))
            continue
        r, (rho, tau) = float(found.r[i, j]), by_rank[i, j]
        pairs.append(PairReliability(first=first, second=second, n=n, pearson=r, spearman=rho, kendall=tau))
    return tuple(pairs)


def _rank_correlations(table: RatingTable, r: Floats) -> dict[tuple[int, int], tuple[float, float]]:
    """Spearman's rho and Kendall's tau-b of the pairs that have an r, (raters, raters)."""
    code, levels = codes(table)
    return {
        (i, j): rank_correlations(code[one], code[other], levels=levels)
        for i, j, one, other in shared_rows(table)
        if np.isfinite(r[i, j])
    }


def _missing(n: int, *, flat: bool) -> Missing | None:
    if n < MIN_SHARED:
        return "few-items" if n else "no-shared-items"
    return "no-variance" if flat else None


def _mean(r: Floats, n: NDArray[np.int64], flat: NDArray[np.bool_], raters: int) -> Estimate:
    """The mean of the pairs' values, NaN for none, or the reason nearest to having one."""
    defined = r[np.isfinite(r)]
    if len(defined):
        return Estimate(value=math.fsum(defined) / len(defined), n=len(defined))
    if raters < 2:
        return absent("one-rater", 0)
    if flat.any():
        return absent("no-variance", 0)
    return absent("few-items" if n.any() else "no-shared-items", 0)


def _mean_of(pairs: Sequence[PairReliability], statistic: str, raters: int) -> Estimate:
    """The same of a figure of the pairs, by its name."""
    values = [getattr(pair, statistic) for pair in pairs]
    return _mean(
        np.array(values, np.float64),
        np.array([pair.n for pair in pairs], np.int64),
        np.array([pair.missing == "no-variance" for pair in pairs]),
        raters,
    )


def _without(
    rater: str, raters: Sequence[str], pairs: Sequence[PairReliability], everyone: Estimate
) -> WithoutRater:
    left = [pair for pair in pairs if rater not in (pair.first, pair.second)]
    mean = _mean_of(left, "pearson", len(raters) - 1)
    if mean.value is None or everyone.value is None:
        return WithoutRater(rater=rater, mean_r=mean, change=None)
    return WithoutRater(rater=rater, mean_r=mean, change=mean.value - everyone.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """How well raters agree on the items of one group.

    items, ratings: how many; several scores of one rater for one item are one rating. mean_r: mean pairwise
    Pearson's r; its n is the number of pairs that have one. alpha: Krippendorff's, interval data; its n is
    the number of items that two or more raters scored.
    """

    group: str
    items: int
    ratings: int
    mean_r: Estimate
    alpha: Estimate


def agreement_by_group(ratings: Sequence[Rating], group_of: Mapping[Any, str]) -> tuple[GroupAgreement, ...]:
    """Each group's agreement, in order of appearance; items without a group are left out.

    Raises InputError for a score that is not a number.
    """
    table = merged(columns(ratings))
    rows: dict[str, list[int]] = {group_of[item]: [] for item in table.items if item in group_of}
    for row, item in enumerate(table.item.tolist()):
        group = group_of.get(table.items[item])
        if group is not None:
            rows[group].append(row)
    found = []
    for group, own in rows.items():
        part = subset(table, np.array(own, np.int64))
        figures = {"mean_r": mean_r_of(part), "alpha": alpha_of(part)}
        found.append(GroupAgreement(group=group, items=len(part.items), ratings=len(own), **figures))
    return tuple(found)
