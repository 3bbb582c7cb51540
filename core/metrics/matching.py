"""Greedy matching of two token sequences by cosine, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

KEPT_CELLS = 1_000_000  # a larger matrix is not kept as evidence: partners and cosines are
BLOCK_ROWS = 1024
NO_PARTNER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """For each token of one side: the index of its partner on the other (-1: none) and their cosine."""

    partner: NDArray[np.int64]
    cosine: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Rows are tokens of the first side. `similarity` is (rows, columns) float32, None when too large."""

    rows: Best
    columns: Best
    similarity: NDArray[np.float32] | None


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1; a zero row stays zero, so its cosines are 0 and not NaN."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    return np.asarray(vectors / lengths[:, None], np.float32)


def match(
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    *,
    allowed_first: NDArray[np.bool_],
    allowed_second: NDArray[np.bool_],
) -> Matching:
    """Match (n, d) and (m, d) vectors; a token that is not `allowed` is nobody's partner.

    A negative best cosine stays negative (bert_score makes it 0, but only next to padding).
    """
    a, b = unit(first), unit(second)
    if len(a) * len(b) <= KEPT_CELLS:
        similarity = a @ b.T
        return Matching(_best(similarity, allowed_second), _best(similarity.T, allowed_first), similarity)
    return _match_blocks(a, b, allowed_first, allowed_second)


def _best(similarity: NDArray[np.float32], allowed: NDArray[np.bool_]) -> Best:
    if not allowed.any():
        rows = len(similarity)
        return Best(np.full(rows, NO_PARTNER), np.zeros(rows, np.float32))
    masked = similarity if allowed.all() else np.where(allowed[None, :], similarity, np.float32(-np.inf))
    partner = masked.argmax(axis=1)
    return Best(partner, masked[np.arange(len(masked)), partner])


def _match_blocks(
    a: NDArray[np.float32],
    b: NDArray[np.float32],
    allowed_a: NDArray[np.bool_],
    allowed_b: NDArray[np.bool_],
) -> Matching:
    """The same in blocks of rows: memory stays below BLOCK_ROWS × m floats."""
    rows = []
    best = Best(np.full(len(b), NO_PARTNER), np.full(len(b), -np.inf, np.float32))
    for start in range(0, len(a), BLOCK_ROWS):
        block = a[start : start + BLOCK_ROWS] @ b.T
        rows.append(_best(block, allowed_b))
        here = allowed_a[start : start + BLOCK_ROWS]
        if here.any():
            local = _best(block.T, here)
            better = local.cosine > best.cosine
            best.partner[better] = local.partner[better] + start
            best.cosine[better] = local.cosine[better]
    best.cosine[best.partner == NO_PARTNER] = 0
    partner = np.concatenate([one.partner for one in rows])
    return Matching(Best(partner, np.concatenate([one.cosine for one in rows])), best, None)
