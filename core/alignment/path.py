"""The best way through two texts in beads, and how probable each bead is.

A way is a sequence of beads and of sentences that are left out, in the order of both texts; its value is
the sum of the beads', each compared with leaving its sentences out, and of the gaps'. Ways are probable in
proportion to exp(value / temperature), so a bead's probability is the share of all ways that go through it.
The way that is taken has the highest sum of these probabilities, which is the expected number of sentences
in beads that are exactly right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, int]
SKIP_WORTH = 0.85
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
    gap: float,
    temperature: float,
) -> list[PathStep]:
    """The way from (0, 0) to `size`.

    values: of the beads of each shape (a, b), (n - a + 1, m - b + 1), by their first sentences. gap: the
    value of each run of sentences that are left out, of any length. temperature: above 0.
    """
    scaled = {shape: found.astype(np.float64) / temperature for shape, found in values.items()}
    forward = _forward(scaled, size, gap / temperature)
    turned = {shape: found[::-1, ::-1] for shape, found in scaled.items()}
    back = _forward(turned, size, gap / temperature)
    backward = _Sums(back.bead[::-1, ::-1], back.gap[::-1, ::-1])
    whole = float(forward.all()[size])
    chances = {
        shape: np.exp(np.minimum(found - whole, 0.0))
        for shape, found in _through(scaled, size, gap / temperature, forward, backward).items()
    }
    edges = _joined(forward, backward, -gap / temperature)
    return _best(chances, np.exp(np.minimum(edges - whole, 0.0)), size)


@dataclass(frozen=True, slots=True)
class _Sums:
    """(n + 1, m + 1) the logarithms of the summed weights of all ways to each place.

    bead: of those whose last step is a bead, and of the beginning. gap: of those that end in a gap.
    """

    bead: NDArray[np.float64]
    gap: NDArray[np.float64]

    def all(self) -> NDArray[np.float64]:
        """Of all ways."""
        return np.asarray(np.logaddexp(self.bead, self.gap))

    def at(self, rows: slice, columns: slice) -> _Sums:
        """Those of a part of the places."""
        return _Sums(self.bead[rows, columns], self.gap[rows, columns])


def _forward(values: Mapping[Shape, NDArray[np.float64]], size: tuple[int, int], gap: float) -> _Sums:
    n, m = size
    bead, left_out = (np.full((n + 1, m + 1), _NEVER) for _ in range(2))
    bead[0, 0] = 0.0
    either = np.full((n + 1, m + 1), _NEVER)
    for row in range(n + 1):
        for (a, b), found in values.items():
            if a <= row and b <= m:
                ways = either[row - a, : m + 1 - b] + found[row - a]
                bead[row, b:] = np.logaddexp(bead[row, b:], ways)
        if row:
            left_out[row] = np.logaddexp(bead[row - 1] + gap, left_out[row - 1])
        left_out[row, 1:] = np.logaddexp(left_out[row, 1:], bead[row, :-1] + gap)
        left_out[row] = np.logaddexp.accumulate(left_out[row])
        either[row] = np.logaddexp(bead[row], left_out[row])
    return _Sums(bead, left_out)


def _joined(before: _Sums, behind: _Sums, again: float) -> NDArray[np.float64]:
    """All ways of which a part comes before and a part behind. again: where both parts end in one gap."""
    return np.asarray(
        np.logaddexp(
            np.logaddexp(before.bead + behind.bead, before.bead + behind.gap),
            np.logaddexp(before.gap + behind.bead, before.gap + behind.gap + again),
        )
    )


def _through(
    values: Mapping[Shape, NDArray[np.float64]],
    size: tuple[int, int],
    gap: float,
    forward: _Sums,
    backward: _Sums,
) -> dict[Shape, NDArray[np.float64]]:
    """All ways through each bead, and through each sentence that is left out, at each place."""
    n, m = size
    found: dict[Shape, NDArray[np.float64]] = {}
    for a, b in ((1, 0), (0, 1)):
        before = forward.at(slice(n + 1 - a), slice(m + 1 - b))
        behind = backward.at(slice(a, None), slice(b, None))
        opened = _Sums(before.bead + gap, before.gap)  # a gap that goes on behind counts once
        found[a, b] = _joined(opened, _Sums(behind.bead, behind.gap - gap), 0.0)
    for (a, b), value in values.items():
        found[a, b] = forward.all()[: n + 1 - a, : m + 1 - b] + value + backward.all()[a:, b:]
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
