"""Names that change places: everybody called otherwise, all through the text."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.hacks.name_places import OTHER, PEOPLE, PERSON, PLACE, Name, names
from core.hacks.word_lists import words as word_list

_AND = re.compile(r"(?:\s|,|&|、|，|と|や|及び|および|\band\b|\bor\b)*")
_CLASSES = {PERSON: "surnames", PLACE: "places", PEOPLE: "peoples"}
"""Surnames, so that he and she go on; places that are a city and a state."""


def swap_names(given: Given, rng: Random) -> Edited | Skipped:
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
    changes = [Change(*place, new) for place in name.places]
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
        Change(start, end, _cased(text, start, new.shown))
        for old, new in ((one, other), (other, one))
        for start, end in old.places
    ]
    kept: list[Change] = []
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
