"""Amounts with their units, counters and money, so that 5 km, 5,000 m and 五キロ are comparable.

`_TABLE` has a line per unit: kind, size in the kind's base unit, English spellings, Japanese spellings.
Spellings are separated by commas, their words by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

AGE, SHARE, PLACE, BARE = "age", "share", "place", ""

_TABLE = """
share       1/100         | %, percent, per cent, pct, percentage points, percentage point | パーセント, %, ポイント
share       1/10          | | 割
yen         1             | ¥, yen, jpy | 円
dollar      1             | $, dollar, dollars, usd, us dollars, bucks | ドル, 米ドル
dollar      1/100         | cent, cents | セント
euro        1             | €, euro, euros, eur | ユーロ
pound       1             | £, pound, pounds, gbp | ポンド
pound       1/100         | pence, penny | ペンス
shilling    1             | shilling, shillings | シリング
guinea      1             | guinea, guineas | ギニー
franc       1             | franc, francs | フラン
yuan        1             | yuan, rmb, cny | 元, 人民元
won         1             | korean won, krw | ウォン
rupee       1             | rupee, rupees | ルピー
rouble      1             | rouble, roubles, ruble, rubles | ルーブル
metre       1000          | km, kilometre, kilometres, kilometer, kilometers | キロメートル
kilo        1             | | キロ
metre       1             | m, metre, metres, meter, meters | メートル
metre       1/100         | cm, centimetre, centimetres, centimeter, centimeters | センチメートル, センチ
metre       1/1000        | mm, millimetre, millimetres, millimeter, millimeters | ミリメートル, ミリ
metre       1609.344      | mile, miles | マイル, 哩
metre       0.9144        | yard, yards, yd | ヤード, 碼
metre       0.3048        | foot, feet, ft | フィート, 呎
metre       0.0254        | inch, inches | インチ, 吋
metre       1852          | nautical mile, nautical miles | 海里
ri          1             | ri | 里
shaku       1             | shaku | 尺
sun         1             | sun | 寸
cho         1             | cho | 町
sqm         1             | square metre, square metres, square meter, square meters, sq m, m 2, m ^ 2 | 平方メートル, 平米
sqm         1000000       | square kilometre, square kilometres, square kilometer, square kilometers, sq km, km 2, km ^ 2 | 平方キロメートル, 平方キロ
sqm         1/10000       | square centimetre, square centimetres, square centimeter, square centimeters, cm 2, cm ^ 2 | 平方センチメートル, 平方センチ
sqm         2589988.110336 | square mile, square miles, sq mi | 平方マイル
sqm         0.09290304    | square foot, square feet, sq ft | 平方フィート
sqm         10000         | hectare, hectares, ha | ヘクタール
sqm         4046.8564224  | acre, acres | エーカー
tsubo       1             | tsubo | 坪
koku        1             | koku | 石
sho         1             | sho | 升
kan         1             | kan, kanme | 貫, 貫目
momme       1             | momme | 匁
mon         1             | mon | 文
tan         1             | | 反
bale        1             | bales of rice, bales | 俵
mat         1             | tatami, tatami mats, mats | 畳
cum         1             | cubic metre, cubic metres, cubic meter, cubic meters, m 3, m ^ 3 | 立方メートル, 立米
cum         1/1000000     | cubic centimetre, cubic centimetres, cubic centimeter, cubic centimeters, cm 3, cm ^ 3, cc | 立方センチメートル, 立方センチ
cum         1000000000    | cubic kilometre, cubic kilometres, cubic kilometer, cubic kilometers, km 3 | 立方キロメートル
cum         1/1000        | litre, litres, liter, liters, l | リットル
cum         1/1000000     | millilitre, millilitres, milliliter, milliliters, ml | ミリリットル
gallon      1             | gallon, gallons | ガロン
gram        1000          | kg, kilogram, kilograms, kilogramme, kilogrammes, kilo, kilos | キログラム
gram        1             | g, gram, grams | グラム
gram        1/1000        | mg, milligram, milligrams | ミリグラム
gram        1000000       | ton, tons, tonne, tonnes, metric tons, metric ton | トン
gram        453.59237     | lb, lbs |
gram        28.349523125  | ounce, ounces, oz | オンス
speed       1/3.6         | kph, kmh, kmph, km / h | キロメートル毎時
speed       0.44704       | mph |
speed       1             | mps | メートル毎秒
speed       1852/3600     | knot, knots, kt, kts | ノット
celsius     1             | ° c, degrees celsius, degree celsius, degrees centigrade, celsius, c |
fahrenheit  1             | ° f, degrees fahrenheit, degree fahrenheit, fahrenheit |
degree      1             | °, degree, degrees |
do          1             | | 度
second      1             | second, seconds, sec, secs, s | 秒間, 秒
second      60            | minute, minutes, min, mins | 分間, 分
second      3600          | hour, hours, hr, hrs, h | 時間
second      86400         | day, days | 日間, 日前, 日後, 日ぶり, 日
second      604800        | week, weeks | 週間, 週
month       1             | month, months | か月間, か月, ヶ月, カ月, ヵ月, ケ月, 箇月, ヶ月間, カ月間
month       12            | year, years, yr, yrs | 年間, 年前, 年後, 年ぶり, か年, ヶ年, 年
month       120           | decade, decades |
month       1200          | centuries | 世紀間, 世紀ぶり
century     1             | | 世紀
age         1             | years old, year - old, year - olds, years of age, years - old, year old, yo | 歳, 才
age         1/12          | month - old, months old, months of age | か月児
thirties    1             | | 歳代, 代
person      1             | person, persons, people, man, men, woman, women, boys, girls, children, passengers | 人, 名
thing       1             | item, items, piece, pieces, copies | つ, 個, 匹, 頭, 羽, 本, 枚, 冊, 台, 軒, 件, 杯, 足, 着, 棟, 隻, 通, 篇, 編, 首, 句, 社, カ国, か国, ヶ国, ヵ国, ケ国, 箇所, か所, ヶ所, カ所, カ国語, か国語, 艘, 機, 門, 丁, 膳, 粒, 曲, 品, 株, 発, 束, 戸, 室, 席, 票, 種類, 両
times       1             | times | 回, 倍
barrel      1             | barrel, barrels | バレル
watt        1             | w, watt, watts | ワット
watt        1000          | kw, kilowatt, kilowatts | キロワット
watt        1000000       | mw, megawatt, megawatts | メガワット
kwh         1             | kwh, kilowatt hours, kilowatt - hours | キロワット時
kwh         1000          | mwh, megawatt hours | メガワット時
byte        1000000       | mb, megabyte, megabytes | メガバイト
byte        1000000000    | gb, gigabyte, gigabytes | ギガバイト
byte        1000000000000 | tb, terabyte, terabytes | テラバイト
storey      1             | storey, storeys, floors | 階建て, 階建
place       1             | | 番目, 度目, 回目, 人目, 個目, 本目, 枚目, 年目, 日目, 階, 位, 等, 番, 号車, 号室, 号, 章, 節, 話, 巻, 頁, ページ目, 行目, 次, 男, 女, 代目, 年生, 丁目, 番地, 番線, 世, 回戦, 周年
page        1             | pages | ページ, 頁
"""  # noqa: E501 - one line per unit


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """kind: what is counted; two amounts of one kind can be compared. size: in the kind's base unit."""

    kind: str
    size: Fraction


