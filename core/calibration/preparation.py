"""Features made ready for a model: gaps filled with the mean and marked, everything on one scale.

A gap is a statement of its own (“this metric had nothing to say”): its mark is a feature, so that a model
learns what gaps mean and the mean that stands in says nothing by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.features import Floats


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Preparation:
    """Learnt from training rows only. mean: (p,) what fills a gap. marked: (m,) bool over p, see `apply`.

    centre, scale: (p + m,) of the filled features and of the marks; scale is 1 where nothing varies.
    """

    mean: Floats
    marked: NDArray[np.bool_]
    centre: Floats
    scale: Floats

    @classmethod
    def of(cls, values: Floats) -> Preparation:
        """From (n, p) training features with NaN for gaps; a feature that nobody has counts as 0."""
        gaps = np.isnan(values)
        there = (~gaps).sum(axis=0)
        mean = np.where(gaps, 0.0, values).sum(axis=0) / np.maximum(there, 1)
        marked = np.asarray(gaps.any(axis=0))
        wide = _widened(values, mean, marked)
        spread = wide.std(axis=0)
        still = spread <= 1e-9 * np.maximum(np.abs(wide).max(axis=0), 1e-300)
        return cls(mean=mean, marked=marked, centre=wide.mean(axis=0), scale=np.where(still, 1.0, spread))

    def unmet(self, values: Floats) -> NDArray[np.bool_]:
        """(n, p) features -> (n,): whether one lacks a feature that no training row lacked.

        Nothing is known of such a gap, so nothing may be put into it.
        """
        return np.asarray((np.isnan(values) & ~self.marked).any(axis=1))

    def apply(self, values: Floats) -> Floats:
        """(n, p) features -> (n, p + m) standardised: filled, then 1 or 0 for each that had gaps before."""
        return np.asarray((_widened(values, self.mean, self.marked) - self.centre) / self.scale)


def _widened(values: Floats, mean: Floats, marked: NDArray[np.bool_]) -> Floats:
    gaps = np.isnan(values)
    return np.concatenate([np.where(gaps, mean, values), gaps[:, marked].astype(np.float64)], axis=1)
