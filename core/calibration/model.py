"""Ridge regression, gradient boosting or their mean, chosen by the smallest inner error.

Ridge: min ‖y - b - Xw‖² + α‖w‖², for many α from one decomposition. Boosting: scikit-learn grows the trees,
which are stored as five columns of numbers, because a saved model must be JSON and must not run code.
`predict` repeats scikit-learn's arithmetic (float32 features, a sum in the order of the trees), so the
numbers are equal and do not depend on a library's version.

Gaps in features are filled with the mean and marked; the mark is a feature of its own. Folds never split a
document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.calibration.features import Floats
from core.calibration.training import Training
from core.errors import Listed, OptionError, UnavailableError

Ints = NDArray[np.int64]
DEPTHS = (2, 3)
STAGES = (40, 80, 160)
RATE = 0.08
MIN_LEAF = 20
SUBSAMPLE = 0.5
SHARE_OF_FEATURES = 0.3


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tree:
    """k nodes, (k,) each; node 0 is the root. left, right: the children's numbers, -1 at a leaf.

    A translation goes left where its feature, as float32, is at most the threshold. value: at a leaf.
    """

    left: Ints
    right: Ints
    feature: Ints
    threshold: Floats
    value: Floats

    def predict(self, prepared: NDArray[np.float32]) -> Floats:
        """(n, q) float32 -> (n,)."""
        node = np.zeros(len(prepared), np.int64)
        rows = np.arange(len(prepared))
        while len(rows):
            rows = rows[self.left[node[rows]] >= 0]
            here = node[rows]
            goes_left = prepared[rows, self.feature[here]] <= self.threshold[here]
            node[rows] = np.where(goes_left, self.left[here], self.right[here])
        return self.value[node]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Boosted:
    """start + rate * the sum of the trees' values. depth: how deep a tree may be."""

    start: float
    rate: float
    depth: int
    trees: tuple[Tree, ...]

    def predict(self, prepared: Floats) -> Floats:
        """(n, q) -> (n,)."""
        return self.staged(prepared, (len(self.trees),))[0]

    def staged(self, prepared: Floats, stages: Sequence[int]) -> list[Floats]:
        """The prediction, (n,), of the first trees, for each number in rising order."""
        small = prepared.astype(np.float32)
        total = np.full(len(prepared), self.start)
        found, done = [], 0
        for stage in stages:
            for tree in self.trees[done:stage]:
                total = total + self.rate * tree.predict(small)
            done = stage
            found.append(total)
        return found

    def first(self, count: int) -> Boosted:
        """The same with the first trees."""
        return Boosted(start=self.start, rate=self.rate, depth=self.depth, trees=self.trees[:count])


def grow(prepared: Floats, people: Floats, *, depth: int, trees: int, seed: int) -> Boosted:
    """Fit to (n, q) features and (n,) scores. Raises UnavailableError where scikit-learn is not installed."""
    try:
        from sklearn.ensemble import GradientBoostingRegressor
    except ImportError as error:
        raise UnavailableError(
            "Boosting needs scikit-learn, which is not installed; run: pip install -r requirements.txt"
        ) from error
    machine = GradientBoostingRegressor(
        n_estimators=trees,
        learning_rate=RATE,
        max_depth=depth,
        min_samples_leaf=MIN_LEAF,
        subsample=SUBSAMPLE,
        max_features=SHARE_OF_FEATURES,
        random_state=seed,
    ).fit(prepared, people)
    return Boosted(
        start=float(people.mean()),
        rate=RATE,
        depth=depth,
        trees=tuple(_plain(one.tree_) for one in machine.estimators_[:, 0]),
    )


def _plain(tree: object) -> Tree:
    """scikit-learn's tree as our columns."""
    left, right, feature, threshold, value = (
        np.array(getattr(tree, name))
        for name in ("children_left", "children_right", "feature", "threshold", "value")
    )
    return Tree(
        left=left.astype(np.int64),
        right=right.astype(np.int64),
        feature=np.maximum(feature, 0).astype(np.int64),
        threshold=threshold.astype(np.float64),
        value=value.reshape(-1).astype(np.float64),
    )


