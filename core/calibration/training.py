"""The data that a model is fitted to: features of translations, people's scores, and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.calibration.features import FeatureTable, Floats
from core.errors import CalibrationError, Listed, OptionError
from core.raters.ratings import Rating, RatingTable, columns, merged, scale, subset

Ints = NDArray[np.int64]
Scale = Literal["z", "raw"]
SCALES: tuple[Scale, ...] = get_args(Scale)
MIN_RATED = 30
MIN_DOCUMENTS = 3
FEW_RATED = 150
FEW_DOCUMENTS = 10
"""Below these a model can be fitted, but its intervals are wide: pages and command say so."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Training:
    """n rated translations. document: (n,) int64, which document. ratings: their items are 0..n-1.

    scale: `raw` points, or `z` with each rater's own mean and standard deviation (ddof 1).
    """

    features: FeatureTable
    document: Ints
    ratings: RatingTable
    scale: Scale

    def __len__(self) -> int:
        return len(self.document)

    @property
    def documents(self) -> int:
        """How many there are."""
        return len(np.unique(self.document))

    @property
    def gaps(self) -> int:
        """How many translations lack a feature, such as the score of a metric that could not give one."""
        return int(np.isnan(self.features.values).any(axis=1).sum())

    @property
    def few(self) -> bool:
        """Whether there is so little data that the figures say hardly anything."""
        return len(self) < FEW_RATED or self.documents < FEW_DOCUMENTS

    def people(self, rows: Ints | None = None) -> Floats:
        """(n,) the mean over raters of what people say of each translation, NaN outside `rows`.

        Means and deviations of `z` are those of the ratings within `rows` and of no others: what is learnt
        in a fold knows nothing of the rest. A rater who gives one score only has no z and counts for nothing.
        """
        inside = self.ratings
        if rows is not None:
            mask = np.zeros(len(self), bool)
            mask[rows] = True
            inside = subset(inside, np.flatnonzero(mask[_places(inside)]))
        scaled = scale(inside, self.scale)
        places = _places(inside)[scaled.rows]
        counts = np.bincount(places, minlength=len(self))
        sums = np.bincount(places, scaled.score, len(self))
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _places(ratings: RatingTable) -> Ints:
    """(ratings,) which translation each is of."""
    items = np.array(ratings.items, np.int64).reshape(-1)
    return np.asarray(items[ratings.item])


def training(
    features: FeatureTable, documents: Sequence[object], ratings: Sequence[Rating], people: Scale = "z"
) -> Training:
    """Put together; items of the ratings are rows of the features, and every row should have one.

    Raises CalibrationError, in one sentence, where there is too little to learn from: ratings, documents,
    scores that are all equal. Raises OptionError for an unknown scale.
    """
    if people not in SCALES:
        raise OptionError(
            "There is no scale “{people}”; choose {scales}.", people=people, scales=Listed(SCALES)
        )
    table = merged(columns(ratings))
    places = {name: place for place, name in enumerate(dict.fromkeys(documents))}
    found = Training(
        features=features,
        document=np.array([places[name] for name in documents], np.int64),
        ratings=table,
        scale=people,
    )
    _check(found)
    return found


def _check(found: Training) -> None:
    if len(found) < MIN_RATED:
        raise CalibrationError(
            "There is one rated translation with a score, and a model needs at least {least}; "
            "have more of them rated or scored."
            if len(found) == 1
            else "There are {n} rated translations with scores, and a model needs at least "
            "{least}; have more of them rated or scored.",
            "few",
            n=len(found),
            least=MIN_RATED,
        )
    if found.documents < MIN_DOCUMENTS:
        raise CalibrationError(
            "The rated translations come from {n} document, and at least {least} are needed to test "
            "a model on documents that it has not seen; rate some of other documents."
            if found.documents == 1
            else "The rated translations come from {n} documents, and at least {least} are needed to test "
            "a model on documents that it has not seen; rate some of other documents.",
            "documents",
            n=found.documents,
            least=MIN_DOCUMENTS,
        )
    people = found.people()
    people = people[np.isfinite(people)]
    if np.ptp(found.ratings.score) == 0:
        people = found.ratings.score
    if len(people) < MIN_RATED:
        raise CalibrationError(
            "Too few raters gave scores that differ, so there is no z-score to learn from; take raw scores.",
            "spread",
        )
    if np.ptp(people) == 0:
        raise CalibrationError(
            "All scores of people are equal, so there is nothing to learn; rate translations that differ.",
            "equal",
        )
