"""The subtrees of a parse, a vector for each (Chousa and Hirao, section 4.2 and appendix C), and head words.

Dependency: every word; every path from a word down to a leaf; every word with all its descendants.
Constituency: every constituent and, on request, every word with its part of speech. Subtrees with the same
words and the same top are one. The vector of a subtree is the element-wise maximum over the sub-word tokens
that share a character with its words (equation 1).

The head of an English constituent follows Collins (1999, appendix A), with his rules for NP and
coordination. Japanese is head-final: the last word that is neither punctuation nor a particle or auxiliary
(the head of 彼女を見ていた。 is 見); without one, the last word that is not punctuation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.assets import ASSETS
from core.metrics.structure.alignment import content_words
from core.types import Parse, ParsedWord, TokenVectors

TABLE = ASSETS / "heads" / "collins.en.tsv"
NP_LABELS = frozenset({"NP", "NX", "NML"})
NP_RULES = (
    ("right", ("NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR")),
    ("left", ("NP", "NML")),
    ("right", ("$", "ADJP", "PRN")),
    ("right", ("CD",)),
    ("right", ("JJ", "JJS", "RB", "QP")),
)
MARKS = frozenset({"PUNCT", "SYM", "SPACE"})
LOOKED_THROUGH = MARKS | {"ADP", "AUX", "PART", "SCONJ"}


@dataclass(frozen=True, slots=True)
class _Child:
    """A daughter of a constituent: a constituent or a word. `head` is the place of its head word."""

    label: str
    head: int
    mark: bool


def constituent_heads(parse: Parse, lang: str) -> tuple[int, ...]:
    """For each constituent the place of its head word among the words."""
    if lang == "en":
        return _by_rules(parse)
    return tuple(_last_content(parse.words, one.start, one.end) for one in parse.constituents)


def _last_content(words: tuple[ParsedWord, ...], start: int, end: int) -> int:
    for skipped in (LOOKED_THROUGH, MARKS):
        for place in range(end - 1, start - 1, -1):
            if words[place].pos not in skipped:
                return place
    return end - 1


def _by_rules(parse: Parse) -> tuple[int, ...]:
    heads = [0] * len(parse.constituents)
    inner: list[list[int]] = [[] for _ in parse.constituents]
    for place, one in enumerate(parse.constituents):
        if one.parent >= 0:
            inner[one.parent].append(place)
    for place in range(len(parse.constituents) - 1, -1, -1):  # children stand after their parents
        children = _children(parse, place, inner[place], heads)
        heads[place] = children[_head_child(parse.constituents[place].label, children)].head
    return tuple(heads)


def _children(parse: Parse, place: int, inner: list[int], heads: list[int]) -> list[_Child]:
    """The daughters from left to right; marks only where there is nothing else."""
    whole = parse.constituents[place]
    starts = {parse.constituents[one].start: one for one in inner}
    found: list[_Child] = []
    at = whole.start
    while at < whole.end:
        if at in starts:
            child = parse.constituents[starts[at]]
            found.append(_Child(child.label, heads[starts[at]], mark=False))
            at = child.end
        else:
            word = parse.words[at]
            found.append(_Child(word.tag, at, mark=word.pos in MARKS and word.tag != "$"))
            at += 1
    return [child for child in found if not child.mark] or found


def _head_child(label: str, children: list[_Child]) -> int:
    if label in NP_LABELS:
        head = _noun_phrase(children)
    else:
        side, labels = _table().get(label, ("left", ()))
        found = _first(children, side, labels, by_label=True)
        head = found if found is not None else 0 if side == "left" else len(children) - 1
    if head > 1 and children[head - 1].label == "CC":  # coordination: the conjunct before it
        return head - 2
    return head


def _noun_phrase(children: list[_Child]) -> int:
    if children[-1].label == "POS":
        return len(children) - 1
    for side, labels in NP_RULES:
        head = _first(children, side, labels, by_label=False)
        if head is not None:
            return head
    return len(children) - 1


def _first(children: list[_Child], side: str, labels: tuple[str, ...], *, by_label: bool) -> int | None:
    """The first child from that side: of the first label that occurs, or of any of the labels."""
    order = range(len(children)) if side == "left" else range(len(children) - 1, -1, -1)
    for wanted in [(label,) for label in labels] if by_label else [labels]:
        for place in order:
            if children[place].label in wanted:
                return place
    return None


@cache
def _table() -> dict[str, tuple[str, tuple[str, ...]]]:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    rows = [line.split("\t") for line in lines]
    return {label: (side, tuple(labels.split())) for label, side, labels in rows}


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


def branches(parse: Parse, tokens: TokenVectors, *, merge: bool = True) -> Grown:
    """Words, paths down to leaves (at most MAX_PATHS), and words with all their descendants.

    merge: whether subtrees of the same words and the same topmost word are one, as a word and the branch of a
    word without descendants. Chousa and Hirao list three sets and say nothing of merging.
    """
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
    kept = [one for one in subtrees if not merge or distinct.get((one.words, one.head)) is one]
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
    read = set(np.flatnonzero(found).tolist())
    all_read = len(read) == len(found)
    kept = [one for one in subtrees if all_read or not read.isdisjoint(one.words)]
    if not kept:
        return Grown((), np.zeros((0, vectors.shape[1]), np.float32))
    pooled = np.empty((len(kept), vectors.shape[1]), np.float32)
    for rows in _batches(kept):
        words = [kept[row].words for row in rows]
        places = words if all_read else [[place for place in some if place in read] for some in words]
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
