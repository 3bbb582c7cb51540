"""Numbers as they are written: digits, kanji numerals, English words. All exact, as fractions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_PLACES = "〇零 一壱壹 二弐貳 三参參 四肆 五伍 六陸 七漆 八捌 九玖"
DIGITS = {char: value for value, chars in enumerate(_PLACES.split()) for char in chars}
SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "阡": 1000}
LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "兆": 10**12, "京": 10**16}
KANJI = "".join([*DIGITS, *SMALL, *LARGE])
ARABIC = r"(?>[0-9]{1,3}(?:,[0-9]{3})+(?!,?[0-9])|[0-9]+)(?:\.[0-9]+)?"
PLACED = "".join(DIGITS)
JAPANESE = rf"(?<![0-9{KANJI}])(?>[{PLACED}]+[・.][{PLACED}]+|(?:{ARABIC}|[{KANJI}])+)"
_PART = re.compile(rf"{ARABIC}|[{PLACED}]+|[{''.join(SMALL)}{''.join(LARGE)}]")

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NTHS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
WORDS = {word: value for value, word in enumerate(_ONES)}
WORDS |= {word: 10 * (place + 2) for place, word in enumerate(_TENS)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SHORT_SCALES = {"k": 10**3, "mn": 10**6, "bn": 10**9, "tn": 10**12}
"""Written against the digits: 3.5bn. `m` is a million only beside money."""
ORDINALS = {word: value for value, word in enumerate(_NTHS, 1)}
ORDINALS |= {f"{word[:-1]}ieth": 10 * (place + 2) for place, word in enumerate(_TENS)}
_NTH_SCALES = {"hundredth": 100} | {f"{word}th": value for word, value in SCALES.items()}
PARTS = {"half": 2, "quarter": 4} | {word: value for word, value in ORDINALS.items() if value > 2}
PARTS |= {"halves": 2} | {f"{word}s": value for word, value in PARTS.items() if word != "half"}
PARTS |= {"hundredth": 100, "hundredths": 100, "thousandth": 1000, "thousandths": 1000}
LONGEST = 60
"""Characters of a number at most: what is longer is no value."""
_SINGLE = re.compile(rf"(?!.{{{LONGEST + 1}}}){ARABIC}")


def japanese_number(text: str) -> Fraction | None:
    """`5400万`, `五千四百万`, `1,234.5`, `二〇二四`, `一・五` as a number; None where it is none.

    `text` is folded. Kanji digits in a row are read by place (二〇二四). 十 without a digit is one ten.
    """
    whole, point, rest = text.replace("・", ".").partition(".")
    if point and len(text) <= LONGEST and set(whole + rest) <= set(DIGITS):
        return Fraction(f"{_placed(whole)}.{_placed(rest)}")
    parts = _PART.findall(text) if len(text) <= LONGEST else []
    if not parts or "".join(parts) != text:
        return None
    total = section = Fraction(0)
    current: Fraction | None = None
    small, large = 10**4, 10**20
    for part in parts:
        size = SMALL.get(part) or LARGE.get(part)
        row = part[0] in DIGITS and len(part) > 1
        if size is None and (current is not None or (row and section)):
            return None
        if size is None:
            current = Fraction(_placed(part) if part[0] in DIGITS else part.replace(",", ""))
        elif part in SMALL and size < small:
            section += (Fraction(1) if current is None else current) * size
            current, small = None, size
        elif part in LARGE and size < large:
            group = section if current is None else section + current
            total += (Fraction(1) if current is None and not section else group) * size
            section, current, small, large = Fraction(0), None, 10**4, size
        else:
            return None
    return total + section + (current or 0)


def _placed(kanji: str) -> str:
    return "".join(str(DIGITS[char]) for char in kanji)


@dataclass(frozen=True, slots=True)
class Numeral:
    """An English number. end: the place after its last word. ordinal: `twenty-first`.

    scale: of its last word, 1 where that is no scale. spelt: in words, not in digits.
    """

    amount: Fraction
    end: int
    ordinal: bool = False
    scale: int = 1
    spelt: bool = True


_ROMAN = re.compile(
    "(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE
)
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def roman_number(text: str) -> int | None:
    """`IV`, `xiv` as an integer, 1 to 3,999; None for what is no Roman numeral in its usual spelling."""
    if not _ROMAN.fullmatch(text):
        return None
    digits = [_ROMAN_DIGITS[char] for char in text.lower()]
    following = [*digits[1:], 0]
    return sum(-one if one < after else one for one, after in zip(digits, following, strict=True))


def english_number(words: Sequence[str], at: int) -> Numeral | None:
    """The longest number that starts at a place: `three hundred and five`, `54 million`, `twenty-first`.

    Also `two point five million`, `nineteen oh five` and `five-and-twenty`.

    words: lower case, hyphens and other marks as words of their own. None where no number starts. A word
    that cannot continue the number ends it: `two three` is two numbers.
    """
    start = at + 1 if words[at] in ("a", "an") else at
    if start > at and words[start : start + 1] and words[start] not in ("hundred", "dozen", *SCALES):
        return None
    if start >= len(words):
        return None
    special = _spoken_year(words, at) or _units_first(words, at)
    if special is not None:
        return special
    found = _whole_number(words, start)
    return found if found is None or found.ordinal or not found.spelt else _with_decimals(words, found)


def _whole_number(words: Sequence[str], start: int) -> Numeral | None:
    reading = _Reading(spelt=not _SINGLE.fullmatch(words[start]))
    found: Numeral | None = None
    place = start
    while place < len(words):
        word = words[place]
        if found is not None and (word == "-" or (word == "and" and reading.after_scale)):
            place += 1
            continue
        apart = word == "second" and words[place - 1] not in ("-", "and")
        apart |= found is not None and words[place - 1] == "and" and _SINGLE.fullmatch(word) is not None
        if apart or not reading.take(word, words[place + 1 : place + 2]):
            break
        place += 1
        found = Numeral(reading.total + reading.group, place, reading.ordinal, reading.scale, reading.spelt)
        if reading.ordinal:
            break
    return found


@dataclass(slots=True)
class _Reading:
    """How far a number has been read. room: what may still be added to the group must be below it."""

    spelt: bool
    total: Fraction = Fraction(0)
    group: Fraction = Fraction(0)
    room: int = 1000
    smallest: int = 10**15
    scale: int = 1
    begun: bool = False
    after_scale: bool = False
    ordinal: bool = False

    def take(self, word: str, following: Sequence[str]) -> bool:
        """Whether the word continues the number; if so it is in it."""
        nth = ORDINALS.get(word) or _NTH_SCALES.get(word)
        if word in WORDS:
            return self._add(Fraction(WORDS[word]))
        if _SINGLE.fullmatch(word):
            fits = not self.begun or (self.after_scale and following and following[0] in SCALES)
            return bool(fits) and self._set(Fraction(word.replace(",", "")))
        if word in ("hundred", "dozen") and self.group < 100 and (self.group or not self.begun):
            return self._times(100 if word == "hundred" else 12)
        if word in SCALES and SCALES[word] < self.smallest and (self.group or not self.begun):
            self.total += (self.group or Fraction(1)) * SCALES[word]
            self.group, self.room, self.smallest = Fraction(0), min(1000, SCALES[word]), SCALES[word]
            return self._mark(SCALES[word])
        if nth and word in ORDINALS and (word != "second" or self.begun) and self._add(Fraction(nth)):
            self.ordinal = True
            return True
        if nth and word in _NTH_SCALES and self.begun and self.group:
            self.group *= nth
            self.ordinal = True
            return True
        return False

    def _add(self, value: Fraction) -> bool:
        if value >= self.room or (self.begun and not value):
            return False
        self.group += value
        self.room = 10 if value >= 20 and value % 10 == 0 else 1
        self.begun, self.after_scale, self.scale = True, False, 1
        return True

    def _set(self, value: Fraction) -> bool:
        self.group, self.room, self.begun, self.after_scale, self.scale = value, 1, True, False, 1
        return True

    def _times(self, size: int) -> bool:
        self.group = (self.group or Fraction(1)) * size
        self.room = size if size == 100 else 0
        return self._mark(size)

    def _mark(self, scale: int) -> bool:
        self.begun, self.after_scale, self.scale = True, scale != 12, scale
        return True


def _with_decimals(words: Sequence[str], whole: Numeral) -> Numeral:
    """`three point one four`, `two point five million`: digits behind a point, and a scale behind them."""
    at = whole.end + 1
    digits = ""
    if whole.end >= len(words) or words[whole.end] != "point":
        return whole
    while at < len(words) and (digit := 0 if words[at] == "oh" else WORDS.get(words[at], 10)) < 10:
        digits, at = f"{digits}{digit}", at + 1
    if not digits:
        return whole
    amount, scale = whole.amount + Fraction(int(digits), 10 ** len(digits)), 1
    if at < len(words) and words[at] in SCALES:
        scale = SCALES[words[at]]
        at += 1
    return Numeral(amount * scale, at, scale=scale)


def _units_first(words: Sequence[str], at: int) -> Numeral | None:
    """`five-and-twenty`, `four and twenty`: older English says the units first."""
    ones = WORDS.get(words[at], 0)
    place = at + 1
    joint: list[str] = []
    while place < len(words) and words[place] in ("-", "and") and len(joint) < 3:
        joint.append(words[place])
        place += 1
    tens = WORDS.get(words[place], 0) if place < len(words) else 0
    if 0 < ones < 10 and " ".join(joint) in ("and", "- and -") and tens >= 20:
        return Numeral(Fraction(tens + ones), place + 1)
    return None


def _spoken_year(words: Sequence[str], at: int) -> Numeral | None:
    """`nineteen eighty-four`, `twenty twenty-five`, `nineteen oh five`: two numbers that are a year."""
    first = WORDS.get(words[at], 0)
    rest = words[at + 1 :]
    if not 11 <= first <= 20 or not rest:
        return None
    joined = 1 if rest[0] == "-" else 0
    if rest[joined : joined + 1] and rest[joined] in ("oh", "o"):
        ones = joined + 1
        ones += ones < len(rest) and rest[ones] == "-"
        digit = WORDS.get(rest[ones], 0) if ones < len(rest) else 0
        return Numeral(Fraction(100 * first + digit), at + 2 + ones) if 0 < digit < 10 else None
    if first < 16 or WORDS.get(rest[0], 0) < 10:
        return None
    reading = _Reading(spelt=True)
    reading.take(rest[0], ())
    length = 1
    if len(rest) > 2 and rest[1] == "-" and WORDS.get(rest[2], 0) and reading.take(rest[2], ()):
        length = 3
    return Numeral(100 * first + reading.group, at + 1 + length)
