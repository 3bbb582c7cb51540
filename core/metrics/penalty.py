"""The reading penalty of paper A: which tokens are rare, and how far apart their words and others sound.

M = 1 - Levenshtein(own, other) / max(len own, len other), unit costs, in [0, 1]; two empty readings give 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from core.backends import Word
from core.metrics.idf import Idf
from core.types import Token

CRITERIA = ("idf", "ner", "idf+ner")


@dataclass(frozen=True, slots=True)
class Edit:
    """A step from the own reading to the other: `equal`, `replace`, `insert` or `delete`; both slices."""

    op: str
    own: str
    other: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two readings side by side. `edits` spell both out in order; `coefficient` is M."""

    own: str
    other: str
    edits: tuple[Edit, ...]
    coefficient: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarity:
    """What makes a token rare. `threshold` is the idf from which one is (criteria with idf)."""

    criterion: str = "idf"
    idf: Idf | None = None
    threshold: float = 0.0


def coefficient(own: str, other: str) -> float:
    """M of two readings."""
    return 1 - float(Levenshtein.normalized_distance(own, other))


def meet(own: str, other: str) -> Meeting:
    """Two readings with their edit script and M."""
    edits = tuple(
        Edit(step.tag, own[step.src_start : step.src_end], other[step.dest_start : step.dest_end])
        for step in Levenshtein.opcodes(own, other)
    )
    return Meeting(own, other, edits, coefficient(own, other))


def word_spans(tokens: Sequence[Token], words: Sequence[Word]) -> NDArray[np.int64]:
    """(n, 2) half-open places in `words`: the words that each token shares a character with.

    Special tokens, and tokens that cover nothing (a bare ▁) or only blanks, have none.
    """
    token_starts = np.array([token.start for token in tokens], np.int64)
    token_ends = np.array([token.end for token in tokens], np.int64)
    first = np.searchsorted(np.array([word.end for word in words], np.int64), token_starts, "right")
    last = np.searchsorted(np.array([word.start for word in words], np.int64), token_ends, "left")
    covers = token_ends > token_starts
    return np.stack([first, np.where(covers, np.maximum(first, last), first)], axis=1).astype(np.int64)


def rare_tokens(
    ids: NDArray[np.int64], spans: NDArray[np.int64], words: Sequence[Word], rarity: Rarity
) -> tuple[NDArray[np.bool_], NDArray[np.float64] | None]:
    """(n,) which tokens are rare, and (n,) their idf where a dictionary is asked.

    By idf: idf >= threshold and above 0 (what stands in every document is not rare). By entity: a word of the
    token belongs to one. A token without words has no reading and is never rare.
    """
    idf = rarity.idf.weights(ids) if rarity.idf is not None else None
    rare = np.zeros(len(ids), bool)
    if rarity.criterion != "ner" and idf is not None:
        rare |= (idf >= rarity.threshold) & (idf > 0)
    if rarity.criterion != "idf":
        rare |= np.array([any(word.entity for word in words[first:last]) for first, last in spans], bool)
    return rare & (spans[:, 1] > spans[:, 0]), idf


def joined(words: Sequence[Word]) -> str:
    """The reading of some words in a row."""
    return "".join(word.reading for word in words)


def set_readings(
    tokens: Sequence[tuple[Sequence[int], Sequence[int]]], own: Sequence[Word], other: Sequence[Word]
) -> tuple[str, str]:
    """x_LFT and x̂_LFT: the readings of the rare tokens' words in order, and of their partners' words.

    tokens: per rare token the places of its own words and of its partner's. A word that was cut into several
    rare tokens counts once; so does a partner's word (by its reading) that several tokens of one word share.
    """
    ours: dict[int, str] = {}
    theirs: list[str] = []
    met: set[tuple[int, str]] = set()
    for mine, partners in tokens:
        ours |= {place: own[place].reading for place in mine}
        sounds = [other[place].reading for place in partners]
        theirs += [sound for sound in sounds if not any((place, sound) in met for place in mine)]
        met.update((place, sound) for place in mine for sound in sounds)
    return "".join(ours.values()), "".join(theirs)
