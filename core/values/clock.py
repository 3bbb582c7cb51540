"""Times of day as they are written in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.values.dates import Moment, whole_number
from core.values.numerals import KANJI, WORDS

_N = rf"(?:[0-9]+|[{KANJI}]+)"
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES = r"(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
_SPOKEN = "|".join(word for word, value in WORDS.items() if 0 < value < 20)
_PAST = rf"half|(?:a\s+)?quarter|[0-9]{{1,2}}|{_MINUTES}|{_SPOKEN}"
_HOUR = rf"(?P<hour>[0-9]{{1,2}}|{_HOURS})"
_HALF = (
    r"(?:\s*(?P<half>[ap]\.?\s?m\b\.?)"
    r"|\s+(?:in\s+the\s+|at\s+|of\s+the\s+|this\s+)?(?:early\s+|late\s+)?(?P<later>morning|afternoon|evening|night)\b)"
)
_CLOCK = r"(?:\s*o['’]?\s?clock)"
_PART_JA = "(?:(?P<part>午前|午後|早朝|今朝|朝|昼|夕方|夕刻|今夜|今晩|深夜|真夜中|未明|夜中|夜|晩)の?)?"
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_PART_JA}(?<![0-9{KANJI}数何])(?P<hour>{_N})時(?!間|代|期|点|速|給|局)"
        rf"(?:(?P<minute>{_N})分(?P<before>前)?|(?P<fixed>半)|ちょうど)?",
        rf"{_PART_JA}(?<![0-9:])(?P<hour>[0-2]?[0-9])[:](?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:]){_HALF}?",
        rf"(?<![0-9:.,])\b(?P<hour>[0-2]?[0-9])[.](?P<minute>[0-5][0-9]){_HALF}",
        r"(?<![0-9:.,])\b(?P<hour>[0-2]?[0-9])[.](?P<minute>[0-5][0-9])(?=\s*(?:GMT|UTC|EST|EDT|JST|hrs))",
        rf"(?<![0-9:.,-])\b(?P<minute>{_PAST})[\s-]*(?:minutes?\s+)?(?:(?P<past>past|after)|(?P<before>to|before))[\s-]+"
        rf"{_HOUR}{_CLOCK}?{_HALF}?(?![0-9])",
        rf"(?<![0-9:.,$£€¥])\b{_HOUR}{_CLOCK}{_HALF}?",
        rf"(?<![0-9:.,$£€¥])\b{_HOUR}{_HALF}",
        rf"\b{_HOUR}[- ](?P<minute>fifteen|thirty|forty-five)\b{_HALF}?",
        r"(?:\b(?:twelve\s+)?(?P<noon>noon|midday)\b|(?P<noon_ja>正午))",
        r"\b(?:twelve\s+)?(?P<midnight>midnight)\b",
    )
)  # fmt: skip
_EARLY = ("午前", "早朝", "今朝", "朝", "未明", "morning")
_LATE = ("午後", "夕方", "夕刻", "afternoon", "evening", "今晩", "晩")
_NIGHT = ("深夜", "真夜中", "夜中", "夜", "今夜", "night")


def times(text: str) -> Iterator[Moment]:
    """Every reading as a time of day of every place in a folded text; they may overlap."""
    for pattern in PATTERNS:
        for found in pattern.finditer(text):
            parts = _time(found)
            if parts is not None:
                yield Moment(start=found.start(), end=found.end(), parts=parts)


def _time(found: re.Match[str]) -> tuple[tuple[str, int], ...] | None:
    """`hour` 0–11, `minute`, and `half` (0 before noon, 1 after) where it is known."""
    said = {name: value for name, value in found.groupdict().items() if value}
    if "noon" in said or "noon_ja" in said:
        return ("hour", 0), ("minute", 0), ("half", 1)
    if "midnight" in said:
        return ("hour", 0), ("minute", 0), ("half", 0)
    hour, minute = whole_number(said["hour"]), _minute(said)
    if hour is None or minute is None or hour > 24 or minute > 59 or not _sure(found[0], said):
        return None
    half = _half(said, hour)
    at = 60 * (hour % 12 + 12 * (half or 0)) + minute
    if "before" in said:
        at = (at - 2 * minute) % (24 * 60)
    known = () if half is None else (("half", at // 720),)
    return (("hour", at // 60 % 12), ("minute", at % 60), *known)


def _sure(text: str, said: dict[str, str]) -> bool:
    """`a quarter to five` is a time, `10 to 5` may be a range: there must be a word for it."""
    words = text.lower()
    sure = ("half", "quarter", "past", "minute", "clock", "時")
    return not {"past", "before"} & said.keys() or any(word in words for word in sure)


def _minute(said: dict[str, str]) -> int | None:
    if "fixed" in said:
        return 30
    words = said.get("minute", "").lower()
    if words.endswith("half"):
        return 30
    if words.endswith("quarter"):
        return 15
    return whole_number(words) if words else 0


def _half(said: dict[str, str], hour: int) -> int | None:
    """Before noon 0, after noon 1, None where it is not said."""
    letters = said.get("half", "").lower()
    if hour > 12:
        return 0 if hour == 24 else 1
    part = (said.get("part") or said.get("later", "")).lower()
    if letters:
        return 0 if letters[0] == "a" else 1
    if part in _EARLY:
        return 0
    if part in _LATE:
        return 1
    if part in _NIGHT:
        return 0 if hour < 6 or hour == 12 else 1
    if part == "昼":
        return 0 if hour in (10, 11) else 1
    return 0 if hour == 0 or (len(said["hour"]) == 2 and said["hour"][0] == "0") else None
