"""The linear span of a sentence's token vectors: its leading directions, and how far a vector lies in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RANK_TOLERANCE = 1e-3
"""A direction counts when its singular value is above this share of the largest: repeated tokens add none.

Nor do two tokens that differ by what float32 loses, as the special tokens of multilingual-e5 do: the
direction between them (a share of 0.00001 to 0.0001) is noise, and would change with the batch; the others
begin at 0.003.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """An orthonormal basis of the span of m unit vectors, as combinations of them.

    mix: (m, k) float64; the directions are the columns of vectors.T @ mix. singular: (k,) descending.
    rank: how many directions there were before `energy` left k.
    """

    mix: NDArray[np.float64]
    singular: NDArray[np.float64]
    rank: int


def span_of(units: NDArray[np.float64], energy: float = 1.0) -> Span:
    """The span of (m, d) unit vectors, by eigenvectors in float64 of the smaller of their two Gram matrices.

    Below energy 1 only the leading directions that hold that share of the variance, the sum of squared
    singular values.
    """
    if not len(units):
        return Span(np.zeros((0, 0)), np.zeros(0), 0)
    wide = len(units) <= units.shape[1]
    values, vectors = np.linalg.eigh(units @ units.T if wide else units.T @ units)
    singular = np.sqrt(np.maximum(values[::-1], 0))
    rank = int((singular > RANK_TOLERANCE * singular[0]).sum())
    held = np.cumsum(singular[:rank] ** 2)
    kept = rank if energy >= 1 else min(int(np.searchsorted(held / held[-1], energy - 1e-12)) + 1, rank)
    leading = vectors[:, ::-1][:, :kept]
    if not wide:  # these are the directions themselves: V = units.T U / s, so U = units V / s
        leading = units @ leading / singular[:kept]
    return Span(leading / singular[:kept], singular[:kept], rank)


def coordinates(units: NDArray[np.float64], spanning: NDArray[np.float64], span: Span) -> NDArray[np.float64]:
    """(n, d) unit vectors -> (n, k) their coordinates along the directions of the span of `spanning`."""
    if not len(spanning):
        return np.zeros((len(units), 0))
    return np.asarray((units @ spanning.T) @ span.mix, np.float64)


def membership(units: NDArray[np.float64], spanning: NDArray[np.float64], span: Span) -> NDArray[np.float64]:
    """(n, d) unit vectors -> (n,) lengths of their projections on the span of (m, d) `spanning`: [0, 1]."""
    return lengths(coordinates(units, spanning, span))


def lengths(along: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, k) coordinates along orthonormal directions -> (n,) lengths in [0, 1]."""
    return np.asarray(np.clip(np.sqrt((along**2).sum(axis=1)), 0, 1), np.float64)
