"""Correlations with people, and differences between two of them, over a bootstrap of whole documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.calibration.features import Floats
from core.calibration.folds import Ints
from core.metaeval.correlation import pearson

RESAMPLES = 2000
MIN_GROUPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 95 % interval over n translations; None where there is none."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.low is not None and self.low > 0


class Bootstrap:
    """People's scores, (n,), NaN for none, and the documents that are drawn, with a seed.

    Columns are taken as they are: nothing is fitted again for a drawing.
    """

    def __init__(self, people: Floats, document: Ints, *, seed: int) -> None:
        self._people = people
        self._size = int(document.max()) + 1
        self._document = document
        there = np.unique(document)
        picks = np.random.default_rng(seed).choice(there, (RESAMPLES, len(there)))
        self._weights = np.zeros((RESAMPLES, self._size))
        np.add.at(self._weights, (np.arange(RESAMPLES)[:, None], picks), 1.0)

    def correlation(self, column: Floats) -> Estimate:
        """Pearson's r of a column, (n,), with people, where both are known."""
        rows = np.isfinite(self._people) & np.isfinite(column)
        values, drawn = self._r(column, rows)
        return self._estimate(values, drawn, rows)

    def gain(self, column: Floats, other: Floats) -> Estimate:
        """How far r of the first column lies above r of the other, where both are known."""
        rows = np.isfinite(self._people) & np.isfinite(column) & np.isfinite(other)
        (first, first_drawn), (second, second_drawn) = self._r(column, rows), self._r(other, rows)
        return self._estimate(first - second, first_drawn - second_drawn, rows)

    def inside(self, column: Floats) -> Estimate:
        """The mean over documents of r inside each, of those in which both vary; n: translations in them."""
        return self._mean(self._inside(column), np.isfinite(self._people) & np.isfinite(column))

    def inside_gain(self, column: Floats, other: Floats) -> Estimate:
        """The mean over documents of how far r of the first lies above r of the other inside each."""
        rows = np.isfinite(self._people) & np.isfinite(column) & np.isfinite(other)
        first, second = (self._inside(np.where(rows, one, np.nan)) for one in (column, other))
        return self._mean(first - second, rows)

    def _inside(self, column: Floats) -> Floats:
        """(documents,) r inside each; NaN with fewer than three translations or where nothing varies."""
        found = np.full(self._size, np.nan)
        for name in np.unique(self._document).tolist():
            rows = (self._document == name) & np.isfinite(self._people) & np.isfinite(column)
            h, x = self._people[rows], column[rows]
            if len(h) > 2 and np.ptp(h) > 0 and np.ptp(x) > 1e-12 * np.abs(x).max():
                found[name] = pearson(h, x)
        return found

    def _mean(self, values: Floats, rows: np.ndarray) -> Estimate:
        known = np.isfinite(values)
        if not known.any():
            return Estimate(value=None, low=None, high=None, n=0)
        weights = self._weights[:, known]
        counts = weights.sum(axis=1)
        drawn = weights @ values[known] / np.where(counts > 0, counts, np.nan)
        return self._estimate(float(values[known].mean()), drawn, rows & known[self._document])

    def _r(self, column: Floats, rows: np.ndarray) -> tuple[float, Floats]:
        """r, and (RESAMPLES,) r of each drawing; NaN where nothing varies."""
        h, x, group = self._people[rows], column[rows], self._document[rows]
        if len(h) < 3 or np.ptp(h) == 0 or np.ptp(x) <= 1e-12 * np.abs(x).max():
            return float("nan"), np.full(RESAMPLES, np.nan)
        h, x = (h - h.mean()) / h.std(), (x - x.mean()) / x.std()
        moments = (np.ones(len(h)), h, x, h * h, x * x, h * x)
        sums = np.stack([np.bincount(group, one, self._size) for one in moments], axis=1)
        n, a, b, aa, bb, ab = (self._weights @ sums).T
        n = np.maximum(n, 1)
        spread = np.maximum((aa - a * a / n) * (bb - b * b / n), 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = (ab - a * b / n) / np.sqrt(spread)
        return float((h * x).mean()), np.where(spread > 1e-12, drawn, np.nan)

    def _estimate(self, value: float, drawn: Floats, rows: np.ndarray) -> Estimate:
        drawn = drawn[np.isfinite(drawn)]
        n = int(rows.sum())
        if not np.isfinite(value):
            return Estimate(value=None, low=None, high=None, n=n)
        if len(np.unique(self._document[rows])) < MIN_GROUPS or 2 * len(drawn) <= RESAMPLES:
            return Estimate(value=value, low=None, high=None, n=n)
        low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
        return Estimate(value=value, low=low, high=high, n=n)
