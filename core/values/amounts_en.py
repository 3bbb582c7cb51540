"""Amounts in English: digits and number words with units, money, shares, ages, ordinals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from core.values.amounts import Amount
from core.values.numerals import PARTS, SCALES, SHORT_SCALES, Numeral, english_number
from core.values.quantities import ENGLISH, MONEY, MONEY_SIGNS, PLAIN, Unit
from core.values.shares_en import half, phrases, share, slash
from core.values.words_en import Words, amount_at, unit_at, words_of

_PLACE = Unit("place", Fraction(1))
_TIMES = Unit("times", Fraction(1))
_NUMBERED = (
    "chapter no number room page line volume vol part section article figure fig book act scene grade track "
    "platform bus route flight gate unit episode lesson question level verse canto # №"
)
_BEFORE_NUMBERS = frozenset(_NUMBERED.split())
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
        return amount_at(read, at, after + 1, amount, Unit("century", Fraction(1))), after + 1
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


def _and_a_half(read: Words, written: Fraction, unit: Unit, end: int) -> tuple[Fraction, Unit, int]:
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
