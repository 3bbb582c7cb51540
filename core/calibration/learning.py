"""The learning curve: Pearson's r as a function of the number of rated translations.

The points belong to the validated models: for each test fold, documents of the other folds are drawn until
there are enough translations, and the fold's family is fitted with the settings chosen inside the fold. The
last point uses all data, so its r is that of the validation. The extrapolation is r(n) = a + b ln n with b
>= 0, an assumption that is good for small steps; further translations are assumed to come from other
documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.features import Floats
from core.calibration.model import Ints, Settings, built
from core.calibration.training import MIN_RATED, Training
from core.calibration.validation import Validation
from core.stats.correlation import pearson

SHARES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
DRAWINGS = 6
MORE = 50
MIN_POINTS = 4
LINES = 500
FLAT = 0.005
"""An expected gain under it is called none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """r when learning from about `rated` translations: the mean and the extremes over the drawings."""

    rated: float
    r: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What more rated translations would bring. rated: how many a fold would learn from; r: with them.

    gain: by how much r would rise; low, high: 95 % of it when the drawings are drawn again.
    """

    rated: float
    r: float
    gain: float
    low: float
    high: float

    @property
    def flat(self) -> bool:
        """Whether further ratings would hardly increase r."""
        return self.gain < FLAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """points: by number of translations learnt from, rising. more: how many further ones are asked about.

    ahead: None with under four points.
    """

    points: tuple[LearningPoint, ...]
    more: int
    ahead: Ahead | None


def learning_curve(
    data: Training,
    found: Validation,
    *,
    more: int = MORE,
    drawings: int = DRAWINGS,
    progress: Progress = silent,
) -> Curve:
    """The curve, and r with `more` rated translations than there are. Deterministic given the seed."""
    if found.calibrated.value is None:
        return Curve(points=(), more=more, ahead=None)
    largest = float(np.mean([len(fold.train) for fold in found.folds]))
    shares = [share for share in SHARES[:-1] if share * largest >= MIN_RATED]
    sizes, values = [], []
    for place, share in enumerate(shares):
        row = []
        for drawing in range(drawings):
            row.append(_drawn(data, found, share, found.seed + 1000 * drawing))
            progress(place * drawings + drawing + 1, len(shares) * drawings)
        if np.isfinite(row).all():
            sizes.append(share * largest)
            values.append(row)
    points = [
        LearningPoint(rated=size, r=float(np.mean(row)), low=min(row), high=max(row))
        for size, row in zip(sizes, values, strict=True)
    ]
    r = found.calibrated.value
    points.append(LearningPoint(rated=largest, r=r, low=r, high=r))
    if len(points) < MIN_POINTS:
        return Curve(points=tuple(points), more=more, ahead=None)
    return Curve(
        points=tuple(points), more=more, ahead=_ahead(points, values, more * largest / len(data), found.seed)
    )


def _drawn(data: Training, found: Validation, share: float, seed: int) -> float:
    """R of all predictions, each fold having learnt from a share of its translations; NaN for none."""
    rng = np.random.default_rng(seed)
    predicted = np.full(len(data), np.nan)
    for fold, model in zip(found.folds, found.models, strict=True):
        rows = _some(data.document, fold.train, share, rng)
        again = built(data, rows, Settings.of(model), model.family, seed=found.seed)
        predicted[fold.test] = again.predict(data.features.values[fold.test])
    known = np.isfinite(found.people) & np.isfinite(predicted)
    varies = known.sum() > 2 and np.ptp(predicted[known]) > 1e-12
    return pearson(found.people[known], predicted[known]) if varies else float("nan")


def _some(document: Ints, rows: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Rows of whole documents in random order, until the share is there; of the last one only so many."""
    wanted = max(MIN_RATED, round(share * len(rows)))
    order = {name: place for place, name in enumerate(rng.permutation(np.unique(document[rows])).tolist())}
    place = np.array([order[name] for name in document[rows].tolist()])
    return np.sort(rows[np.argsort(place, kind="stable")][:wanted])


def _ahead(
    points: Sequence[LearningPoint], values: Sequence[Sequence[float]], more: float, seed: int
) -> Ahead:
    """From the points, and from the drawings drawn again; of everything there is one drawing only.

    So the last point is shaken by the deviation of the drawings before it.
    """
    sizes = np.array([one.rated for one in points])
    means = np.array([one.r for one in points])
    rng = np.random.default_rng(seed)
    shake = float(np.std(values[-1], ddof=1))
    gains = []
    for _ in range(LINES):
        drawn = [float(rng.choice(row, len(row)).mean()) for row in values]
        gains.append(_gain(sizes, np.array([*drawn, means[-1] + rng.normal(0, shake)]), more))
    gain = _gain(sizes, means, more)
    low, high = np.quantile(gains, (0.025, 0.975)).tolist()
    return Ahead(rated=float(sizes[-1]) + more, r=float(means[-1]) + gain, gain=gain, low=low, high=high)


def _gain(sizes: Floats, r: Floats, more: float) -> float:
    """How far the line through r over ln n rises from the last size to `more` beyond; never below 0."""
    x = np.log(sizes) - np.log(sizes).mean()
    slope = max(float(x @ (r - r.mean()) / (x @ x)), 0.0)
    return slope * float(np.log1p(more / sizes[-1]))
