"""Dates, years, eras and times of day as they are written in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.metrics.numerals import KANJI, ORDINALS, japanese_number

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sep sept", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_N = rf"[0-9{KANJI}]+"
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = "|".join(ORDINALS)
_DAY = rf"(?P<day>[0-9]{{1,2}}(?:st|nd|rd|th)?|twenty-\w+|thirty-first|{_ORDINAL})"
_YEAR = r"(?P<year>[12][0-9]{3})"
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>[12][0-9]{3})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>[0-3]?[0-9])\b",
        rf"(?P<era>{'|'.join(ERAS)})(?P<year>元|{_N})年(?:(?P<month>{_N})月)?(?:(?P<day>{_N})日(?!間))?",
        rf"(?P<decade>[12][0-9]{{2}}0)年代",
        rf"(?P<year>{_N})年(?!間|生|来|前|後|ぶり|代|半)(?:(?P<month>{_N})月)?(?:(?P<day>{_N})日(?!間))?",
        rf"(?P<month>{_N})月(?:(?P<day>{_N})日(?!間))?",
        rf"(?P<day>{_N})日(?!間|ぶり|後|前)",
        rf"\b(?P<month>{_MONTH})\b\.?\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{_YEAR})?",
        rf"\b(?:the\s+)?{_DAY}(?:\s+day)?\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+{_YEAR})?",
        rf"\b(?P<month>{_MONTH})\b\.?,?\s+{_YEAR}\b",
        r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)\b",
        r"\b(?P<decade>[12][0-9]{2}0)s\b",
        r"\bthe\s+(?P<day>[0-9]{1,2})(?:st|nd|rd|th)\b(?!\s+(?:century|floor|time|anniversary|birthday))",
        r"\b(?:in|since|of|by|from|until|year)\s+(?P<year>1[0-9]{3}|20[0-9]{2})\b(?!\s*(?:people|years))",
    )
)
TIMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<half>午前|午後|朝|夜|夕方)?(?P<hour>{_N})時(?!間)(?:(?P<minute>{_N})分|(?P<halfpast>半))?",
        r"\b(?P<hour>[0-2]?[0-9])[:：](?P<minute>[0-5][0-9])\s*(?P<half>[ap]\.?m\.?)?",
        r"\b(?P<hour>[01]?[0-9])\s*(?P<half>[ap]\.?m\b\.?)",
        r"\b(?P<hour>[01]?[0-9])\s*o['’]clock",
        r"(?P<noon>\bnoon\b|\bmidday\b|正午)",
        r"(?P<midnight>\bmidnight\b)",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date or a time of day; what is not said is None. `start`, `end`: where it stands."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    decade: int | None = None
    hour: int | None = None
    minute: int | None = None

    def said(self) -> dict[str, int]:
        """The parts that are said."""
        names = ("year", "month", "day", "decade", "hour", "minute")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def moments(text: str) -> Iterator[Moment]:
    """Dates and times in an NFKC text, the longest reading of each place first come."""
    taken: list[tuple[int, int]] = []
    for patterns, read in ((PATTERNS, _date), (TIMES, _time)):
        for pattern in patterns:
            for found in pattern.finditer(text):
                inside = any(found.start() < end and start < found.end() for start, end in taken)
                moment = None if inside else read(found)
                if moment is not None:
                    taken.append(found.span())
                    yield moment


def _date(found: re.Match[str]) -> Moment | None:
    parts = {name: value for name, value in found.groupdict().items() if value}
    year, month, day = (_number(parts.get(name)) for name in ("year", "month", "day"))
    if parts.get("month", "").lower().rstrip(".") in MONTHS:
        month = MONTHS[parts["month"].lower().rstrip(".")]
    if "era" in parts and year is not None:
        year += ERAS[parts["era"]]
    decade = _number(parts.get("decade"))
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    if "era" not in parts and year is not None and not 1000 <= year <= 2999:
        return None
    return Moment(start=found.start(), end=found.end(), year=year, month=month, day=day, decade=decade)


def _time(found: re.Match[str]) -> Moment | None:
    parts = {name: value for name, value in found.groupdict().items() if value}
    hour, minute = _number(parts.get("hour")), _number(parts.get("minute"))
    if "noon" in parts or "midnight" in parts:
        hour = 12 if "noon" in parts else 0
    if "halfpast" in parts:
        minute = 30
    half = parts.get("half", "").lower()
    if hour is None or hour > 24 or (minute is not None and minute > 59):
        return None
    if hour < 12 and (half in ("午後", "夜", "夕方") or half.startswith("p")):
        hour += 12
    elif hour == 12 and (half == "午前" or half.startswith("a")):
        hour = 0
    return Moment(start=found.start(), end=found.end(), hour=hour, minute=minute or 0)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if text == "元":
        return 1
    word = text.lower()
    if word in ORDINALS:
        return ORDINALS[word]
    tens, _, unit = word.partition("-")
    if unit in ORDINALS:
        return {"twenty": 20, "thirty": 30}.get(tens, 0) + ORDINALS[unit]
    value = japanese_number(word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th"))
    return None if value is None or value.denominator != 1 else int(value)
