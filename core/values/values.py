"""The values in a text: amounts, money, shares, ages, dates and times, in any spelling.

54 million = 54,000,000 = 5400万 = 五千四百万; 3月12日 = March 12th; 15歳 = fifteen; 令和6年 = 2024;
3分の1 = a third = one-third. Two texts are compared value by value.

Values are read from a folded text: one width, one kind of dash, with the offsets of the stored text. Vague
amounts, names and set phrases are not values; their patterns are in `assets/idioms.LANG.txt`, one a line
(`<n>` is a digit or kanji numeral, `<k>` a kanji numeral).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache

from core.assets import ASSETS
from core.values.amounts import JAPANESE_UNITS, Amount, joined
from core.values.dates import Moment, dates, times
from core.values.english import english_amounts
from core.values.japanese import japanese_amounts
from core.values.numerals import KANJI, roman_number

_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_OLD = {"廿": "二十", "卄": "二十", "卅": "三十", "丗": "三十", "卌": "四十"}
"""Numerals of older texts."""
_THIN = frozenset("\u00a0\u2007\u2009\u202f'’")
"""What stands between thousands, beside commas: blanks that do not break, and the Swiss mark."""
_THREE = re.compile(r"\d{3}(?!\d)")
_DASHES = {ord(char): "-" for char in "‐‑‒–—−〜～"} | {ord("’"): "'", ord("‘"): "'", ord("⁄"): "/"}


@dataclass(frozen=True, slots=True)
class FoldedText:
    """text: NFKC by clusters. starts, ends: for each of its characters, the stored one's half-open place."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def stored(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded range stands in the stored text, without blanks at its edges."""
        while start < end and self.text[start].isspace():
            start += 1
        while start < end and self.text[end - 1].isspace():
            end -= 1
        return (self.starts[start], self.ends[end - 1]) if start < end else (0, 0)


