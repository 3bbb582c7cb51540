"""Cross-validation by document: the calibrated score against the best single metric.

Correlations and their differences have intervals from a bootstrap over whole documents. The importance of a
metric is the decrease of r when its features are permuted in unseen translations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.features import Floats, groups_of
from core.calibration.model import FAMILIES, OUTER, Family, Fold, Ints, Model, fit, folds_of
from core.calibration.training import Training
from core.stats.bootstrap import MIN_UNITS, moments, percentiles, resampled_r, resamples
from core.stats.correlation import is_flat, pearson, standardised
from core.stats.estimate import Estimate, absent

RESAMPLES = 2000


class Bootstrap:
    """People's scores, (n,), NaN for none, and the documents that are drawn, with a seed.

    Columns are taken as they are: nothing is fitted again for a drawing.
    """

    def __init__(self, people: Floats, document: Ints, *, seed: int) -> None:
        self._people = people
        self._size = int(document.max()) + 1
        self._document = document
        drawn = np.unique(document)
        self._weights = np.zeros((RESAMPLES, self._size))
        batches = resamples(len(drawn), seed=seed, count=RESAMPLES)
        self._weights[:, drawn] = np.concatenate(list(batches))

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
            if len(h) > 2:
                found[name] = pearson(h, x)
        return found

    def _mean(self, values: Floats, rows: np.ndarray) -> Estimate:
        known = np.isfinite(values)
        if not known.any():
            return absent("few-items", 0)
        weights = self._weights[:, known]
        counts = weights.sum(axis=1)
        drawn = weights @ values[known] / np.where(counts > 0, counts, np.nan)
        return self._estimate(float(values[known].mean()), drawn, rows & known[self._document])

    def _r(self, column: Floats, rows: np.ndarray) -> tuple[float, Floats]:
        """r, and (RESAMPLES,) r of each drawing; NaN where nothing varies."""
        h, x, group = self._people[rows], column[rows], self._document[rows]
        if len(h) < 3 or is_flat(h) or is_flat(x):
            return float("nan"), np.full(RESAMPLES, np.nan)
        h, x = standardised(h), standardised(x)
        return float((h * x).mean()), resampled_r(moments(h, x, group, self._size), [self._weights])

    def _estimate(self, value: float, drawn: Floats, rows: np.ndarray) -> Estimate:
        n = int(rows.sum())
        if not np.isfinite(value):
            return absent("no-variance", n)
        documents = len(np.unique(self._document[rows]))
        low, high = percentiles(drawn) if documents >= MIN_UNITS else (None, None)
        return Estimate(value=value, low=low, high=high, n=n)


TARGET_GAIN = 0.05
MOSTLY_SCORED = 0.95
"""A metric can be the best single one only if it has scores of so large a share of the translations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """The mean r inside documents of the calibrated score and of the best metric, and what is gained there.

    r over all translations also rewards a score that only tells documents apart, such as hard ones from easy
    ones; this one does not.
    """

    calibrated: Estimate
    best: Estimate
    gain: Estimate


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Validation:
    """What cross-validation by document found. seed: of folds, trees and bootstrap.

    models: one for each fold; predicted: (n,) each translation's score by the model that did not see its
    document, with the family chosen inside the training folds. calibrated: r of these with people.
    families: the same had one family been fixed beforehand. metrics: each single metric's r, unfitted.
    best: the metric with the highest r, picked on these very data, which favours it; None where no metric has
    one. gain: calibrated less best, on the translations that both score. inside: the same inside documents,
    None without a best metric.
    """

    folds: tuple[Fold, ...]
    models: tuple[Model, ...]
    people: Floats
    predicted: Floats
    calibrated: Estimate
    families: Mapping[Family, Estimate]
    metrics: Mapping[str, Estimate]
    best: str | None
    gain: Estimate
    inside: Inside | None
    seed: int

    @property
    def verdict(self) -> str:
        """`reached`, `gain` (certain but under .05), `unsure` (the interval holds 0), `none` or `worse`.

        `reached`: the gain is at least .05 and its interval lies above 0.
        """
        value = self.gain.value
        if value is None:
            return "none"
        if self.gain.above_zero:
            return "reached" if value >= TARGET_GAIN else "gain"
        return "unsure" if value > 0 else "worse"


def cross_validate(
    data: Training,
    *,
    families: Sequence[Family] = FAMILIES,
    seed: int = 0,
    progress: Progress = silent,
) -> Validation:
    """Fit as often as there are folds; every choice is made inside the training folds.

    People's scores that predictions are compared with are z over all of a rater's scores (or raw); those
    that a model learns from are z over the training folds alone.
    """
    folds = folds_of(data.document, OUTER, seed)
    predicted: dict[Family, Floats] = {}
    chosen = np.full(len(data), np.nan)
    models = []
    progress(0, len(folds))
    for done, fold in enumerate(folds, start=1):
        model = fit(data, fold.train, families=families, seed=seed)
        models.append(model)
        for family, values in model.by_family(data.features.values[fold.test]).items():
            predicted.setdefault(family, np.full(len(data), np.nan))[fold.test] = values
        chosen[fold.test] = predicted[model.family][fold.test]
        progress(done, len(folds))
    return _summary(data, folds, models, chosen, predicted, seed)


def _summary(
    data: Training,
    folds: Sequence[Fold],
    models: Sequence[Model],
    chosen: Floats,
    predicted: Mapping[Family, Floats],
    seed: int,
) -> Validation:
    people = data.people()
    drawing = Bootstrap(people, data.document, seed=seed)
    metrics = {name: drawing.correlation(data.features.score(name)) for name in data.features.metrics}
    best = _best(metrics, int(np.isfinite(people).sum()))
    nothing = Estimate(value=None, low=None, high=None, n=0)
    return Validation(
        folds=tuple(folds),
        models=tuple(models),
        people=people,
        predicted=chosen,
        calibrated=drawing.correlation(chosen),
        families={family: drawing.correlation(values) for family, values in predicted.items()},
        metrics=metrics,
        best=best,
        gain=drawing.gain(chosen, data.features.score(best)) if best is not None else nothing,
        inside=None if best is None else _inside(drawing, chosen, data.features.score(best)),
        seed=seed,
    )


def _inside(drawing: Bootstrap, calibrated: Floats, best: Floats) -> Inside:
    return Inside(
        calibrated=drawing.inside(calibrated),
        best=drawing.inside(best),
        gain=drawing.inside_gain(calibrated, best),
    )


def _best(metrics: Mapping[str, Estimate], rated: int) -> str | None:
    able = [
        name for name, one in metrics.items() if one.value is not None and one.n >= MOSTLY_SCORED * rated
    ] or [name for name, one in metrics.items() if one.value is not None]
    return max(able, key=lambda name: metrics[name].value or 0.0) if able else None


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

    Metrics with equal content hide one another: shuffling one leaves the other. A small fall does not prove
    that a metric is worth nothing.
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
