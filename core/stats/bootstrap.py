"""The bootstrap: draw units (items, documents) with replacement, as many as there are, and compute again.

A resample is a row of weights, (units,): how often each unit was drawn. Statistics are weighted sums over
units, so that all resamples are one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Weights = NDArray[np.uint8]
"""(batch, units): how often each unit was drawn. More than 255 times does not happen."""

RESAMPLES = 1000
MIN_UNITS = 5
"""With fewer units there is no interval: most resamples repeat one or two of them."""

ROUNDING = 1e-12
"""A sum of squares below this share of its parts is rounding."""

_TAILS = (0.025, 0.975)
_CELLS = 2_000_000  # weights in memory at a time


def resamples(units: int, *, seed: int, count: int = RESAMPLES) -> Iterator[Weights]:
    """`count` resamples in batches of weights, (batch, units) each; each row sums to `units`."""
    rng = np.random.default_rng(seed)
    batch = max(1, _CELLS // max(units, 1))
    for start in range(0, count if units else 0, batch):
        size = min(batch, count - start)
        picks = rng.integers(0, units, (size, units))
        picks += units * np.arange(size)[:, None]
        yield np.bincount(picks.ravel(), minlength=size * units).reshape(size, units).astype(np.uint8)


def percentiles(values: Floats) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the resamples' values; None where half of them or more are not finite."""
    defined = values[np.isfinite(values)]
    if 2 * len(defined) <= len(values):
        return None, None
    low, high = np.quantile(defined, _TAILS)
    return float(low), float(high)


def moments(x: Floats, y: Floats, unit: NDArray[np.int64], units: int) -> Floats:
    """(units, 6) sums of 1 x y x² y² xy over the rows of each unit; x, y and unit are (n,)."""
    terms = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    return np.stack([np.bincount(unit, term, units) for term in terms], axis=1)


def weighted_r(sums: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """(6, …) sums of 1 x y x² y² xy to Pearson's r, (…), and where it is defined; NaN elsewhere."""
    n, x, y, xx, yy, xy = sums
    least = np.maximum(n, 1)
    in_x, in_y = xx - x * x / least, yy - y * y / least
    known = (in_x > ROUNDING * xx) & (in_y > ROUNDING * yy)
    return ratio(xy - x * y / least, np.sqrt(np.abs(in_x * in_y)), known), known


def resampled_r(sums: Floats, batches: Iterable[Weights | Floats]) -> Floats:
    """(units, 6) `moments` and resamples to (resamples,) Pearson's r; NaN where a resample does not vary."""
    return np.concatenate([weighted_r((batch.astype(np.float64) @ sums).T)[0] for batch in batches])


def ratio(above: Floats, below: Floats | NDArray[np.int64], known: NDArray[np.bool_]) -> Floats:
    """Above / below where known, NaN elsewhere."""
    quotient = np.full(above.shape, np.nan)
    np.divide(above, below, out=quotient, where=known)
    return quotient
