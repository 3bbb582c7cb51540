"""The best way through two texts in beads, and how probable each bead is.

A way is a sequence of beads and of sentences that are left out, in the order of both texts; its value is
the sum of theirs. Ways are probable in proportion to exp(value / temperature), so a bead's probability is
the share of all ways that go through it. The way that is taken has the highest sum of these probabilities,
which is the expected number of sentences in beads that are exactly right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, int]
SKIP_WORTH = 0.7
"""How much a sentence that is rightly left out counts beside one in a bead that is right."""
_NEVER = -1e18
_SKIP_LEFT, _SKIP_RIGHT = -1, -2


@dataclass(frozen=True, slots=True)
class PathStep:
    """A bead from (left, right), of a shape; (1, 0) and (0, 1) leave a sentence out.

    probability: that exactly this bead is right. edge: that both texts can be cut behind it.
    """

    left: int
    right: int
    shape: Shape
    probability: float
    edge: float


def find_path(
    values: Mapping[Shape, NDArray[np.float32]],
    size: tuple[int, int],
    *,
    skip: float,
    temperature: float,
) -> list[PathStep]:
    """The way from (0, 0) to `size`.

    values: of the beads of each shape (a, b), (n - a + 1, m - b + 1), by their first sentences. skip: the
    value of a sentence that is left out. temperature: above 0.
    """
    scaled = {shape: found.astype(np.float64) / temperature for shape, found in values.items()}
    forward = _forward(scaled, size, skip / temperature)
    turned = {shape: found[::-1, ::-1] for shape, found in scaled.items()}
    backward = _forward(turned, size, skip / temperature)[::-1, ::-1]
    chances = _chances(scaled, size, skip / temperature, forward, backward)
    return _best(chances, np.exp(np.minimum(forward + backward - forward[size], 0.0)), size)


def _forward(
    values: Mapping[Shape, NDArray[np.float64]], size: tuple[int, int], skip: float
) -> NDArray[np.float64]:
    """(n + 1, m + 1) the logarithm of the summed weights of all ways from (0, 0) to each place."""
    n, m = size
    total = np.full((n + 1, m + 1), _NEVER)
    steps = skip * np.arange(m + 1)
    for row in range(n + 1):
        here = np.full(m + 1, _NEVER)
        if row == 0:
            here[0] = 0.0
        else:
            here = total[row - 1] + skip
            for (a, b), found in values.items():
                if a <= row and b <= m:
                    here[b:] = np.logaddexp(here[b:], total[row - a, : m + 1 - b] + found[row - a])
        total[row] = np.logaddexp.accumulate(here - steps) + steps
    return total


def _chances(
    values: Mapping[Shape, NDArray[np.float64]],
    size: tuple[int, int],
    skip: float,
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
) -> dict[Shape, NDArray[np.float64]]:
    """The probability of each bead and of each sentence that is left out at each place."""
    n, m = size
    whole = forward[n, m]
    found: dict[Shape, NDArray[np.float64]] = {}
    for shape in [(1, 0), (0, 1), *values]:
        a, b = shape
        value = values.get(shape, skip)
        start, end = forward[: n + 1 - a, : m + 1 - b], backward[a:, b:]
        found[shape] = np.exp(np.minimum(start + value + end - whole, 0.0))
    return found


def _best(
    chances: Mapping[Shape, NDArray[np.float64]], edges: NDArray[np.float64], size: tuple[int, int]
) -> list[PathStep]:
    """The way with the highest sum of probabilities, each times the number of its sentences."""
    n, m = size
    total = np.full((n + 1, m + 1), _NEVER)
    taken = np.full((n + 1, m + 1), _SKIP_RIGHT, np.int16)
    shapes = [shape for shape in chances if 0 not in shape]
    for row in range(n + 1):
        here = np.full(m + 1, _NEVER)
        if row == 0:
            here[0] = 0.0
        else:
            here = total[row - 1] + SKIP_WORTH * chances[1, 0][row - 1]
            taken[row] = _SKIP_LEFT
            for number, (a, b) in enumerate(shapes):
                if a <= row and b <= m:
                    value = total[row - a, : m + 1 - b] + (a + b) * chances[a, b][row - a]
                    better = value > here[b:]
                    here[b:][better] = value[better]
                    taken[row, b:][better] = number
        skipped = np.concatenate([[0.0], np.cumsum(SKIP_WORTH * chances[0, 1][row])])
        total[row] = np.maximum.accumulate(here - skipped) + skipped
        taken[row][total[row] > here + 1e-12] = _SKIP_RIGHT
    return _walk(chances, edges, taken, shapes)


def _walk(
    chances: Mapping[Shape, NDArray[np.float64]],
    edges: NDArray[np.float64],
    taken: NDArray[np.int16],
    shapes: list[Shape],
) -> list[PathStep]:
    steps: list[PathStep] = []
    row, column = taken.shape[0] - 1, taken.shape[1] - 1
    while row or column:
        number = int(taken[row, column])
        shape = shapes[number] if number >= 0 else (1, 0) if number == _SKIP_LEFT else (0, 1)
        edge = float(edges[row, column])
        row, column = row - shape[0], column - shape[1]
        steps.append(PathStep(row, column, shape, float(chances[shape][row, column]), edge))
    return steps[::-1]
