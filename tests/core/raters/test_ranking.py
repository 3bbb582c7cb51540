"""Ranking systems: by hand, against scipy and statsmodels, and as properties."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.errors import InputError
from core.raters.ranking import (
    Comparison,
    SystemMean,
    clusters,
    compare,
    compare_all,
    holm,
    more_items,
    system_means,
)
from core.raters.ratings import Rating
from core.stats.permutation import flip_test


def scored(*scores, rater="r"):
    """One rater's scores for segments 0, 1, 2 …; None is a segment without a score."""
    return [Rating(rater, i, float(score)) for i, score in enumerate(scores) if score is not None]


def differing(*differences):
    """Two systems with these differences, segment by segment."""
    return scored(*(50 + d for d in differences)), scored(*[50] * len(differences))


def test_a_systems_mean_counts_each_segment_once():
    # segment 0: (10 + 20) / 2 = 15, segment 1: 45; their mean is 30, that of the three ratings 25
    both = [*scored(10, 45), *scored(20, rater="q")]
    (found,) = system_means({"A": both})
    assert (found.system, found.n, found.mean) == ("A", 2, 30)
    assert found.low is found.high is None  # two segments bear no bootstrap


def test_systems_come_best_first_and_those_without_ratings_not_at_all():
    means = system_means({"b": scored(1, 2), "none": [], "c": scored(5), "a": scored(2, 1)})
    assert [one.system for one in means] == ["c", "a", "b"]


def test_interval_of_a_mean_is_scipys_bootstrap_and_that_of_no_other_system():
    scores = np.random.default_rng(1).normal(60, 20, 200)
    found = system_means({"A": scored(*scores), "B": scored(*scores[:50])}, seed=2)
    (alone,) = system_means({"A": scored(*scores)}, seed=2)
    oracle = stats.bootstrap((scores,), np.mean, method="percentile", rng=3).confidence_interval
    assert (alone.low, alone.high) == pytest.approx((oracle.low, oracle.high), abs=0.4)
    assert alone in found


def test_tests_worked_by_hand():
    # 3, -1, 2: of the eight sums under flips ±0 ±2 ±4 ±6 four are 4 or more away from 0
    # the ranks of the negative differences sum to 1; sums up to 1 have probability 2/8 on either side
    found = compare(*differing(3, -1, 2))
    assert (found.first, found.second, found.n) == ("a", "b", 3)
    assert found.difference == pytest.approx(4 / 3)
    assert (found.randomisation, found.wilcoxon) == pytest.approx((0.5, 0.5))


def test_only_shared_segments_are_compared():
    a, b = scored(1, 9, None, 5, 7), scored(2, None, 8, 1, 4)
    found = compare(a, b)
    assert (found.n, found.difference) == (3, pytest.approx((-1 + 4 + 3) / 3))
    other_way = compare(b, a)
    assert other_way.difference == pytest.approx(-found.difference)
    assert other_way.wilcoxon == found.wilcoxon


@pytest.mark.parametrize(
    ("a", "b", "missing", "difference"),
    [
        ([], [], "no-shared-items", None),
        (scored(1, 2, None, None), scored(None, None, 3, 4), "no-shared-items", None),
        (scored(5), scored(3), "few-items", 2),
        (scored(1, 2, 3), scored(1, 2, 3), "no-difference", 0),
    ],
    ids=["nothing", "disjoint", "one-segment", "all-tied"],
)
def test_what_cannot_be_compared_is_a_word(a, b, missing, difference):
    found = compare(a, b)
    assert (found.missing, found.difference) == (missing, difference)
    assert found.wilcoxon is found.randomisation is None
    more = more_items(a, b)
    assert (more.missing, more.needed, more.more) == (missing, None, None)


def test_rounding_of_means_is_no_difference():
    a = [*scored(0.1, 0.1, 0.1), *scored(0.2, 0.2, 0.2, rater="q")]
    b = scored(0.15, 0.15, 0.15)  # (0.1 + 0.2) / 2 is a bit more than 0.15
    assert compare(a, b).missing == "no-difference"


def test_random_flips_come_near_the_exact_p_and_follow_the_seed():
    differences = np.array([3.0, -1, 2, 5, -4, 2, 1, 1, -2, 6, 3, -1, 2, -3, 4, 1])
    exact = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", vectorized=True, n_resamples=2**16
    ).pvalue
    found = flip_test(differences, seed=0)
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9999))
    assert found == flip_test(differences, seed=0)
    assert found != flip_test(differences, seed=1)


