"""What a model lives on: how far r falls when a metric's features are shuffled in unseen translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.features import Floats, groups_of
from core.calibration.training import Training
from core.calibration.validation import Validation
from core.metaeval.correlation import pearson

REPEATS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """By how much Pearson's r of the cross-validated predictions falls; low, high: over the shufflings.

    group: a metric, all its features shuffled together, or `text`. features: how many they are.
    """

    group: str
    features: int
    fall: float
    low: float
    high: float


def importances(
    data: Training, found: Validation, *, repeats: int = REPEATS, progress: Progress = silent
) -> list[Importance]:
    """Every metric's, the largest first; empty where predictions or people do not vary.

    Metrics that say the same hide one another: shuffling one leaves the other. A small fall is no proof that
    a metric is worth nothing.
    """
    known = np.isfinite(found.people) & np.isfinite(found.predicted)
    people = found.people[known]
    if len(people) < 3 or np.ptp(people) == 0 or np.ptp(found.predicted[known]) == 0:
        return []
    whole = pearson(people, found.predicted[known])
    groups = groups_of(data.features.names)
    rows = []
    for done, (group, columns) in enumerate(groups.items(), start=1):
        falls = [
            whole - pearson(people, _shuffled(data, found, columns, seed=found.seed + repeat)[known])
            for repeat in range(repeats)
        ]
        rows.append(
            Importance(
                group=group,
                features=len(columns),
                fall=float(np.mean(falls)),
                low=float(min(falls)),
                high=float(max(falls)),
            )
        )
        progress(done, len(groups))
    return sorted(rows, key=lambda one: -one.fall)


def _shuffled(data: Training, found: Validation, columns: Sequence[int], *, seed: int) -> Floats:
    """(n,) predictions with these columns, gaps and all, taken from another translation of the same fold."""
    rng = np.random.default_rng(seed)
    predicted = found.predicted.copy()
    for fold, model in zip(found.folds, found.models, strict=True):
        test = fold.test[np.isfinite(found.predicted[fold.test])]
        values = data.features.values[test].copy()
        values[:, columns] = values[rng.permutation(len(values))][:, columns]
        predicted[test] = model.predict(values)
    return predicted


def weights_by_feature(found: Validation, names: Sequence[str]) -> Mapping[str, float]:
    """The ridge's weight of each feature, for one standard deviation of it, as a mean over the folds."""
    weights = [one.ridge.weights[: len(names)] for one in found.models if one.ridge is not None]
    return dict(zip(names, np.mean(weights, axis=0).tolist(), strict=True)) if weights else {}
