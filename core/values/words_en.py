"""An English text as words with their places, and what every reader of amounts asks of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from core.values.amounts import Amount, amount_of
from core.values.numerals import ARABIC
from core.values.quantities import ENGLISH, LONGEST, MONEY_SIGNS, PER, PLAIN, SHORT, Unit

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
    read: Words, at: int, end: int, written: Fraction, unit: Unit = PLAIN, *, spelt: bool = True
) -> Amount:
    """The amount that stands in the words from `at` up to `end`."""
    return amount_of(read.spans[at][0], read.spans[end - 1][1], written, unit, spelt=spelt)


def unit_at(read: Words, at: int, *, digits: bool) -> tuple[Unit, int]:
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


def _per(read: Words, unit: Unit, end: int) -> tuple[Unit, int]:
    """A length per time is a speed."""
    seconds = PER.get(read.word(end + 1)) if read.word(end) in ("per", "a", "an", "/") else None
    return (Unit("speed", unit.size / seconds), end + 2) if seconds and unit.kind == "metre" else (unit, end)