def test_the_least_p_of_random_flips_is_one_in_ten_thousand():
    assert flip_test(np.ones(60), seed=0) == 1 / 10_000


@given(st.lists(st.integers(-9, 9).filter(bool), min_size=3, max_size=7))
@settings(deadline=None, max_examples=15)
def test_small_tests_are_scipys_exact_ones(differences):
    found = compare(*differing(*differences))
    exact = stats.permutation_test(
        (np.array(differences, float),), np.sum, permutation_type="samples", vectorized=True
    ).pvalue
    assert found.randomisation == pytest.approx(exact)
    assert found.wilcoxon == pytest.approx(stats.wilcoxon(differences).pvalue)


def test_holm_worked_by_hand():
    # 3 * 0.01, 2 * 0.03, then 1 * 0.04, which may not fall below the one before
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([]) == ()


def test_all_pairs_are_corrected_over_the_pairs_that_have_a_p():
    low = scored(1, 2, 3, 4, 5, 6)
    high = scored(11, 13, 15, 17, 19, 21)
    found = compare_all({"low": low, "same": low, "high": high, "far": [Rating("r", 99, 1.0)]})
    by_pair = {(one.first, one.second): one for one in found}
    assert list(by_pair) == [
        ("far", "high"), ("far", "low"), ("far", "same"), ("high", "low"), ("high", "same"), ("low", "same"),
    ]  # fmt: skip
    assert by_pair["low", "same"].missing == "no-difference"
    assert by_pair["far", "low"].missing == "no-shared-items"
    # six differences of one sign: p = 2/64, and Holm over two pairs doubles it
    assert by_pair["high", "low"].wilcoxon == pytest.approx(4 / 64)
    assert by_pair["high", "same"].randomisation == pytest.approx(4 / 64)


def means(*names):
    return [SystemMean(system=name, n=9, mean=-i) for i, name in enumerate(names)]


def separated(*pairs, p=0.01):
    return [
        Comparison(first=a, second=b, n=9, difference=1.0, wilcoxon=p, randomisation=1.0) for a, b in pairs
    ]


def test_a_cluster_begins_where_all_above_are_better_than_all_below():
    assert clusters(means("A", "B", "C"), separated("AB", "AC")) == (("A",), ("B", "C"))
    assert clusters(means("A", "B", "C"), separated("AC", "BC")) == (("A", "B"), ("C",))
    assert clusters(means("A", "B", "C"), separated("AB", "AC", "BC")) == (("A",), ("B",), ("C",))


def test_one_pair_that_is_not_separated_holds_a_cluster_together():
    assert clusters(means("A", "B", "C"), separated("AC")) == (("A", "B", "C"),)
    assert clusters(means("A", "B", "C"), separated("AB", "AC", "BC", p=0.05)) == (("A", "B", "C"),)


def test_clusters_follow_the_test_and_the_direction():
    found = separated("AB")
    assert clusters(means("A", "B"), found, test="randomisation") == (("A", "B"),)
    assert clusters(means("A", "B"), separated("BA")) == (("A", "B"),)
    assert clusters([], []) == ()


def test_more_segments_worked_by_hand():
    # -1 1 3: d = 1, s = 2; z(.975) = 1.95996, z(.8) = 0.84162: (2.80158 * 2 / 1)² = 31.4
    found = more_items(*differing(-1, 1, 3))
    assert (found.n, found.needed, found.more) == (3, 32, 29)
    assert more_items(*differing(9, 10, 11)).more == 0
    assert more_items(*differing(-1, 0, 1)).missing == "no-difference"


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 100), st.integers(0, 100)), max_size=30),
    st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=20)
def test_the_order_of_rows_changes_nothing(rows, random):
    a = [Rating("r", item, float(x)) for item, x, _ in rows]
    b = [Rating("r", item, float(y)) for item, _, y in rows]
    mixed = {name: random.sample(one, len(one)) for name, one in (("A", a), ("B", b))}
    assert compare(a, b) == compare(mixed["A"], mixed["B"])
    assert more_items(a, b) == more_items(mixed["A"], mixed["B"])
    for one, other in zip(system_means({"A": a, "B": b}), system_means(mixed), strict=True):
        assert (one.system, one.n) == (other.system, other.n)
        assert (one.mean, one.low, one.high) == pytest.approx((other.mean, other.low, other.high))


def test_a_score_that_is_no_number_is_refused():
    bad = [Rating("r", 1, math.inf)]
    for call in (lambda: system_means({"A": bad}), lambda: compare(bad, []), lambda: more_items(bad, [])):
        with pytest.raises(InputError, match="not a number"):
            call()
