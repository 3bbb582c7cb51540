"""Names and borrowed words of two texts that are read alike, in Japanese and in Latin letters.

*Monogatari* matches 物語 and *Watson* matches ワトソン. Matches are evidence for a bead: a word in Latin
letters that has a match among the bead's Japanese sentences adds log(EXPECTED / c), where c is the share of
equally long stretches of Japanese sentences that have a match. A word whose matches are all elsewhere adds
log((1 - EXPECTED) / (1 - c)), which is negative. A word without any match in the text adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.alignment.path import Shape
from core.backends import Reader, Word
from core.text.languages import guess_lang

EXPECTED = 0.7
"""The probability that a word with matches in the other text has one in the sentences that translate it."""
WEIGHT = 0.4
"""What a unit of log probability counts, in weighted cosines."""
ALIKE = 0.85
"""The least similarity of two readings that match: 1 - insertions and deletions / letters of both."""
SHORTEST = 4
"""The least number of letters of a reading that is compared."""
_KANJI_OR_KATAKANA = re.compile("[ァ-ヺ々一-鿿]")
_AT_ONCE = 512
"""Readings in Latin letters that are compared at once."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of the words of n sentences in rough Latin letters (`Reader.read`, kana=romaji)."""

    japanese: bool
    words: tuple[frozenset[str], ...]

    def only(self, sentences: Sequence[int]) -> Readings:
        """The readings of these sentences."""
        return Readings(self.japanese, tuple(self.words[n] for n in sentences))


def read_words(sentences: Sequence[str], reader: Reader) -> Readings:
    """The readings of all words; of Japanese, of those in kanji or katakana, alone and joined to the next."""
    japanese = guess_lang(sentences) == "ja"
    read = reader.read(sentences, lang="ja" if japanese else "en", kana="romaji")
    found = (_of_names(words) if japanese else {word.reading for word in words} for words in read)
    return Readings(japanese, tuple(frozenset(filter(_comparable, one)) for one in found))


def _comparable(reading: str) -> bool:
    return len(reading) >= SHORTEST and reading.isascii() and reading.isalpha()


def _of_names(words: Sequence[Word]) -> set[str]:
    names = [word for word in words if _KANJI_OR_KATAKANA.search(word.text)]
    joined = {one.reading + two.reading for one, two in pairwise(names) if one.end == two.start}
    return joined | {word.reading for word in names}


@dataclass(frozen=True, slots=True, eq=False)
class PhoneticMatches:
    """k words in Latin letters that match words of n Japanese sentences.

    sentences: (k,) the sentence of each word. rows: (k,) its row in `found`. found: (different words, n)
    whether a Japanese sentence has a match. latin_left: whether the left text is the one in Latin letters.
    """

    sentences: NDArray[np.int64]
    rows: NDArray[np.int64]
    found: NDArray[np.bool_]
    latin_left: bool


def phonetic_matches(left: Readings | None, right: Readings | None) -> PhoneticMatches | None:
    """The matches of two texts; None unless exactly one is Japanese and at least one word matches."""
    if left is None or right is None or left.japanese == right.japanese:
        return None
    japanese, latin = (right, left) if right.japanese else (left, right)
    found = _found(sorted(set().union(*latin.words)), japanese)
    rows = {reading: row for row, reading in enumerate(found)}
    places = [
        (n, rows[reading])
        for n, words in enumerate(latin.words)
        for reading in sorted(words)
        if reading in rows
    ]
    if not places:
        return None
    sentences, numbers = np.array(places, np.int64).T
    return PhoneticMatches(sentences, numbers, np.array(list(found.values())), latin_left=right.japanese)


def _found(readings: Sequence[str], japanese: Readings) -> dict[str, NDArray[np.bool_]]:
    """For each reading with a match: (n,) whether a Japanese sentence has one."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    sentences_of: dict[str, list[int]] = {}
    for n, words in enumerate(japanese.words):
        for reading in words:
            sentences_of.setdefault(reading, []).append(n)
    known = list(sentences_of)
    out: dict[str, NDArray[np.bool_]] = {}
    for first in range(0, len(readings) if known else 0, _AT_ONCE):
        some = readings[first : first + _AT_ONCE]
        near = cdist(some, known, scorer=Indel.normalized_similarity, score_cutoff=ALIKE) > 0
        for reading, alike in zip(some, near, strict=True):
            where = [n for column in np.flatnonzero(alike).tolist() for n in sentences_of[known[column]]]
            if where:
                out[reading] = np.zeros(len(japanese.words), bool)
                out[reading][where] = True
    return out


def with_matches(
    gains: Mapping[Shape, NDArray[np.float32]],
    matches: PhoneticMatches | None,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> dict[Shape, NDArray[np.float32]]:
    """The gains of the beads of each shape (`evidence.gains`) plus what the matches add.

    rows, columns: half-open ranges of left and right sentences, those of the gains.
    """
    if matches is None or not gains:
        return dict(gains)
    of_latin, of_japanese = (rows, columns) if matches.latin_left else (columns, rows)
    inside = (matches.sentences >= of_latin[0]) & (matches.sentences < of_latin[1])
    sentences, numbers = matches.sentences[inside] - of_latin[0], matches.rows[inside]
    share = (matches.found.sum(axis=1) + 0.5) / (matches.found.shape[1] + 1)
    near = matches.found[:, slice(*of_japanese)]
    out = dict(gains)
    for size in sorted({shape[matches.latin_left] for shape in gains}):  # of the Japanese side
        added = _added(near, share, size)[numbers]
        summed = np.zeros((of_latin[1] - of_latin[0] + 1, added.shape[1]))
        np.add.at(summed, sentences + 1, added)
        summed = np.cumsum(summed, axis=0)
        for shape, gain in gains.items():
            if shape[matches.latin_left] == size:
                latin = shape[not matches.latin_left]
                total = WEIGHT * (summed[latin:] - summed[:-latin])
                out[shape] = gain + (total if matches.latin_left else total.T).astype(np.float32)
    return out


def _added(near: NDArray[np.bool_], share: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """(different words, stretches) what each word adds in each stretch of `size` Japanese sentences."""
    by_chance = np.minimum(1 - (1 - share) ** size, EXPECTED)[:, None]
    last = near.shape[1] - size + 1
    has = np.any([near[:, n : n + last] for n in range(size)], axis=0)
    return np.where(has, np.log(EXPECTED / by_chance), np.log((1 - EXPECTED) / (1 - by_chance)))
