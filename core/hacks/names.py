"""Names of a text that can be swapped for one another, and the edit that swaps them throughout the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from core.backends import Word
from core.hacks.base import Edited, EditInput, Replacement, Skipped, arrow, rewritten
from core.hacks.base import words as word_list
from core.types import Parse, ParsedWord
from core.values.dates import MONTHS, WEEKDAYS

PERSON, PLACE, PEOPLE, OTHER = "person", "place", "people", "other"
_KINDS = {
    "PERSON": PERSON,
    "Person": PERSON,
    "Name_Other": PERSON,
    "GPE": PLACE,
    "City": PLACE,
    "Country": PLACE,
    "Province": PLACE,
    "NORP": PEOPLE,
}
_TITLES = frozenset(word_list("en", "titles"))
_KATAKANA = re.compile("[ァ-ヴー・＝]+")
_MARKS = frozenset("・＝")


@dataclass(frozen=True, slots=True)
class Name:
    """A name. shown: as it is written. kind: `person`, `place`, `people` (Russian) or `other`.

    places: half-open code points of every occurrence. article: whether `the` belongs to it.
    """

    shown: str
    kind: str
    places: tuple[tuple[int, int], ...]
    article: bool = False


def names(text: str, lang: str, parse: Parse, words: Sequence[Word]) -> list[Name]:
    """The names of a text in the order of their first occurrence; parts of longer names are none."""
    labels = {word.start: word.entity for word in words if word.entity and word.text[0] not in "-—"}
    runs = _japanese(parse, labels) if lang == "ja" else _english(parse, labels)
    found: dict[str, str] = {}
    for start, end, kind in runs:
        shown = text[start:end]
        if found.get(shown, OTHER) == OTHER:
            found[shown] = kind
    whole = [shown for shown in found if not any(shown != other and shown in other for other in found)]
    return [
        Name(shown, found[shown], places, shown.lower().startswith("the "))
        for shown in whole
        if (places := _everywhere(text, shown))
    ]


def _everywhere(text: str, shown: str) -> tuple[tuple[int, int], ...]:
    """Every occurrence that is not a part of a longer word."""
    edge = r"(?<![^\W_]){}(?![^\W_])" if shown.isascii() else "{}"
    if _KATAKANA.fullmatch(shown):
        edge = "(?<![ァ-ヴー]){}(?![ァ-ヴー])"
    return tuple(found.span() for found in re.finditer(edge.format(re.escape(shown)), text))


def _japanese(parse: Parse, labels: dict[int, str]) -> Iterator[tuple[int, int, str]]:
    """Runs of proper nouns; ・ joins the parts of a foreign name."""
    words, at = parse.words, 0
    while at < len(words):
        end = at
        while end < len(words) and _part_ja(words, end, at, labels):
            end += 1
        while end > at and words[end - 1].text in _MARKS:
            end -= 1
        if end > at:
            following = words[end] if end < len(words) else None
            compound = (
                following is not None
                and following.start == words[end - 1].end
                and following.tag.startswith(("名詞-普通名詞-一般", "接尾辞-名詞的-サ変"))
            )
            if not compound:
                yield words[at].start, words[end - 1].end, _kind_ja(words[at:end], labels)
        at = max(end, at + 1)


def _part_ja(words: tuple[ParsedWord, ...], at: int, first: int, labels: dict[int, str]) -> bool:
    word = words[at]
    if at > first and words[at - 1].end != word.start:
        return False
    if word.text in _MARKS:
        return at > first
    foreign = _KATAKANA.fullmatch(word.text) is not None and word.tag.startswith("名詞-普通名詞-一般")
    joined = at > first and (
        words[at - 1].text in _MARKS or _KATAKANA.fullmatch(words[at - 1].text) is not None
    )
    unknown = foreign and (joined or _KINDS.get(labels.get(word.start, "")) is not None)
    return len(word.text) > 1 and (unknown or ("固有名詞" in word.tag and "国" not in word.text[1:]))


def _kind_ja(words: tuple[ParsedWord, ...], labels: dict[int, str]) -> str:
    tags = " ".join(word.tag for word in words)
    if any(word.text in _MARKS for word in words):
        return PERSON
    if "地名" in tags and "人名" not in tags:
        return PLACE
    if "人名" in tags:
        return PERSON
    label = _KINDS.get(labels.get(words[0].start, ""), OTHER)
    return label if label != PEOPLE else OTHER


def _english(parse: Parse, labels: dict[int, str]) -> Iterator[tuple[int, int, str]]:
    words, at = parse.words, 0
    while at < len(words):
        end = at
        while end < len(words) and _part_en(words[end]):
            end += 1
        start = at
        while start < end and words[start].text.strip(".") in _TITLES:
            start += 1
        kind = _kind_en(words, start, end, labels)
        if kind is not None:
            the = start > 0 and words[start - 1].text.lower() == "the"
            yield words[start - the].start, words[end - 1].end, kind
        elif end == at and labels.get(words[at].start) == "NORP" and words[at].text[0].isupper():
            yield words[at].start, words[at].end, PEOPLE
        at = max(end, at + 1)


def _part_en(word: ParsedWord) -> bool:
    lower = word.text.lower()
    return (
        word.tag in ("NNP", "NNPS")
        and word.text[0].isupper()
        and word.text.isalpha()
        and len(word.text) > 2
        and lower not in MONTHS
        and lower not in WEEKDAYS
        and not (len(word.text) > 3 and word.text.isupper())
    )


def _kind_en(words: tuple[ParsedWord, ...], start: int, end: int, labels: dict[int, str]) -> str | None:
    """The kind of the name; None for a part of a longer thing: the Novgorod front."""
    if start >= end:
        return None
    after, before = words[end : end + 1], words[start - 1] if start else None
    joined = [one for one in after if one.pos in ("NOUN", "PROPN", "NUM") and words[end - 1].head >= end]
    torn = [one for one in after if one.text in ("-", "of") or one.text.endswith("n't")]
    contracted = [one.text for one in words[end : end + 2]][:2] in (["'", "t"], ["’", "t"])
    if joined or torn or contracted:
        return None
    if before is not None and (before.text in ("-", "a", "an", "'", "’") or before.tag in ("JJ", "NNP")):
        return None
    modifies = words[end - 1].tag in ("JJ", "NNPS") or words[end - 1].head >= end
    found = [_KINDS[label] for word in words[start:end] if (label := labels.get(word.start, "")) in _KINDS]
    if not found or (found[0] == PEOPLE and (end - start > 1 or not modifies)):
        return OTHER
    return found[0]


_AND = re.compile(r"(?:\s|,|&|、|，|と|や|及び|および|\band\b|\bor\b)*")
_CLASSES = {PERSON: "surnames", PLACE: "places", PEOPLE: "peoples"}
"""Surnames, so that he and she go on; places that are a city and a state."""


def swap_names(given: EditInput, rng: Random) -> Edited | Skipped:
    """Two names of a kind change places everywhere; a single one gives way to another of its script."""
    if given.lang not in ("ja", "en"):
        return Skipped("language")
    if given.parse is None or not given.parse.words:
        return Skipped("no-parse")
    if given.words is None:
        return Skipped("no-words")
    found = names(given.text, given.lang, given.parse, given.words)
    pairs = [
        (one, other)
        for one, other in combinations(found, 2)
        if _alike(one, other) and not _listed(given.text, one, other, found)
    ]
    known = [pair for pair in pairs if pair[0].kind != OTHER]
    single = [name for name in found if name.kind in _CLASSES and not name.article]
    if known or (pairs and not single):
        return _swapped(given.text, *rng.choice(known or pairs))
    if not single:
        return Skipped("no-name")
    name = rng.choice(single)
    new = rng.choice([one for one in _others(name) if one not in given.text] or list(_others(name)))
    if name.kind == PEOPLE and name.shown[0] in "AEIOU":
        new = "Icelandic" if name.shown != "Icelandic" else "Irish"
    elif name.kind == PEOPLE and name.shown.endswith("s"):
        new += "s"
    changes = [Replacement(*place, new) for place in name.places]
    return rewritten(given.text, changes, arrow(name.shown, new))


def _alike(one: Name, other: Name) -> bool:
    """Whether two names fit each other's sentence: of one kind, both with or without an article.

    Names of no known kind must be single words.
    """
    apart = not set(re.split("[ ・]", one.shown)) & set(re.split("[ ・]", other.shown))
    plural = one.shown.endswith("s") == other.shown.endswith("s") or one.kind != PEOPLE
    plain = one.kind != OTHER or not (one.article or " " in one.shown + other.shown)
    return apart and plural and plain and one.kind == other.kind and one.article == other.article


def _listed(text: str, one: Name, other: Name, known: list[Name]) -> bool:
    """Whether two names only stand side by side in a list, where the order says nothing."""
    if len(one.places) != 1 or len(other.places) != 1:
        return False
    first, second = sorted((one.places[0], other.places[0]))
    between = text[first[1] : second[0]]
    for name in known:
        between = between.replace(name.shown, "")
    return _AND.fullmatch(between) is not None


def _others(name: Name) -> tuple[str, ...]:
    """What may stand for a single name: of its kind and script."""
    group = _CLASSES[name.kind]
    if name.kind != PEOPLE and re.search("[ァ-ヴ]", name.shown):
        return word_list("ja", f"{group}-katakana")
    if name.kind != PEOPLE and re.search("[\u4e00-\u9fff]", name.shown):
        return word_list("ja", f"{group}-kanji")
    return word_list("en", group)


def _swapped(text: str, one: Name, other: Name) -> Edited:
    changes = [
        Replacement(start, end, _cased(text, start, new.shown))
        for old, new in ((one, other), (other, one))
        for start, end in old.places
    ]
    kept: list[Replacement] = []
    for change in sorted(changes, key=lambda change: change.start):
        if not kept or kept[-1].end <= change.start:
            kept.append(change)
    return rewritten(text, kept, f"{one.shown} ↔ {other.shown}")


def _cased(text: str, start: int, new: str) -> str:
    """`The` at the beginning of a sentence, `the` inside."""
    if not new.lower().startswith("the "):
        return new
    begins = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?"
    return ("The" if begins else "the") + new[3:]
