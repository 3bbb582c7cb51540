"""Values of texts: numbers, dates, times and amounts mean the same however they are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
