"""A student beside the panel: figures worked out by hand."""

from __future__ import annotations

import pytest

from core.raters.grading import Gap, class_items, grade, level_of, panel_means, percentiles


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


def test_percentiles_count_what_is_below_and_half_of_what_is_equal():
    assert percentiles({1: 3.0, 2: 5.0, 3: 5.0, 4: 9.0, 5: 1.0}) == {
        5: 0.0,
        1: 25.0,
        2: 62.5,
        3: 62.5,
        4: 100.0,
    }
    assert percentiles({7: 4.0}) == {7: 50.0}
    assert [level_of(value) for value in (0.0, 33.3, 33.4, 66.6, 66.7, 100.0)] == [0, 0, 1, 1, 2, 2]


def test_the_item_on_which_class_panel_and_metric_contradict_most_comes_first():
    students = [{1: 80.0, 2: 20.0, 3: 50.0}, {1: 60.0, 2: 30.0}]
    panel = {1: 40.0, 2: 25.0, 3: 90.0}  # percentiles 50, 0, 100
    metric = {1: 0.9, 2: 0.8, 3: 0.7, 4: 0.95, 5: 0.1}  # percentiles 75, 50, 25, 100, 0
    first, second, third = class_items(students, panel, {"bleu": metric})
    assert (first.item, first.metric_gaps, first.people_gap) == (3, {"bleu": -75.0}, -40.0)
    assert (second.item, second.metric_gaps, second.people_gap) == (2, {"bleu": 50.0}, 0.0)
    assert (third.item, third.mean, third.people_gap, third.contradiction) == (1, 70.0, 30.0, 30.0)


def test_without_a_panel_nothing_contradicts():
    (only,) = class_items([{1: 80.0}], {}, {"bleu": {1: 3.0}})
    assert (only.people_gap, only.metric_gaps, only.contradiction) == (None, {}, 0.0)


def test_r_has_an_interval_from_ten_items_on():
    scores = {item: float(item * item % 17) for item in range(10)}
    panel = {item: float(item) for item in range(10)}
    found = grade(scores, panel)
    assert found.low < found.r < found.high
    fewer = grade({item: scores[item] for item in range(9)}, panel)
    assert fewer.r is not None
    assert (fewer.low, fewer.high) == (None, None)
