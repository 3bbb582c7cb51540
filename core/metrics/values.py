"""What a text says in numbers: amounts, money, shares, ages, dates and times, however they are written.

54 million = 54,000,000 = 5400万 = 五千四百万; 3月12日 = March 12th; 15歳 = fifteen; 令和6年 = 2024;
3分の1 = a third = one-third. Two texts are compared value by value.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from core.metrics.dates import Moment, moments
from core.metrics.numerals import (
    ARABIC,
    KANJI,
    ORDINALS,
    PARTS,
    SCALES,
    WORDS,
    english_number,
    japanese_number,
)
from core.metrics.quantities import JAPANESE_UNITS, LATIN, MONEY_SIGNS, SPELLINGS, measured

_NUMBER_JA = rf"(?:{ARABIC}|[{KANJI}])+"
_FRACTION_JA = re.compile(rf"(?P<of>{_NUMBER_JA})分の(?P<part>{_NUMBER_JA})")
_AMOUNT_JA = re.compile(
    rf"(?P<number>{_NUMBER_JA})(?P<unit>{'|'.join(map(re.escape, JAPANESE_UNITS))})?(?P<half>半)?"
)
_VAGUE_JA = re.compile(f"(?:数|何|幾)[{KANJI}]*|[{KANJI}]*[数余]")
_WORD = "|".join(sorted([*WORDS, *SCALES, "dozen", "and", "a", "an", *PARTS], key=len, reverse=True))
_AMOUNT_EN = re.compile(
    rf"(?P<sign>[{MONEY_SIGNS}])?\s?(?P<number>(?:{ARABIC}|\b(?:{_WORD})\b)(?:[\s-]+(?:{_WORD})\b)*)"
    rf"(?P<scale>(?:{'|'.join(SCALES)})\b)?[\s-]*(?P<unit>%|°|(?:{'|'.join(sorted(LATIN, key=len, reverse=True))})\b)?"
    r"(?P<old>[\s-]old\b)?",
    re.IGNORECASE,
)
_HALF_EN = re.compile(
    rf"\bhalf(?:\s+an?)?\s+(?P<unit>{'|'.join(sorted(LATIN, key=len, reverse=True))})\b", re.IGNORECASE
)
_HALF_JA = re.compile("半(?P<unit>年|時間|日|月|分|世紀|ダース)")
_HALF_UNITS = {"年": "year", "時間": "hour", "日": "day", "月": "month", "世紀": "century"}
_SLASH = re.compile(r"\b(?P<part>[0-9]{1,3})/(?P<of>[0-9]{1,3})\b(?!/)")
_PARTS_EN = re.compile(
    rf"\b(?P<part>\w+)[\s-](?P<of>{'|'.join(sorted(PARTS, key=len, reverse=True))})\b", re.IGNORECASE
)
_ORDINAL_EN = re.compile(
    rf"\b(?:(?P<digits>[0-9]+)(?:st|nd|rd|th)|(?P<word>{'|'.join(ORDINALS)}))\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value. kind: what is counted (`metre`, `yen`, `age`, …), `date` or `time` (then `parts` says what),
    empty for a bare number. amount: exact, in the base unit of the kind. start, end: places in the NFKC text.
    """

    start: int
    end: int
    kind: str = ""
    amount: Fraction = Fraction(0)
    parts: tuple[tuple[str, int], ...] = ()


def values(text: str) -> list[Value]:
    """The values of a text, in order, in either language."""
    plain = unicodedata.normalize("NFKC", text)
    found: list[Value] = [_of_moment(one) for one in moments(plain)]
    for value in (*_fractions(plain), *_amounts(plain), *_ordinals(plain)):
        if not any(value.start < other.end and other.start < value.end for other in found):
            found.append(value)
    return sorted(found, key=lambda one: one.start)


def agreement(expected: str, given: str) -> float | None:
    """How much of the expected values the given text says, in [0, 1]; None where none is expected.

    Each expected value is worth 1 where the same one is given; of a date each part that is said counts, and a
    part that is said otherwise makes it 0. Values that are given beyond the expected lower the score, as in
    F1, but only where they are of a kind that was expected.
    """
    wanted, there = values(expected), values(given)
    if not wanted:
        return None
    kinds = {_family(one) for one in wanted}
    left = [one for one in there if _family(one) in kinds or "" in (_family(one), *kinds)]
    extra = len(left)
    total = 0.0
    for one in wanted:
        best = max(left, key=lambda other, one=one: likeness(one, other), default=None)
        worth = 0.0 if best is None else likeness(one, best)
        if best is not None and worth > 0:
            left.remove(best)
            total += worth
    recall, precision = total / len(wanted), total / extra if extra else 0.0
    return 0.0 if not total else 2 * recall * precision / (recall + precision)


