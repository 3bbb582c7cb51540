"""How r grows with the number of ratings, and what some more of them would bring.

The curve is the ridge's, whose penalty can be chosen anew for every drawing in no time. For each test fold,
documents of the other folds are drawn until so many translations are there; all else is as in validation.
Onward it is drawn with r(n) = a + b log n or a - b / √n, b >= 0, whichever fits the points better: an
assumption, good for small steps. More ratings means more of other documents, as in the drawings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Progress, silent
from core.calibration.features import Floats
from core.calibration.folds import OUTER, Fold, Ints, folds_of
from core.calibration.model import fit
from core.calibration.training import MIN_RATED, Training
from core.meta.correlation import pearson

SHARES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
DRAWINGS = 8
MORE = 50
MIN_POINTS = 4
LINES = 500
FLAT = 0.005
"""An expected gain under it is called none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """r when learning from about `rated` translations: the mean and the extremes over the drawings."""

    rated: float
    r: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """points: by number of translations learnt from, rising. more: how many further ones are asked about.

    gain: what they would add to r; low, high: 95 % of it when the drawings are drawn again. expected: r with
    them. All None with under four points.
    """

    points: tuple[Point, ...]
    more: int
    expected: float | None
    gain: float | None
    low: float | None
    high: float | None

    @property
    def flat(self) -> bool:
        """Whether more ratings of this kind would bring nothing to speak of."""
        return self.gain is not None and self.gain < FLAT


def learning_curve(
    data: Training,
    *,
    seed: int = 0,
    more: int = MORE,
    drawings: int = DRAWINGS,
    progress: Progress = silent,
) -> Curve:
    """The curve, and r with `more` rated translations than there are. Deterministic given the seed."""
    folds = folds_of(data.document, OUTER, seed)
    largest = min(len(fold.train) for fold in folds)
    shares = [share for share in SHARES if share * largest >= MIN_RATED] or [1.0]
    people = data.people()
    sizes, values = np.zeros(len(shares)), np.full((len(shares), drawings), np.nan)
    for place, share in enumerate(shares):
        for drawing in range(drawings if share < 1 else 1):
            size, r = _drawn(data, folds, people, share, seed + 1000 * drawing)
            sizes[place] += size
            values[place, drawing] = r
            progress(place * drawings + drawing + 1, len(shares) * drawings)
        sizes[place] /= drawings if share < 1 else 1
    points = [
        Point(rated=float(size), r=float(np.nanmean(row)), low=float(np.nanmin(row)),
              high=float(np.nanmax(row)))
        for size, row in zip(sizes, values, strict=True)
        if np.isfinite(row).any()
    ]  # fmt: skip
    return _extended(points, values, more=more, seed=seed)


def _drawn(
    data: Training, folds: Sequence[Fold], people: Floats, share: float, seed: int
) -> tuple[float, float]:
    """How many translations each fold learnt from, on average, and r of all predictions."""
    rng = np.random.default_rng(seed)
    predicted = np.full(len(data), np.nan)
    sizes = []
    for fold in folds:
        rows = _some(data.document, fold.train, share, rng)
        sizes.append(len(rows))
        model = fit(data, rows, families=("ridge",), seed=seed)
        predicted[fold.test] = model.predict(data.features.values[fold.test])
    known = np.isfinite(people) & np.isfinite(predicted)
    varies = known.sum() > 2 and np.ptp(predicted[known]) > 1e-12
    r = pearson(people[known], predicted[known]) if varies else float("nan")
    return float(np.mean(sizes)), r


def _some(document: Ints, rows: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Rows of whole documents in random order, until the share is there; of the last one only so many."""
    if share >= 1:
        return rows
    wanted = max(MIN_RATED, round(share * len(rows)))
    order = {name: place for place, name in enumerate(rng.permutation(np.unique(document[rows])).tolist())}
    place = np.array([order[name] for name in document[rows].tolist()])
    return np.sort(rows[np.argsort(place, kind="stable")][:wanted])


def _extended(points: Sequence[Point], values: Floats, *, more: int, seed: int) -> Curve:
    """What `more` would add by the law that fits better, and by the same through drawn drawings."""
    nothing = Curve(points=tuple(points), more=more, expected=None, gain=None, low=None, high=None)
    if len(points) < MIN_POINTS or len(points) < len(values):
        return nothing
    sizes = np.array([one.rated for one in points])
    law = min(_LAWS, key=lambda one: _line(one(sizes), np.nanmean(values, axis=1))[1])
    rng = np.random.default_rng(seed)
    shake = float(np.nanstd(values[-2], ddof=1)) if np.isfinite(values[-2]).sum() > 1 else 0.0
    drawn = []
    for _ in range(LINES):
        row = [float(rng.choice(one[np.isfinite(one)], np.isfinite(one).sum()).mean()) for one in values]
        row[-1] += float(rng.normal(0, shake))  # of everything there is one drawing only
        drawn.append(_gain(law, sizes, np.array(row), more))
    gain = _gain(law, sizes, np.nanmean(values, axis=1), more)
    low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
    return Curve(points=tuple(points), more=more, expected=points[-1].r + gain, gain=gain, low=low, high=high)


def _gain(law: Callable[[Floats], Floats], sizes: Floats, r: Floats, more: int) -> float:
    """How far the line rises from the last size to `more` beyond; never below 0, by assumption."""
    slope = max(_line(law(sizes), r)[0], 0.0)
    now, then = law(np.array([sizes[-1], sizes[-1] + more])).tolist()
    return slope * float(then - now)


def _line(x: Floats, r: Floats) -> tuple[float, float]:
    """Slope of the straight line through the points, and the sum of its squared misses."""
    x, r = x - x.mean(), r - r.mean()
    slope = float(x @ r / max(float(x @ x), 1e-300))
    return slope, float(((r - slope * x) ** 2).sum())


_LAWS: tuple[Callable[[Floats], Floats], ...] = (np.log, lambda n: -1 / np.sqrt(n))
