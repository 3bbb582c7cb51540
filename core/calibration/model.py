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
        """(n, p) features, NaN for gaps -> (n,) in the scale of the people that it learnt from.

        NaN for a translation that lacks a feature which none lacked in training.
        """
        return self.by_family(values)[self.family]

    def by_family(self, values: Floats) -> dict[Family, Floats]:
        """The prediction of each member and of their mean; NaN as in `predict`."""
        prepared, met = self.preparation.apply(values), ~self.preparation.unmet(values)
        found: dict[Family, Floats] = {}
        if self.ridge is not None:
            found["ridge"] = self.ridge.predict(prepared)
        if self.boosted is not None:
            found["boosting"] = self.boosted.predict(prepared)
        if self.ridge is not None and self.boosted is not None:
            found["mean"] = (found["ridge"] + found["boosting"]) / 2
        return {family: np.where(met, score, np.nan) for family, score in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is chosen: the ridge's penalty, how deep trees are and how many. None: do without the member."""

    alpha: float | None
    depth: int | None
    trees: int | None

    @classmethod
    def of(cls, model: Model) -> Settings:
        """Those of a model, for the members that its family needs."""
        ridge = model.ridge if model.family != "boosting" else None
        boosted = model.boosted if model.family != "ridge" else None
        return cls(
            alpha=None if ridge is None else ridge.alpha,
            depth=None if boosted is None else boosted.depth,
            trees=None if boosted is None else len(boosted.trees),
        )


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
    settings, errors = _chosen(data, rows, given, seed)
    family = min((name for name in FAMILIES if name in given), key=errors.__getitem__)
    return built(
        data, rows, settings, family, seed=seed,
        errors={name: errors[name] for name in FAMILIES if name in given},
    )  # fmt: skip


def built(
    data: Training,
    rows: Ints,
    settings: Settings,
    family: Family,
    *,
    errors: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Model:
    """Learn from these rows with settings that are chosen already."""
    values, people = _known(data, rows)
    preparation = Preparation.of(values)
    prepared = preparation.apply(values)
    ridge = boosted = None
    if settings.alpha is not None:
        (ridge,) = fit_ridge(prepared, people, [settings.alpha])
    if settings.depth is not None and settings.trees is not None:
        boosted = grow(prepared, people, depth=settings.depth, trees=settings.trees, seed=seed)
    return Model(family=family, preparation=preparation, ridge=ridge, boosted=boosted, errors=errors or {})


def _known(data: Training, rows: Ints) -> tuple[Floats, Floats]:
    """Features and people's scores of the rows of which people's score is known."""
    people = data.people(rows)[rows]
    known = np.isfinite(people)
    return data.features.values[rows[known]], people[known]


def _chosen(
    data: Training, rows: Ints, families: frozenset[str], seed: int
) -> tuple[Settings, dict[str, float]]:
    """The settings with the least squared error on inner folds, and each family's error with them."""
    people = data.people(rows)[rows]
    linear, growing = bool(families & {"ridge", "mean"}), bool(families & {"boosting", "mean"})
    ridge = np.full((len(ALPHAS), len(rows)), np.nan)
    trees = np.full((len(DEPTHS), len(STAGES), len(rows)), np.nan)
    for fold in folds_of(data.document[rows], INNER, seed):
        values, scores = _known(data, rows[fold.train])
        if len(scores) < 2:
            continue
        preparation = Preparation.of(values)
        test = fold.test[~preparation.unmet(data.features.values[rows[fold.test]])]
        prepared, left = preparation.apply(values), preparation.apply(data.features.values[rows[test]])
        if linear:
            ridge[:, test] = [one.predict(left) for one in fit_ridge(prepared, scores)]
        for place, depth in enumerate(DEPTHS if growing else ()):
            grown = grow(prepared, scores, depth=depth, trees=STAGES[-1], seed=seed)
            trees[place][:, test] = grown.staged(left, STAGES)
    alpha, errors_ridge = _least(ridge - people)
    place, errors_trees = _least((trees - people).reshape(-1, len(rows)))
    depth, stage = divmod(place, len(STAGES))
    both = _least(((ridge[alpha] + trees[depth, stage]) / 2 - people)[None])[1]
    settings = Settings(
        alpha=ALPHAS[alpha] if linear else None,
        depth=DEPTHS[depth] if growing else None,
        trees=STAGES[stage] if growing else None,
    )
    return settings, {"ridge": errors_ridge, "boosting": errors_trees, "mean": both}


def _least(misses: Floats) -> tuple[int, float]:
    """Which row of (k, n) has the least mean square over what is no NaN; the last of equals."""
    known = np.isfinite(misses)
    squares, counts = np.where(known, misses**2, 0.0).sum(axis=1), known.sum(axis=1)
    means = np.where(counts > 0, squares / np.maximum(counts, 1), np.inf)
    place = len(means) - 1 - int(np.argmin(means[::-1]))
    return place, float(means[place])
