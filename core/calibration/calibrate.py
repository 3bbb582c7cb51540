"""Everything at once: validation, importance, learning curve, and the model of all the data to be saved.

Why a fitted score gains so little: what can be measured of it, as words and numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.backends import Progress, silent
from core.calibration.files import Saved
from core.calibration.learning import MORE, Curve, learning_curve
from core.calibration.model import FAMILIES, Family, fit
from core.calibration.training import Training
from core.calibration.validation import TARGET_GAIN, Importance, Validation, cross_validate, importances
from core.raters.pairs import pearsons
from core.stats.correlation import pearson

ALIKE = 0.7
"""Metrics whose median r with the best one is so high are called alike."""
DISAGREE = 0.7
"""Raters whose mean r over shared translations is lower leave much that no score can predict."""

Why = Literal["few", "wide", "alone", "disagree", "alike", "flat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why in a word, and the numbers that were measured.

    `few` (rated, documents): little to learn from. `wide` (width, documents): the interval of the gain is
    wider than twice the gain hoped for. `alone`: no translation has two raters, so nobody knows how much of
    their scores is chance. `disagree` (r, n): raters' mean r over n translations that two of them scored.
    `alike` (r): the other metrics' median r with the best one. `flat` (more, gain): the curve hardly rises.
    """

    why: Why
    numbers: Mapping[str, float]


def reasons(data: Training, found: Validation, curve: Curve) -> list[Reason]:
    """What stands in the way of a gain of .05; empty where it was reached."""
    if found.verdict == "reached":
        return []
    rows = []
    if data.few:
        rows.append(Reason(why="few", numbers={"rated": len(data), "documents": data.documents}))
    low, high = found.gain.low, found.gain.high
    if low is not None and high is not None and high - low > 2 * TARGET_GAIN:
        rows.append(Reason(why="wide", numbers={"width": high - low, "documents": data.documents}))
    rows.extend(_raters(data))
    rows.extend(_alike(data, found))
    if curve.ahead is not None and curve.ahead.flat:
        rows.append(Reason(why="flat", numbers={"more": curve.more, "gain": curve.ahead.gain}))
    return rows


def _raters(data: Training) -> list[Reason]:
    table = data.ratings
    counts = np.bincount(table.item, minlength=len(table.items))
    both = int((counts > 1).sum())
    if not both:
        return [Reason(why="alone", numbers={})]
    r = pearsons(table).r[np.triu_indices(len(table.raters), 1)]
    r = r[np.isfinite(r)]
    if not len(r) or r.mean() >= DISAGREE:
        return []
    return [Reason(why="disagree", numbers={"r": float(r.mean()), "n": both})]


def _alike(data: Training, found: Validation) -> list[Reason]:
    if found.best is None:
        return []
    best = data.features.score(found.best)
    others = [data.features.score(name) for name in data.features.metrics if name != found.best]
    known = [(one, np.isfinite(one) & np.isfinite(best)) for one in others]
    values = [
        abs(pearson(best[rows], one[rows]))
        for one, rows in known
        if rows.sum() > 2 and np.ptp(one[rows]) > 0 and np.ptp(best[rows]) > 0
    ]
    if not values or np.median(values) < ALIKE:
        return []
    return [Reason(why="alike", numbers={"r": float(np.median(values))})]


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
