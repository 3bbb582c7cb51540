"""Folds that never split a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
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
