"""Numbers in one form: `0.04`, commas between thousands, a true minus sign, intervals in words."""

from __future__ import annotations

import pytest

from core.text.locale import Speaker, worded
from core.text.numbers import interval, number, p_value


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.614, 2, "0.61"),
        (-0.05, 2, "−0.05"),
        (-1.25, 1, "−1.2"),
        (-0.004, 2, "0.00"),
        (20354, 0, "20,354"),
        (12345.6, 1, "12,345.6"),
        (None, 2, "–"),
        (float("nan"), 2, "–"),
    ],
)
def test_a_number_is_written_in_one_form(value, digits, text):
    assert number(value, digits) == text


def test_a_signed_number_has_a_plus_above_nought_only():
    assert [number(value, 1, signed=True) for value in (1.5, 0.0, -1.5)] == ["+1.5", "0.0", "−1.5"]


def test_an_interval_cannot_be_taken_for_a_minus_sign():
    assert interval(-0.45, 0.5) == "−0.45 to 0.50"
    assert interval(-0.45, 0.5, language="ja") == "−0.45〜0.50"
    assert interval(1.25, 2.5, 1) == "1.2 to 2.5"
    assert interval(None, 0.5) == interval(0.5, None) == "–"


def test_p_values():
    assert [p_value(p) for p in (None, 0.0001, 0.001, 0.1254, 1.0)] == [
        "–",
        "< 0.001",
        "0.001",
        "0.125",
        "1.000",
    ]


def test_whole_numbers_in_sentences_have_commas_too():
    assert worded("en", "progress.all", {"done": 1234, "total": 10000}) == "1,234 of 10,000 items"
    assert Speaker("en").t("rate.place", place=1001, total=2000) == "1,001 of 2,000"
