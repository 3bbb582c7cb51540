"""Which hidden checks count as right, and how many of them let a rater pass."""

from __future__ import annotations

import pytest

from core.raters.completion import CheckCount, JudgedItem, count_checks
from core.raters.rules import Rules

RULES = Rules()


def judged(kind, item, score, segment=None):
    return JudgedItem(kind=kind, item=item, segment=item if segment is None else segment, score=score)


def counted(*items, rules=RULES):
    found = count_checks(items, rules)
    return found.checks, found.counted, found.passed


@pytest.mark.parametrize(
    ("original", "damaged", "expected"),
    [
        (80, 79, (1, 1, 1)),
        (80, 80, (1, 1, 0)),
        (80, 81, (1, 1, 0)),
        (80, None, (1, 1, 1)),
        (None, 0, (1, 0, 0)),
    ],
)
def test_a_damaged_text_is_right_below_its_original_and_where_it_is_skipped(original, damaged, expected):
    assert counted(judged("target", 1, original), judged("degraded", 1, damaged)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (50, 70, (1, 1, 1)),
        (50, 71, (1, 1, 0)),
        (50, 30, (1, 1, 1)),
        (50, None, (1, 1, 0)),
        (None, None, (1, 0, 0)),
    ],
)
def test_a_repeat_is_right_within_the_declared_points(first, second, expected):
    assert counted(judged("target", 1, first), judged("repeat", 1, second)) == expected


def test_a_reference_counts_only_where_its_rule_is_on():
    items = [judged("target", 1, 60, "s"), judged("target", 2, 80, "s"), judged("reference", 9, 80, "s")]
    assert counted(*items) == (0, 0, 0)
    # above one of two outputs and equal to the other: 0.75 of the pairs
    assert counted(*items, rules=Rules(reference_share=0.75)) == (1, 1, 1)
    assert counted(*items, rules=Rules(reference_share=0.76)) == (1, 1, 0)


def test_a_kind_whose_rule_is_off_is_no_check():
    items = [judged("target", 1, 50), judged("degraded", 1, 90), judged("repeat", 1, 90)]
    assert counted(*items, rules=Rules(degraded_p=None, repeat_error=None)) == (0, 0, 0)


def test_a_check_without_its_original_among_the_items_is_no_check():
    assert counted(judged("degraded", 1, 90)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("checks", "right", "share", "passes"),
    [(0, 0, 0.7, True), (10, 7, 0.7, True), (10, 6, 0.7, False), (3, 2, 2 / 3, True), (1, 0, 0.0, True)],
)
def test_the_share_that_is_right_lets_a_rater_pass(checks, right, share, passes):
    assert CheckCount(checks=checks, counted=checks, passed=right).reaches(share) is passes


def test_a_rater_who_skips_everything_does_not_pass():
    found = count_checks([judged("target", 1, None), judged("degraded", 1, None)], RULES)
    assert not found.reaches(0.7)
