"""What words that sound alike say for a bead: names and borrowed words, in Japanese and in Latin letters.

A word in Latin letters, such as *Monogatari* or *Watson*, has an echo in a Japanese sentence with a word
that is read alike, 物語 or ワトソン. For a bead an echo counts log(EXPECTED / c), where c is the share of
stretches of as many Japanese sentences that have one. A word whose echoes are in other sentences only counts
log((1 - EXPECTED) / (1 - c)), a word without any echo nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.backends import Reader, Word
from core.text.languages import guess_lang

EXPECTED = 0.7
"""How often a word with echoes somewhere has one in the sentences that translate it."""
WEIGHT = 0.4
"""Of the echoes, in weighted cosines."""
ALIKE = 0.85
"""Least similarity of two words (1 - insertions and deletions / letters of both)."""
SHORTEST = 4
"""Letters of a word that is compared."""
_NAMING = re.compile("[ァ-ヺ々一-鿿]")
_AT_ONCE = 512
"""Words in Latin letters that are compared at once."""


@dataclass(frozen=True, slots=True)
class Sounds:
    """The words of n sentences in rough Latin letters (`Reader.read`, kana=romaji)."""

    japanese: bool
    words: tuple[frozenset[str], ...]

    def only(self, sentences: Sequence[int]) -> Sounds:
        """Those of these sentences."""
        return Sounds(self.japanese, tuple(self.words[n] for n in sentences))


def read_sounds(sentences: Sequence[str], reader: Reader) -> Sounds:
    """How the words sound: in Japanese those in kanji or katakana, alone and with the next one."""
    japanese = guess_lang(sentences) == "ja"
    read = reader.read(sentences, lang="ja" if japanese else "en", kana="romaji")
    found = (_japanese(words) if japanese else {word.reading for word in words} for words in read)
    return Sounds(
        japanese,
        tuple(
            frozenset(
                sound for sound in one if len(sound) >= SHORTEST and sound.isascii() and sound.isalpha()
            )
            for one in found
        ),
    )


def _japanese(words: Sequence[Word]) -> set[str]:
    named = [(word, _NAMING.search(word.text) is not None) for word in words]
    found = {word.reading for word, counts in named if counts}
    for (first, counts), (second, too) in pairwise(named):
        if counts and too and first.end == second.start:
            found.add(first.reading + second.reading)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Echoes:
    """k words in Latin letters that have echoes among n Japanese sentences.

    sentences: (k,) where each word stands. kinds: (k,) its row in the others. found: (kinds, n) in which
    Japanese sentences it has an echo. turned: whether the left text is the one in Latin letters.
    """

    sentences: NDArray[np.int64]
    kinds: NDArray[np.int64]
    found: NDArray[np.bool_]
    turned: bool


def echoes(left: Sounds | None, right: Sounds | None) -> Echoes | None:
    """The echoes of two texts; None if neither or both are Japanese, or no word has one."""
    if left is None or right is None or left.japanese == right.japanese:
        return None
    turned = right.japanese
    japanese, latin = (right, left) if turned else (left, right)
    found = _found(sorted(set().union(*latin.words)), japanese)
    rows = {sound: row for row, sound in enumerate(found)}
    places = [
        (n, rows[sound]) for n, words in enumerate(latin.words) for sound in sorted(words) if sound in rows
    ]
    if not places:
        return None
    sentences, kinds = np.array(places, np.int64).T
    return Echoes(sentences, kinds, np.array(list(found.values())), turned)


def _found(sounds: Sequence[str], japanese: Sounds) -> dict[str, NDArray[np.bool_]]:
    """In which Japanese sentences each sound has an echo; only those that have one."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    known = sorted(set().union(*japanese.words))
    if not known or not sounds:
        return {}
    stands: dict[str, list[int]] = {sound: [] for sound in known}
    for n, words in enumerate(japanese.words):
        for sound in words:
            stands[sound].append(n)
    out: dict[str, NDArray[np.bool_]] = {}
    for first in range(0, len(sounds), _AT_ONCE):
        some = sounds[first : first + _AT_ONCE]
        near = cdist(some, known, scorer=Indel.normalized_similarity, score_cutoff=ALIKE) > 0
        for sound, alike in zip(some, near, strict=True):
            where = [n for column in np.flatnonzero(alike).tolist() for n in stands[known[column]]]
            if where:
                out[sound] = np.zeros(len(japanese.words), bool)
                out[sound][where] = True
    return out


def with_echoes(
    values: Mapping[tuple[int, int], NDArray[np.float32]],
    heard: Echoes | None,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> dict[tuple[int, int], NDArray[np.float32]]:
    """The gains of the beads of each shape (`evidence.gains`), and what the echoes in them count.

    rows, columns: half-open ranges of left and right sentences, those of the gains.
    """
    if heard is None or not values:
        return dict(values)
    of_japanese, of_latin = (columns, rows) if heard.turned else (rows, columns)
    inside = (heard.sentences >= of_latin[0]) & (heard.sentences < of_latin[1])
    sentences, kinds = heard.sentences[inside] - of_latin[0], heard.kinds[inside]
    share = (heard.found.sum(axis=1) + 0.5) / (heard.found.shape[1] + 1)
    near = heard.found[:, slice(*of_japanese)]
    out = dict(values)
    for size in sorted({shape[heard.turned] for shape in values}):
        counts = _counts(near, share, size)[kinds]
        summed = np.zeros((of_latin[1] - of_latin[0] + 1, counts.shape[1]))
        np.add.at(summed, sentences + 1, counts)
        summed = np.cumsum(summed, axis=0)
        for shape, value in values.items():
            if shape[heard.turned] == size:
                stretch = shape[not heard.turned]
                counted = WEIGHT * (summed[stretch:] - summed[:-stretch])
                out[shape] = value + (counted if heard.turned else counted.T).astype(np.float32)
    return out


def _counts(near: NDArray[np.bool_], share: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """(kinds, stretches) what an echo, or none, counts in each stretch of `size` Japanese sentences."""
    by_chance = np.minimum(1 - (1 - share) ** size, EXPECTED)[:, None]
    last = near.shape[1] - size + 1
    has = np.any([near[:, n : n + last] for n in range(size)], axis=0)
    return np.where(has, np.log(EXPECTED / by_chance), np.log((1 - EXPECTED) / (1 - by_chance)))
