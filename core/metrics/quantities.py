"""Units, counters and money under one name each, so that 15歳, fifteen years old and 15-year-old can meet."""

from __future__ import annotations

from fractions import Fraction

# name: what is counted, its size in the base unit, and how it is written (English, Japanese)
_UNITS: dict[str, tuple[str, Fraction | int, str]] = {
    "percent": ("share", Fraction(1, 100), "% percent per-cent pct パーセント"),
    "wari": ("share", Fraction(1, 10), "割"),
    "yen": ("yen", 1, "¥ yen 円"),
    "dollar": ("dollar", 1, "$ dollar dollars usd ドル 米ドル"),
    "euro": ("euro", 1, "€ euro euros ユーロ"),
    "pound": ("pound", 1, "£ pound pounds ポンド"),
    "yuan": ("yuan", 1, "yuan rmb 元 人民元"),
    "kilometre": ("metre", 1000, "km kilometre kilometres kilometer kilometers キロメートル キロ"),
    "metre": ("metre", 1, "m metre metres meter meters メートル"),
    "centimetre": ("metre", Fraction(1, 100), "cm centimetre centimetres centimeter centimeters センチメートル センチ"),
    "millimetre": ("metre", Fraction(1, 1000), "mm millimetre millimetres millimeter millimeters ミリメートル ミリ"),
    "mile": ("mile", 1, "mile miles マイル"),
    "kilogram": ("gram", 1000, "kg kilogram kilograms キログラム"),
    "gram": ("gram", 1, "g gram grams グラム"),
    "ton": ("gram", 10**6, "ton tons tonne tonnes トン"),
    "litre": ("litre", 1, "litre litres liter liters リットル"),
    "degree": ("degree", 1, "° degree degrees 度"),
    "second": ("second", 1, "second seconds sec 秒 秒間"),
    "minute": ("second", 60, "minute minutes min 分 分間"),
    "hour": ("second", 3600, "hour hours hr hrs 時間"),
    "day": ("day", 1, "day days 日間 日前 日後"),
    "week": ("day", 7, "week weeks 週間 週"),
    "month": ("month", 1, "month months か月 ヶ月 カ月 ヵ月 ケ月 箇月"),
    "year": ("month", 12, "year years yr yrs 年間 年前 年後 年ぶり か年 ヶ年 年"),
    "decade": ("month", 120, "decade decades"),
    "age": ("age", 1, "歳 才"),
    "century": ("century", 1, "century centuries 世紀"),
    "decade-age": ("decade-age", 1, "代"),
    "person": ("thing", 1, "people persons person 人 名"),
    "thing": ("thing", 1, "つ 個 匹 頭 羽 本 枚 冊 台 軒 件 杯 足 着 棟 隻 通 篇 編 首 句 社 カ国 か国 ヶ国 ヵ国 箇所 か所 ヶ所 カ所"),
    "time": ("time", 1, "times 回 度目 回目 倍"),
    "floor": ("place", 1, "floor floors storey storeys story stories 階"),
    "place": ("place", 1, "place 位 等 番 番目 号 号室 章 次 男 女 代目 世"),
}  # fmt: skip

SPELLINGS: dict[str, str] = {
    spelling: name for name, (_, _, spellings) in _UNITS.items() for spelling in spellings.split()
}
MONEY_SIGNS = "¥$€£"
LATIN = frozenset(spelling for spelling in SPELLINGS if spelling.isascii() and spelling.isalpha())
JAPANESE_UNITS = sorted((spelling for spelling in SPELLINGS if not spelling.isascii()), key=len, reverse=True)


def measured(amount: Fraction, unit: str) -> tuple[Fraction, str]:
    """An amount in the base unit of what is counted: 5 km -> (5000, metre); unknown units stay."""
    if unit not in _UNITS:
        return amount, unit
    kind, size, _ = _UNITS[unit]
    return amount * size, kind
