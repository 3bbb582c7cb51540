"""Meaning-changing edits of English: negation flipped, and subject and object swapped.

saw ↔ did not see, is ↔ is not, can ↔ cannot, never ↔ ∅. After a swap the verb agrees with its new subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from core.hacks.base import Edited, EditInput, Replacement, Skipped, arrow, each_sentence, rewritten
from core.hacks.base import words as word_list
from core.types import Parse, ParsedWord

_PAST = dict(pair.split("/") for pair in word_list("en", "past"))
_DOUBLED = frozenset(word_list("en", "doubled"))
_VOWEL_END = re.compile(r"^(?:[^aeiou]*|qu)[aeiouy][bdgklmnprtvz]$")
SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}
OBJECT_FORMS = {form: word for word, form in SUBJECT_FORMS.items()} | {"I": "me"}
_SINGULAR = {
    "are": "is",
    "am": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "'re": "'s",
    "'m": "'s",
    "'ve": "'s",
}
_PLURAL = {"is": "are", "am": "are", "was": "were", "has": "have", "does": "do"}
MODALS = frozenset(word_list("en", "modals"))


def past(lemma: str) -> str:
    """See -> saw, stop -> stopped, try -> tried."""
    if lemma in _PAST:
        return _PAST[lemma]
    if lemma.endswith("e"):
        return f"{lemma}d"
    if re.search("[^aeiou]y$", lemma):
        return f"{lemma[:-1]}ied"
    if _VOWEL_END.match(lemma) or lemma in _DOUBLED:
        return f"{lemma}{lemma[-1]}ed"
    return f"{lemma}ed"


def third_person(lemma: str) -> str:
    """Go -> goes, try -> tries, have -> has."""
    known = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes"}
    if lemma in known:
        return known[lemma]
    if re.search("[^aeiou]y$", lemma):
        return f"{lemma[:-1]}ies"
    return f"{lemma}es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{lemma}s"


def agreeing(word: str, lemma: str, tag: str, *, subject: str, plural: bool) -> str | None:
    """The finite verb for another subject; None where it is the same for all. subject: as it is written.

    tag: Penn Treebank.
    """
    lower = word.lower()
    first = subject == "I"
    if lower in MODALS or tag in ("MD", "VB"):
        return None
    if lemma == "be":
        if first:
            return {"is": "am", "are": "am", "were": "was"}.get(lower)
        return (_PLURAL if plural else _SINGULAR).get(lower)
    if tag == "VBD":
        return None
    if plural or first:
        return _PLURAL.get(lower) or (lemma if tag == "VBZ" else None)
    return _SINGULAR.get(lower) or (third_person(lemma) if tag == "VBP" else None)


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
    changes: list[Replacement]
    note: str


def swap_arguments_en(given: EditInput, rng: Random) -> Edited | Skipped:
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
) -> tuple[list[Replacement], str]:
    words = parse.words
    old, new = places
    begins = first in parse.sentences or (first > 0 and words[first - 1].text in ('"', "“", "'", "‘"))
    subject, thing = text[slice(*old)], text[slice(*new)]
    lowered = subject if words[first].pos == "PROPN" or subject == "I" else _lower(subject, begins)
    to_object = OBJECT_FORMS.get(subject if subject == "I" else subject.lower(), lowered)
    to_subject = SUBJECT_FORMS.get(thing.lower(), thing)
    shown = to_subject[0].upper() + to_subject[1:] if begins else to_subject
    changes = [Replacement(*old, shown), Replacement(*new, to_object)]
    finite = _finite(words, verb)
    form = agreeing(
        finite.text, finite.lemma, finite.tag, subject=to_subject, plural=_plural(words, heads[1])
    )
    if form is not None and old[1] <= finite.start and finite.end <= new[0]:
        changes.append(Replacement(finite.start, finite.end, form))
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
    """Half-open word ranges of the modifiers of a noun, where they are contiguous."""
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


_CONTRACTED = re.compile(
    r"\b(?P<aux>ca|wo|sha|do|does|did|is|are|was|were|has|have|had|could|would|should|must|need|might|ai)"
    r"\s?n\s?['’]\s?t\b|\b(?P<can>can)\s?['’]\s?t\b",
    re.IGNORECASE,
)
_SPELT = re.compile(
    r"\b(?P<aux>do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|shall|should|must|may|might|be)"
    r"\s?not\b(?!\s+only)|(?<=['’])(?P<short>m|re|ve|ll|s|d)\s+not\b",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\s(?:never(?!\s+(?:mind|ever|to|a\b|again))|no longer)\b", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:no\s?one|nobody|nothing|none of)\b", re.IGNORECASE)
_SOMEBODY = {"noone": "someone", "nobody": "somebody", "nothing": "something", "noneof": "some of"}
_WHOLE = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_ANY = {
    "any": "some",
    "anything": "something",
    "anyone": "someone",
    "anybody": "somebody",
    "either": "too",
    "anywhere": "somewhere",
    "ever": "once",
    "anymore": "still",
}
_NEGATIVE = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|neither|nor|hardly|scarcely|rarely|without|cannot)\b|n\s?['’]\s?t\b",
    re.IGNORECASE,
)
_DO = frozenset({"do", "does", "did"})
_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
_CLAUSES = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})


def flip_negation_en(given: EditInput, rng: Random) -> Edited | Skipped:
    """Says no where one statement says yes, or yes where it says no; questions are left alone."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    found = [*_negations(given.text, parse), *_affirmations(given.text, parse)]
    return rewritten(given.text, rng.choice(found)) if found else Skipped("no-predicate")


