"""A first way through two whole texts, by sentence vectors alone: pairs of sentences that are alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.sides import TokenSide

_ROWS = 512
_NEAR = 20
"""How many sentences before and behind a sure pair may not be as alike."""
_SURE_QUANTILE = 0.98
_DIAGONAL, _UP, _LEFT = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class CoarsePath:
    """Pairs of sentences in the order of both texts.

    left, right: (k,) sentence numbers, both ascending. margins: (k,) by how much the pair is more alike than
    the best other pair of either sentence nearby; above 0 for a pair that is sure.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    margins: NDArray[np.float32]

    def expected(self, at: int, size: tuple[int, int]) -> int:
        """The right sentence that stands about where the left sentence `at` does."""
        xs = np.concatenate([[-1], self.left, [size[0]]])
        ys = np.concatenate([[-1], self.right, [size[1]]])
        return int(np.clip(np.interp(at, xs, ys), 0, size[1]))


def coarse_path(left: TokenSide, right: TokenSide) -> CoarsePath:
    """The ordered pairs with the highest sum of cosines above those of unrelated sentences.

    Time and memory (one byte each) grow with the product of the numbers of sentences.
    """
    n, m = len(left), len(right)
    floor = _floor(left, right)
    moves = np.empty((n, m), np.int8)
    before = np.zeros(m + 1, np.float32)
    for first in range(0, n, _ROWS):
        worth = np.maximum(left.means[first : first + _ROWS] @ right.means.T - floor, 0)
        for row, here in enumerate(worth, start=first):
            diagonal = before[:-1] + here
            best = np.maximum(diagonal, before[1:])
            total = np.maximum.accumulate(best)
            moves[row] = np.where(
                total > best, _LEFT, np.where((diagonal >= before[1:]) & (here > 0), _DIAGONAL, _UP)
            )
            before = np.concatenate([[np.float32(0)], total])
    return _with_margins(left, right, _back(moves))


def _floor(left: TokenSide, right: TokenSide) -> float:
    """What the cosines of unrelated sentences seldom reach."""
    some = left.means[:: max(1, len(left) // 300)] @ right.means[:: max(1, len(right) // 300)].T
    return float(np.quantile(some, _SURE_QUANTILE))


def _back(moves: NDArray[np.int8]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    row, column = moves.shape[0] - 1, moves.shape[1] - 1
    while row >= 0 and column >= 0:
        move = moves[row, column]
        if move == _DIAGONAL:
            pairs.append((row, column))
        row -= move in (_DIAGONAL, _UP)
        column -= move in (_DIAGONAL, _LEFT)
    return pairs[::-1]


def _with_margins(left: TokenSide, right: TokenSide, pairs: list[tuple[int, int]]) -> CoarsePath:
    margins = []
    for one, other in pairs:
        across, at = _around(left.means[one], right.means, other)
        down, place = _around(right.means[other], left.means, one)
        own = across[at]
        across[at] = down[place] = -1.0
        margins.append(own - max(across.max(), down.max()))
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return CoarsePath(places[:, 0], places[:, 1], np.array(margins, np.float32))


def _around(
    vector: NDArray[np.float32], means: NDArray[np.float32], at: int
) -> tuple[NDArray[np.float32], int]:
    """The cosines with the sentences around `at`, and where `at` is among them."""
    first = max(at - _NEAR, 0)
    return means[first : at + _NEAR + 1] @ vector, at - first
