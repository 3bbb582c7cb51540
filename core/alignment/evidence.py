"""What speaks for a bead: how much better its tokens find partners in it than in other places.

For each token the best cosine among the tokens of the other side, less what it finds on average in a
stretch of as many sentences elsewhere. A bead's gain is the weighted sum over the tokens of both sides. A
sentence too many adds tokens without partners, one too few leaves tokens without theirs, so the sum says
where a bead begins and ends, which sentence vectors leave open.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from core.alignment.beads import LARGEST
from core.alignment.sides import TokenSide

WINDOWS = 48
"""Stretches of the other side that are looked at for the average."""

_ROWS = 2048


def baselines(side: TokenSide, other: TokenSide) -> NDArray[np.float32]:
    """(t, LARGEST) what each token finds on average in 1 to LARGEST sentences of the other side.

    The stretches lie evenly over the other side.
    """
    firsts = np.unique(np.linspace(0, max(len(other) - LARGEST, 0), WINDOWS).astype(int))
    lasts = np.minimum(firsts + LARGEST, len(other))
    out = np.zeros((len(side.vectors), LARGEST), np.float32)
    pieces = [other.tokens(first, last) for first, last in zip(firsts, lasts, strict=True)]
    cuts = np.concatenate(
        [np.diff(other.starts[first : last + 1]) for first, last in zip(firsts, lasts, strict=True)]
    )
    starts = np.concatenate([[0], np.cumsum(cuts)[:-1]])
    tokens = np.concatenate(pieces).T
    bounds = np.concatenate([[0], np.cumsum(lasts - firsts)])
    for row in range(0, len(out), _ROWS):
        found = np.maximum.reduceat(
            side.vectors[row : row + _ROWS].astype(np.float32) @ tokens, starts, axis=1
        )
        for first, last in itertools.pairwise(bounds):
            for size, best in enumerate(_widened(found[:, first:last])):
                out[row : row + _ROWS, size] += best.mean(axis=1)
    return np.asarray(out / len(firsts), np.float32)


def _widened(best: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """(t, n) best cosines by sentence -> the same by stretches of 1 to LARGEST sentences, (t, n - size + 1).

    Where there are fewer sentences, a longer stretch is all of them.
    """
    found = [best]
    for size in range(2, LARGEST + 1):
        if size > best.shape[1]:
            found.append(found[-1])
        else:
            found.append(np.maximum(found[-1][:, :-1], best[:, size - 1 :]))
    return found


def gains(
    left: TokenSide,
    right: TokenSide,
    based: tuple[NDArray[np.float32], NDArray[np.float32]],
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> dict[tuple[int, int], NDArray[np.float32]]:
    """For each shape (a, b) the gains of all beads within the given sentences.

    based: the `baselines` of both sides. rows, columns: half-open ranges of left and right sentences. An
    array has (n - a + 1, m - b + 1) gains by the first left and the first right sentence of the bead.
    """
    n, m = rows[1] - rows[0], columns[1] - columns[0]
    if n == 0 or m == 0:
        return {}
    of_left, of_right = _best(left, right, rows, columns)
    covered_left = _covered(left, of_left, based[0], rows)
    covered_right = _covered(right, of_right, based[1], columns)
    return {
        (a, b): _summed(covered_left[b - 1], a) + _summed(covered_right[a - 1], b).T
        for a in range(1, min(LARGEST, n) + 1)
        for b in range(1, min(LARGEST, m) + 1)
    }


def _best(
    left: TokenSide, right: TokenSide, rows: tuple[int, int], columns: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(t_left, m) and (t_right, n): the best cosine of each token with each sentence of the other side."""
    tokens = right.tokens(*columns).T
    starts_right = right.starts[columns[0] : columns[1]] - right.starts[columns[0]]
    by_left: list[NDArray[np.float32]] = []
    by_right: list[NDArray[np.float32]] = []
    step = 32
    for first in range(rows[0], rows[1], step):
        last = min(first + step, rows[1])
        cosines = left.tokens(first, last) @ tokens
        by_left.append(np.maximum.reduceat(cosines, starts_right, axis=1))
        by_right.append(np.maximum.reduceat(cosines, left.starts[first:last] - left.starts[first], axis=0))
    return np.concatenate(by_left), np.concatenate(by_right).T


def _covered(
    side: TokenSide, best: NDArray[np.float32], based: NDArray[np.float32], span: tuple[int, int]
) -> list[NDArray[np.float32]]:
    """For each size of a stretch of the other side: (n, stretches) what the tokens of each sentence gain."""
    tokens = slice(side.starts[span[0]], side.starts[span[1]])
    starts = side.starts[span[0] : span[1]] - side.starts[span[0]]
    weights = side.weights[tokens, None]
    return [
        np.add.reduceat((found - based[tokens, size : size + 1]) * weights, starts, axis=0)
        for size, found in enumerate(_widened(best))
    ]


def _summed(values: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Sums over `size` consecutive rows."""
    total = np.zeros((values.shape[0] + 1, values.shape[1]), np.float64)
    np.cumsum(values, axis=0, out=total[1:])
    return (total[size:] - total[:-size]).astype(np.float32)
