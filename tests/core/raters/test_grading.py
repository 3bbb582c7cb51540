"""A student beside the panel: figures worked out by hand."""

from __future__ import annotations

import pytest

from core.raters.grading import Gap, grade, panel_means


def test_the_panel_is_the_mean_of_those_who_scored_the_item():
    assert panel_means([{1: 60, 2: 80}, {1: 70}]) == {1: 65, 2: 80}


def test_bias_spread_error_and_gaps_by_hand():
    found = grade({1: 70, 2: 50, 3: 90, 9: 0}, {1: 60, 2: 60, 3: 60, 4: 10})
    assert found.n == 3
    assert found.bias == pytest.approx(10)  # (10 - 10 + 30) / 3
    assert found.error == pytest.approx(50 / 3)
    assert found.spread == pytest.approx(20)  # deviations 0, -20, 20: sqrt(800 / 2)
    assert found.gaps == (Gap(3, 90, 60), Gap(1, 70, 60), Gap(2, 50, 60))
    assert (found.r, found.missing) == (None, "no-variance")  # the panel gave 60 throughout


def test_the_same_order_is_full_agreement_however_strict():
    found = grade({1: 10, 2: 20, 3: 30, 4: 40}, {1: 40, 2: 60, 3: 80, 4: 100})
    assert found.r == pytest.approx(1)
    assert found.bias == pytest.approx(-45)


def test_only_five_gaps_are_kept_and_none_where_there_is_none():
    assert len(grade(dict.fromkeys(range(9), 50), {n: n for n in range(9)}).gaps) == 5
    assert grade({1: 5, 2: 6, 3: 7}, {1: 5, 2: 6, 3: 7}).gaps == ()


def test_nothing_shared_is_no_grade_and_one_item_has_no_spread():
    assert grade({1: 5}, {2: 5}) is None
    assert grade({1: 5}, {1: 6}).spread is None
