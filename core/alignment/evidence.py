"""What speaks for a bead: how much better its tokens find partners in it than in other places.

For each token the best cosine among the tokens of the other side, less what it finds on average in a
stretch of as many sentences elsewhere. A bead's gain is the weighted sum over the tokens of both sides. A
sentence too many adds tokens without partners, one too few leaves tokens without theirs, so the sum says
where a bead begins and ends, which sentence vectors leave open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.alignment.beads import LARGEST
from core.alignment.sides import TokenSide


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """What a sentence's tokens find by chance in k unrelated tokens: level + growth · log(k), (n,) each.

    Both are summed over the tokens, with their weights.
    """

    level: NDArray[np.float32]
    growth: NDArray[np.float32]


WINDOWS = 48
"""Stretches of the other side that are looked at for the average."""

_ROWS = 2048
_TOKENS = 1024
"""Tokens of the left side whose cosines are held at once."""


def chances(side: TokenSide, other: TokenSide) -> Chances:
    """What the sentences find by chance in the other side, from stretches that lie evenly over it."""
    firsts = np.unique(np.linspace(0, max(len(other) - LARGEST, 0), WINDOWS).astype(int))
    lasts = np.minimum(firsts + LARGEST, len(other))
    tokens = np.concatenate([other.tokens(first, last) for first, last in zip(firsts, lasts, strict=True)]).T
    sizes = np.concatenate(
        [np.diff(other.starts[first : last + 1]) for first, last in zip(firsts, lasts, strict=True)]
    )
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    whole = np.concatenate([[0], np.cumsum(lasts - firsts)[:-1]])
    short, long = np.log(sizes).mean(), np.log(np.add.reduceat(sizes, whole)).mean()
    level, growth = np.zeros(len(side.vectors)), np.zeros(len(side.vectors))
    for row in range(0, len(level), _ROWS):
        best = np.maximum.reduceat(
            side.vectors[row : row + _ROWS].astype(np.float32) @ tokens, starts, axis=1
        )
        in_one, in_all = best.mean(axis=1), np.maximum.reduceat(best, whole, axis=1).mean(axis=1)
        growth[row : row + _ROWS] = (in_all - in_one) / max(long - short, 1.0)
        level[row : row + _ROWS] = in_one
    level -= growth * short
    summed = [np.add.reduceat(one * side.weights, side.starts[:-1]) for one in (level, growth)]
    return Chances(np.asarray(summed[0], np.float32), np.asarray(summed[1], np.float32))


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
    by_chance: tuple[Chances, Chances],
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> dict[tuple[int, int], NDArray[np.float32]]:
    """For each shape (a, b) the gains of all beads within the given sentences.

    by_chance: the `chances` of both sides. rows, columns: half-open ranges of left and right sentences. An
    array has (n - a + 1, m - b + 1) gains by the first left and the first right sentence of the bead.
    """
    n, m = rows[1] - rows[0], columns[1] - columns[0]
    if n == 0 or m == 0:
        return {}
    of_left, of_right = _best(left, right, rows, columns)
    covered_left = _covered(left, of_left, by_chance[0], rows, right.sizes(*columns))
    covered_right = _covered(right, of_right, by_chance[1], columns, left.sizes(*rows))
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
    bounds = left.starts[rows[0] : rows[1] + 1]
    by_left: list[NDArray[np.float32]] = []
    by_right = np.full((rows[1] - rows[0], tokens.shape[1]), -1, np.float32)
    for first in range(int(bounds[0]), int(bounds[-1]), _TOKENS):
        last = min(first + _TOKENS, int(bounds[-1]))
        cosines = left.vectors[first:last].astype(np.float32) @ tokens
        by_left.append(np.maximum.reduceat(cosines, starts_right, axis=1))
        here = int(np.searchsorted(bounds, first, side="right")) - 1
        behind = int(np.searchsorted(bounds, last, side="left"))
        inside = np.maximum(bounds[here:behind] - first, 0)
        found = np.maximum.reduceat(cosines, inside, axis=0)
        by_right[here:behind] = np.maximum(by_right[here:behind], found)
    return np.concatenate(by_left), by_right.T


def _covered(
    side: TokenSide,
    best: NDArray[np.float32],
    by_chance: Chances,
    span: tuple[int, int],
    sizes: NDArray[np.int64],
) -> list[NDArray[np.float32]]:
    """For each size of a stretch of the other side: (n, stretches) what the tokens of each sentence gain.

    sizes: (m,) the tokens of each sentence of the other side.
    """
    tokens = slice(side.starts[span[0]], side.starts[span[1]])
    starts = side.starts[span[0] : span[1]] - side.starts[span[0]]
    weights = side.weights[tokens, None]
    level, growth = by_chance.level[slice(*span), None], by_chance.growth[slice(*span), None]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    found = []
    for size, widest in enumerate(_widened(best), start=1):
        stretch = np.log(
            np.maximum(ends[min(size, len(sizes)) :][: widest.shape[1]] - ends[: widest.shape[1]], 1)
        )
        found.append(np.add.reduceat(widest * weights, starts, axis=0) - level - growth * stretch[None, :])
    return found


def _summed(values: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Sums over `size` consecutive rows."""
    total = np.zeros((values.shape[0] + 1, values.shape[1]), np.float64)
    np.cumsum(values, axis=0, out=total[1:])
    return (total[size:] - total[:-size]).astype(np.float32)
