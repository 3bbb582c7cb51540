"""Amounts in English: digits and number words with units, money, shares, ages, ordinals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.values.amounts import (
    ENGLISH,
    LONGEST,
    MONEY,
    MONEY_SIGNS,
    PER,
    PLAIN,
    SHORT,
    Amount,
    MeasureUnit,
    amount_of,
)
from core.values.numerals import (
    ARABIC,
    ORDINALS,
    PARTS,
    SCALES,
    SHORT_SCALES,
    Numeral,
    english_number,
    roman_number,
)

_WORD = re.compile(rf"{ARABIC}|[A-Za-z]+|\S")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, lower case; spans: where each stands."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def touch(self, at: int) -> bool:
        """Whether the word at a place follows the one before it without a blank."""
        return 0 < at < len(self.words) and self.spans[at - 1][1] == self.spans[at][0]

    def digits(self, at: int) -> bool:
        """Whether the word at a place is a whole number of at most nine digits."""
        word = self.word(at)
        return word.isascii() and word.isdigit() and len(word) <= 9

    def word(self, at: int) -> str:
        """The word at a place, empty beyond the ends."""
        return self.words[at] if 0 <= at < len(self.words) else ""


def words_of(text: str) -> Words:
    """The words of a folded text; every mark is a word of its own."""
    found = list(_WORD.finditer(text))
    return Words(tuple(one[0].lower() for one in found), tuple(one.span() for one in found))


def amount_at(
    read: Words, at: int, end: int, written: Fraction, unit: MeasureUnit = PLAIN, *, spelt: bool = True
) -> Amount:
    """The amount that stands in the words from `at` up to `end`."""
    return amount_of(read.spans[at][0], read.spans[end - 1][1], written, unit, spelt=spelt)


def unit_at(read: Words, at: int, *, digits: bool) -> tuple[MeasureUnit, int]:
    """The unit at a place, perhaps behind a hyphen, and the place after it."""
    start = at + 1 if read.word(at) == "-" and read.touch(at) and read.touch(at + 1) else at
    for length in range(LONGEST, 0, -1):
        spelling = " ".join(read.words[start : start + length])
        if spelling in ENGLISH and start + length <= len(read.words):
            short = spelling in SHORT or (length == 1 and spelling in ("sec", "min"))
            if short and not digits:
                continue
            if spelling in MONEY_SIGNS and not read.touch(start):
                continue
            return _per(read, ENGLISH[spelling], start + length)
    return PLAIN, at


def _per(read: Words, unit: MeasureUnit, end: int) -> tuple[MeasureUnit, int]:
    """A length per time is a speed."""
    seconds = PER.get(read.word(end + 1)) if read.word(end) in ("per", "a", "an", "/") else None
    return (
        (MeasureUnit("speed", unit.size / seconds), end + 2)
        if seconds and unit.kind == "metre"
        else (unit, end)
    )


_SHARE = MeasureUnit("share", Fraction(1))
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
            *match.span("word"), Fraction(_TEENS.get(word) or int(word)), MeasureUnit("thirties", Fraction(1))
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


_PLACE = MeasureUnit("place", Fraction(1))
_TIMES = MeasureUnit("times", Fraction(1))
_NUMBERED = (
    "chapter no number room page line volume vol part section article figure fig book act scene grade track "
    "platform bus route flight gate unit episode lesson question level verse canto # №"
)
_BEFORE_NUMBERS = frozenset(_NUMBERED.split())
_ROMAN_BEFORE = frozenset(
    ["chapter", "volume", "vol", "part", "section", "article", "book", "act", "scene", "canto"]
)
_OFTEN = {"once": 1, "twice": 2, "thrice": 3, "twofold": 2, "threefold": 3, "fourfold": 4, "tenfold": 10}


def english_amounts(text: str) -> Iterator[Amount]:
    """Every amount of a folded text; `one in five` and the like may overlap others."""
    read = words_of(text)
    at = 0
    while at < len(read.words):
        amount, end = _amount(read, at)
        if amount is not None:
            yield amount
        at = max(end, at + 1)
    yield from phrases(text)


def _amount(read: Words, at: int) -> tuple[Amount | None, int]:
    """The amount that starts at a word, and the place after it."""
    for reader in (_often, half, slash, share, _ordinal, _number):
        amount, end = reader(read, at)
        if end > at:
            return amount, end
    return None, at


def _often(read: Words, at: int) -> tuple[Amount | None, int]:
    times = _OFTEN.get(read.word(at))
    if times is None or (times == 1 and _idle_once(read, at)):
        return None, at
    return amount_at(read, at, at + 1, Fraction(times), _TIMES), at + 1


def _idle_once(read: Words, at: int) -> bool:
    """`once upon a time`, `at once`, `once he had gone`: only `once a week`, `only once`, `once.` count."""
    return read.word(at + 1) not in ("a", "per", "in", "every", ".", ",", "") or read.word(at - 1) == "at"


def _ordinal(read: Words, at: int) -> tuple[Amount | None, int]:
    """`21st`, `twenty-first`, `one hundred and ninetieth`, `Chapter 3`, `No. 7`, `#190`."""
    word = read.word(at)
    if word in _BEFORE_NUMBERS:
        place = at + 2 if read.word(at + 1) == "." else at + 1
        numeral = english_number(read.words, place) if read.word(place) else None
        roman = roman_number(read.word(place)) if word in _ROMAN_BEFORE else None
        if roman:
            return amount_at(read, at, place + 1, Fraction(roman), _PLACE, spelt=False), place + 1
        if (numeral is not None and not numeral.ordinal and word != "no") or (
            numeral and read.word(at + 1) == "."
        ):
            return amount_at(read, at, numeral.end, numeral.amount, _PLACE, spelt=False), numeral.end
        return None, at
    if read.digits(at) and read.touch(at + 1) and read.word(at + 1) in ("st", "nd", "rd", "th"):
        return _nth(read, at, at + 2, Fraction(word))
    numeral = english_number(read.words, at)
    if numeral is not None and numeral.ordinal:
        return _nth(read, at, numeral.end, numeral.amount)
    if word == "second":
        return _nth(read, at, at + 1, Fraction(2))
    return None, at


def _nth(read: Words, at: int, end: int, amount: Fraction) -> tuple[Amount, int]:
    after = end + 1 if read.word(end) == "-" else end
    if read.word(after) in ("century", "centuries"):
        return amount_at(read, at, after + 1, amount, MeasureUnit("century", Fraction(1))), after + 1
    return amount_at(read, at, end, amount, _PLACE), end


def _number(read: Words, at: int) -> tuple[Amount | None, int]:
    """A number with what stands before it (a money sign, a minus) and after it (a scale, a half, a unit)."""
    numeral = english_number(read.words, at)
    if numeral is None:
        return _one_unit(read, at)
    written, end = _with_part(read, numeral)
    money = read.touch(at) or read.word(at - 1) in MONEY_SIGNS
    sign = read.word(at - 1) if money and at and read.word(at - 1) in MONEY_SIGNS else ""
    sign = read.word(at - 1) if read.word(at - 1) in ("rmb", "usd", "jpy", "eur", "gbp", "cny") else sign
    written, end = _scaled(read, written, end, numeral, sign)
    unit, after = unit_at(read, end, digits=not numeral.spelt)
    written, unit, after = _and_a_half(read, written, unit, after)
    if sign:
        unit = ENGLISH[sign]
    start = at - 1 if sign else at
    if read.word(start - 1) in ("minus", "-") and _is_minus(read, start - 1):
        start, written = start - 1, -written
    if "below zero" in " ".join(read.words[after : after + 2]):
        after, written = after + 2, -written
    if not unit.kind and _of_age(read, start):
        unit = ENGLISH["years old"]
    return amount_at(read, start, after, written, unit, spelt=numeral.spelt), after


def _one_unit(read: Words, at: int) -> tuple[Amount | None, int]:
    """`a decade`, `a year and a half`, `an hour and a half`, `a century`, `a week`."""
    if read.word(at) not in ("a", "an") or read.word(at + 1) in (
        "m",
        "second",
        "time",
        "man",
        "woman",
        "person",
        "foot",
        "story",
        "storey",
        "piece",
        "item",
        "degree",
        "pound",
    ):
        return None, at
    unit, end = unit_at(read, at + 1, digits=False)
    if unit.kind not in ("second", "month"):
        return None, at
    written, unit, after = _and_a_half(read, Fraction(1), unit, end)
    per = (
        read.digits(at - 1)
        or read.word(at - 1) in ENGLISH
        or read.word(at - 1) in _OFTEN
        or read.word(at - 1) == "such"
    )
    if after == end and (
        per or read.word(end) in ("'", "-") or (unit.size == 86400 and unit.kind == "second")
    ):
        return None, end
    return amount_at(read, at, after, written, unit), after


def _with_part(read: Words, numeral: Numeral) -> tuple[Fraction, int]:
    """`two and a half`, `a million and a half`, `three and three quarters`."""
    end = numeral.end
    if read.word(end) != "and" or read.word(end + 1) not in ("a", "one", "two", "three"):
        return numeral.amount, end
    part = read.word(end + 2)
    count = {"two": 2, "three": 3}.get(read.word(end + 1), 1)
    if part not in PARTS or (count > 1) != part.endswith("s") or read.word(end + 3) == "of":
        return numeral.amount, end
    return numeral.amount + Fraction(count, PARTS[part]) * max(numeral.scale, 1), end + 3


def _scaled(read: Words, written: Fraction, end: int, numeral: Numeral, sign: str) -> tuple[Fraction, int]:
    """`3.5bn`, `$54m`, `two and a half million`."""
    word = read.word(end)
    if word in SCALES and end > numeral.end:
        return written * SCALES[word], end + 1
    if numeral.spelt or not read.touch(end):
        return written, end
    if word in SHORT_SCALES:
        return written * SHORT_SCALES[word], end + 1
    beside_money = sign or ENGLISH.get(read.word(end + 1), PLAIN).kind in MONEY
    return (written * 10**6, end + 1) if word == "m" and beside_money else (written, end)


def _and_a_half(
    read: Words, written: Fraction, unit: MeasureUnit, end: int
) -> tuple[Fraction, MeasureUnit, int]:
    """`an hour and a half`, `a mile and a quarter`."""
    part = read.word(end + 2)
    joined = read.words[end : end + 2] == ("and", "a") and part in ("half", "quarter")
    if unit.kind in ("second", "month", "metre") and joined:
        return written + Fraction(1, PARTS[part]), unit, end + 3
    return written, unit, end


def _is_minus(read: Words, at: int) -> bool:
    """A hyphen is a minus only where it touches the number and nothing before it."""
    return read.word(at) == "minus" or (read.touch(at + 1) and not read.touch(at))


def _of_age(read: Words, at: int) -> bool:
    before: Sequence[str] = read.words[max(at - 2, 0) : at]
    return before[-1:] in (("aged",), ("age",)) or before == ("age", "of")
