"""One value of a text changed into a plausible other, written the same way; what is counted stays."""

from __future__ import annotations

import re
from random import Random

from core.hacks.base import Edited, EditInput, Replacement, Skipped, rewritten
from core.hacks.base import words as word_list
from core.values.numerals import DIGITS, KANJI, LARGE, ORDINALS, SMALL, japanese_number
from core.values.values import Value, values

_PIECE = re.compile(
    rf"[0-9０-９]+(?:,[0-9]{{3}})*|[{KANJI}]+|[A-Za-z]+|[月火水木金土日](?=曜)|[ひふみよいむなやこ][ぁ-んッっ]+"
)
_IDLE_BEFORE = re.compile("(?:何|なに|わたくし|私|もう)$")
_IDLE_AFTER = re.compile("して|個として|のあいだ|の間|だって|.?も|つ?な[いかし]")
_TITLE = re.compile(r"\b(?:General|Mr|Mrs|Miss|Ms|Dr|Colonel|Captain|Sir|Lady|Lord)\.?\s$")
_DETERMINERS = re.compile(r"(?:\b(?:the|a|an|his|her|its|their|my|our|your|this|that)\s|-)$", re.IGNORECASE)
NEAR = 4
"""A digit changes by less than this, where no two can change places."""
FAR = 45
"""A number of four digits, most often a year, changes by no more."""
_NATIVE = word_list("ja", "native")
_KANJI_DIGITS = "〇一二三四五六七八九"
_CLASSES = ("ones", "teens", "tens", "ten", "ordinals", "scales", "large", "months", "weekdays")
_WORD_CLASSES = tuple(word_list("en", f"number-{name}") for name in _CLASSES)
_HEARD = {
    "thirteen": "thirty",
    "fourteen": "forty",
    "fifteen": "fifty",
    "sixteen": "sixty",
    "seventeen": "seventy",
    "eighteen": "eighty",
    "nineteen": "ninety",
}
_HEARD |= {tens: teens for teens, tens in _HEARD.items()}
_LIMITS = {"month": 12, "day": 28, "hour": 12, "minute": 59, "year": 2029}
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_TIMES_JA = {"月": 12, "日": 28, "時": 12, "分": 59, "割": 9}


def change_number(given: EditInput, rng: Random) -> Edited | Skipped:
    """One number, date, weekday or time becomes another; idioms and `one` as a pronoun are left alone."""
    found = [
        change
        for value in values(given.text)
        if (changes := _changes(given, value, rng))
        for change in [rng.choice(changes)]
    ]
    return rewritten(given.text, [rng.choice(found)], "") if found else Skipped("no-number")


def _changes(given: EditInput, value: Value, rng: Random) -> list[Replacement]:
    text = given.text
    found = []
    for piece in _PIECE.finditer(text, value.start, value.end):
        if _idle(text, piece):
            continue
        new = _other(piece[0], text[piece.end() : piece.end() + 2], value, given.lang, rng)
        if new is not None and new != piece[0]:
            found.append(Replacement(piece.start(), piece.end(), new))
    return found


def _idle(text: str, piece: re.Match[str]) -> bool:
    """Whether a number is part of a turn of speech: 何ひとつ, ふたりして, 一枚も, practised first."""
    if piece[0].lower() in ORDINALS:
        return not _DETERMINERS.search(text[: piece.start()])
    if piece[0].isascii() and piece[0].istitle() and _TITLE.search(text[: piece.start()]):
        return True
    beside = text[piece.start() - 1 : piece.start()] + text[piece.end() : piece.end() + 1]
    if piece[0][0] in KANJI and any(char in DIGITS for char in beside):
        return True  # 二三分 is two or three minutes
    one = piece[0] in ("一", "ひとつ", "ひとり", "ふたり")
    return one and bool(_IDLE_BEFORE.search(text[: piece.start()]) or _IDLE_AFTER.match(text, piece.end()))


def _other(piece: str, after: str, value: Value, lang: str, rng: Random) -> str | None:
    if is_digit(piece[0]):
        if after in _SUFFIXES:
            return _ordinal(int(piece), after, _limit(piece, "", value), rng)
        if any(name == "decade" for name, _ in value.parts):
            return rng.choice([one for digit in "2345678" if (one := f"{piece[:-2]}{digit}0") != piece])
        return _digits(piece, _limit(piece, after[:1], value), lang, rng)
    if piece[0] in KANJI:
        return _kanji(piece, _TIMES_JA.get(after[:1], 0) if value.parts else 0, rng)
    if piece in "月火水木金土日":
        return rng.choice([day for day in "月火水木金土日" if day != piece])
    if piece in _NATIVE:
        return rng.choice([word for word in _NATIVE[:5] if word != piece])
    if piece in ("ひとり", "ふたり"):
        return "ふたり" if piece == "ひとり" else "ひとり"
    return _word(piece, rng) if piece.isascii() else None


