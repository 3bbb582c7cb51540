"""Which translations to rate next: where the model is least sure, and what is least like anything rated.

spread: the standard deviation of the predictions of ridges fitted to drawings of whole documents. distance:
from the nearest rated translation, in standardised features (root mean square over them). Both are put into
ranks among the unrated and averaged; of each segment only the first is listed, so that a list is varied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.calibration.features import Floats
from core.calibration.model import Model, fit_ridge
from core.calibration.training import Training

DRAWINGS = 30
FAR = 0.95
_BLOCK = 500

Bools = NDArray[np.bool_]
Reason = Literal["uncertain", "unlike", "both"]


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
    reason: Reason


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


def _reasons(unsure: Bools, far: Bools, more_unlike: Bools) -> list[Reason]:
    """As in `Advice`, from (m,) each: both limits, and which rank is higher where they do not tell."""
    names: dict[tuple[bool, bool], Reason] = {
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
