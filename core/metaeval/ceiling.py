"""How far metrics could agree with people: what one more rater reaches on the same translations.

Of each translation with two scores or more, one score at random is held out; the mean of the others is what
is to be met. The r of the held-out scores with these means is what one more rater reaches; a metric's r with
the same means, on the same translations, stands beside it. Both are means over several random choices.

A metric is worth as many raters as would have to be averaged to reach its r. With ρ the reliability of one
rater's score and m the mean number of the others, one more rater reaches ρ √m / √(1 + (m - 1) ρ), from which
ρ follows; with q the metric's r over the rater's, k = q² (1 - ρ) / (1 - q² ρ) (Spearman and Brown's formula).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metaeval.evaluation import Floats, MetaTable
from core.stats.bootstrap import MIN_UNITS, moments, percentiles, resampled_r, resamples, weighted_r
from core.stats.estimate import Estimate, absent

CHOICES = 20
"""Random choices of the score that is held out."""

LEAST = 10
"""Translations with two scores or more; with fewer there is no figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricWorth:
    """A metric's r with the mean of the other raters, and how many raters it is worth; None if it cannot be.

    Raters may be less than one. None where the metric's r is not above 0, or as high as any number of raters.
    """

    r: Estimate
    raters: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """What one more rater reaches, and the metrics beside it, with 95 % intervals over documents.

    others: how many scores are averaged beside the one held out, in the mean.
    """

    one_rater: Estimate
    metrics: Mapping[str, MetricWorth]
    others: float


def ceiling(table: MetaTable, scores: Sequence[Sequence[float]], *, seed: int = 0) -> Ceiling | None:
    """The ceiling of a table. scores: of each row, one a rater.

    None with fewer than LEAST translations that two raters or more have scored.
    """
    rows = np.array([row for row, own in enumerate(scores) if len(own) > 1], np.int64)
    if len(rows) < LEAST:
        return None
    counts = np.array([len(scores[row]) for row in rows])
    sums = np.array([math.fsum(scores[row]) for row in rows])
    units = np.unique(table.group[rows], return_inverse=True)[1]
    count = int(units.max()) + 1
    rng = np.random.default_rng(seed)
    held = np.empty((CHOICES, len(rows)))
    for choice in range(CHOICES):
        picks = (rng.random(len(rows)) * counts).astype(np.int64)
        held[choice] = [scores[row][pick] for row, pick in zip(rows, picks, strict=True)]
    others = (sums - held) / (counts - 1)
    weights = list(resamples(count, seed=seed)) if count >= MIN_UNITS else []
    people = _means(held, others, units, count, weights)
    mean_others = float((counts - 1).mean())
    found = {}
    for name, column in table.metrics.items():
        known = np.isfinite(column[rows])
        if known.sum() < LEAST:
            few = absent("few-items", int(known.sum()))
            found[name] = MetricWorth(r=few, raters=few)
            continue
        own = np.broadcast_to(column[rows][known], (CHOICES, int(known.sum())))
        metric = _means(own, others[:, known], units[known], count, weights)
        same = (
            people if known.all() else _means(held[:, known], others[:, known], units[known], count, weights)
        )
        n = int(known.sum())
        worth = _worth(metric, same, mean_others)
        found[name] = MetricWorth(r=_estimate(metric, n), raters=_estimate(worth, n))
    return Ceiling(one_rater=_estimate(people, len(rows)), metrics=found, others=mean_others)


def _means(
    x: Floats, y: Floats, units: NDArray[np.int64], count: int, weights: Sequence[NDArray[np.uint8]]
) -> Floats:
    """(1 + resamples,) the mean r over the choices: of all rows, then of each resample of the units."""
    sums = [moments(one, other, units, count) for one, other in zip(x, y, strict=True)]
    whole = [weighted_r(one.sum(axis=0))[0] for one in sums]
    drawn = [resampled_r(one, weights) for one in sums] if weights else np.empty((CHOICES, 0))
    return np.concatenate([[np.mean(whole)], np.mean(drawn, axis=0)])


def _worth(metric: Floats, people: Floats, others: float) -> Floats:
    """How many raters reach the metric's r; NaN where none or no number of them does."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(people > 0, people, np.nan)
        reliability = (r**2 * (others - 1) + np.sqrt(r**4 * (others - 1) ** 2 + 4 * others * r**2)) / (
            2 * others
        )
        squared = np.where(metric > 0, metric / r, np.nan) ** 2
        below = 1 - squared * reliability
        return np.where(below > 0, squared * (1 - reliability) / below, np.nan)


def _estimate(values: Floats, n: int) -> Estimate:
    if not np.isfinite(values[0]):
        return absent("no-variance", n)
    low, high = percentiles(values[1:]) if len(values) > 1 else (None, None)
    return Estimate(value=float(values[0]), n=n, low=low, high=high)