def likeness(one: Value, other: Value) -> float:
    """1 where two values say the same, between for dates that agree in part, else 0.

    A bare number is the same as one with a unit (fifteen, 15歳); two units must count the same thing.
    """
    if one.parts or other.parts:
        return _dates(one, other)
    if one.amount != other.amount:
        return 0.0
    return 1.0 if one.kind == other.kind or "" in (one.kind, other.kind) or _both_ages(one, other) else 0.0


def _dates(one: Value, other: Value) -> float:
    ours, theirs = dict(one.parts), dict(other.parts)
    if not ours or not theirs:
        number, date = (one, theirs) if theirs else (other, ours)
        single = len(date) == 1 and number.kind in ("", "place")
        return 1.0 if single and number.amount == next(iter(date.values())) else 0.0
    if any(ours[name] != theirs[name] for name in ours.keys() & theirs.keys()):
        return 0.0
    return len(ours.keys() & theirs.keys()) / len(ours)


def _both_ages(one: Value, other: Value) -> bool:
    return {one.kind, other.kind} == {"age", "thing"}


def _family(value: Value) -> str:
    return "moment" if value.parts else value.kind


def _of_moment(one: Moment) -> Value:
    return Value(start=one.start, end=one.end, kind="date", parts=tuple(one.said().items()))


def _fractions(text: str) -> list[Value]:
    found = []
    for match in (*_FRACTION_JA.finditer(text), *_SLASH.finditer(text), *_PARTS_EN.finditer(text)):
        part, of = (_either(match[name]) for name in ("part", "of"))
        if part is not None and of:
            found.append(Value(start=match.start(), end=match.end(), kind="share", amount=part / of))
    found = [one for one in found if not _after_and(text, one.start)]
    for match in (*_HALF_EN.finditer(text), *_HALF_JA.finditer(text)):
        unit = _HALF_UNITS.get(match["unit"]) or SPELLINGS.get(match["unit"].lower(), "")
        found.append(_value(match, Fraction(1, 2), unit or "share"))
    return found


def _after_and(text: str, at: int) -> bool:
    """`two and a half` is one number, not a number and a share."""
    return (
        re.search(r"\b(?:\w+)\s+and\s+$", text[:at], re.IGNORECASE) is not None and text[at : at + 1] in "aA"
    )


def _either(text: str) -> Fraction | None:
    word = text.lower()
    if word in ("a", "an"):
        return Fraction(1)
    if word in PARTS:
        return Fraction(PARTS[word])
    return english_number(word.split("-")) or japanese_number(text)


def _amounts(text: str) -> list[Value]:
    found = []
    vague = [match.span() for match in _VAGUE_JA.finditer(text) if len(match[0]) > 1]
    for match in _AMOUNT_JA.finditer(text):
        amount = japanese_number(match["number"])
        counted = match["unit"] is not None or len(match["number"]) > 1 or match["number"].isascii()
        if amount is None or not counted or any(a < match.end() and match.start() < b for a, b in vague):
            continue
        if match["unit"] is None and not match["number"].isascii() and not _stands_alone(text, match):
            continue
        if match["number"].isascii() and match["unit"] is None:
            continue  # the English pattern reads it, with its sign and unit
        half = Fraction(1, 2) if match["half"] else 0
        found.append(_value(match, amount + half, SPELLINGS.get(match["unit"] or "", "")))
    for match in _AMOUNT_EN.finditer(text):
        found += _english(match)
    return found


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Kanji numerals without a counter are a number only where no other kanji touches them."""
    around = text[max(match.start() - 1, 0) : match.start()] + text[match.end() : match.end() + 1]
    return not any("\u4e00" <= char <= "\u9fff" for char in around)


def _english(match: re.Match[str]) -> list[Value]:
    words = re.split(r"[\s-]+", match["number"].lower())
    while words and words[-1] in ("and", "a", "an"):
        words.pop()
    amount = english_number(words)
    if amount is None or words in (["m"], ["k"]):
        return []
    amount *= SCALES.get((match["scale"] or "").lower(), 1)
    unit = SPELLINGS.get((match["unit"] or "").lower(), "")
    if match["sign"]:
        unit = SPELLINGS[match["sign"]]
    if match["old"] or (unit == "year" and match["old"] is not None):
        unit = "age"
    return [_value(match, amount, unit)]


def _ordinals(text: str) -> list[Value]:
    return [
        Value(
            start=match.start(), end=match.end(), kind="place",
            amount=Fraction(match["digits"] or ORDINALS[match["word"].lower()]),
        )
        for match in _ORDINAL_EN.finditer(text)
    ]  # fmt: skip


def _value(match: re.Match[str], amount: Fraction, unit: str) -> Value:
    amount, kind = measured(amount, unit)
    return Value(start=match.start(), end=match.end(), kind=kind, amount=amount)
