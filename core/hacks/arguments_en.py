"""Who did what to whom in English, turned round: subject and object change places; the verb agrees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.hacks.forms_en import OBJECT_FORMS, SUBJECT_FORMS, agreeing
from core.hacks.parsed import each_sentence
from core.hacks.word_lists import words as word_list
from core.trees import Parse, ParsedWord

_MARKS = frozenset(['"', "'", *"“”‘()[]|_"])
_ODD = re.compile(r"^(?:no\b|nobody\b|\W)|,|['’]\s?t\b|\b\w+sel(?:f|ves)\b|\bwhom?\b", re.IGNORECASE)
"""Phrases that say no, hold a comma or a contraction, or point back at the subject."""
_ARTICLES = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "his",
        "her",
        "its",
        "their",
        "my",
        "our",
        "your",
        "some",
    ]
)
_LIGHT = frozenset(word_list("en", "light-verbs"))
_NO_SWAP = frozenset(word_list("en", "no-swap"))
_PLURAL_PRONOUNS = frozenset(word_list("en", "plural-pronouns"))
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Turned:
    """A way to turn a clause round. people: subject and object are pronouns or names."""

    people: bool
    changes: list[Change]
    note: str


def swap_arguments_en(given: Given, rng: Random) -> Edited | Skipped:
    """The subject and the object of one verb change places, or what follows `by` in the passive."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    found = [
        change
        for one in each_sentence(parse)
        for at in range(len(one.words))
        for change in _swaps(given.text, one, at)
    ]
    if not found:
        return Skipped("no-arguments")
    best = max(one.people for one in found)
    chosen = rng.choice([one for one in found if one.people == best])
    return rewritten(given.text, chosen.changes, chosen.note)


def _swaps(text: str, parse: Parse, verb: int) -> list[_Turned]:
    """A verb's subject and object turned round, if it has both."""
    words = parse.words
    if words[verb].pos not in ("VERB", "AUX") or not words[verb].text.isalpha():
        return []
    subject = [
        at for at in range(verb) if words[at].head == verb and words[at].relation in ("nsubj", "nsubjpass")
    ]
    objects = [at for at in range(verb + 1, len(words)) if _is_object(words, at, verb)]
    if len(subject) != 1 or len(objects) != 1:
        return []
    one, other = _phrase(parse, subject[0]), _phrase(parse, objects[0])
    if one is None or other is None or not one[1] <= verb < other[0]:
        return []
    old, new = _shown(words, one), _shown(words, other)
    if _idiomatic(words, one, other, verb) or any(_ODD.search(text[slice(*place)]) for place in (old, new)):
        return []
    if text[slice(*old)].lower() == text[slice(*new)].lower():
        return []
    heads = (subject[0], objects[0])
    people = all(words[at].pos in ("PRON", "PROPN") for at in heads)
    if words[verb].lemma in _LIGHT and not people:
        return []
    changes, note = _swapped(text, parse, verb, heads, (old, new), one[0])
    return [_Turned(people, changes, note)]


def _idiomatic(words: tuple[ParsedWord, ...], one: Place, other: Place, verb: int) -> bool:
    """What cannot be turned round: take place; give him a book; a name that the tagger does not know."""
    apposed = "," in (words[one[1]].text, words[other[0] - 1].text)
    given_two = any(word.head == verb and word.relation == "dative" for word in words)
    unknown = words[one[0]].tag == "NN" and one[1] - one[0] > 1
    bare = other[1] - other[0] == 1 and words[other[0]].tag == "NN"
    return apposed or given_two or unknown or bare or words[other[1] - 1].pos in ("CCONJ", "ADP")


def _is_object(words: tuple[ParsedWord, ...], at: int, verb: int) -> bool:
    word = words[at]
    if word.relation == "dobj" and word.head == verb:
        return not any(one.head == verb and one.relation == "nsubjpass" for one in words)
    by = words[word.head]
    return word.relation == "pobj" and by.relation == "agent" and by.head == verb


def _swapped(
    text: str, parse: Parse, verb: int, heads: tuple[int, int], places: tuple[Place, Place], first: int
) -> tuple[list[Change], str]:
    words = parse.words
    old, new = places
    begins = first in parse.sentences or (first > 0 and words[first - 1].text in ('"', "“", "'", "‘"))
    subject, thing = text[slice(*old)], text[slice(*new)]
    lowered = subject if words[first].pos == "PROPN" or subject == "I" else _lower(subject, begins)
    to_object = OBJECT_FORMS.get(subject if subject == "I" else subject.lower(), lowered)
    to_subject = SUBJECT_FORMS.get(thing.lower(), thing)
    shown = to_subject[0].upper() + to_subject[1:] if begins else to_subject
    changes = [Change(*old, shown), Change(*new, to_object)]
    finite = _finite(words, verb)
    form = agreeing(
        finite.text, finite.lemma, finite.tag, subject=to_subject, plural=_plural(words, heads[1])
    )
    if form is not None and old[1] <= finite.start and finite.end <= new[0]:
        changes.append(Change(finite.start, finite.end, form))
    return changes, arrow(f"{subject}/{thing}", f"{shown}/{to_object}")


def _lower(phrase: str, begins: bool) -> str:
    first = phrase.split()[0]
    if first.lower() in _ARTICLES:
        return phrase[0].lower() + phrase[1:]
    named = (len(first) > 1 and first.isupper()) or phrase[len(first) :].lstrip()[:1].isupper()
    return phrase[0].lower() + phrase[1:] if begins and not named else phrase


def _finite(words: tuple[ParsedWord, ...], verb: int) -> ParsedWord:
    helpers = [
        at for at in range(verb) if words[at].head == verb and words[at].relation in ("aux", "auxpass")
    ]
    return words[helpers[0] if helpers else verb]


def _plural(words: tuple[ParsedWord, ...], head: int) -> bool:
    joined = any(one.head == head and one.relation == "cc" and one.text.lower() == "and" for one in words)
    titled = any(one.head == head and one.relation == "compound" for one in words)  # the United States
    plural = words[head].tag == "NNS" or (words[head].tag == "NNPS" and not titled)
    return joined or plural or words[head].text.lower() in _PLURAL_PRONOUNS


def _phrase(parse: Parse, head: int) -> Place | None:
    """Half-open places of the words that hang on a noun, where they stand together."""
    words = parse.words
    if words[head].pos not in ("NOUN", "PROPN", "PRON", "NUM") or words[head].text.lower() in _NO_SWAP:
        return None
    inside = [at for at in range(len(words)) if _under(words, at, head)]
    first, last = inside[0], inside[-1] + 1
    if last - first != len(inside) or last - first > 14:
        return None
    while first < head and words[first].pos in ("PUNCT", "CCONJ", "ADV"):
        first += 1
    while last > head + 1 and words[last - 1].pos in ("PUNCT", "SYM"):
        last -= 1
    marks = any(word.text in _MARKS for word in words[first:last])
    return None if marks else (first, last)


def _under(words: tuple[ParsedWord, ...], at: int, head: int) -> bool:
    while at != head and words[at].head != at:
        at = words[at].head
    return at == head


def _shown(words: tuple[ParsedWord, ...], place: Place) -> Place:
    return words[place[0]].start, words[place[1] - 1].end
