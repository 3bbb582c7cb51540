"""Do two raters mean the same by the same score? Bias and limits of agreement of Bland and Altman (1999)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.raters.agreement import shared_scores
from core.raters.figures import Figure, Missing, absent
from core.raters.pairs import MIN_SHARED
from core.raters.ratings import Rating

LIMIT = 1.96
_TAIL = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An item that both scored: the mean of the two scores, and that of the first less that of the second."""

    item: Hashable
    mean: float
    difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BlandAltman:
    """Two raters on the n items they share; all in points of the scale.

    bias: the mean of the differences, d; above 0 where the first is more lenient. sd: s, of the differences
    (ddof = 1). lower, upper: the limits of agreement, d ± 1.96 s; between them lie 95 % of differences that
    are normally distributed. The intervals have t with n - 1 degrees of freedom and the standard errors
    s sqrt(1/n) of the bias and s sqrt(1/n + 1.96² / (2 (n - 1))) of a limit.
    The three are missing, and sd is None, for `no-shared-items` and `few-items` (n < 3).
    """

    first: str
    second: str
    n: int
    bias: Figure
    sd: float | None
    lower: Figure
    upper: Figure
    points: tuple[Point, ...]


def bland_altman(ratings: Sequence[Rating], first: str, second: str) -> BlandAltman:
    """Two raters' scores as given, points in order of appearance. Raises InputError for no number."""
    shared = shared_scores(ratings, first, second)
    x, y, n = np.array(shared.x), np.array(shared.y), len(shared.items)
    difference = x - y
    points = tuple(
        Point(item=item, mean=mean, difference=gap)
        for item, mean, gap in zip(shared.items, ((x + y) / 2).tolist(), difference.tolist(), strict=True)
    )
    if n < MIN_SHARED:
        missing: Missing = "few-items" if n else "no-shared-items"
        bias = lower = upper = absent(missing, n)
        return BlandAltman(
            first=first, second=second, n=n, bias=bias, sd=None, lower=lower, upper=upper, points=points
        )
    d, s = float(difference.mean()), float(difference.std(ddof=1))
    of_limit = s * math.sqrt(1 / n + LIMIT**2 / (2 * (n - 1)))
    return BlandAltman(
        first=first,
        second=second,
        n=n,
        bias=_figure(d, s / math.sqrt(n), n),
        sd=s,
        lower=_figure(d - LIMIT * s, of_limit, n),
        upper=_figure(d + LIMIT * s, of_limit, n),
        points=points,
    )


def _figure(value: float, error: float, n: int) -> Figure:
    half = float(stats.t.ppf(_TAIL, n - 1)) * error
    return Figure(value=value, n=n, low=value - half, high=value + half)
