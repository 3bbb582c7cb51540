"""How long the rest takes: by the plan at first, then by the rater's own pace."""

from __future__ import annotations

import pytest

from core.raters.assignment import minutes_left


def test_before_five_items_the_plan_counts():
    # 600 Japanese characters at 300 a minute
    assert minutes_left([200, 400], [1.0] * 4, protocol="adequacy", lang="ja") == pytest.approx(2)


def test_from_five_items_on_the_raters_own_median_counts():
    # ten items of 24 seconds, the median of 10, 20, 24, 40 and 280
    assert minutes_left([9] * 10, [280, 20, 24, 40, 10], protocol="adequacy", lang="ja") == pytest.approx(4)


def test_nothing_takes_no_time():
    assert minutes_left([], [], protocol="mqm", lang="en") == 0
