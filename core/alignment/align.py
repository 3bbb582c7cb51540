"""Aligns two texts, sentence by sentence.

The idea of vecalign (Thompson and Koehn 2019, aclanthology.org/D19-1136) and bertalign (Liu and Zhu 2022): a
first way by sentence vectors, then beads of up to six sentences a side near it. Other than there, a bead is
weighed by its tokens (`evidence.py`) and by words that are read alike (`phonetic.py`), and the way is chosen
by the beads' probabilities (`path.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.alignment.beads import Bead
from core.alignment.coarse import CoarsePath, coarse_path
from core.alignment.evidence import Chances, chances, gains
from core.alignment.path import PathStep, Shape, find_path
from core.alignment.phonetic import PhoneticMatches, phonetic_matches, with_matches
from core.alignment.sides import TokenSide, encode_side
from core.backends import Backends, Progress, beyond, silent

TEMPERATURE = 1.5
"""How fast the probability of a way falls with its value, in weighted cosines (`path.py`)."""
GAP = -1.5
"""The value of each run of sentences without a partner, of any length, in weighted cosines."""
OMISSION = (-0.3, 0.04)
"""The value of a sentence without a partner: a level, and a slope times the sum of its token weights.

Translators seldom omit a sentence. That the tokens of a short sentence match badly is weak evidence of an
omission, so a short sentence without a partner costs; a long one does not.
"""

_OF_BEAD, _OF_EDGE = (1.84, 0.79), (1.40, 1.32)
"""From the path's probability p to a confidence, with the logit: level + slope · logit(p).

Fitted to the 801 beads and 921 edges of text-berg (dev) and of four documents made from kyoto-wiki (dev);
`docs/results.md` has the reliability on other texts.
"""

SHORTEST, LONGEST = 60, 160
"""Sentences between two sure pairs at which the texts are cut."""
_BEYOND = 12
"""Sentences behind a cut that are looked at, so that the cut does not decide the beads before it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Half-open ranges of left and right sentences; only steps that begin before `sure` hold."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    sure: tuple[int, int]


def align_sentences(
    left: Sequence[str],
    right: Sequence[str],
    backends: Backends,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> list[Bead]:
    """The beads of two texts, in their order; every sentence is in exactly one.

    left, right: the sentences. kept: a folder for what is encoded, so that a stopped run goes on where it
    was. progress: called with (done, total): each sentence once for being encoded, each left one again.
    """
    if not left or not right:
        return [Bead((n,), (), 1.0) for n in range(len(left))] + [
            Bead((), (n,), 1.0) for n in range(len(right))
        ]
    total = 2 * len(left) + len(right)
    first, second = (
        encode_side(side, backends, kept=kept, progress=beyond(progress, done, total))
        for side, done in ((left, 0), (right, len(left)))
    )
    return align_sides(first, second, progress=beyond(progress, len(left) + len(right), total))


def align_sides(left: TokenSide, right: TokenSide, *, progress: Progress = silent) -> list[Bead]:
    """The beads of two encoded texts. progress: called with (done, total) left sentences."""
    by_chance = chances(left, right), chances(right, left)
    beads: list[Bead] = []
    matches = phonetic_matches(left.readings, right.readings)
    for step, row, column in _steps(left, right, by_chance, matches):
        a, b = step.shape
        numbers = tuple(range(row, row + a)), tuple(range(column, column + b))
        beads.append(Bead(*numbers, _sure(step.probability, _OF_BEAD), _sure(step.edge, _OF_EDGE)))
        progress(row + a, len(left))
    return beads


def align_some(
    left: TokenSide,
    right: TokenSide,
    rows: Sequence[int],
    columns: Sequence[int],
    *,
    progress: Progress = silent,
) -> list[Bead]:
    """The beads of some sentences of both texts, by their numbers in the whole texts.

    Without a sentence on one side those of the other are left out, surely. progress: as in `align_sides`.
    """
    if not rows or not columns:
        return [Bead((n,), (), 1.0) for n in rows] + [Bead((), (n,), 1.0) for n in columns]
    return [
        Bead(
            tuple(rows[n] for n in bead.left),
            tuple(columns[n] for n in bead.right),
            bead.confidence,
            bead.edge,
        )
        for bead in align_sides(left.only(rows), right.only(columns), progress=progress)
    ]


def _sure(probability: float, fitted: tuple[float, float]) -> float:
    """What a probability of the path is worth, 0 to 1."""
    p = min(max(probability, 1e-9), 1 - 1e-9)
    return 1 / (1 + math.exp(-fitted[0] - fitted[1] * math.log(p / (1 - p))))


def _steps(
    left: TokenSide, right: TokenSide, by_chance: tuple[Chances, Chances], matches: PhoneticMatches | None
) -> Iterator[tuple[PathStep, int, int]]:
    """The steps of the way with the sentences they begin at, piece by piece."""
    path = coarse_path(left, right)
    at = (0, 0)
    end = len(left), len(right)
    while at != end:
        piece = _next_piece(path, at, end)
        values = gains(left, right, by_chance, piece.rows, piece.columns)
        values = with_matches(values, matches, piece.rows, piece.columns)
        weights = left.sentence_weights(*piece.rows), right.sentence_weights(*piece.columns)
        values = _relative_to_omission(values, *weights)
        size = piece.rows[1] - piece.rows[0], piece.columns[1] - piece.columns[0]
        steps = find_path(values, size, gap=GAP, temperature=TEMPERATURE)
        start = at
        for step in steps:
            row, column = start[0] + step.left, start[1] + step.right
            if (row >= piece.sure[0] or column >= piece.sure[1]) and (row, column) != start:
                break
            yield step, row, column
            at = row + step.shape[0], column + step.shape[1]


def _relative_to_omission(
    values: Mapping[Shape, NDArray[np.float32]], left: NDArray[np.float32], right: NDArray[np.float32]
) -> dict[Shape, NDArray[np.float32]]:
    """The values of beads minus those of omitting their sentences. left, right: the sentences' weights."""
    level, slope = OMISSION
    first, second = (np.concatenate([[0], np.cumsum(level + slope * side)]) for side in (left, right))
    return {
        (a, b): np.asarray(
            value - (first[a:] - first[:-a])[:, None] - (second[b:] - second[:-b])[None, :], np.float32
        )
        for (a, b), value in values.items()
    }


def _next_piece(path: CoarsePath, at: tuple[int, int], end: tuple[int, int]) -> _Piece:
    """From `at` to the surest pair in the next stretch, and some sentences beyond it."""
    if at[0] == end[0] or at[1] == end[1] or (end[0] - at[0] <= LONGEST and end[1] - at[1] <= 2 * LONGEST):
        return _Piece((at[0], end[0]), (at[1], end[1]), end)
    ahead = (path.left >= at[0] + SHORTEST) & (path.right > at[1])
    near = np.flatnonzero(ahead & (path.left <= at[0] + LONGEST))
    if len(near):
        surest = near[np.argmax(path.margins[near])]
        sure = int(path.left[surest]), int(path.right[surest])
    else:
        behind = np.flatnonzero(ahead)
        sure = (int(path.left[behind[0]]), int(path.right[behind[0]])) if len(behind) else end
    last_row = min(sure[0] + _BEYOND, end[0])
    last_column = min(max(path.expected(last_row, end), sure[1]) + _BEYOND, end[1])
    if last_row == end[0] or last_column == end[1]:
        return _Piece((at[0], end[0]), (at[1], end[1]), end)
    return _Piece((at[0], last_row), (at[1], last_column), sure)
