"""What a word does in its sentence: predicate, agent or anything else, and which word it belongs to.

Read from the dependencies of spaCy's English (CLEAR) and GiNZA's Japanese (Universal Dependencies) pipelines.
In the passive the subject is no agent, and the word with `by` or に is one. Prepositions are looked through;
what is joined by a conjunction has the role of the first conjunct. Objects, obliques and modifiers share one
name, for a paraphrase turns one into another (chased the cat, ran after the cat).
"""

from __future__ import annotations

from dataclasses import dataclass

from core.metrics.bertscore.matching import NO_PARTNER
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