def fold(text: str) -> FoldedText:
    """Full-width, half-width and composed characters in one form; ½ as ` 1/2`, m² as `m2`, 10² as `10^2`."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        plain = _plain(text[at:end], letters[-1] if letters else "")
        if text[at] in _THIN and letters and letters[-1].isdigit() and _THREE.match(text, end):
            plain = ","
        if "/" in plain and len(plain) > 1 and text[end : end + 1].isdigit():
            plain += " "
        letters += plain
        starts += [at] * len(plain)
        ends += [end] * len(plain)
        at = end
    return FoldedText("".join(letters), tuple(starts), tuple(ends))


def _joins(char: str) -> bool:
    """Combining marks and half-width voicing marks belong to the character before them."""
    return unicodedata.combining(char) > 0 or char in "ﾞﾟ"


def _plain(cluster: str, before: str) -> str:
    plain = unicodedata.normalize("NFKC", cluster)
    if "\u2160" <= cluster[0] <= "\u217f":
        return str(roman_number(plain) or plain)
    if cluster[0] in _OLD:
        return _OLD[cluster[0]]
    if cluster[0] in _SUPERSCRIPTS:
        return plain if before.isalpha() else f"^{plain}"
    if "⁄" in plain:
        plain = f" {plain}"
    return plain.translate(_DASHES)


def idioms(text: str) -> Iterator[tuple[int, int]]:
    """Half-open places in a folded text where no value may stand."""
    for lang in ("ja", "en"):
        for found in _pattern(lang).finditer(text):
            yield found.span()


@cache
def _pattern(lang: str) -> re.Pattern[str]:
    lines = (ASSETS / f"idioms.{lang}.txt").read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    choice = "|".join(patterns).replace("<n>", f"[0-9{KANJI}]").replace("<k>", f"[{KANJI}]")
    start = f"(?<![0-9{KANJI}])" if lang == "ja" else ""
    return re.compile(f"{start}(?:{choice})", re.IGNORECASE)


_ALIKE = (
    {"do", "degree"},
    {"do", "celsius"},
    {"do", "times"},
    {"degree", "celsius"},
    {"storey", "place"},
    {"page", "place"},
)
"""Kinds that one word stands for: 三度 is three times or three degrees."""
_SHORT = {("kilo", "metre"): Fraction(1000), ("kilo", "gram"): Fraction(1000)}
_SHORT[("pound", "gram")] = Fraction("453.59237")
"""Words that are short for a unit of either kind, with their size there: 20キロ is 20 km or 20 kg."""

REMEMBERED = 1000
"""Values of longer texts are read again each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value. start, end: half-open code-point offsets into the stored text, no blanks at the edges.

    kind: what is counted (`metre`, `yen`, `age`, `place` for ordinals, …), `date` or `time` (then `parts`
    says what), empty for a bare number. written: the number as it stands. amount: exact, in the base unit of
    the kind. spelt: in English words, so that it is not a number of a room.
    """

    start: int
    end: int
    kind: str = ""
    amount: Fraction = Fraction(0)
    written: Fraction = Fraction(0)
    parts: tuple[tuple[str, int], ...] = ()
    spelt: bool = False


def values(text: str) -> list[Value]:
    """The values of a text, in order, without overlap, in English and Japanese; never raises."""
    return list(_remembered(text) if len(text) <= REMEMBERED else _read(text))


@lru_cache(1 << 12)
def _remembered(text: str) -> tuple[Value, ...]:
    """A reference meets many translations, and its answers are read for each of them."""
    return tuple(_read(text))


def _read(text: str) -> list[Value]:
    folded = fold(text)
    plain = folded.text
    blocked = list(idioms(plain))
    moments = [*dates(plain), *times(plain)]
    amounts = [*japanese_amounts(plain), *english_amounts(plain)]
    kept = _without_overlap([*moments, *amounts], blocked)
    counted = joined(plain, [one for one in kept if isinstance(one, Amount)])
    read = [_of_moment(one) for one in kept if isinstance(one, Moment)] + [_of_amount(one) for one in counted]
    placed = [(value, folded.stored(value.start, value.end)) for value in read]
    moved = [replace(value, start=start, end=end) for value, (start, end) in placed if start < end]
    found: list[Value] = []
    for value in sorted(moved, key=lambda one: (one.start, one.end)):
        if not found or found[-1].end <= value.start:  # one stored character may have held the edge of two
            found.append(value)
    return found


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
    left = [
        one
        for one in there
        if _family(one) in kinds
        or "" in (_family(one), *kinds)
        or any(likeness(other, one) for other in wanted)
    ]
    offered = len(left)
    total = 0.0
    for one in wanted:
        worths = [likeness(one, other) for other in left]
        worth = max(worths, default=0.0)
        if worth > 0:
            del left[worths.index(worth)]
            total += worth
    recall, precision = total / len(wanted), total / offered if offered else 0.0
    return 0.0 if not total else 2 * recall * precision / (recall + precision)


def likeness(one: Value, other: Value) -> float:
    """1 where two values say the same, between for dates that agree in part, else 0.

    A bare number is the same as one with a unit (fifteen, 15歳); two units must count the same thing.
    A number in words is not an ordinal (three, third); one in digits may be (190, 190番).
    """
    if one.parts or other.parts:
        return _moments_alike(one, other)
    if one.kind == other.kind or {one.kind, other.kind} in _ALIKE:
        return float(one.amount == other.amount)
    if "" not in (one.kind, other.kind):
        ours, theirs = _SHORT.get((one.kind, other.kind)), _SHORT.get((other.kind, one.kind))
        return float((ours or 0) * one.amount == other.amount or (theirs or 0) * other.amount == one.amount)
    bare, measured = (one, other) if one.kind == "" else (other, one)
    if measured.kind == "place" and bare.spelt:
        return 0.0
    share = measured.kind == "share" and bare.written == measured.amount
    return float(share or bare.written == measured.written)


def _moments_alike(one: Value, other: Value) -> float:
    ours, theirs = dict(one.parts), dict(other.parts)
    if not ours or not theirs:
        number, moment = (one, other) if theirs else (other, one)
        (said, *more) = [value for _, value in moment.parts]
        number_alike = number.kind in ("", "place") and not more and number.written == said
        duration_alike = _same_length(number, moment)
        return float(number_alike or duration_alike)
    for name in ours.keys() & theirs.keys():
        short = name == "decade" and min(ours[name], theirs[name]) < 100
        if ours[name] % (100 if short else 10**6) != theirs[name] % (100 if short else 10**6):
            return 0.0
    return len(ours.keys() & theirs.keys()) / len(ours)


def _same_length(number: Value, moment: Value) -> bool:
    """三日 beside three days, 二千年 beside two thousand years, the 1800s beside the 19th century."""
    kind = {"day": "second", "year": "month", "decade": "century"}.get(moment.parts[0][0])
    return moment.amount > 0 and number.kind == kind and number.amount == moment.amount


def _family(value: Value) -> str:
    return "moment" if value.parts else value.kind


def _without_overlap(
    found: Sequence[Moment | Amount], blocked: list[tuple[int, int]]
) -> list[Moment | Amount]:
    """The longest readings, none over another or over an idiom; of two as long the first, in order."""
    ends = [end for _, end in blocked] + [one.end for one in found]
    taken = bytearray(max(ends, default=0))
    for start, end in blocked:
        taken[start:end] = b"x" * (end - start)
    kept: list[Moment | Amount] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"x" * (one.end - one.start)
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _of_amount(one: Amount) -> Value:
    return Value(
        start=one.start, end=one.end, kind=one.kind, amount=one.amount, written=one.written, spelt=one.spelt
    )


def _of_moment(one: Moment) -> Value:
    clock = any(name == "hour" for name, _ in one.parts)
    length = one.long * JAPANESE_UNITS[one.unit].size if one.unit else Fraction(0)
    return Value(
        start=one.start, end=one.end, kind="time" if clock else "date", parts=one.parts, amount=length
    )