def _ordinal(number: int, suffix: str, limit: int, rng: Random) -> str | None:
    """Another ordinal near by with the same letters behind it: 16th → 14th, 3rd → 23rd."""
    near = [one for one in (*range(number - NEAR, number + NEAR + 1), number - 20, number + 20) if one > 1]
    fitting = [one for one in near if one != number and _suffix(one) == suffix and one <= (limit or one)]
    return str(rng.choice(fitting)) if fitting else None


def _suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def is_digit(char: str) -> bool:
    """Whether a character is a digit of either width."""
    return char in "0123456789０１２３４５６７８９"


def _limit(piece: str, after: str, value: Value) -> int:
    """The largest number that may stand there; 0 for any. A part of a date is known by its number."""
    if not value.parts:
        return 0
    if after in _TIMES_JA:
        return _TIMES_JA[after]
    number = int(piece.replace(",", ""))
    return next((_LIMITS[name] for name, said in value.parts if said == number and name in _LIMITS), 0)


def _digits(piece: str, limit: int, lang: str, rng: Random) -> str | None:
    """Two digits change places (1895 → 1859), or one becomes another; no 1 in English, no leading zero."""
    wide = piece[0] in "０１２３４５６７８９"
    plain = piece.translate({0xFF10 + digit: str(digit) for digit in range(10)})
    if (lang != "ja" and plain == "1") or set(plain) == {"0"}:
        return None
    first = len(plain) - 2 if len(plain) == 4 and "," not in plain else 0
    turned = [
        plain[:at] + plain[at + 1] + plain[at] + plain[at + 2 :]
        for at in range(max(first, 0), len(plain) - 1)
        if plain[at].isdigit() and plain[at + 1].isdigit()
    ]
    at = max(len(plain) - 2, 0) if len(plain) == 4 and "," not in plain else 0
    stepped = [
        plain[:at] + digit + plain[at + 1 :]
        for digit in "123456789"
        if abs(int(digit) - int(plain[at])) < NEAR
    ]
    for options in (turned, stepped):
        fitting = [one for one in dict.fromkeys(options) if _fits(one, plain, limit, lang)]
        if fitting:
            new = rng.choice(fitting)
            return new.translate({ord(str(digit)): 0xFF10 + digit for digit in range(10)}) if wide else new
    return None


def _fits(new: str, old: str, limit: int, lang: str) -> bool:
    number = int(new.replace(",", ""))
    if len(old) == 4 and old.isdigit() and abs(number - int(old)) > FAR:
        return False
    zero = new[0] == "0" and (old[0] != "0" or limit == 0)
    low = 2 if lang != "ja" else 1
    return new != old and not zero and number >= low and (not limit or number <= limit)


def _kanji(piece: str, limit: int, rng: Random) -> str | None:
    """Another kanji numeral of the same make: 三十 → 四十, 一八九五 → 一八五九."""
    number = japanese_number(piece)
    if number is None or number.denominator != 1:
        return None
    changeable = [at for at, char in enumerate(piece) if char in DIGITS and DIGITS[char] > 0]
    units = [
        at for at, char in enumerate(piece) if char in SMALL and (at == 0 or piece[at - 1] not in DIGITS)
    ]
    options = []
    for at in changeable[:1] if len(changeable) < 4 else changeable[-2:]:
        near = range(max(1, DIGITS[piece[at]] - NEAR + 1), min(10, DIGITS[piece[at]] + NEAR))
        options += [piece[:at] + _KANJI_DIGITS[digit] + piece[at + 1 :] for digit in near]
    if not changeable or (units and units[0] == 0):
        options += [f"{digit}{piece}" for digit in _KANJI_DIGITS[2:6] if piece[0] in (*SMALL, *LARGE)]
    scaled = any(char in SMALL or char in LARGE for char in piece)
    fitting = []
    for one in options:
        read = japanese_number(one)
        odd = scaled and re.search("一[十百千]", one) is not None
        if read is not None and read != number and not odd and (not limit or 1 <= read <= limit):
            fitting.append(one)
    return rng.choice(fitting) if fitting else None


def _word(piece: str, rng: Random) -> str | None:
    """Another word of its class: fifteen → fifty, third → fourth, March → May."""
    lower = piece.lower()
    if lower in _HEARD:
        return _cased(_HEARD[lower], piece)
    for words in _WORD_CLASSES:
        known = [word.lower() for word in words]
        if lower in known:
            return _cased(rng.choice([word for word in words if word.lower() != lower]), piece)
    return None


def _cased(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
