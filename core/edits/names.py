"""Names that change places: everybody called otherwise, all through the text."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

from core.edits.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.edits.name_places import OTHER, PEOPLE, PERSON, PLACE, Name, names

_OTHERS = {
    PERSON: {"en": ("Harris", "Morgan", "Parker", "Bennett"), "katakana": ("モーガン", "ハリス", "パーカー", "ベネット"),
             "kanji": ("佐藤", "高橋", "山田", "中村")},
    PLACE: {"en": ("Luxembourg", "Singapore", "Monaco"), "katakana": ("ルクセンブルク", "シンガポール", "モナコ"),
            "kanji": ("静岡", "長崎", "広島")},
    PEOPLE: {"en": ("Norwegian", "Brazilian", "Mexican")},
}  # fmt: skip
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
    pairs = [(one, other) for one, other in combinations(found, 2) if _alike(one, other)]
    close = [pair for pair in pairs if pair[0].kind == pair[1].kind and pair[0].kind != OTHER]
    if close or pairs:
        one, other = rng.choice(close or pairs)
        return _swapped(given.text, one, other)
    single = [name for name in found if name.kind in _OTHERS and not name.article]
    if not single:
        return Skipped("no-name")
    name = rng.choice(single)
    new = rng.choice([one for one in _others(name) if one not in given.text] or list(_others(name)))
    if name.kind == PEOPLE and name.shown.endswith("s"):
        new += "s"
    changes = [Change(*place, new) for place in name.places]
    return rewritten(given.text, changes, arrow(name.shown, new))


def _alike(one: Name, other: Name) -> bool:
    """Whether two names fit each other's sentence: the same kind, or one of unknown kind; no one inside the other."""
    kinds = {one.kind, other.kind}
    apart = not ({*one.shown.split(), *other.shown.split("・")} & {*other.shown.split(), *one.shown.split("・")})
    plural = one.shown.endswith("s") == other.shown.endswith("s") or PEOPLE not in kinds
    return apart and plural and (len(kinds) == 1 or (OTHER in kinds and PEOPLE not in kinds))


def _others(name: Name) -> tuple[str, ...]:
    lists = _OTHERS[name.kind]
    if re.search("[ァ-ヴ]", name.shown):
        return lists.get("katakana", lists["en"])
    if re.search("[\u4e00-\u9fff]", name.shown):
        return lists.get("kanji", lists["en"])
    return lists["en"]


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
