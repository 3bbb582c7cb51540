"""What is a right answer in practice."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.raters.practice import Expected, check_expected, find_piece, judge
from core.raters.protocols import PROTOCOLS, MarkedSpan

ESA, MQM, ADEQUACY = PROTOCOLS["esa"], PROTOCOLS["mqm"], PROTOCOLS["adequacy"]


@pytest.mark.parametrize(("score", "right"), [(39, False), (40, True), (60, True), (60.5, False)])
def test_both_ends_of_the_range_are_right(score, right):
    found = judge(Expected(low=40, high=60), ADEQUACY, score=score, spans=())
    assert (found.score, found.marks, found.right) == (right, None, right)


@pytest.mark.parametrize(
    ("span", "right"),
    [
        (MarkedSpan(4, 6, "major"), True),  # shares the character at 5
        (MarkedSpan(7, 12, "major"), True),
        (MarkedSpan(0, 20, "major"), True),
        (MarkedSpan(0, 5, "major"), False),  # ends where the piece begins
        (MarkedSpan(8, 9, "major"), False),
        (MarkedSpan(5, 8, "minor"), False),  # too light
        (MarkedSpan(5, 8, "major", side="source"), False),
        (MarkedSpan(0, 0, "major", missing=True), False),
    ],
)
def test_an_error_counts_where_it_shares_a_character_with_the_piece_and_is_grave_enough(span, right):
    expected = Expected(start=5, end=8, severity="major")
    assert judge(expected, ESA, score=50, spans=(span,)).marks is right


def test_neutral_is_lighter_than_minor_though_it_stands_last_on_the_keys():
    expected = Expected(start=0, end=3, severity="minor")
    assert not judge(expected, MQM, score=None, spans=(MarkedSpan(0, 3, "neutral"),)).right
    assert judge(Expected(start=0, end=3), MQM, score=None, spans=(MarkedSpan(0, 3, "neutral"),)).right


def test_a_text_without_errors_must_stay_without_marks():
    assert judge(Expected(clean=True), MQM, score=None, spans=()).marks is True
    assert judge(Expected(clean=True), MQM, score=None, spans=(MarkedSpan(0, 1, "minor"),)).marks is False


def test_score_and_marks_must_both_be_right_and_each_only_where_the_protocol_asks():
    expected = Expected(low=40, high=60, start=0, end=3)
    assert not judge(expected, ESA, score=50, spans=()).right
    assert judge(expected, ESA, score=50, spans=(MarkedSpan(0, 1, "minor"),)).right
    assert judge(expected, ADEQUACY, score=50, spans=()).right
    assert judge(expected, MQM, score=None, spans=(MarkedSpan(0, 1, "minor"),)).right
    assert [expected.asks(one) for one in (ESA, ADEQUACY)] == [True, True]
    assert not Expected(low=40, high=60).asks(MQM)
    assert not Expected(clean=True).asks(ADEQUACY)


def test_a_piece_is_found_as_it_is_read_and_its_place_is_that_in_the_stored_text():
    assert find_piece("The cat sat.", " cat ") == (4, 7)
    assert find_piece("｜吾輩《わがはい》は猫である", "輩は猫") == (2, 11)


@pytest.mark.parametrize(
    ("piece", "said"), [("dog", "does not stand"), (" ", "does not"), ("at", "more than once")]
)
def test_a_piece_that_is_not_there_or_there_twice_is_refused(piece, said):
    with pytest.raises(InputError, match=said):
        find_piece("The cat sat.", piece)


@pytest.mark.parametrize(
    "expected",
    [
        Expected(),
        Expected(low=10),
        Expected(low=60, high=50),
        Expected(low=-1, high=50),
        Expected(low=50, high=101),
        Expected(start=0),
        Expected(start=3, end=3),
        Expected(start=3, end=11),
        Expected(start=0, end=3, clean=True),
        Expected(start=0, end=3, severity="awful"),
    ],
)
def test_an_answer_that_cannot_be_expected_is_refused(expected):
    with pytest.raises(InputError):
        check_expected(expected, length=10)
    check_expected(Expected(low=0, high=0, start=0, end=10, severity="minor"), length=10)
