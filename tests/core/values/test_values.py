"""Values of texts: numbers, dates, times and amounts mean the same however they are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.values.numerals import roman_number
from core.values.values import agreement, values
from tests.conftest import FIXTURES

ROWS = [line.split("\t") for line in (FIXTURES / "values.tsv").read_text("utf-8").split("\n")[1:-1]]
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = st.one_of(st.integers(0, 10_000), st.integers(0, 10**12))


def english(number: int) -> str:
    """The words of a number up to 10^12, as they are taught: `two thousand and one`."""
    if number < 20:
        return ONES.split()[number]
    if number < 100:
        return TENS.split()[number // 10] + (f"-{ONES.split()[number % 10]}" if number % 10 else "")
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= size:
            rest = number % size
            link = " and " if 0 < rest < 100 else " "
            return f"{english(number // size)} {name}" + (link + english(rest) if rest else "")
    rest = number % 100
    return f"{ONES.split()[number // 100]} hundred" + (f" and {english(rest)}" if rest else "")


def kanji(number: int) -> str:
    """The same in kanji numerals: 一万二千三百四十五."""
    if number == 0:
        return "零"
    groups = [
        (number // 10**power % 10**4, name) for power, name in ((12, "兆"), (8, "億"), (4, "万"), (0, ""))
    ]
    return "".join(below_myriad(group, bool(name)) + name for group, name in groups if group)


def below_myriad(number: int, counts: bool) -> str:
    spelt = ""
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            spelt += (
                ""
                if digit == 1 and size > 1 and not (counts and size == 1000)
                else "〇一二三四五六七八九"[digit]
            ) + name
    return spelt


def test_the_table_is_large_and_has_both_outcomes():
    outcomes = {outcome for _, _, outcome in ROWS}
    assert len(ROWS) >= 300
    assert {"0", "1", "none"} < outcomes
    assert len({(first, second) for first, second, _ in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("first", "second", "outcome"), ROWS, ids=[f"{a} | {b}" for a, b, _ in ROWS])
def test_two_texts_agree_as_far_as_the_table_says(first, second, outcome):
    expected = None if outcome == "none" else pytest.approx(float(outcome), abs=0.001)
    assert agreement(first, second) == expected


@pytest.mark.parametrize(("first", "second", "outcome"), [row for row in ROWS if row[2] in ("0", "1")])
def test_what_agrees_one_way_agrees_at_least_in_part_the_other_way(first, second, outcome):
    assert ((agreement(second, first) or 0) > 0) == (outcome == "1")


@settings(max_examples=300, deadline=None)
@given(NUMBERS)
def test_a_number_means_the_same_in_digits_in_kanji_and_in_english_words(number):
    spellings = [str(number), f"{number:,}", kanji(number), english(number)]
    for spelling in spellings:
        (value,) = values(spelling)
        assert value.written == number, spelling
        assert agreement(spellings[0], spelling) == 1


@settings(max_examples=100, deadline=None)
@given(NUMBERS, NUMBERS)
def test_two_different_numbers_never_agree(one, other):
    if one != other:
        assert agreement(english(one), kanji(other)) == 0


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_values_inside_it_and_an_agreement_between_0_and_1(one, other):
    check(one, other)


WORDS = (
    "一 二 十 百 万 億 3 12 1,000 2.5 ½ ㎡ ³ ① ㍻ 年 月 日 時 分 半 歳 人 つ 割 分の 第 章 番 午後 令和 元 "
    ". , / : - – % $ ¥ half a an and one two twenty thirty hundred thousand million third "
    "second quarter past to o'clock pm March May 2024 th st years old decade century km h per hour "
    "dozen times の と 、 ﾞ ｶ 𠮷 👩"
)
PIECES = st.sampled_from([*WORDS.split(" "), "\u3000"])


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=12), st.sampled_from(["", " "]))
def test_the_same_holds_for_texts_made_of_the_pieces_that_values_are_made_of(one, other, gap):
    check(gap.join(one), gap.join(other))


def check(one: str, other: str) -> None:
    end = 0
    for value in values(one):
        assert end <= value.start < value.end <= len(one)
        assert one[value.start : value.end] == one[value.start : value.end].strip()
        end = value.end
    found = agreement(one, other)
    assert found is None or 0 <= found <= 1
    assert (found is None) == (not values(one))
    assert agreement(one, one) in (None, pytest.approx(1))


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("彼は３月１２日に１５歳になった。", ["３月１２日", "１５歳"]),
        ("広さは㍿の５０㎡だ", ["５０㎡"]),
        ("It cost $54m in 2019.", ["$54m", "in 2019"]),
        ("at half past three in the afternoon", ["half past three in the afternoon"]),
        ("２½ hours", ["２½ hours"]),
        ("ﾆｭｰﾖｰｸで5ﾄﾞﾙ", ["5ﾄﾞﾙ"]),
        ("𠮷野家で三人", ["三人"]),
        ("5 to 10 km", ["5", "10 km"]),
    ],
)
def test_a_value_stands_where_the_stored_text_has_it(text, spans):
    assert [text[value.start : value.end] for value in values(text)] == spans


def test_the_first_number_of_a_range_has_the_unit_of_the_second():
    assert [(value.kind, value.amount) for value in values("5 to 10 km")] == [
        ("metre", 5000),
        ("metre", 10_000),
    ]


def test_units_of_one_kind_convert_exactly():
    (mile,), (hour,), (fahrenheit,) = values("1 mile"), values("2.5 hours"), values("50 °F")
    assert (mile.kind, mile.amount) == ("metre", Fraction("1609.344"))
    assert (hour.kind, hour.amount) == ("second", 9000)
    assert (fahrenheit.kind, fahrenheit.amount) == ("celsius", 10)


def test_a_wrong_value_beside_the_right_one_costs_precision():
    # one of one found, one of two given right: P = 1/2, R = 1, F = 2/3
    assert agreement("five people", "five people and six people") == pytest.approx(2 / 3)


def test_a_value_of_another_kind_costs_nothing():
    assert agreement("5 km", "5 km in 2 hours") == 1


def test_a_date_that_is_said_in_part_counts_in_part():
    # month and day of month, day, year: 2 of 3
    assert agreement("March 12, 2020", "12 March") == pytest.approx(2 / 3)


def test_swapped_numbers_with_units_do_not_agree():
    assert agreement("2 hours and 30 km", "30 hours and 2 km") == 0


@pytest.mark.parametrize(
    "text",
    [
        "一" * 5000,
        "1" * 5000,
        "1," * 1500,
        "twenty-" * 1000,
        "thousand " * 1000,
        "፩/፪ ²/³",
        "1" * 5000 + "/3",
    ],
)
def test_a_text_of_nothing_but_digits_is_read_without_an_error(text):
    check(text, "")


def test_a_number_too_long_to_be_one_is_no_value():
    assert agreement("1" * 5000, "1") is None


@pytest.mark.parametrize(
    "text", ["ひとりで来た", "ひとりひとり", "もうひとり", "だれひとり", "ひとつも", "ひとこと"]
)
def test_native_numerals_in_set_phrases_are_no_values(text):
    assert values(text) == []


ALIKE = [
    # two neighbouring digits are two numbers, whatever stands behind them
    ("五六十人", "五、六十人"),
    ("二三百円", "200、300円"),
    ("七八千の軍勢", "七、八千の軍勢"),
    ("四五万人", "四、五万人"),
    ("十四五万人", "十四、五万人"),
    ("百四五十人", "140、150人"),
    # numerals of older texts, and Roman ones
    ("廿三歳", "二十三歳"),
    ("卅五人", "35人"),
    ("第Ⅳ章", "第四章"),
    ("第XIV巻", "第14巻"),
    ("Chapter IV", "Chapter 4"),
    ("Volume xii", "vol. 12"),
    # decimals and years as they are spoken, and the units first
    ("two point five million dollars", "$2.5 million"),
    ("three point one four", "3.14"),
    ("nineteen oh five", "1905"),
    ("eighteen-oh-one", "1801"),
    ("five-and-twenty years old", "25 years old"),
    ("four and twenty blackbirds", "24 blackbirds"),
    # eras before 1868, in both languages
    ("慶応四年", "1868年"),
    ("嘉永六年六月三日", "1853年6月3日"),
    ("元禄十五年", "1702年"),
    ("in Keio 4", "in 1868"),
    ("the third year of Ansei", "1856年"),
    # the old hours
    ("丑の刻", "午前二時"),
    ("暮れ六つの鐘", "午後六時の鐘"),
    ("夜九つの鐘", "真夜中の0時の鐘"),
    ("明け六つに", "午前6時に"),
    # thousands apart by other marks, and months by name between hyphens
    ("1\u00a0234\u202f567 people", "1,234,567 people"),
    ("1’234 people", "1234 people"),
    ("3-Mar-2020", "March 3, 2020"),
    ("2020/March/03", "2020年3月3日"),
]
APART = [
    ("五六十人", "五百六十人"),
    ("四五万人", "四十五万人"),
    ("慶応四年", "四年前"),
    ("第Ⅳ章", "第六章"),
    ("two point five million", "five million"),
    ("nineteen oh five", "1914"),
    ("five-and-twenty years", "twenty years"),
    ("廿三歳", "三歳"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_the_same_value_in_another_form(one, other):
    assert agreement(one, other) == 1
    assert agreement(other, one) == 1


@pytest.mark.parametrize(("one", "other"), APART)
def test_a_part_of_a_number_is_not_the_number(one, other):
    assert agreement(one, other) == 0
    assert not agreement(other, one)


@pytest.mark.parametrize(
    ("text", "value"), [("IV", 4), ("xiv", 14), ("MCMXCIX", 1999), ("IIII", None), ("", None), ("ABC", None)]
)
def test_roman_numerals(text, value):
    assert roman_number(text) == value
