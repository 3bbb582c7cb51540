"""The subtrees of a parse, and a vector for each (paper C, section 4.2 and appendix C).

Dependency: every word; every path from a word down to a leaf below it; every word with all its descendants.
Constituency: every constituent and, on request, every word with its part of speech. What covers the same
words with the same top is one subtree. The vector of a subtree is the element-wise maximum over the sub-word
tokens that share a character with its words (equation 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.structure.heads import constituent_heads
from core.metrics.structure.roles import content_words
from core.trees import Parse
from core.types import TokenVectors

WORD, PATH, BRANCH, PHRASE = "word", "path", "branch", "phrase"
MAX_PATHS = 3000
"""So many paths of a text are kept, the shorter ones first (some 700 words have as many)."""
WORDS_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class Subtree:
    """kind: `word`, `path`, `branch` (a word with all its descendants) or `phrase` (a constituent).

    words: places among the parse's words, ascending. label: the phrase's label, the part of speech of a word
    of a constituent tree, or the relation of the topmost word. head: the place of the head word.
    """

    kind: str
    words: tuple[int, ...]
    label: str
    head: int


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """m subtrees with their vectors, (m, d) float32. capped: whether paths were left out."""

    subtrees: tuple[Subtree, ...]
    vectors: NDArray[np.float32]
    capped: bool = False


def word_vectors(parse: Parse, tokens: TokenVectors) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """(w, d) the maximum over each word's tokens, and (w,) which words have a token at all."""
    starts = np.array([token.start for token in tokens.tokens], np.int64)
    ends = np.array([token.end for token in tokens.tokens], np.int64)
    covers = np.flatnonzero(~tokens.special & (ends > starts))
    first = np.searchsorted(ends[covers], [word.start for word in parse.words], "right")
    last = np.searchsorted(starts[covers], [word.end for word in parse.words], "left")
    found = last > first
    vectors = np.zeros((len(parse.words), tokens.vectors.shape[1]), np.float32)
    for place in np.flatnonzero(found):
        vectors[place] = tokens.vectors[covers[first[place] : last[place]]].max(axis=0)
    return vectors, found


def phrases(parse: Parse, tokens: TokenVectors, *, lang: str, preterminals: bool) -> Grown:
    """Every constituent; with `preterminals` every word too, labelled with its part of speech."""
    vectors, found = word_vectors(parse, tokens)
    heads = constituent_heads(parse, lang)
    subtrees = [
        Subtree(PHRASE, tuple(range(one.start, one.end)), one.label, head)
        for one, head in zip(parse.constituents, heads, strict=True)
    ]
    if preterminals:
        subtrees += [Subtree(WORD, (at,), word.tag, at) for at, word in enumerate(parse.words)]
    return _pooled(list(dict.fromkeys(subtrees)), vectors, found)


def content(parse: Parse, tokens: TokenVectors) -> Grown:
    """The words that have a role, one subtree each, in the order of `content_words`."""
    vectors, _ = word_vectors(parse, tokens)
    places = content_words(parse)
    words = tuple(Subtree(WORD, (at,), parse.words[at].relation, at) for at in places)
    return Grown(words, vectors[list(places)])


def branches(parse: Parse, tokens: TokenVectors) -> Grown:
    """Words, paths down to leaves (at most MAX_PATHS), and words with all their descendants."""
    vectors, found = word_vectors(parse, tokens)
    below: list[list[int]] = [[] for _ in parse.words]
    for place, word in enumerate(parse.words):
        if word.head != place:
            below[word.head].append(place)
    order = _from_leaves(parse, below)
    relation = [word.relation for word in parse.words]
    words = [Subtree(WORD, (at,), relation[at], at) for at in range(len(parse.words))]
    paths, capped = _paths(order, below)
    whole: list[tuple[int, ...]] = [()] * len(parse.words)
    for at in order:
        whole[at] = tuple(sorted([at, *(place for child in below[at] for place in whole[child])]))
    subtrees = [
        *words,
        *(Subtree(PATH, tuple(sorted(path)), relation[path[0]], path[0]) for path in paths),
        *(Subtree(BRANCH, whole[at], relation[at], at) for at in range(len(parse.words))),
    ]
    distinct = {(one.words, one.head): one for one in reversed(subtrees)}
    kept = [one for one in subtrees if distinct.get((one.words, one.head)) is one]
    grown = _pooled(kept, vectors, found)
    return Grown(grown.subtrees, grown.vectors, capped)


def _from_leaves(parse: Parse, below: list[list[int]]) -> list[int]:
    """The words' places, each after all words that depend on it."""
    order = [at for at, word in enumerate(parse.words) if word.head == at]
    for at in order:
        order.extend(below[at])
    return order[::-1]


def _paths(order: list[int], below: list[list[int]]) -> tuple[list[tuple[int, ...]], bool]:
    """Paths of two words and more, top word first, and whether there were more than MAX_PATHS."""
    levels: list[list[tuple[int, ...]]] = [[] for _ in order]
    found: list[tuple[int, ...]] = []
    for at in order:
        own = sorted(((at, *path) for child in below[at] for path in levels[child]), key=len)
        levels[at] = own[:MAX_PATHS] or [(at,)]
        found += own
    found.sort(key=len)
    return found[:MAX_PATHS], len(found) > MAX_PATHS


def _pooled(subtrees: Sequence[Subtree], vectors: NDArray[np.float32], found: NDArray[np.bool_]) -> Grown:
    """Subtrees with their vectors; those without a single token are left out."""
    kept = [one for one in subtrees if found[list(one.words)].any()]
    if not kept:
        return Grown((), np.zeros((0, vectors.shape[1]), np.float32))
    pooled = np.empty((len(kept), vectors.shape[1]), np.float32)
    for rows in _batches(kept):
        places = [[place for place in kept[row].words if found[place]] for row in rows]
        starts = np.cumsum([0, *map(len, places[:-1])])
        pooled[rows.start : rows.stop] = np.maximum.reduceat(vectors[np.concatenate(places)], starts)
    return Grown(tuple(kept), pooled)


def _batches(subtrees: Sequence[Subtree]) -> Iterator[range]:
    """Stretches of the list that hold some thousand words each."""
    first, words = 0, 0
    for row, one in enumerate(subtrees):
        words += len(one.words)
        if words > WORDS_AT_ONCE or row == len(subtrees) - 1:
            yield range(first, row + 1)
            first, words = row + 1, 0
