"""Several metrics as one: ranks worked out by hand, ties, gaps, and what leaving a metric out does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.errors import OptionError
from core.hacks.mean_rank import combine, mean_rank, without_each

SCORES = {
    "bleu": {"Default": 30.0, "Short": 25.0, "Copy": 1.0},
    "chrf": {"Default": 40.0, "Short": 42.0, "Copy": 2.0},
    "errors": {"Default": 1.0, "Short": 2.0, "Copy": 9.0},
}


def ranks(found):
    return {one.system: one.mean_rank for one in found.systems}


def test_the_mean_rank_by_hand():
    found = mean_rank(SCORES, lower_is_better=["errors"])
    assert [one.system for one in found.systems] == ["Default", "Short", "Copy"]
    assert ranks(found) == {"Default": pytest.approx(4 / 3), "Short": pytest.approx(5 / 3), "Copy": 3}
    assert found.systems[1].ranks == {"bleu": 2, "chrf": 1, "errors": 2}


def test_equal_scores_share_their_rank():
    found = mean_rank({"m": {"a": 1.0, "b": 1.0, "c": 0.0}})
    assert ranks(found) == {"a": 1.5, "b": 1.5, "c": 3}


def test_a_metric_without_a_score_for_somebody_counts_for_nobody_and_is_named():
    found = mean_rank({**SCORES, "comet": {"Default": 0.8, "Short": None, "Copy": 0.1}})
    assert found.left_out == ("comet",)
    assert found.metrics == ("bleu", "chrf", "errors")
    assert mean_rank({"comet": {"a": None}}).systems == ()


def test_one_metric_after_the_other_is_left_out():
    found = without_each(SCORES, lower_is_better=["errors"])
    assert ranks(found["chrf"]) == {"Default": 1, "Short": 2, "Copy": 3}
    assert ranks(found["bleu"]) == {"Default": 1.5, "Short": 1.5, "Copy": 3}
    assert without_each({"bleu": SCORES["bleu"]}) == {}


def test_segments_by_rank_and_by_z_by_hand():
    scores = {"a": [1.0, 2.0, 3.0], "b": [30.0, 10.0, 20.0]}
    assert combine(scores, "rank") == [0.5, 0.25, 0.75]
    assert combine(scores, "z") == pytest.approx([0.0, -0.5, 0.5])
    assert combine(scores, "rank", lower_is_better=["b"]) == [0.0, 0.75, 0.75]


def test_a_segment_without_a_score_stays_without_and_a_flat_metric_says_nothing():
    assert combine({"a": [1.0, None, 3.0], "b": [5.0, 1.0, 5.0]}) == [0.0, None, 1.0]
    assert combine({"a": [1.0, 1.0]}) == [None, None]
    assert combine({}) == []


def test_another_way_is_a_sentence():
    with pytest.raises(OptionError, match="by rank or z, not by sum"):
        combine({"a": [1.0]}, "sum")


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=2, max_size=8))
def test_mean_ranks_average_to_the_middle_and_agree_with_scipy(rows):
    scores = {str(m): {str(s): float(row[m]) for s, row in enumerate(rows)} for m in range(3)}
    found = ranks(mean_rank(scores))
    assert math.fsum(found.values()) / len(rows) == pytest.approx((len(rows) + 1) / 2)
    expected = sum(stats.rankdata([-row[m] for row in rows]) for m in range(3)) / 3
    assert [found[str(s)] for s in range(len(rows))] == pytest.approx(list(expected))
