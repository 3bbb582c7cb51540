"""Who did what to whom in English, turned round: subject and object change places; the verb agrees."""

from __future__ import annotations

import re
from random import Random

from core.edits.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.edits.forms_en import OBJECT_FORMS, SUBJECT_FORMS, agreeing
from core.edits.word_lists import words as word_list
from core.trees import Parse, ParsedWord

_MARKS = frozenset('"“”()[]|_')
_NO_SWAP = frozenset(word_list("en", "no-swap"))
_PLURAL_PRONOUNS = frozenset(word_list("en", "plural-pronouns"))
Place = tuple[int, int]


def swap_arguments_en(given: Given, rng: Random) -> Edited | Skipped:
    """The subject and the object of one verb change places, or what follows `by` in the passive."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    found = [change for at in range(len(parse.words)) for change in _swaps(given.text, parse, at)]
    if not found:
        return Skipped("no-arguments")
    return rewritten(given.text, *rng.choice(found))


def _swaps(text: str, parse: Parse, verb: int) -> list[tuple[list[Change], str]]:
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
    if words[one[1]].text == "," or words[other[0] - 1].text == ",":  # an apposition that ends there
        return []
    old, new = _shown(words, one), _shown(words, other)
    bare = other[1] - other[0] == 1 and words[objects[0]].tag == "NN"  # take place, pay attention
    if bare or any(
        re.match(r"no\b|nobody\b|\W|\w+ ?['’] ?t\b", text[slice(*place)], re.I) for place in (old, new)
    ):
        return []
    if text[slice(*old)].lower() == text[slice(*new)].lower():
        return []
    return [_swapped(text, parse, verb, (subject[0], objects[0]), (old, new), one[0])]


def _is_object(words: tuple[ParsedWord, ...], at: int, verb: int) -> bool:
    word = words[at]
    if word.relation == "dobj" and word.head == verb:
        return True
    by = words[word.head]
    return word.relation == "pobj" and by.relation == "agent" and by.head == verb


def _swapped(
    text: str, parse: Parse, verb: int, heads: tuple[int, int], places: tuple[Place, Place], first: int
) -> tuple[list[Change], str]:
    words = parse.words
    old, new = places
    begins = first in parse.sentences or (first > 0 and words[first - 1].text in ('"', "“", "'", "‘"))
    subject, thing = text[slice(*old)], text[slice(*new)]
    lowered = subject if words[first].pos == "PROPN" or words[first].text == "I" else _lower(subject, begins)
    to_object = OBJECT_FORMS.get(lowered, lowered)
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
    named = len(first) > 1 and first.isupper()
    return phrase[0].lower() + phrase[1:] if begins and not named else phrase


def _finite(words: tuple[ParsedWord, ...], verb: int) -> ParsedWord:
    helpers = [
        at for at in range(verb) if words[at].head == verb and words[at].relation in ("aux", "auxpass")
    ]
    return words[helpers[0] if helpers else verb]


def _plural(words: tuple[ParsedWord, ...], head: int) -> bool:
    joined = any(one.head == head and one.relation == "conj" for one in words)
    return joined or words[head].tag in ("NNS", "NNPS") or words[head].text.lower() in _PLURAL_PRONOUNS


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
