"""Shares, halves and the decades of a life in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from core.values.amounts import Amount, amount_of
from core.values.numerals import ORDINALS, PARTS, SCALES, english_number
from core.values.quantities import ENGLISH, Unit
from core.values.words_en import Words, amount_at, unit_at

_SHARE = Unit("share", Fraction(1))
_MEASURES = ("second", "month", "metre", "gram", "cum", "sqm")
_TEENS = {"teens": 10, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60}
_TEENS |= {"seventies": 70, "eighties": 80, "nineties": 90}
_AGES = re.compile(
    r"\b(?:in )?(?:his|her|their|my|your|our|its|one's) (?:(?:early|mid|late)[- ])?"
    rf"(?P<word>{'|'.join(_TEENS)}|[1-9]0'?s)\b",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"\b(?P<part>\w+) (?:in|out of) (?:every )?(?P<of>\w+)\b"
    "(?! (?:years?|months?|weeks?|days?|hours?|minutes?))",
    re.IGNORECASE,
)


def phrases(text: str) -> Iterator[Amount]:
    """`in his twenties`, `one in five`, `3 out of 5` in a folded text."""
    for match in _AGES.finditer(text):
        word = (
            match["word"].lower().replace("'", "").rstrip("s")
            if match["word"][0].isdigit()
            else match["word"].lower()
        )
        yield amount_of(
            *match.span("word"), Fraction(_TEENS.get(word) or int(word)), Unit("thirties", Fraction(1))
        )
    for match in _OUT_OF.finditer(text):
        part, of = (_small(match[name]) for name in ("part", "of"))
        if part and of and part < of and (part == 1 or " out of " in match[0]):
            yield amount_of(*match.span(), part / of, _SHARE)


def _small(word: str) -> Fraction | None:
    numeral = english_number([word.lower()], 0) if word.lower() != "a" else None
    return numeral.amount if numeral is not None and not numeral.ordinal and numeral.amount <= 100 else None


def half(read: Words, at: int) -> tuple[Amount | None, int]:
    """`half an hour`, `half a million`, `half-hour`, `a quarter of an hour`, `half`."""
    start = at + 1 if read.word(at) == "a" and read.word(at + 1) in ("half", "quarter") else at
    if read.word(start) not in ("half", "quarter") or (
        read.word(start) == "quarter"
        and start == at
        and read.words[at + 1 : at + 3] not in (("of", "a"), ("of", "an"))
    ):
        return None, at
    part = Fraction(1, PARTS[read.word(start)])
    after = start + 1
    while read.word(after) in ("of", "a", "an", "-"):
        after += 1
    scale = {"hundred": 100, "dozen": 12, **SCALES}.get(read.word(after))
    if scale:
        unit, end = unit_at(read, after + 1, digits=False)
        return amount_at(read, at, end, part * scale, unit), end
    unit, end = unit_at(read, after, digits=False)
    if read.word(after) == "century":
        unit, end = ENGLISH["centuries"], after + 1
    if unit.kind in _MEASURES and after > start:
        return amount_at(read, at, end, part, unit), end
    return amount_at(read, at, start + 1, part, _SHARE), start + 1


def slash(read: Words, at: int) -> tuple[Amount | None, int]:
    """`3/4`, `2 1/2`."""
    whole = Fraction(0)
    place = at
    if read.digits(at) and read.digits(at + 1) and read.word(at + 2) == "/":
        whole, place = Fraction(int(read.word(at))), at + 1
    part, of = read.word(place), read.word(place + 2)
    if read.word(place + 1) != "/" or not (read.digits(place) and read.digits(place + 2) and int(of)):
        return None, at
    end = place + 3
    if read.word(end) == "/" or len(part) > 3 or len(of) > 3 or read.word(at - 1) == "/":
        return None, end
    amount = whole + Fraction(int(part), int(of))
    unit, after = unit_at(read, end, digits=True)
    return amount_at(read, at, after, amount, unit if whole or unit.kind else _SHARE, spelt=False), after


def share(read: Words, at: int) -> tuple[Amount | None, int]:
    """`two thirds`, `one-third`, `a third of`, `three quarters`."""
    article = read.word(at) in ("a", "an")
    numeral = None if article else english_number(read.words, at)
    if not article and (numeral is None or numeral.ordinal):
        return None, at
    end = at + 1 if numeral is None else numeral.end
    if read.word(end) == "-":
        end += 1
    part = read.word(end)
    count = Fraction(1) if numeral is None else numeral.amount
    if part not in PARTS or (count == 1) == part.endswith(("s", "halves")) or count >= PARTS[part]:
        return None, at
    following = read.word(end + 1)
    if (
        article
        and part in ORDINALS
        and following.isalpha()
        and following not in ("of", "as", "more", "less", "and", "to")
    ):
        return None, at
    unit, after = _SHARE, end + 1
    if following == "of" and read.word(end + 2) in ("a", "an"):
        measure, last = unit_at(read, end + 3, digits=False)
        unit, after = (measure, last) if measure.kind in _MEASURES else (unit, after)
    return amount_at(read, at, after, count / PARTS[part], unit), after
