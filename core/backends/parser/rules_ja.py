"""Rules from GiNZA's Universal Dependencies to Japanese phrases with the labels of the Keyaki treebank."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.backends.parser.derived import Part, Phrase, Sentence

NOUNS = ("NOUN", "PROPN", "PRON", "NUM", "SYM")
PREDICATES = ("VERB", "ADJ", "AUX")
ARGUMENTS = frozenset(
    ("nsubj", "obj", "iobj", "obl", "advcl", "ccomp", "csubj", "dislocated", "advmod", "dep", "cc", "conj")
)
EMPTY_NOUNS = re.compile(
    "こと|事|もの|物|の|ん|ところ|所|よう|様|ため|為|ほう|方|とき|時|はず|つもり|わけ|まま|まえ|前|うち|内|間"
)
QUOTING = frozenset({"と", "って", "とも"})
ASKING = frozenset({"か"})


def japanese_phrase(s: Sentence, word: int) -> Part:
    """The phrase of a word whose dependents have theirs."""
    position, relation = s.words[word].pos, s.relation(word)
    kids = s.kids(word)
    if _predicative(s, word):
        return _clause(s, word)
    if position in NOUNS and relation not in ("compound", "case", "mark", "fixed", "aux"):
        return _with_particles(s, word, _noun_phrase(s, word))
    if position in ("ADV", "CCONJ") and relation != "compound":
        return _with_particles(s, word, Phrase("ADVP", [*_built(s, s.left[word]), word]))
    if position == "INTJ":
        return _with_particles(s, word, Phrase("INTJP", [*_built(s, s.left[word]), word]))
    if not kids:
        return word
    label = "NP" if s.heads[word] == word else ""
    return Phrase(label, [*_built(s, s.left[word]), word, *_built(s, s.right[word])])


def _predicative(s: Sentence, word: int) -> bool:
    """Verbs and adjectives that head a clause, and nouns with a copula or a subject of their own."""
    relation = s.relation(word)
    if relation in ("compound", "case", "mark", "fixed", "aux", "cop", "punct"):
        return False
    if s.words[word].pos in PREDICATES:
        return True
    closing = any(s.relation(kid) in ("cop", "aux") for kid in s.right[word])
    return (
        closing
        or s.has(word, "nsubj", "csubj", "dislocated")
        or (s.heads[word] == word and s.has(word, "obl", "advcl", "obj"))
    )


def _built(s: Sentence, kids: Sequence[int]) -> list[Part]:
    return [s.built[kid] for kid in kids]


def _split(s: Sentence, word: int) -> tuple[list[int], list[int], list[int]]:
    """Right dependents: those of the predicate or noun itself, particles, and marks at the end."""
    right = list(s.right[word])
    end = len(right)
    while end and s.relation(right[end - 1]) == "punct":
        end -= 1
    inner, tail = right[:end], right[end:]
    at = 0
    while at < len(inner) and s.relation(inner[at]) not in ("case", "mark", "cc"):
        at += 1
    return inner[:at], inner[at:], tail


def _noun_phrase(s: Sentence, word: int, kids: Sequence[int] | None = None) -> Phrase:
    """What stands before a noun and belongs to it, and the noun; a number with its counter is NUMCLP."""
    left = s.left[word] if kids is None else kids
    own, _, _ = _split(s, word)
    parts: list[Part] = [*_built(s, left), word, *_built(s, own)]
    before = s.words[left[-1]] if left else None
    if before is not None and before.pos == "NUM" and s.relation(left[-1]) in ("nummod", "compound"):
        numbered = Phrase("NUMCLP", parts[-2 - len(own) :])
        return Phrase("NP", [*parts[: -2 - len(own)], numbered])
    if s.words[word].pos == "NUM":
        return Phrase("NP", [Phrase("NUMCLP", parts)])
    return Phrase("NP", parts)


def _with_particles(s: Sentence, word: int, core: Phrase) -> Part:
    """PP where a particle follows; punctuation stays outside."""
    _, particles, tail = _split(s, word)
    phrase: Part = core
    if particles:
        phrase = Phrase("PP", [core, *_built(s, particles)])
    return Phrase("", [phrase, *_built(s, tail)]) if tail else phrase


def _clause(s: Sentence, word: int) -> Part:
    """A predicate with its arguments; with a particle that quotes, asks or marks a case one phrase more."""
    left = list(s.left[word])
    head: list[Part] = [word]
    if s.words[word].pos in NOUNS:
        edge = next((at for at, kid in enumerate(left) if _of_noun(s, left, at)), len(left))
        nominal = _noun_phrase(s, word, left[edge:])
        own, _, _ = _split(s, word)
        closing = _built(s, own)
        nominal.parts = [part for part in nominal.parts if part not in closing]
        left, head = left[:edge], [nominal, *closing]
        own = []
    else:
        own, _, _ = _split(s, word)
    _, marks, tail = _split(s, word)
    body: list[Part] = [*_built(s, left), *head, *_built(s, own)]
    return _labelled(s, word, body, marks, tail)


def _of_noun(s: Sentence, left: Sequence[int], at: int) -> bool:
    return all(s.relation(kid) not in (*ARGUMENTS, "punct") for kid in left[at:])


def _labelled(s: Sentence, word: int, body: list[Part], marks: Sequence[int], tail: Sequence[int]) -> Part:
    relation = s.relation(word)
    particles = [s.words[mark].text for mark in marks]
    closing = _built(s, tail)
    if s.heads[word] == word:
        if particles and particles[-1] in ASKING:
            return Phrase("CP-QUE", [Phrase("IP-SUB", [*body, *_built(s, marks[:-1])]), marks[-1], *closing])
        if marks and s.words[marks[-1]].pos == "PART":
            return Phrase(
                "CP-FINAL", [Phrase("IP-SUB", [*body, *_built(s, marks[:-1])]), marks[-1], *closing]
            )
        return Phrase("IP-MAT", [*body, *_built(s, marks), *closing])
    phrase: Part
    if particles and particles[0] in QUOTING:
        phrase = Phrase("CP-THT", [Phrase("IP-SUB", body), *_built(s, marks)])
    elif relation in ("acl", "amod", "nmod", "det"):
        noun = s.words[s.heads[word]]
        label = "IP-EMB" if EMPTY_NOUNS.fullmatch(noun.lemma) else "IP-REL"
        phrase = Phrase(label, [*body, *_built(s, marks)])
    elif relation in ("nsubj", "obj", "obl", "csubj", "iobj") and marks:
        phrase = Phrase("PP", [Phrase("IP-NML", body), *_built(s, marks)])
    else:
        phrase = Phrase("IP-ADV", [*body, *_built(s, marks)])
    return Phrase("", [phrase, *closing]) if closing else phrase
