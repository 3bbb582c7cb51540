"""Ranking of systems: means, tests on shared segments, clusters, and how many more ratings are needed.

An item of these ratings is a segment: it has the same name under each system. A system's score for a
segment is the mean of its raters' scores. Normalise the ratings first where raters use the scale
differently.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.raters.agreement import gold
from core.raters.pairs import MIN_SHARED
from core.raters.ratings import Rating
from core.stats.bootstrap import MIN_UNITS, percentiles, resamples
from core.stats.estimate import Missing
from core.stats.permutation import flip_tests

ALPHA = 0.05
POWER = 0.8

Test = Literal["wilcoxon", "randomisation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMean:
    """A system's mean over its n segments, with a 95 % bootstrap interval over segments from 5 of them on."""

    system: str
    n: int
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two systems on their n shared segments; difference: the mean of first less second, None for n = 0.

    sd: the sample sd of the differences (ddof = 1). wilcoxon, randomisation: two-sided p, as they are in
    `compare`, by Holm over all pairs in `compare_all`. All three are None exactly when `missing` says why:
    `no-shared-items`, `few-items` (n < 3), `no-difference` (the same score in each segment).
    """

    first: str
    second: str
    n: int
    difference: float | None = None
    sd: float | None = None
    wilcoxon: float | None = None
    randomisation: float | None = None
    missing: Missing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreItems:
    """needed: segments in all to separate two systems; more: that less the n they share, at least 0.

    Both are None exactly when `missing` says why: `no-shared-items`, `few-items` (n < 3), `no-difference`.
    """

    n: int
    needed: int | None = None
    more: int | None = None
    missing: Missing | None = None


def system_means(
    ratings_by_system: Mapping[str, Sequence[Rating]], *, seed: int = 0
) -> tuple[SystemMean, ...]:
    """The systems that have ratings, best first, equal ones by name. Raises InputError for no number.

    The interval is the middle 95 % of 1,000 means of resampled segments; it depends on no other system.
    """
    scores = {name: np.array(list(_by_segment(own).values())) for name, own in ratings_by_system.items()}
    ends = _intervals(scores, seed)
    found = [
        SystemMean(system=name, n=len(own), mean=math.fsum(own) / len(own), low=low, high=high)
        for name, own in scores.items()
        if len(own)
        for low, high in [ends.get(name, (None, None))]
    ]
    return tuple(sorted(found, key=lambda one: (-round(one.mean, 9), one.system)))


def compare(
    a: Sequence[Rating], b: Sequence[Rating], *, names: tuple[str, str] = ("a", "b"), seed: int = 0
) -> Comparison:
    """Wilcoxon's signed-rank test and approximate randomisation on the segments that two systems share.

    Wilcoxon leaves out segments without a difference. Randomisation flips the signs of the differences
    (core/raters/ranking.py). Raises InputError for a score that is not a number.
    """
    differences = _differences(_by_segment(a), _by_segment(b))
    flipped = 0.0 if _missing(differences) else flip_tests([differences], seed=seed)[0]
    return _comparison(differences, names, flipped)


def compare_all(
    ratings_by_system: Mapping[str, Sequence[Rating]], *, seed: int = 0
) -> tuple[Comparison, ...]:
    """Every two systems (by name, the first before the second); p corrected by Holm over those with a p."""
    scores = {name: _by_segment(ratings) for name, ratings in ratings_by_system.items()}
    pairs = list(itertools.combinations(sorted(scores), 2))
    differences = [_differences(scores[a], scores[b]) for a, b in pairs]
    tested = [one for one in differences if _missing(one) is None]
    flipped = iter(flip_tests(tested, seed=seed))
    found = [
        _comparison(one, names, 0.0 if _missing(one) else next(flipped))
        for one, names in zip(differences, pairs, strict=True)
    ]
    wilcoxon = iter(holm([one.wilcoxon for one in found if one.wilcoxon is not None]))
    flips = iter(holm([one.randomisation for one in found if one.randomisation is not None]))
    return tuple(
        one if one.missing else replace(one, wilcoxon=next(wilcoxon), randomisation=next(flips))
        for one in found
    )


def holm(p: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down correction of p values in 0..1, in their order. Loads statsmodels on first use."""
    from statsmodels.stats.multitest import multipletests

    return tuple(multipletests(p, method="holm")[1].tolist()) if p else ()


