"""One calibration: validation, importance, learning curve, reasons for a small gain, and the final model.

`advise` lists the translations to rate next. spread: the standard deviation of the predictions of ridge
models fitted to resampled documents. distance: from the nearest rated translation, in standardised features
(root mean square). Both become ranks among the unrated translations and are averaged; each segment is
listed once.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.backends import Progress, between, silent
from core.calibration.features import Floats
from core.calibration.files import Saved
from core.calibration.learning import MORE, Curve, learning_curve
from core.calibration.model import FAMILIES, Family, Model, fit, fit_ridge
from core.calibration.training import Training
from core.calibration.validation import TARGET_GAIN, Importance, Validation, cross_validate, importances
from core.raters.pairs import pearsons
from core.stats.correlation import pearson

DRAWINGS = 30
FAR = 0.95
_BLOCK = 500

Bools = NDArray[np.bool_]
AdviceReason = Literal["uncertain", "unlike", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """row: of the unrated translations. spread and distance as above; predicted: what the model says now.

    reason: `unlike` where it lies further from what is rated than 95 % of the rated lie from one another,
    `uncertain` where its spread is above that of 95 % of the rated; `both`; else whichever rank is higher.
    """

    row: int
    predicted: float
    spread: float
    distance: float
    reason: AdviceReason


def advise(
    data: Training,
    model: Model,
    unrated: Floats,
    segments: Sequence[object],
    *,
    count: int = 20,
    seed: int = 0,
) -> list[Advice]:
    """At most `count`, the most useful first. unrated: (m, p) features; segments: (m,) what each is of.

    A translation of which the model can say nothing, for want of a score, is not among them.
    """
    able = np.flatnonzero(np.isfinite(model.predict(unrated))) if len(unrated) else np.zeros(0, np.int64)
    if not len(able):
        return []
    rated, left = (model.preparation.apply(values) for values in (data.features.values, unrated[able]))
    spreads = _spreads(data, model, rated, np.concatenate([rated, left]), seed)
    rated_spread, spread = spreads[: len(rated)], spreads[len(rated) :]
    distance = _nearest(left, rated, same=False)
    unsure, far = _ranks(spread), _ranks(distance)
    reasons = _reasons(
        spread > np.quantile(rated_spread, FAR),
        distance > np.quantile(_nearest(rated, rated, same=True), FAR),
        far > unsure,
    )
    order = able[np.argsort(-(unsure + far), kind="stable")].tolist()
    first = dict(zip([segments[row] for row in reversed(order)], reversed(order), strict=True))
    predicted, places = model.predict(unrated), {row: place for place, row in enumerate(able.tolist())}
    return [
        Advice(
            row=row,
            predicted=float(predicted[row]),
            spread=float(spread[places[row]]),
            distance=float(distance[places[row]]),
            reason=reasons[places[row]],
        )
        for row in [row for row in order if first[segments[row]] == row][:count]
    ]


def _reasons(unsure: Bools, far: Bools, more_unlike: Bools) -> list[AdviceReason]:
    """As in `Advice`, from (m,) each: both limits, and which rank is higher where they do not tell."""
    names: dict[tuple[bool, bool], AdviceReason] = {
        (True, True): "both",
        (True, False): "uncertain",
        (False, True): "unlike",
    }
    return [
        names.get((one, other), "unlike" if more else "uncertain")
        for one, other, more in zip(unsure.tolist(), far.tolist(), more_unlike.tolist(), strict=True)
    ]


def _spreads(data: Training, model: Model, rated: Floats, everything: Floats, seed: int) -> Floats:
    """(m,) standard deviation of what ridges on drawn documents predict."""
    people = data.people()
    known = np.flatnonzero(np.isfinite(people))
    names = np.unique(data.document[known])
    rows_of = [known[data.document[known] == name] for name in names]
    alpha = model.ridge.alpha if model.ridge is not None else 100.0
    rng = np.random.default_rng(seed)
    predictions = []
    for _ in range(DRAWINGS):
        rows = np.concatenate([rows_of[pick] for pick in rng.integers(len(names), size=len(names))])
        predictions.append(fit_ridge(rated[rows], people[rows], [alpha])[0].predict(everything))
    return np.asarray(np.std(predictions, axis=0, ddof=1))


def _nearest(points: Floats, others: Floats, *, same: bool) -> Floats:
    """(m,) root mean square difference to the nearest of others; `same`: points are others, itself apart."""
    squares = (others**2).sum(axis=1)
    found = np.empty(len(points))
    for start in range(0, len(points), _BLOCK):
        block = points[start : start + _BLOCK]
        gaps = (block**2).sum(axis=1)[:, None] + squares - 2 * block @ others.T
        if same:
            gaps[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
        found[start : start + _BLOCK] = gaps.min(axis=1)
    return np.asarray(np.sqrt(np.maximum(found, 0) / max(points.shape[1], 1)))


def _ranks(values: Floats) -> Floats:
    """(m,) 0 … 1, rising with the value."""
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return np.asarray(order / max(len(values) - 1, 1))


ALIKE = 0.7
"""Metrics whose median r with the best one is so high are called alike."""
DISAGREE = 0.7
"""Raters whose mean r over shared translations is lower leave much that no score can predict."""

Why = Literal["few", "wide", "alone", "disagree", "alike", "flat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why in a word, and the numbers that were measured.

    `few` (rated, documents): little to learn from. `wide` (width, documents): the interval of the gain is
    wider than twice the gain hoped for. `alone`: no translation has two raters, so it is unknown how much of
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
    steps = [between(progress, 100 * start, 100 * end, 100) for start, end in itertools.pairwise(_SHARES)]
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