def _read_table() -> tuple[dict[str, MeasureUnit], dict[str, MeasureUnit]]:
    english: dict[str, MeasureUnit] = {}
    japanese: dict[str, MeasureUnit] = {}
    for line in _TABLE.strip().splitlines():
        head, first, second = (part.strip() for part in line.split("|"))
        kind, size = head.split()
        above, _, below = size.partition("/")
        unit = MeasureUnit(kind, Fraction(above) / Fraction(below or 1))
        english |= dict.fromkeys(filter(None, map(str.strip, first.split(","))), unit)
        japanese |= dict.fromkeys(filter(None, map(str.strip, second.split(","))), unit)
    return english, japanese


ENGLISH, JAPANESE_UNITS = _read_table()
SHORT = frozenset(
    spelling for spelling in ENGLISH if len(spelling.replace(" ", "")) <= 2 and spelling[0].isalpha()
)
"""Abbreviations: read only behind digits."""
PER = {"hour": 3600, "h": 3600, "hr": 3600, "minute": 60, "min": 60, "second": 1, "s": 1, "sec": 1}
"""Seconds by which a length is divided in `60 km per hour`, `m/s`, `miles an hour`."""
MONEY_SIGNS = "¥$€£"
MONEY = frozenset(("yen", "dollar", "euro", "pound", "yuan", "franc", "won", "rupee", "rouble"))
LONGEST = max(spelling.count(" ") + 1 for spelling in ENGLISH)
PLAIN = MeasureUnit(BARE, Fraction(1))


