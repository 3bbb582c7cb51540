"""Agreement between raters, by hand, against scipy and numpy, and as properties."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from core.raters.agreement import by_group, gold, pairwise, report, shared_scores
from core.raters.ratings import Rating, normalise


def table(**raters):
    """Ratings from one list of scores per rater; None is an item that the rater did not score."""
    return [
        Rating(rater, item, float(score))
        for rater, scores in raters.items()
        for item, score in enumerate(scores)
        if score is not None
    ]


def test_r_worked_by_hand():
    # x - 2: -1 0 1;  y - 2: -1 1 0;  r = 1 / sqrt(2 * 2)
    (pair,) = pairwise(table(a=[1, 2, 3], b=[1, 3, 2]))
    assert (pair.first, pair.second, pair.n) == ("a", "b", 3)
    assert pair.r == pytest.approx(0.5)
    assert pair.low is pair.high is None  # Fisher's interval needs four items


def test_interval_is_fishers():
    x, y = [10, 20, 40, 80, 90, 35], [20, 10, 50, 60, 99, 1]
    (pair,) = pairwise(table(a=x, b=y))
    z, half = np.arctanh(np.corrcoef(x, y)[0, 1]), stats.norm.ppf(0.975) / np.sqrt(6 - 3)
    assert (pair.low, pair.high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)))


def test_perfect_agreement_has_a_point_as_interval():
    (pair,) = pairwise(table(a=[0, 30, 60, 100], b=[0, 30, 60, 100]))
    assert (pair.r, pair.low, pair.high) == pytest.approx((1, 1, 1))


def test_few_shared_items_and_no_variance_are_reasons_not_numbers():
    ratings = table(a=[1, 2, 3, 4], b=[None, None, 3, 4], c=[50, 50, 50, 60], d=[1, 5, 3, None])
    found = {(p.first, p.second): p for p in pairwise(ratings)}
    assert (found["a", "b"].n, found["a", "b"].r, found["a", "b"].missing) == (2, None, "few-shared")
    assert (found["c", "d"].n, found["c", "d"].r, found["c", "d"].missing) == (3, None, "no-variance")
    assert found["a", "c"].missing is None


def test_mean_is_over_the_pairs_that_have_an_r():
    result = report(table(a=[1, 2, 3], b=[1, 3, 2], c=[3, 2, 1], d=[None, 5, 6]), method="raw")
    assert (result.n_defined, len(result.pairs), result.n_shared) == (3, 6, 3)
    assert result.mean_r == pytest.approx((0.5 - 1 - 0.5) / 3)
    assert result.names == ("a", "b", "c", "d")


@pytest.mark.parametrize("ratings", [[], table(a=[1, 2, 3]), table(a=[1], b=[2])])
def test_no_pair_no_mean(ratings):
    result = report(ratings, method="z")
    assert result.mean_r is None
    assert result.n_defined == 0


def test_gold_is_the_mean_of_normalised_scores():
    ratings = table(a=[0, 50, 100], b=[40, None, 60])
    assert [(g.item, g.mean, g.n) for g in gold(ratings)] == [(0, 20, 2), (1, 50, 1), (2, 80, 2)]
    z = report(ratings, method="z").gold
    assert [g.mean for g in z] == pytest.approx([(-1 - 0.5**0.5) / 2, 0, (1 + 0.5**0.5) / 2])


def test_gold_leaves_out_who_cannot_be_normalised():
    result = report(table(a=[0, 50, 100], b=[70, 70, 70]), method="z")
    assert [g.n for g in result.gold] == [1, 1, 1]
    assert [s.rater for s in result.skipped] == ["b"]
    assert result.pairs[0].missing == "no-variance"


def test_an_item_scored_twice_counts_once_with_its_mean():
    ratings = [*table(a=[10, 20, 30], b=[1, 2, 4]), Rating("a", 0, 30.0)]
    shared = shared_scores(ratings, "a", "b")
    assert (shared.items, shared.x, shared.y) == ((0, 1, 2), (20, 20, 30), (1, 2, 4))
    assert pairwise(ratings)[0].n == 3


def test_shared_scores_of_strangers_are_empty():
    assert shared_scores(table(a=[1], b=[None, 2]), "a", "b").items == ()
    assert shared_scores(table(a=[1]), "a", "nobody").items == ()


columns_of_scores = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=4, max_size=30)


@given(columns_of_scores)
def test_r_is_scipys_and_the_same_under_every_normalisation(rows):
    x, y = zip(*rows, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    ratings = table(a=x, b=y)
    (pair,) = pairwise(ratings)
    assert pair.r == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
    assert -1 <= pair.low <= pair.r <= pair.high <= 1
    for method in ("centred", "z", "minmax"):
        (other,) = pairwise(normalise(ratings, method=method).ratings)
        assert other.r == pytest.approx(pair.r, abs=1e-9)


@given(columns_of_scores, st.randoms(use_true_random=False))
def test_order_of_ratings_changes_no_number(rows, random):
    x, y = zip(*rows, strict=True)
    ratings = table(a=x, b=y)
    mixed = random.sample(ratings, len(ratings))
    one, other = report(ratings, method="raw"), report(mixed, method="raw")
    assert one.mean_r == pytest.approx(other.mean_r, abs=1e-9)
    assert {g.item: g.mean for g in one.gold} == {g.item: g.mean for g in other.gold}


def test_gold_by_group():
    items = gold(table(a=[10, 20, 60], b=[20, None, 70]))
    one, other = by_group(items, {0: "x", 1: "y", 2: "x"})
    assert (one.group, one.mean, len(one.items)) == ("x", 40, 2)
    assert (other.group, other.mean) == ("y", 20)
    assert by_group(items, {}) == ()
