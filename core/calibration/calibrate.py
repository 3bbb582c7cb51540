"""Everything at once: validation, importance, learning curve, and the model of all the data to be saved."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.files import Saved
from core.calibration.importance import Importance, importances
from core.calibration.learning import MORE, Curve, learning_curve
from core.calibration.model import FAMILIES, Family, fit
from core.calibration.reasons import Reason, reasons
from core.calibration.training import Training
from core.calibration.validation import Validation, cross_validate

_SHARES = (0.0, 0.55, 0.7, 0.75, 1.0)
"""Where on the bar validation, the last fit, importance and curve begin, and the end."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Calibration:
    """What came of a campaign's ratings. saved: fitted to all of them. reasons: why it gains so little."""

    data: Training
    validation: Validation
    saved: Saved
    importances: tuple[Importance, ...]
    curve: Curve
    reasons: tuple[Reason, ...]


def calibrate(
    data: Training,
    *,
    families: Sequence[Family] = FAMILIES,
    seed: int = 0,
    more: int = MORE,
    progress: Progress = silent,
) -> Calibration:
    """Validate, fit and look into it. progress: of 100. Deterministic given the seed."""
    steps = [_part(progress, start, end) for start, end in itertools.pairwise(_SHARES)]
    found = cross_validate(data, families=families, seed=seed, progress=steps[0])
    model = fit(data, np.arange(len(data)), families=families, seed=seed)
    steps[1](1, 1)
    fallen = importances(data, found, progress=steps[2])
    curve = learning_curve(data, found, more=more, progress=steps[3])
    saved = Saved(
        model=model,
        names=data.features.names,
        signatures=dict(data.features.signatures),
        scale=data.scale,
        facts=_facts(data, found),
    )
    return Calibration(
        data=data,
        validation=found,
        saved=saved,
        importances=tuple(fallen),
        curve=curve,
        reasons=tuple(reasons(data, found, curve)),
    )


def _facts(data: Training, found: Validation) -> dict[str, float | str | None]:
    return {
        "translations": len(data),
        "documents": data.documents,
        "raters": len(data.ratings.raters),
        "ratings": len(data.ratings.score),
        "seed": found.seed,
        "r": found.calibrated.value,
        "r_low": found.calibrated.low,
        "r_high": found.calibrated.high,
        "best_metric": found.best,
        "gain": found.gain.value,
        "gain_low": found.gain.low,
        "gain_high": found.gain.high,
    }


def _part(progress: Progress, start: float, end: float) -> Progress:
    def partly(done: int, total: int) -> None:
        progress(round(100 * (start + (end - start) * done / max(total, 1))), 100)

    return partly