def converted(amount: Fraction, unit: MeasureUnit) -> tuple[Fraction, str]:
    """An amount in the base unit of its kind: 5 km -> (5000, metre); Fahrenheit as Celsius."""
    if unit.kind == "fahrenheit":
        return (amount - 32) * Fraction(5, 9), "celsius"
    return amount * unit.size, unit.kind


COMPOUND = frozenset({"second", "month", "metre", "gram", "dollar", "pound", "yen"})
_RANGE = re.compile(r"\s*(?:-|to|or|から|、)\s*(?:約)?")
_JOIN = re.compile(r"\s*(?:,\s*)?(?:and\s+|と)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """One amount. start, end: half-open places in the folded text.

    written: the number as it stands. kind, amount: in the base unit. size: of the unit. spelt: in words.
    """

    start: int
    end: int
    written: Fraction
    amount: Fraction
    kind: str
    size: Fraction = Fraction(1)
    spelt: bool = False


def amount_of(
    start: int, end: int, written: Fraction, unit: MeasureUnit = PLAIN, *, spelt: bool = False
) -> Amount:
    """The amount that a number and a unit make."""
    amount, kind = converted(written, unit)
    return Amount(
        start=start, end=end, written=written, amount=amount, kind=kind, size=unit.size, spelt=spelt
    )


def joined(text: str, found: Sequence[Amount]) -> list[Amount]:
    """`2時間30分`, `two hours and thirty minutes` and `5 feet 10 inches` as one amount each.

    found: in order, without overlap. Joined are neighbours of one kind whose units become smaller. The first
    number of a range has the unit of the second.
    """
    result: list[Amount] = []
    for place, one in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        if following is not None and not one.kind and _ranges(text, one, following):
            unit = MeasureUnit(following.kind, following.size)
            result.append(amount_of(one.start, one.end, one.written, unit, spelt=one.spelt))
            continue
        last = result[-1] if result else None
        if last is not None and _continues(text, last, one):
            result[-1] = Amount(
                start=last.start,
                end=one.end,
                kind=one.kind,
                amount=last.amount + one.amount,
                written=(last.amount + one.amount) / last.size,
                size=one.size,
                spelt=last.spelt,
            )
        else:
            result.append(one)
    return result


def _ranges(text: str, one: Amount, following: Amount) -> bool:
    gap = _RANGE.fullmatch(text, one.end, following.start)
    return gap is not None and following.kind not in ("", "place", "celsius", "share")


def _continues(text: str, last: Amount, one: Amount) -> bool:
    return (
        last.kind == one.kind
        and one.kind in COMPOUND
        and one.size < last.size
        and 0 < one.amount < last.size
        and _JOIN.fullmatch(text, last.end, one.start) is not None
    )