def clusters(
    means: Sequence[SystemMean],
    comparisons: Sequence[Comparison],
    *,
    test: Test = "wilcoxon",
    alpha: float = ALPHA,
) -> tuple[tuple[str, ...], ...]:
    """Systems, best first, in clusters as WMT prints them.

    A new cluster begins where every system above is better than every system below with p < alpha. A pair
    that was not compared, or has no p, is not separated. means: as `system_means` orders them.
    """
    won = set()
    for one in comparisons:
        p = one.wilcoxon if test == "wilcoxon" else one.randomisation
        if p is not None and p < alpha and one.difference is not None:
            won.add((one.first, one.second) if one.difference > 0 else (one.second, one.first))
    names = [one.system for one in means]
    starts = [
        i
        for i in range(len(names))
        if all((above, below) in won for above in names[:i] for below in names[i:])
    ]
    return tuple(tuple(names[i:j]) for i, j in itertools.pairwise([*starts, len(names)]))


def more_items(a: Sequence[Rating], b: Sequence[Rating]) -> MoreItems:
    """How many more shared segments would separate two systems at alpha 0.05, two-sided, with power 0.8.

    needed = ((z(1 - alpha/2) + z(power)) s / d)², rounded up, by the normal approximation; d and s are mean
    and sample sd (ddof = 1) of the differences so far, which are taken to stay as they are.
    Raises InputError for a score that is not a number.
    """
    return more_items_of(_comparison(_differences(_by_segment(a), _by_segment(b)), ("a", "b"), 0.0))


def more_items_of(one: Comparison) -> MoreItems:
    """The same from a comparison that was made already."""
    missing = one.missing
    if missing is None and one.difference == 0:
        missing = "no-difference"
    if missing is not None or one.difference is None or one.sd is None:
        return MoreItems(n=one.n, missing=missing)
    z = stats.norm.ppf(1 - ALPHA / 2) + stats.norm.ppf(POWER)
    needed = math.ceil((z * one.sd / one.difference) ** 2)
    return MoreItems(n=one.n, needed=needed, more=max(0, needed - one.n))


def _by_segment(ratings: Sequence[Rating]) -> dict[Hashable, float]:
    """The mean score of each segment, in the order of their repr: the order of rows changes nothing."""
    found = {one.item: one.mean for one in gold(ratings)}
    return {item: found[item] for item in sorted(found, key=repr)}


def _intervals(
    scores: Mapping[str, NDArray[np.float64]], seed: int
) -> dict[str, tuple[float, float] | tuple[None, None]]:
    """The interval of each system's mean, from 5 segments on. As many segments, the same resamples."""
    by_count: dict[int, list[str]] = {}
    for name, own in scores.items():
        by_count.setdefault(len(own), []).append(name)
    found: dict[str, tuple[float, float] | tuple[None, None]] = {}
    for n, names in by_count.items():
        if n >= MIN_UNITS:
            table = np.column_stack([scores[name] for name in names]) / n
            drawn = resamples(n, seed=seed)
            means = np.concatenate([weights.astype(np.float64) @ table for weights in drawn])
            found |= {name: percentiles(column) for name, column in zip(names, means.T, strict=True)}
    return found


def _comparison(differences: NDArray[np.float64], names: tuple[str, str], flipped: float) -> Comparison:
    """flipped: the p by randomisation, of no meaning where there is no test."""
    (first, second), n = names, len(differences)
    missing = _missing(differences)
    if missing is not None:
        difference = float(differences.mean()) if n else None
        return Comparison(first=first, second=second, n=n, difference=difference, missing=missing)
    return Comparison(
        first=first,
        second=second,
        n=n,
        difference=float(differences.mean()),
        sd=float(differences.std(ddof=1)),
        wilcoxon=float(stats.wilcoxon(differences).pvalue),
        randomisation=flipped,
    )


def _differences(a: Mapping[Hashable, float], b: Mapping[Hashable, float]) -> NDArray[np.float64]:
    """(n,) first less second per shared segment, to nine decimals: rounding of means must not break a tie."""
    return np.round([score - b[item] for item, score in a.items() if item in b], 9)


def _missing(differences: NDArray[np.float64]) -> Missing | None:
    if len(differences) < MIN_SHARED:
        return "few-items" if len(differences) else "no-shared-items"
    return None if differences.any() else "no-difference"
