"""Amounts in Japanese: numerals with counters and units, shares, halves, ordinals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from core.values.amounts import ENGLISH, JAPANESE_UNITS, MONEY_SIGNS, PLAIN, Amount, MeasureUnit, amount_of
from core.values.numerals import JAPANESE, KANJI, japanese_number, roman_number

_UNITS = "|".join(map(re.escape, sorted(JAPANESE_UNITS, key=len, reverse=True)))
_BEFORE = rf"(?<![0-9{KANJI}])"
_AMOUNT = re.compile(
    r"(?P<sign>マイナス|氷点下|零下)?(?P<head>第|時速約?|秒速約?|摂氏約?|華氏約?|[¥$€£])?"
    rf"{_BEFORE}(?P<number>{JAPANESE})(?:(?P<half_first>半)(?={_UNITS}))?(?P<unit>{_UNITS})?"
    "(?P<half>半(?!分|端|島|期|額|径))?(?P<tail>目|(?:間|ぶり)?)"
)
_THINGS = "(?:人|回|個|本|匹|件|台|軒)"
_PART_OF = re.compile(rf"(?P<of>{JAPANESE})分[のノ](?P<part>{JAPANESE})(?P<unit>{_UNITS})?")
_ONE_IN = re.compile(
    rf"(?P<of>{JAPANESE}){_THINGS}(?:中|に|のうち)(?P<part>{JAPANESE}){_THINGS}(?!以上|ずつ)"
)
_PLACE = MeasureUnit("place", Fraction(1))
_SHARE = MeasureUnit("share", Fraction(1))
_RATE = re.compile(rf"(?P<tenths>{JAPANESE})割(?P<hundredths>{JAPANESE})分")
_HALF = re.compile("(?<![0-9大前後上下夜])半(?P<unit>年|時間|日|月|世紀|ダース|分|数|額)(?!後|々|前)")
_HALVES = {"年": "年", "時間": "時間", "日": "日間", "月": "か月", "世紀": "世紀間"}
_DOZEN = re.compile(rf"(?P<number>{JAPANESE})ダース")
_ABOUT = re.compile(
    "(?P<more>(?:[一二三四五六七八九]?[十百千])*)(?P<first>[一二三四五六七八])(?P<second>[二三四五六七八九])"
    "(?P<scale>[十百千万億]*)"
)
_TWO = re.compile(
    rf"{_BEFORE}(?P<more>(?:[一二三四五六七八九]?[十百千])*)(?P<first>[一二三四五六七八1-8])[、,・]"
    rf"(?=(?P<second>[二三四五六七八九2-9])(?P<scale>[十百千万億]*)(?P<unit>{_UNITS})?(?![0-9{KANJI}]))"
)
_ROMAN = re.compile(r"第(?P<roman>[IVXLC]+)(?=[章巻部節話編篇幕場回条項世楽軍])")
_COUNTED = "ひとつ ふたつ みっつ よっつ いつつ むっつ ななつ やっつ ここのつ"
NATIVE = {word: value for value, word in enumerate(_COUNTED.split(), 1)}
_PEOPLE = {"ひとり": 1, "ふたり": 2}
_ALONE = (
    "で|ぼっち|きり|ひとり|暮らし|ぐらし|旅|息子|むすこ|娘|っ子|歩き|芝居|占め|も|ずつ|言|ごと|よがり|立ち|者"
)
"""What follows ひとり where it means alone, only or each."""
_MONTHS = {"ひと月": 1, "ふた月": 2}
_KANA_NUMBER = re.compile(
    rf"(?<!もう)(?<!ひとつ)(?:(?P<thing>{'|'.join(NATIVE)})(?!も|ひとつ)(?P<nth>目(?!玉|線|印|立))?"
    rf"|(?<!ひとり)(?<!だれ)(?<!誰)(?P<people>ひとり(?!{_ALONE})|ふたり(?!連れ|組))(?P<which>目(?!玉|線|印|立))?"
    rf"|(?P<months>{'|'.join(_MONTHS)})|(?P<zero>ゼロ(?!から))|(?P<age>はたち))"
)
_SPEEDS = {"時速": Fraction(3600), "秒速": Fraction(1)}


def japanese_amounts(text: str) -> Iterator[Amount]:
    """Every amount of a folded text; they may overlap."""
    for match in _TWO.finditer(text):
        if (match["unit"] or match["scale"]) and _first(match) + 1 == japanese_number(match["second"]):
            yield from _apart(match)
    for match in _AMOUNT.finditer(text):
        yield from _amount(text, match)
    yield from _shares(text)
    for match in _HALF.finditer(text):
        unit = (
            _SHARE if match["unit"] in "分数額" else JAPANESE_UNITS.get(_HALVES.get(match["unit"], ""), PLAIN)
        )
        yield amount_of(*match.span(), Fraction(6) if match["unit"] == "ダース" else Fraction(1, 2), unit)
    for match in _DOZEN.finditer(text):
        yield amount_of(*match.span(), 12 * (japanese_number(match["number"]) or Fraction(0)))
    for match in _ROMAN.finditer(text):
        yield amount_of(*match.span(), Fraction(roman_number(match["roman"]) or 0), _PLACE)
    yield from _in_kana(text)


def _shares(text: str) -> Iterator[Amount]:
    for match in (*_PART_OF.finditer(text), *_ONE_IN.finditer(text)):
        part, of = (japanese_number(match[name]) for name in ("part", "of"))
        unit = JAPANESE_UNITS.get(match.groupdict().get("unit") or "", _SHARE)
        if part is not None and of and (part <= of or match.re is _PART_OF):
            yield amount_of(*match.span(), part / of, unit)
    for match in _RATE.finditer(text):
        tenths, hundredths = (japanese_number(match[name]) for name in ("tenths", "hundredths"))
        if tenths is not None and hundredths is not None:
            yield amount_of(*match.span(), 10 * tenths + hundredths, JAPANESE_UNITS["パーセント"])


def _amount(text: str, match: re.Match[str]) -> Iterator[Amount]:
    number, unit, head = japanese_number(match["number"]), match["unit"], match["head"] or ""
    about = _ABOUT.fullmatch(match["number"])
    if about and about["second"] in "一二三四五六七八九"[_first(about) :][:1]:
        told = unit or (about["scale"] and _stands_alone(text, match))
        yield from _two(match, about) if told else ()
        return
    if number is None:
        return
    ascii_only = match["number"].isascii()
    bare = unit is None and head in ("", *MONEY_SIGNS) and match["tail"] != "目"
    if bare and not match["sign"] and (ascii_only or not _stands_alone(text, match)):
        return  # the English pattern reads digits, with their sign and unit
    written = number + (Fraction(1, 2) if match["half"] or match["half_first"] else 0)
    if match["sign"]:
        written = -written
    end = match.end() if match["tail"] == "目" or match["half"] else match.end("unit" if unit else "number")
    if head == "第" and unit and JAPANESE_UNITS[unit].kind not in ("place", "century", "times"):
        end = match.end("number")
    yield amount_of(match.start(), end, written, _unit(match))


def _apart(match: re.Match[str]) -> Iterator[Amount]:
    """`五、六十人`, `十四、五万人`: both numbers, the first without its scale and unit."""
    unit = JAPANESE_UNITS.get(match["unit"] or "", PLAIN)
    end = max(match.end("second"), match.end("scale"), match.end("unit"))
    yield amount_of(match.start(), match.end("first"), _about(match, "first"), unit)
    yield amount_of(match.start("second"), end, _about(match, "second"), unit)


def _first(about: re.Match[str]) -> int:
    return int(japanese_number(about["first"]) or 0)


def _two(match: re.Match[str], about: re.Match[str]) -> Iterator[Amount]:
    """`二三分` is two or three minutes, `十二三歳` twelve or thirteen, `五六十人` fifty or sixty people."""
    middle = match.start("number") + about.start("second")
    end = match.end("unit") if match["unit"] else match.end("number")
    yield amount_of(match.start(), middle, _about(about, "first"), _unit(match))
    yield amount_of(middle, end, _about(about, "second"), _unit(match))


def _about(about: re.Match[str], digit: str) -> Fraction:
    """One of the two numbers: what stands before both, the digit, and the scale of both."""
    return japanese_number(about["more"] + about[digit] + about["scale"]) or Fraction(0)


def _unit(match: re.Match[str]) -> MeasureUnit:
    head, unit = (match["head"] or "").rstrip("約"), JAPANESE_UNITS.get(match["unit"] or "", PLAIN)
    if head in ENGLISH:
        return ENGLISH[head]
    if head == "第" or match["tail"] == "目":
        return unit if unit.kind == "century" else _PLACE
    if head in _SPEEDS and unit.kind in ("metre", "kilo"):
        return MeasureUnit("speed", unit.size * (1000 if unit.kind == "kilo" else 1) / _SPEEDS[head])
    if head in ("摂氏", "華氏"):
        return MeasureUnit("celsius" if head == "摂氏" else "fahrenheit", Fraction(1))
    if match["sign"] and unit.kind == "do":
        return MeasureUnit("degree", Fraction(1))
    if unit.kind == "century" and match["tail"]:
        return JAPANESE_UNITS["世紀間"]
    return unit


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether kanji numerals without a counter are a number: no other kanji may touch them.

    One numeral alone must be the whole text.
    """
    around = text[max(match.start() - 1, 0) : match.start()] + text[match.end() : match.end() + 1]
    if len(match["number"]) == 1:
        return text.strip() == match["number"]
    return not any("\u4e00" <= char <= "\u9fff" for char in around)


def _in_kana(text: str) -> Iterator[Amount]:
    """Numbers in the native words: みっつ, ふたり, ふた月, はたち."""
    for match in _KANA_NUMBER.finditer(text):
        if match["thing"]:
            unit = _PLACE if match["nth"] else JAPANESE_UNITS["つ"]
            yield amount_of(*match.span(), Fraction(NATIVE[match["thing"]]), unit)
        elif match["people"]:
            unit = _PLACE if match["which"] else JAPANESE_UNITS["人"]
            yield amount_of(*match.span(), Fraction(_PEOPLE[match["people"]]), unit)
        elif match["months"]:
            yield amount_of(*match.span(), Fraction(_MONTHS[match["months"]]), JAPANESE_UNITS["か月"])
        elif match["age"]:
            yield amount_of(*match.span(), Fraction(20), JAPANESE_UNITS["歳"])
        else:
            yield amount_of(*match.span(), Fraction(0))
