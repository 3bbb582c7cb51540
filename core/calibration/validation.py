"""Whether a model agrees with people better than the best single metric, on documents it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.features import Floats
from core.calibration.folds import OUTER, Fold, folds_of
from core.calibration.model import FAMILIES, Family, Model, fit
from core.calibration.resampling import Bootstrap, Estimate
from core.calibration.training import Training

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
