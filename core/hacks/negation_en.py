"""An English statement into its contrary: saw ↔ did not see, is ↔ is not, can ↔ cannot, never ↔ ∅."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, rewritten
from core.hacks.forms_en import past, third_person
from core.hacks.parsed import each_sentence
from core.trees import Parse, ParsedWord

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
_ANY = {"any": "some", "anything": "something", "anyone": "someone", "anybody": "somebody", "either": "too",
        "anywhere": "somewhere", "ever": "once", "anymore": "still"}  # fmt: skip
_NEGATIVE = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|neither|nor|hardly|scarcely|rarely|without|cannot)\b|n\s?['’]\s?t\b",
    re.IGNORECASE,
)
_DO = frozenset({"do", "does", "did"})
_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
_CLAUSES = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})


def flip_negation_en(given: Given, rng: Random) -> Edited | Skipped:
    """Says no where one statement says yes, or yes where it says no; questions are left alone."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    found = [*_negations(given.text, parse), *_affirmations(given.text, parse)]
    return rewritten(given.text, rng.choice(found)) if found else Skipped("no-predicate")


def _negations(text: str, parse: Parse) -> Iterator[list[Change]]:
    for match in (*_CONTRACTED.finditer(text), *_SPELT.finditer(text)):
        groups = match.groupdict()
        aux = groups.get("aux") or groups.get("can") or groups.get("short") or ""
        if not _asked(text, match.end()) and not _inverted(parse, match.end()):
            yield from _without_not(text, parse, match, aux)
    for match in _NEVER.finditer(text):
        if not _asked(text, match.end()):
            yield [Change(match.start(), match.end(), ""), *_some(text, match.end())]
    for match in _NOBODY.finditer(text):
        new = _SOMEBODY["".join(match[0].lower().split())]
        yield [Change(match.start(), match.end(), _cased(new, match[0]))]


def _asked(text: str, at: int) -> bool:
    stop = re.search(r"[.?!;]", text[at:])
    return stop is not None and stop[0] == "?"


def _inverted(parse: Parse, at: int) -> bool:
    following = next((word for word in parse.words if word.start >= at), None)
    return following is not None and following.text.lower() in _PRONOUNS


def _without_not(text: str, parse: Parse, match: re.Match[str], aux: str) -> Iterator[list[Change]]:
    lower = aux.lower()
    if lower not in _DO:
        start = match.start() if not match.groupdict().get("short") else match.start() + len(aux)
        new = "" if match.groupdict().get("short") else _cased(_WHOLE.get(lower, lower), match[0])
        yield [Change(start, match.end(), new), *_some(text, match.end())]
        return
    main = next(
        (word for word in parse.words if match.end() <= word.start and word.pos in ("VERB", "AUX")), None
    )
    between = [word for word in parse.words if main is not None and match.end() <= word.start < main.start]
    if main is None or any(word.pos not in ("ADV", "PART") for word in between):
        yield [Change(match.start(), match.end(), _cased(lower, match[0]))]
        return
    form = _form(main.lemma.lower(), lower)
    end = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    first = between[0] if between else main
    if match[0][0].isupper() and first is main:
        form = form[0].upper() + form[1:]
    if end >= main.start:
        yield [Change(match.start(), main.end, form), *_some(text, main.end)]
    else:
        yield [Change(match.start(), end, ""), Change(main.start, main.end, form), *_some(text, main.end)]


def _form(lemma: str, do: str) -> str:
    """The verb after do, does or did is gone: see, sees, saw."""
    if do == "do":
        return lemma
    return third_person(lemma) if do == "does" else past(lemma)


def _some(text: str, at: int) -> list[Change]:
    """any, anything, … after a negation that is gone, up to the end of its clause."""
    stop = re.search(r"[.,;:!?\n]", text[at:])
    end = at + stop.start() if stop else len(text)
    found = [
        Change(at + one.start(), at + one.end(), _ANY[one[0].lower()])
        for one in re.finditer(r"\b[a-z]+\b", text[at:end])
        if one[0] in _ANY
    ]
    idle = [Change(at + one.start(), at + one.end(), "") for one in re.finditer(r"\s+at all\b", text[at:end])]
    return [*found, *idle]


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _affirmations(text: str, parse: Parse) -> Iterator[list[Change]]:
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
    return bool(subjects) and subjects[0] < at and words[subjects[0]].text.lower() not in (
        "who", "what", "which", "whoever"
    )  # fmt: skip


def _denied(text: str, parse: Parse, at: int) -> bool:
    """Whether something near the verb says no already: then there is nothing to turn into its contrary."""
    words = parse.words
    left = min(one.start for place, one in enumerate(words) if place <= at and _hangs_on(words, place, at))
    right = min(words[at].end + 40, len(text))
    stop = re.search(r"[.,;:!?\n]", text[words[at].end : right])
    return bool(_NEGATIVE.search(text, left, words[at].end + stop.start() if stop else right))


def _hangs_on(words: tuple[ParsedWord, ...], place: int, at: int) -> bool:
    """Whether a word is the verb's, or hangs on a word of it that is no clause of its own."""
    while (
        place != at and words[place].head != place and words[place].relation not in ("ccomp", "advcl", "conj")
    ):
        place = words[place].head
    return place == at


def _not(text: str, parse: Parse, at: int) -> list[Change] | None:
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
        return [Change(word.start, word.end, f"{do} not {word.lemma.lower()}"), *_any(text, word.end)]
    plain = Change(word.start, word.end, word.lemma.lower())
    return [Change(start, start, f"{do} not "), plain, *_any(text, word.end)]


def _any(text: str, at: int) -> list[Change]:
    """`any` for `some` right behind a verb that is said no to."""
    some = re.match(r"\s+some(?=thing\b|one\b|body\b|\s)", text[at:])
    return [Change(at + some.end() - 4, at + some.end(), "any")] if some else []


def _after(word: ParsedWord) -> Change:
    """`not` behind an auxiliary: cannot, are not."""
    new = f"{word.text}not" if word.text.lower() == "can" else f"{word.text} not"
    return Change(word.start, word.end, new)
