"""Dates, years, eras, decades, weekdays and times of day in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.values.numerals import KANJI, WORDS, english_number, japanese_number

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    day: place
    for place, days in enumerate(
        ("monday 月", "tuesday 火", "wednesday 水", "thursday 木", "friday 金", "saturday 土", "sunday 日"), 1
    )
    for day in days.split()
}
_ERA_YEARS = """
慶長 1595 元和 1614 寛永 1623 正保 1643 慶安 1647 承応 1651 明暦 1654 万治 1657 寛文 1660 延宝 1672
天和 1680 貞享 1683 元禄 1687 宝永 1703 正徳 1710 享保 1715 元文 1735 寛保 1740 延享 1743 寛延 1747
宝暦 1750 明和 1763 安永 1771 天明 1780 寛政 1788 享和 1800 文化 1803 文政 1817 天保 1829 弘化 1843
嘉永 1847 安政 1853 万延 1859 文久 1860 元治 1863 慶応 1864 明治 1867 大正 1911 昭和 1925 平成 1988
令和 2018
keicho 1595 genna 1614 kan'ei 1623 kanei 1623 keian 1647 meireki 1654 kanbun 1660 enpo 1672 genroku 1687
hoei 1703 kyoho 1715 kanpo 1740 horeki 1750 meiwa 1763 an'ei 1771 anei 1771 tenmei 1780 kansei 1788
kyowa 1800 bunka 1803 bunsei 1817 tenpo 1829 koka 1843 kaei 1847 ansei 1853 man'en 1859 bunkyu 1860
genji 1863 keio 1864 meiji 1867 taisho 1911 showa 1925 heisei 1988 reiwa 2018
"""
"""Eras from 1596 on, each with the year before its first."""
ERAS = {name: int(year) for name, year in re.findall(r"(\S+) (\d+)", _ERA_YEARS)}
_KANJI_ERAS = "|".join(name for name in ERAS if not name.isascii())
_LATIN_ERAS = "|".join(name for name in ERAS if name.isascii())
DECADES = {
    f"{word}ies": 10 * place
    for place, word in enumerate(("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"), 2)
}

_N = rf"[0-9{KANJI}]+"
_NO_UNIT_BEFORE = rf"(?<![0-9{KANJI}数何幾第.,・])"
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_MONTH_NAME = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_LONG_MONTH = "january|february|april|june|july|august|september|october|november|december"
_NTH = (
    "(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|twentieth|thirtieth|"
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|"
    "thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth"
)
_DAY = rf"(?<![:.,0-9])(?P<day>[0-9]{{1,2}}(?:st|nd|rd|th)?\b|(?:{_NTH})\b)"
_YEAR = r"(?P<year>[12][0-9]{3})\b(?!,[0-9])"
_DAY_JA = rf"(?P<day>{_N})日(?!間|ぶり|後|前|目|半|おき|ごと|以内|以上|数|がかり|もの|分)"
_YEAR_END = r"年(?:度|(?!間|生|来|前|後|ぶり|代|半|以|目|も|越|おき|ごと|余|近))"
_BEFORE = r"(?:in|of|last|next|this|since|until|till|by|before|after|from|to|early|mid|late|every|during)[- ]"
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>[12][0-9]{3})(?P<mark>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=mark)(?P<day>[0-3]?[0-9])\b",
        r"\b(?P<one>[0-3]?[0-9])(?P<mark>[-/.])(?P<two>[0-3]?[0-9])(?P=mark)(?P<year>[12][0-9]{3})\b",
        rf"(?P<era>{_KANJI_ERAS})(?P<year>元|{_N})年度?(?:の?(?P<month>{_N})月)?(?:{_DAY_JA})?",
        rf"\b(?P<era>{_LATIN_ERAS})[- ](?P<year>[0-9]{{1,2}})\b",
        rf"\b(?:the\s+)?(?P<year>{_NTH}|[0-9]{{1,2}}(?:st|nd|rd|th)) year of (?:the )?"
        rf"(?P<era>{_LATIN_ERAS})\b",
        r"\b(?P<day>[0-3]?[0-9])(?P<mark>[-/.])" + _MONTH_NAME + r"(?P=mark)(?P<year>[12][0-9]{3})\b",
        r"\b(?P<year>[12][0-9]{3})(?P<mark>[-/.])" + _MONTH_NAME + r"(?P=mark)(?P<day>[0-3]?[0-9])\b",
        r"\b" + _MONTH_NAME + r"(?P<mark>[-/])(?P<day>[0-3]?[0-9])(?P=mark)(?P<year>[12][0-9]{3})\b",
        rf"{_NO_UNIT_BEFORE}(?P<decade>{_N})年代",
        rf"(?P<bc>紀元前)(?P<year>{_N})年",
        rf"{_NO_UNIT_BEFORE}(?P<year>{_N})年度?の?(?P<month>{_N})月(?:{_DAY_JA})?",
        rf"{_NO_UNIT_BEFORE}(?P<year>{_N}){_YEAR_END}",
        rf"{_NO_UNIT_BEFORE}(?P<month>{_N})月(?!間|謡)(?:の?{_DAY_JA})?",
        rf"{_NO_UNIT_BEFORE}{_DAY_JA}",
        rf"\b{_MONTH}\s*(?:the\s+)?{_DAY}(?:\s*,?\s*(?:of\s+)?{_YEAR})?",
        rf"\b(?:the\s+)?{_DAY}(?:\s+day)?\s+(?:of\s+)?\b{_MONTH}(?:,?\s+(?:of\s+)?{_YEAR})?",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"\b(?P<month>{_LONG_MONTH})\b",
        rf"\b{_BEFORE}(?P<named>March|May)\b",
        r"^\s*(?P<named>March|May)\s*$",
        r"\b(?P<named>Feb|Apr|Aug|Sept|Oct|Nov|Dec)\b\.?",
        rf"\b{_BEFORE}(?P<named>Jan|Mar|Jun|Jul|Sep)\b\.?",
        r"\b(?P<decade>[12][0-9]{2}0)'?s\b",
        r"\bthe\s+(?:(?:early|mid|late)[- ])?'?(?P<decade>[2-9]0)'?s\b",
        rf"\bthe\s+(?:(?:early|mid|late)[- ])?(?P<decade>{'|'.join(DECADES)})\b",
        r"\b(?:on|from|to|until|till|by|before|after|of)\s+the\s+"
        rf"(?P<day>[0-9]{{1,2}}(?:st|nd|rd|th)|{_NTH})\b(?!\s+[a-z])",
        r"\b(?:in|since|until|till|by|from|year|year of|before|after|during)\s+"
        r"(?P<year>1[0-9]{3}|20[0-9]{2})\b"
        r"(?![.,][0-9])(?!\s*-?\s*(?:people|years|men|of|km|m|kg|metres|meters|yen|dollars|miles|hours)\b)",
        r"\b(?P<year>[0-9]{1,4})\s*(?P<bc>B\.?C\.?(?:E\.?)?)(?![a-z])",
        r"\b(?:A\.?D\.?\s*)(?P<year>[0-9]{1,4})\b",
        r"\b(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b",
        r"(?P<weekday>[月火水木金土日])曜日?",
        r"(?<=日)\((?P<weekday>[月火水木金土日])\)",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date or a time of day: what is said of it, by name. start, end: places in the folded text.

    long: the amount in `unit` that the same words may mean (三日 is the third or three days, the 1800s are
    ten years or a century), 0 if none.
    """

    start: int
    end: int
    parts: tuple[tuple[str, int], ...]
    long: int = 0
    unit: str = ""


