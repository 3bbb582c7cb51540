"""Ridge regression: min ‖y - b - Xw‖² + α‖w‖², for many α from one decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.calibration.features import Floats

ALPHAS = tuple(float(10.0**power) for power in np.arange(0, 5.01, 0.5))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Linear:
    """weights: (q,) of standardised features. alpha: the penalty that they were fitted with."""

    weights: Floats
    intercept: float
    alpha: float

    def predict(self, prepared: Floats) -> Floats:
        """(n, q) -> (n,)."""
        return np.asarray(prepared @ self.weights + self.intercept)


def fit_ridge(prepared: Floats, people: Floats, alphas: Sequence[float] = ALPHAS) -> list[Linear]:
    """One for each α, in order. prepared: (n, q); people: (n,)."""
    centre, mean = prepared.mean(axis=0), float(people.mean())
    left, singular, right = np.linalg.svd(prepared - centre, full_matrices=False)
    along = left.T @ (people - mean)
    found = []
    for alpha in alphas:
        weights = right.T @ (singular / (singular**2 + alpha) * along)
        found.append(Linear(weights=weights, intercept=mean - float(centre @ weights), alpha=float(alpha)))
    return found
