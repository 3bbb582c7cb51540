"""A model and how it is chosen: ridge, boosting, or the mean of both, as errs least inside the folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.calibration.boosting import DEPTHS, STAGES, Boosted, grow
from core.calibration.features import Floats
from core.calibration.folds import INNER, Ints, folds_of
from core.calibration.preparation import Preparation
from core.calibration.ridge import ALPHAS, Linear, fit_ridge
from core.calibration.training import Training
from core.errors import OptionError

Family = Literal["ridge", "boosting", "mean"]
FAMILIES: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Model:
    """What predicts people's scores from features. family: which of its members speak.

    ridge and boosted: None where they were not fitted. errors: mean squared errors, each on the documents
    left out inside the training rows, by which the family was chosen.
    """

    family: Family
    preparation: Preparation
    ridge: Linear | None
    boosted: Boosted | None
    errors: Mapping[str, float]

    def predict(self, values: Floats) -> Floats:
        """(n, p) features, NaN for gaps -> (n,) in the scale of the people that it learnt from."""
        return self.by_family(values)[self.family]

    def by_family(self, values: Floats) -> dict[Family, Floats]:
        """The prediction of each member and of their mean."""
        prepared = self.preparation.apply(values)
        found: dict[Family, Floats] = {}
        if self.ridge is not None:
            found["ridge"] = self.ridge.predict(prepared)
        if self.boosted is not None:
            found["boosting"] = self.boosted.predict(prepared)
        if self.ridge is not None and self.boosted is not None:
            found["mean"] = (found["ridge"] + found["boosting"]) / 2
        return found


@dataclass(frozen=True, slots=True)
class _Settings:
    alpha: int
    depth: int
    trees: int


def check_families(families: Sequence[str]) -> tuple[Family, ...]:
    """OptionError for a family that there is not; `mean` asks for both others."""
    found = tuple(family for family in FAMILIES if family in families)
    if len(found) < len(set(families)) or not found:
        raise OptionError(f"There is no model “{', '.join(families)}”; choose {' or '.join(FAMILIES)}.")
    return found


def fit(data: Training, rows: Ints, *, families: Sequence[Family] = FAMILIES, seed: int = 0) -> Model:
    """Learn from these rows and no others: gaps, scale, penalty, trees and family are all chosen in them.

    The choice is made by `INNER` folds of whole documents. People's z-scores are those of these rows.
    """
    given = frozenset(families)
    linear, trees = bool(given & {"ridge", "mean"}), bool(given & {"boosting", "mean"})
    settings, errors = _chosen(data, rows, given, seed)
    values, people = _known(data, rows)
    preparation = Preparation.of(values)
    prepared = preparation.apply(values)
    return Model(
        family=min((name for name in FAMILIES if name in given), key=errors.__getitem__),
        preparation=preparation,
        ridge=fit_ridge(prepared, people, ALPHAS[settings.alpha : settings.alpha + 1])[0] if linear else None,
        boosted=grow(prepared, people, depth=settings.depth, trees=settings.trees, seed=seed)
        if trees
        else None,
        errors={name: errors[name] for name in FAMILIES if name in given},
    )


def _known(data: Training, rows: Ints) -> tuple[Floats, Floats]:
    """Features and people's scores of the rows of which people's score is known."""
    people = data.people(rows)[rows]
    known = np.isfinite(people)
    return data.features.values[rows[known]], people[known]


def _chosen(
    data: Training, rows: Ints, families: frozenset[str], seed: int
) -> tuple[_Settings, dict[str, float]]:
    """The settings with the least squared error on inner folds, and each family's error with them."""
    people = data.people(rows)[rows]
    known = np.isfinite(people)
    ridge = np.full((len(ALPHAS), len(rows)), np.nan)
    trees = np.full((len(DEPTHS), len(STAGES), len(rows)), np.nan)
    for fold in folds_of(data.document[rows], INNER, seed):
        values, scores = _known(data, rows[fold.train])
        if len(scores) < 2:
            continue
        preparation = Preparation.of(values)
        prepared, left = preparation.apply(values), preparation.apply(data.features.values[rows[fold.test]])
        if families & {"ridge", "mean"}:
            ridge[:, fold.test] = [one.predict(left) for one in fit_ridge(prepared, scores)]
        if families & {"boosting", "mean"}:
            for place, depth in enumerate(DEPTHS):
                grown = grow(prepared, scores, depth=depth, trees=STAGES[-1], seed=seed)
                trees[place][:, fold.test] = grown.staged(left, STAGES)
    alpha, errors_ridge = _least(ridge - people, known)
    place, errors_trees = _least((trees - people).reshape(-1, len(rows)), known)
    depth, stage = divmod(place, len(STAGES))
    both = (ridge[alpha] + trees[depth, stage]) / 2 - people
    errors = {"ridge": errors_ridge, "boosting": errors_trees, "mean": _least(both[None], known)[1]}
    return _Settings(alpha=alpha, depth=DEPTHS[depth], trees=STAGES[stage]), errors


def _least(misses: Floats, known: np.ndarray) -> tuple[int, float]:
    """Which row of (k, n) has the least mean square over what is known; the last of equals."""
    squares = np.where(np.isfinite(misses) & known, misses**2, 0.0).sum(axis=1)
    counts = (np.isfinite(misses) & known).sum(axis=1)
    means = np.where(counts > 0, squares / np.maximum(counts, 1), np.inf)
    place = len(means) - 1 - int(np.argmin(means[::-1]))
    return place, float(means[place])