def _negations(text: str, parse: Parse) -> Iterator[list[Replacement]]:
    for match in (*_CONTRACTED.finditer(text), *_SPELT.finditer(text)):
        groups = match.groupdict()
        aux = groups.get("aux") or groups.get("can") or groups.get("short") or ""
        if not _asked(text, match.end()) and not _inverted(parse, match.end()):
            yield from _without_not(text, parse, match, aux)
    for match in _NEVER.finditer(text):
        if not _asked(text, match.end()):
            yield [Replacement(match.start(), match.end(), ""), *_some(text, match.end())]
    for match in _NOBODY.finditer(text):
        new = _SOMEBODY["".join(match[0].lower().split())]
        yield [Replacement(match.start(), match.end(), _cased(new, match[0]))]


def _asked(text: str, at: int) -> bool:
    stop = re.search(r"[.?!;]", text[at:])
    return stop is not None and stop[0] == "?"


def _inverted(parse: Parse, at: int) -> bool:
    following = next((word for word in parse.words if word.start >= at), None)
    return following is not None and following.text.lower() in _PRONOUNS


def _without_not(text: str, parse: Parse, match: re.Match[str], aux: str) -> Iterator[list[Replacement]]:
    lower = aux.lower()
    if lower not in _DO:
        start = match.start() if not match.groupdict().get("short") else match.start() + len(aux)
        new = "" if match.groupdict().get("short") else _cased(_WHOLE.get(lower, lower), match[0])
        yield [Replacement(start, match.end(), new), *_some(text, match.end())]
        return
    main = next(
        (word for word in parse.words if match.end() <= word.start and word.pos in ("VERB", "AUX")), None
    )
    between = [word for word in parse.words if main is not None and match.end() <= word.start < main.start]
    if main is None or any(word.pos not in ("ADV", "PART") for word in between):
        yield [Replacement(match.start(), match.end(), _cased(lower, match[0]))]
        return
    form = _form(main.lemma.lower(), lower)
    end = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    first = between[0] if between else main
    if match[0][0].isupper() and first is main:
        form = form[0].upper() + form[1:]
    if end >= main.start:
        yield [Replacement(match.start(), main.end, form), *_some(text, main.end)]
    else:
        yield [
            Replacement(match.start(), end, ""),
            Replacement(main.start, main.end, form),
            *_some(text, main.end),
        ]


def _form(lemma: str, do: str) -> str:
    """The verb after do, does or did is gone: see, sees, saw."""
    if do == "do":
        return lemma
    return third_person(lemma) if do == "does" else past(lemma)


