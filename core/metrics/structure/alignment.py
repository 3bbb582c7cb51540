"""The partner of each subtree (equation 5), and the roles of words.

A subtree's partner is the most similar subtree of the other side with the same feature.

Roles (predicate, agent, other) are read from the dependencies of spaCy's English (CLEAR) and GiNZA's
Japanese (Universal Dependencies) pipelines. In the passive the subject is not an agent, and the word with
`by` or に is. Prepositions are skipped; a conjunct has the role of the first conjunct. Objects, obliques
and modifiers share a role, because paraphrases turn one into another (chased the cat, ran after the cat).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.bertscore.matching import NO_PARTNER, unit_rows
from core.types import Parse, ParsedWord

PREDICATE, AGENT, OTHER = "predicate", "agent", "other"
FUNCTION = frozenset({"ADP", "AUX", "DET", "PUNCT", "SCONJ", "CCONJ", "PART", "SYM", "SPACE"})
CLAUSES = frozenset({"ccomp", "advcl", "relcl", "acl", "xcomp", "pcomp", "csubj", "parataxis"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass"})
OBJECTS = frozenset(
    {"dobj", "obj", "pobj", "dative", "iobj", "obl", "attr", "oprd", "dislocated", "agent", "obl:agent"}
)
VERBAL = frozenset({"VERB", "AUX", "ADJ"})
PASSIVE_LEMMAS = frozenset({"れる", "られる"})


@dataclass(frozen=True, slots=True)
class Role:
    """What a word does.

    name: `predicate`, `agent` or `other`. governor: the place, among the words with a role, of the word that
    it belongs to; -1 for none. checked: whether that word must agree too (modifiers, subordinate clauses).
    """

    name: str
    governor: int
    checked: bool


def content_words(parse: Parse) -> tuple[int, ...]:
    """The places of the words that have a role: particles, articles, auxiliaries and marks have none.

    Where a text has no other words, all of them.
    """
    found = tuple(at for at, word in enumerate(parse.words) if word.pos not in FUNCTION)
    return found or tuple(range(len(parse.words)))


def roles(parse: Parse) -> tuple[Role, ...]:
    """The role of each word of `content_words`."""
    content = content_words(parse)
    place = {at: number for number, at in enumerate(content)}
    passive = _passive(parse.words)
    named = [_named(parse.words, at, passive) for at in range(len(parse.words))]
    found = []
    for at in content:
        first = _first_conjunct(parse.words, at)
        governor = _governor(parse.words, first)
        name, core = named[first]
        alone = governor == first
        checked = not core or (name == PREDICATE and not alone)
        found.append(Role(name, NO_PARTNER if alone else place.get(governor, NO_PARTNER), checked))
    return tuple(found)


def _passive(words: tuple[ParsedWord, ...]) -> frozenset[int]:
    """The verbs that have a passive auxiliary."""
    return frozenset(
        word.head
        for word in words
        if word.relation in ("auxpass", "aux:pass") or (word.pos == "AUX" and word.lemma in PASSIVE_LEMMAS)
    )


def _named(words: tuple[ParsedWord, ...], at: int, passive: frozenset[int]) -> tuple[str, bool]:
    """The name of a word's role, and whether it is an argument or a predicate (else a modifier)."""
    word = words[at]
    governor = _governor(words, at)
    if word.head == at or word.relation in CLAUSES:
        return PREDICATE, True
    if word.relation in SUBJECTS:
        inactive = word.relation != "nsubj" or governor in passive
        return (OTHER if inactive else AGENT), True
    if word.relation in OBJECTS and words[governor].pos in VERBAL:
        return (AGENT if _passive_agent(words, at, governor, passive) else OTHER), True
    return OTHER, False


def _passive_agent(words: tuple[ParsedWord, ...], at: int, governor: int, passive: frozenset[int]) -> bool:
    relation = words[at].relation
    by = words[words[at].head].relation == "agent" and words[at].head != governor
    return by or relation == "obl:agent" or (relation == "obl" and governor in passive)


def _governor(words: tuple[ParsedWord, ...], at: int) -> int:
    """The word that a word depends on, prepositions looked through; itself at the root."""
    above = words[at].head
    while words[above].pos == "ADP" and words[above].head != above:
        above = words[above].head
    return above


def _first_conjunct(words: tuple[ParsedWord, ...], at: int) -> int:
    while words[at].relation == "conj" and words[at].head != at:
        at = words[at].head
    return at


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
