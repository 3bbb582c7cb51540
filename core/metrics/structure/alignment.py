"""Each subtree's partner: the most similar one of the other side whose feature is the same (equation 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.bertscore.matching import NO_PARTNER, unit_rows
from core.metrics.structure.roles import Role

BLOCK_ROWS = 512


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """For each of m subtrees: its partner on the other side (-1: none) and their similarity.

    similarity: (m,) float32 in [-1, 1], what counts; 0 without a partner. agrees: (m,) whether it has a
    partner that passes the filter. best, best_similarity: the most similar one whatever the filter says.
    """

    partner: NDArray[np.int64]
    similarity: NDArray[np.float32]
    agrees: NDArray[np.bool_]
    best: NDArray[np.int64]
    best_similarity: NDArray[np.float32]


def align(
    own: NDArray[np.float32], other: NDArray[np.float32], features: Sequence[str], others: Sequence[str]
) -> Alignment:
    """Meet each of (m, d) vectors with the most similar of (n, d) whose feature is the same."""
    count = len(own)
    partner, best = np.full(count, NO_PARTNER), np.full(count, NO_PARTNER)
    similarity, highest = np.zeros(count, np.float32), np.zeros(count, np.float32)
    if not (count and len(other)):
        return Alignment(partner, similarity, partner != NO_PARTNER, best, highest)
    kinds = {name: number for number, name in enumerate(dict.fromkeys([*features, *others]))}
    own_kind, other_kind = (np.array([kinds[name] for name in names]) for names in (features, others))
    units, towards = unit_rows(own), unit_rows(other).T
    for start in range(0, count, BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        cosine = np.clip(units[rows] @ towards, -1, 1)
        at = np.arange(len(cosine))
        best[rows] = cosine.argmax(axis=1)
        highest[rows] = cosine[at, best[rows]]
        same = own_kind[rows, None] == other_kind[None, :]
        allowed = np.where(same, cosine, np.float32(-np.inf))
        found = allowed.argmax(axis=1)
        met = same[at, found]
        partner[rows] = np.where(met, found, NO_PARTNER)
        similarity[rows] = np.where(met, cosine[at, found], np.float32(0))
    return Alignment(partner, similarity, partner != NO_PARTNER, best, highest)


def align_roles(
    own: NDArray[np.float32], other: NDArray[np.float32], roles: Sequence[Role], others: Sequence[Role]
) -> Alignment:
    """Meet (m, d) words with (n, d) words by similarity alone, then ask whether their roles agree.

    Two words agree when their roles have one name and, below the main predicate and its arguments, when the
    words that they belong to are partners. Where they do not, the similarity s counts s · (1 - c), where
    c = (s - s̄) / (1 - s̄) says how surely they are partners: s̄ is the word's mean similarity with the other
    text. A word that clearly comes again in another role counts nearly 0; a doubtful partner says little.
    """
    if not (len(own) and len(other)):
        return align(own, other, [], [])
    cosine = np.clip(unit_rows(own) @ unit_rows(other).T, -1, 1)
    best, back = cosine.argmax(axis=1), cosine.argmax(axis=0)
    highest = cosine[np.arange(len(own)), best]
    mean = cosine.mean(axis=1)
    sure = np.clip((highest - mean) / np.maximum(1 - mean, 1e-6), 0, 1)
    agree = np.array(
        [
            one.name == others[at].name
            and (not (one.checked and others[at].checked) or _governors_meet(one, others[at], best, back))
            for one, at in zip(roles, best, strict=True)
        ]
    )
    counted = np.where(agree, highest, highest * (1 - sure)).astype(np.float32)
    return Alignment(best, counted, agree, best, highest)


def _governors_meet(one: Role, other: Role, best: NDArray[np.int64], back: NDArray[np.int64]) -> bool:
    """Whether the words that two words belong to are partners, from either side."""
    if NO_PARTNER in (one.governor, other.governor):
        return one.governor == other.governor
    return bool(best[one.governor] == other.governor or back[other.governor] == one.governor)
