"""Gradient boosting: scikit-learn grows the trees; they are kept and read as plain numbers.

A saved model must be JSON and must never run code, so a tree is five columns, and `predict` is ours. It
repeats scikit-learn's arithmetic (features as float32, a sum in the order of the trees), so the numbers are
the same. Storing the training table and growing the trees again would tie a number to a library's version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.features import Floats
from core.errors import UnavailableError

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
        """The prediction, (n,), of the first so many trees, for each number in rising order."""
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
        """The same with the first so many trees."""
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