def _some(text: str, at: int) -> list[Replacement]:
    """any, anything, … after a negation that is gone, up to the end of its clause."""
    stop = re.search(r"[.,;:!?\n]", text[at:])
    end = at + stop.start() if stop else len(text)
    found = [
        Replacement(at + one.start(), at + one.end(), _ANY[one[0].lower()])
        for one in re.finditer(r"\b[a-z]+\b", text[at:end])
        if one[0] in _ANY
    ]
    idle = [
        Replacement(at + one.start(), at + one.end(), "") for one in re.finditer(r"\s+at all\b", text[at:end])
    ]
    return [*found, *idle]


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _affirmations(text: str, parse: Parse) -> Iterator[list[Replacement]]:
    for one in each_sentence(parse):
        for at, word in enumerate(one.words):
            if word.pos in ("VERB", "AUX") and _states(one, at) and not _denied(text, one, at):
                change = _not(text, one, at)
                if change is not None:
                    yield change


def _states(parse: Parse, at: int) -> bool:
    """Whether a verb is the predicate of a sentence, or of a clause with a subject of its own."""
    words = parse.words
    word = words[at]
    root = word.head == at
    if not root and word.relation not in ("conj", "ccomp", "parataxis"):
        return False
    if any(one.text in ("?", "？") for one in words):
        return False
    subjects = [place for place, one in enumerate(words) if one.head == at and one.relation in _CLAUSES]
    if any(one.text.lower() in _PRONOUNS - {"it", "you"} for one in words[at + 1 : at + 2]):
        return False  # said he
    return (
        bool(subjects)
        and subjects[0] < at
        and words[subjects[0]].text.lower() not in ("who", "what", "which", "whoever")
    )


def _denied(text: str, parse: Parse, at: int) -> bool:
    """Whether something near the verb says no already: then there is nothing to turn into its contrary."""
    words = parse.words
    left = min(one.start for place, one in enumerate(words) if place <= at and _hangs_on(words, place, at))
    right = min(words[at].end + 40, len(text))
    stop = re.search(r"[.,;:!?\n]", text[words[at].end : right])
    return bool(_NEGATIVE.search(text, left, words[at].end + stop.start() if stop else right))


def _hangs_on(words: tuple[ParsedWord, ...], place: int, at: int) -> bool:
    """Whether a word is the verb's, or depends on a word of it that is no clause of its own."""
    while (
        place != at and words[place].head != place and words[place].relation not in ("ccomp", "advcl", "conj")
    ):
        place = words[place].head
    return place == at


def _not(text: str, parse: Parse, at: int) -> list[Replacement] | None:
    words = parse.words
    word = words[at]
    if any(one.text.lower() == "only" for one in words[at + 1 : at + 2]):
        return None  # `not only` denies nothing
    helpers = [
        place
        for place in range(at)
        if words[place].head == at and words[place].relation in ("aux", "auxpass")
    ]
    subjects = [place for place in range(at) if words[place].head == at and words[place].relation in _CLAUSES]
    if helpers:
        first = words[helpers[0]]
        if helpers[0] < subjects[0] or first.text.lower() == "to" or first.tag in ("VB", "VBG", "VBN"):
            return None
        return [_after(first), *_any(text, word.end)]
    alone = at + 1 == len(words) or words[at + 1].pos == "PUNCT"
    if (word.lemma == "be" or (word.lemma == "do" and alone)) and word.tag in ("VBZ", "VBP", "VBD"):
        return [_after(word)]
    if word.tag not in ("VBZ", "VBP", "VBD"):
        return None
    place = at
    while place - 1 > subjects[0] and words[place - 1].pos == "ADV" and words[place - 1].head == at:
        place -= 1
    do = {"VBZ": "does", "VBD": "did"}.get(word.tag, "do")
    start = words[place].start
    if place == at:
        return [Replacement(word.start, word.end, f"{do} not {word.lemma.lower()}"), *_any(text, word.end)]
    plain = Replacement(word.start, word.end, word.lemma.lower())
    return [Replacement(start, start, f"{do} not "), plain, *_any(text, word.end)]


def _any(text: str, at: int) -> list[Replacement]:
    """`any` for `some` right behind a verb that is said no to."""
    some = re.match(r"\s+some(?=thing\b|one\b|body\b|\s)", text[at:])
    return [Replacement(at + some.end() - 4, at + some.end(), "any")] if some else []


def _after(word: ParsedWord) -> Replacement:
    """`not` behind an auxiliary: cannot, are not."""
    new = f"{word.text}not" if word.text.lower() == "can" else f"{word.text} not"
    return Replacement(word.start, word.end, new)