def dates(text: str) -> Iterator[Moment]:
    """Every reading as a date of every place in a folded text; they may overlap."""
    for pattern in PATTERNS:
        for found in pattern.finditer(text):
            moment = _date(found)
            if moment is not None:
                yield moment


def whole_number(text: str) -> int | None:
    """`12`, `12th`, `十二`, `twelfth`, `twenty-first`, `元` as an integer; None where it is none."""
    if text == "元":
        return 1
    word = re.sub(r"(?<=[0-9])(?:st|nd|rd|th)$", "", text.lower())
    value = japanese_number(word)
    if value is None and word == "second":
        return 2
    if value is None:
        words = re.findall("[a-z]+|-", word.replace(" ", "-"))
        numeral = english_number(words, 0) if words else None
        value = numeral.amount if numeral is not None and numeral.end == len(words) else None
    return None if value is None or value.denominator != 1 else int(value)


def _date(found: re.Match[str]) -> Moment | None:
    said = {name: value for name, value in found.groupdict().items() if value}
    numbers = {name: _read(name, value) for name, value in said.items() if name not in ("era", "mark", "bc")}
    if None in numbers.values():
        return None
    parts = {name: value for name, value in numbers.items() if value is not None}
    if "named" in parts:
        parts["month"] = parts.pop("named")
        if not said["named"][0].isupper():
            return None
    if "one" in parts:
        parts |= _day_and_month(parts.pop("one"), parts.pop("two"))
    if "year" in parts:
        parts["year"] = ERAS.get(said.get("era", "").lower(), 0) + parts["year"] * (-1 if "bc" in said else 1)
    if not _possible(parts, free="era" in said or "bc" in said or not _japanese(found)):
        return None
    moment = Moment(start=found.start(), end=found.end(), parts=tuple(parts.items()))
    if set(said) == {"day"} and _japanese(found):
        return replace(moment, long=parts["day"], unit="日")
    if set(said) == {"year"} and _japanese(found):
        return replace(moment, long=parts["year"], unit="年")
    if parts.get("decade", 1) % 100 == 0:
        return replace(moment, long=parts["decade"] // 100 + 1, unit="世紀")
    return moment


def _read(name: str, text: str) -> int | None:
    word = text.lower().rstrip(".")
    if name in ("month", "named") and word in MONTHS:
        return MONTHS[word]
    if name == "weekday":
        return WEEKDAYS[word]
    return DECADES.get(word) or whole_number(text)


def _day_and_month(one: int, two: int) -> dict[str, int]:
    """12/25/2024 and 25/12/2024; where both may be the month neither is said."""
    if one > 12:
        return {"day": one, "month": two}
    return {"month": one, "day": two} if two > 12 or one == two else {}


def _japanese(found: re.Match[str]) -> bool:
    return found[0][-1] in "年月日度"


def _possible(parts: dict[str, int], *, free: bool) -> bool:
    """Whether such a date exists; a bare Japanese year has three or four digits (二年 is two years)."""
    year = parts.get("year", 2000)
    return (
        1 <= parts.get("month", 1) <= 12
        and 1 <= parts.get("day", 1) <= 31
        and (free or 1000 <= year <= 2999 or (year >= 100 and "month" in parts))
    )


_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
"""The twelve hours of two hours each; the hour of the Rat has midnight in its middle."""
_BELLS = {"九つ": 0, "八つ": 2, "七つ": 4, "六つ": 6, "五つ": 8, "四つ": 10}
"""Bells by their strokes, as hours from midnight or noon."""
_NUMBER = rf"(?:[0-9]+|[{KANJI}]+)"
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
CLOCK_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_PART_JA}(?<![0-9{KANJI}数何])(?P<hour>{_NUMBER})時(?!間|代|期|点|速|給|局)"
        rf"(?:(?P<minute>{_NUMBER})分(?P<before>前)?|(?P<fixed>半)|ちょうど)?",
        rf"{_PART_JA}(?<![0-9:])(?P<hour>[0-2]?[0-9])[:](?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:]){_HALF}?",
        rf"(?<![0-9:.,])\b(?P<hour>[0-2]?[0-9])[.](?P<minute>[0-5][0-9]){_HALF}",
        r"(?<![0-9:.,])\b(?P<hour>[0-2]?[0-9])[.](?P<minute>[0-5][0-9])(?=\s*(?:GMT|UTC|EST|EDT|JST|hrs))",
        rf"(?<![0-9:.,-])\b(?P<minute>{_PAST})[\s-]*(?:minutes?\s+)?(?:(?P<past>past|after)|(?P<before>to|before))[\s-]+"
        rf"{_HOUR}{_CLOCK}?{_HALF}?(?![0-9])",
        rf"(?<![0-9:.,$£€¥])\b{_HOUR}{_CLOCK}{_HALF}?",
        rf"(?<![0-9:.,$£€¥])\b{_HOUR}{_HALF}",
        rf"\b{_HOUR}[- ](?P<minute>fifteen|thirty|forty-five)\b{_HALF}?",
        rf"(?P<branch>[{_BRANCHES}])の(?:刻|上刻)",
        rf"(?P<bells>暁|明け?|暮れ?|朝|昼|夕|夜)(?P<bell>{'|'.join(_BELLS)})"
        r"(?:(?=[のにをがはまでか、。 ])|$)",
        r"(?:\b(?:twelve\s+)?(?P<noon>noon|midday)\b|(?P<noon_ja>正午))",
        r"\b(?:twelve\s+)?(?P<midnight>midnight)\b",
    )
)
_EARLY = ("午前", "早朝", "今朝", "朝", "未明", "morning")
_LATE = ("午後", "夕方", "夕刻", "afternoon", "evening", "今晩", "晩")
_NIGHT = ("深夜", "真夜中", "夜中", "夜", "今夜", "night")


def times(text: str) -> Iterator[Moment]:
    """Every reading as a time of day of every place in a folded text; they may overlap."""
    for pattern in CLOCK_PATTERNS:
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
    if "branch" in said:
        since = 2 * _BRANCHES.index(said["branch"])
        return ("hour", since % 12), ("minute", 0), ("half", since // 12)
    if "bell" in said:
        struck, part = _BELLS[said["bell"]], said["bells"][0]
        late = part in "昼夕暮" or (part == "夜" and struck > 6)
        return ("hour", struck), ("minute", 0), ("half", int(late))
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
