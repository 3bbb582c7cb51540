"""Coefficients, dates and counts as a report prints them."""

from datetime import UTC, datetime

import pytest

from core.errors import OptionError
from core.report.formatting import coefficient, counted, day, places_of
from core.stats.estimate import Estimate, absent
from core.text.locale import Speaker, words


def test_coefficients():
    assert [coefficient(one) for one in (Estimate(value=0.614, n=9), absent("one-rater", 0))] == ["0.61", "–"]


def test_places_of_clusters():
    parted = (("a",), ("b", "c"), ("d",))
    assert [places_of(name, parted) for name in "abcdx"] == ["1", "2–3", "2–3", "4", "–"]


def test_days_in_both_languages():
    instant = datetime(2026, 2, 3, 23, 59, tzinfo=UTC)
    assert [day(instant, "en"), day(instant, "ja"), day(None, "en")] == [
        "3 February 2026",
        "2026年2月3日",
        "–",
    ]


def test_one_of_a_thing_and_many():
    english, japanese = Speaker("en"), Speaker("ja")
    assert [counted(english, n, "rater") for n in (0, 1, 2)] == ["0 raters", "1 rater", "2 raters"]
    assert [counted(japanese, n, "rater") for n in (1, 1200)] == ["評価者 1 人", "評価者 1,200 人"]


def test_words_of_a_language_that_there_is_not():
    with pytest.raises(OptionError, match="no language “fr”; choose one of ja, en"):
        words("fr")
    with pytest.raises(TypeError):
        words("en")["report.rater"] = "changed"