OUTER = 5
INNER = 4


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Which translations are learnt from and which are predicted: row numbers, (n - m,) and (m,)."""

    train: Ints
    test: Ints


def folds_of(document: Ints, count: int, seed: int) -> list[Fold]:
    """At most `count` folds of about the same size; one document each where there are fewer documents.

    Documents in an order drawn with the seed, the largest first, each into the fold that is smallest so far.
    """
    names, inverse = np.unique(document, return_inverse=True)
    sizes = np.bincount(inverse)
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    count = min(count, len(names))
    filled, fold = np.zeros(count, np.int64), np.zeros(len(names), np.int64)
    for name in order.tolist():
        smallest = int(np.argmin(filled))
        fold[name] = smallest
        filled[smallest] += sizes[name]
    return list(_folds(fold[inverse], count))


def _folds(fold: Ints, count: int) -> Iterator[Fold]:
    for number in range(count):
        yield Fold(np.flatnonzero(fold != number), np.flatnonzero(fold == number))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Preparation:
    """Learnt from training rows only. mean: (p,) what fills a gap. marked: (m,) bool over p, see `apply`.

    centre, scale: (p + m,) of the filled features and of the marks; scale is 1 where nothing varies.
    """

    mean: Floats
    marked: NDArray[np.bool_]
    centre: Floats
    scale: Floats

    @classmethod
    def of(cls, values: Floats) -> Preparation:
        """From (n, p) training features with NaN for gaps; a feature without any value counts as 0."""
        gaps = np.isnan(values)
        there = (~gaps).sum(axis=0)
        mean = np.where(gaps, 0.0, values).sum(axis=0) / np.maximum(there, 1)
        marked = np.asarray(gaps.any(axis=0))
        wide = _widened(values, mean, marked)
        spread = wide.std(axis=0)
        still = spread <= 1e-9 * np.maximum(np.abs(wide).max(axis=0), 1e-300)
        return cls(mean=mean, marked=marked, centre=wide.mean(axis=0), scale=np.where(still, 1.0, spread))

    def unmet(self, values: Floats) -> NDArray[np.bool_]:
        """(n, p) features -> (n,): whether one lacks a feature that no training row lacked.

        Nothing is known of such a gap, so nothing may be put into it.
        """
        return np.asarray((np.isnan(values) & ~self.marked).any(axis=1))

    def apply(self, values: Floats) -> Floats:
        """(n, p) features -> (n, p + m) standardised: filled, then 1 or 0 for each that had gaps before."""
        return np.asarray((_widened(values, self.mean, self.marked) - self.centre) / self.scale)


def _widened(values: Floats, mean: Floats, marked: NDArray[np.bool_]) -> Floats:
    gaps = np.isnan(values)
    return np.concatenate([np.where(gaps, mean, values), gaps[:, marked].astype(np.float64)], axis=1)


ALPHAS = tuple(float(10.0**power) for power in np.arange(0, 5.01, 0.5))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Linear:
    """weights: (q,) of standardised features. alpha: the penalty that they were fitted with."""

    weights: Floats
    intercept: float
    alpha: float

    def predict(self, prepared: Floats) -> Floats:
        """(n, q) -> (n,)."""
        return np.asarray(prepared @ self.weights + self.intercept)


def fit_ridge(prepared: Floats, people: Floats, alphas: Sequence[float] = ALPHAS) -> list[Linear]:
    """One for each α, in order. prepared: (n, q); people: (n,)."""
    centre, mean = prepared.mean(axis=0), float(people.mean())
    left, singular, right = np.linalg.svd(prepared - centre, full_matrices=False)
    along = left.T @ (people - mean)
    found = []
    for alpha in alphas:
        weights = right.T @ (singular / (singular**2 + alpha) * along)
        found.append(Linear(weights=weights, intercept=mean - float(centre @ weights), alpha=float(alpha)))
    return found


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
        raise OptionError(
            "There is no model “{given}”; choose {families}.",
            given=", ".join(families),
            families=Listed(FAMILIES),
        )
    return found


def fit(data: Training, rows: Ints, *, families: Sequence[Family] = FAMILIES, seed: int = 0) -> Model:
    """Learn from these rows and no others: gaps, scale, penalty, trees and family are all chosen in them.

    The choice is made by `INNER` folds of whole documents. People's z-scores are those of these rows.
    """
    given = frozenset(families)
    settings, errors = _chosen(data, rows, given, seed)
    family = min((name for name in FAMILIES if name in given), key=errors.__getitem__)
    return built(
        data,
        rows,
        settings,
        family,
        seed=seed,
        errors={name: errors[name] for name in FAMILIES if name in given},
    )


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
