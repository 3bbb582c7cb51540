"""Greedy matching of two token sequences by cosine, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.types import TokenVectors

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


def match(first: TokenVectors, second: TokenVectors, *, specials: str = "include") -> Matching:
    """Match every token of `first` with its most similar one of `second`, and the other way round.

    specials: under `exclude` a special token is never a partner. A negative best cosine stays negative
    (bert_score makes it 0, but only next to padding). A zero vector has cosine 0 with everything.
    """
    allowed = [
        ~one.special if specials == "exclude" else np.ones(len(one.ids), bool) for one in (first, second)
    ]
    if len(first.ids) * len(second.ids) > KEPT_CELLS:
        return _match_blocks(first, second, allowed[0], allowed[1])
    similarity = cosines(first.vectors, first.lengths, second.vectors, second.lengths)
    apart(similarity, first.unknown, second.unknown)
    return Matching(_best(similarity, allowed[1]), _best(similarity.T, allowed[0]), similarity)


def apart(similarity: NDArray[np.float32], rows: Mapping[int, str], columns: Mapping[int, str]) -> None:
    """Set to 0 what unknown tokens have with others than their like: all of them have one vector.

    similarity: (n, m), changed. rows, columns: the places of unknown tokens with their characters.
    """
    for place, char in rows.items():
        like = [other for other, same in columns.items() if same == char]
        kept = similarity[place, like]
        similarity[place] = 0
        similarity[place, like] = kept
    for place, char in columns.items():
        others = np.ones(len(similarity), bool)
        others[[other for other, same in rows.items() if same == char]] = False
        similarity[others, place] = 0


def cosines(
    a: NDArray[np.float32],
    a_lengths: NDArray[np.float32],
    b: NDArray[np.float32],
    b_lengths: NDArray[np.float32],
) -> NDArray[np.float32]:
    """(n, d) and (m, d) vectors with their lengths -> (n, m) cosines, clipped to [-1, 1]."""
    products = a @ b.T
    scale = np.multiply.outer(a_lengths, b_lengths)
    scale[scale == 0] = 1
    return np.clip(products / scale, -1, 1, out=products)


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, d) vectors of length 1; a vector of length 0 stays 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), np.float32)


def _best(similarity: NDArray[np.float32], allowed: NDArray[np.bool_]) -> Best:
    if not allowed.any():
        rows = len(similarity)
        return Best(np.full(rows, NO_PARTNER), np.zeros(rows, np.float32))
    masked = similarity if allowed.all() else np.where(allowed[None, :], similarity, np.float32(-np.inf))
    partner = masked.argmax(axis=1)
    return Best(partner, masked[np.arange(len(masked)), partner])


def _match_blocks(
    first: TokenVectors, second: TokenVectors, allowed_a: NDArray[np.bool_], allowed_b: NDArray[np.bool_]
) -> Matching:
    """The same in blocks of rows: memory stays below BLOCK_ROWS × m floats."""
    rows = []
    best = Best(np.full(len(second.ids), NO_PARTNER), np.full(len(second.ids), -np.inf, np.float32))
    for start in range(0, len(first.ids), BLOCK_ROWS):
        part = slice(start, start + BLOCK_ROWS)
        block = cosines(first.vectors[part], first.lengths[part], second.vectors, second.lengths)
        inside = {
            place - start: char for place, char in first.unknown.items() if 0 <= place - start < len(block)
        }
        apart(block, inside, second.unknown)
        rows.append(_best(block, allowed_b))
        if allowed_a[part].any():
            local = _best(block.T, allowed_a[part])
            better = local.cosine > best.cosine
            best.partner[better] = local.partner[better] + start
            best.cosine[better] = local.cosine[better]
    best.cosine[best.partner == NO_PARTNER] = 0
    partner = np.concatenate([one.partner for one in rows])
    return Matching(Best(partner, np.concatenate([one.cosine for one in rows])), best, None)
