"""Normalisation, by hand, against scipy, and as properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.errors import InputError, OptionError
from core.raters.ratings import METHODS, Rating, SkippedRater, normalise, summarise

BY_HAND = [Rating("a", 1, 0.0), Rating("a", 2, 50.0), Rating("b", 1, 20.0), Rating("a", 3, 100.0)]


def scores(ratings, method):
    return {(r.rater, r.item): r.score for r in normalise(ratings, method=method).ratings}


def test_raw_changes_nothing():
    assert normalise(BY_HAND, method="raw").ratings == tuple(BY_HAND)


def test_values_worked_by_hand():
    three = [r for r in BY_HAND if r.rater == "a"]  # mean 50, sample sd 50
    assert scores(three, "centred") == {("a", 1): -50, ("a", 2): 0, ("a", 3): 50}
    assert scores(three, "z") == {("a", 1): -1, ("a", 2): 0, ("a", 3): 1}
    assert scores(three, "minmax") == {("a", 1): 0, ("a", 2): 0.5, ("a", 3): 1}


def test_ranks_worked_by_hand():
    ratings = [Rating("b", 1, 9.0), *(Rating("a", i, x) for i, x in enumerate([70.0, 10, 90, 10, 71]))]
    ratings.append(Rating("b", 2, 8.0))
    # a's mid-ranks: 3, 1.5, 5, 1.5, 4; less 1, over 4
    expected = {("a", 0): 0.5, ("a", 1): 0.125, ("a", 2): 1, ("a", 3): 0.125, ("a", 4): 0.75}
    assert scores(ratings, "rank") == expected | {("b", 1): 1, ("b", 2): 0}


@pytest.mark.parametrize("method", ["z", "minmax", "rank"])
def test_scores_that_do_not_vary_are_named_and_never_nan(method):
    ratings = [*BY_HAND, Rating("c", 1, 70.1), Rating("c", 2, 70.1), Rating("c", 3, 70.1)]
    result = normalise(ratings, method=method)
    assert result.skipped == (SkippedRater("b", "one-rating"), SkippedRater("c", "no-variance"))
    assert {r.rater for r in result.ratings} == {"a"}
    assert all(math.isfinite(r.score) for r in result.ratings)


def test_centring_needs_no_variance():
    result = normalise([Rating("c", 1, 70.0), Rating("c", 2, 70.0)], method="centred")
    assert [r.score for r in result.ratings] == [0, 0]
    assert result.skipped == ()


@pytest.mark.parametrize("method", METHODS)
def test_nothing_gives_nothing(method):
    assert normalise([], method=method).ratings == ()
    assert summarise([]) == ()


def test_unknown_method_and_scores_that_are_no_numbers():
    with pytest.raises(OptionError, match="raw, centred, z, minmax, rank"):
        normalise(BY_HAND, method="median")
    with pytest.raises(InputError, match="not a number"):
        normalise([Rating("a", 1, float("nan"))], method="z")


def test_summary_by_hand():
    a, b = summarise(BY_HAND)
    assert (a.rater, a.n, a.mean, a.sd, a.low, a.high) == ("a", 3, 50, 50, 0, 100)
    assert (b.rater, b.n, b.mean, b.sd) == ("b", 1, 20, None)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 100)), max_size=40))
def test_z_is_scipys_and_order_is_kept(rows):
    ratings = [Rating(rater, i, float(score)) for i, (rater, score) in enumerate(rows)]
    result = normalise(ratings, method="z")
    for rater in "abc":
        own = np.array([r.score for r in ratings if r.rater == rater])
        got = [r.score for r in result.ratings if r.rater == rater]
        if len(own) > 1 and np.ptp(own) > 0:
            np.testing.assert_allclose(got, stats.zscore(own, ddof=1), atol=1e-9)
        else:
            assert got == []
            assert len(own) == 0 or rater in {s.rater for s in result.skipped}
    items = [r.item for r in result.ratings]
    assert items == sorted(items)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 100)), max_size=40))
def test_ranks_do_not_change_when_a_rater_stretches_the_scale(rows):
    plain = [Rating(rater, i, float(score)) for i, (rater, score) in enumerate(rows)]
    curved = [Rating(rater, i, score**3 / 7 - 20) for i, (rater, score) in enumerate(rows)]
    assert scores(plain, "rank") == scores(curved, "rank")
