"""Reliability, by hand, from textbooks, against scipy, pingouin and krippendorff, and as properties."""

import itertools
import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.errors import InputError, OptionError
from core.raters.ratings import Rating
from core.raters.reliability import STATISTICS, interval, reliability

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
KRIPPENDORFF = [  # four observers, twelve units (Krippendorff 2011, example C)
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def rated(*raters):
    """Ratings from one list of scores per rater (a, b, c …); None is an item that the rater did not score."""
    return [
        Rating("abcdefgh"[i], item, float(score))
        for i, scores in enumerate(raters)
        for item, score in enumerate(scores)
        if score is not None
    ]


def matrix(ratings):
    """(raters, items) scores, NaN for none."""
    raters, items = (sorted({getattr(r, name) for r in ratings}) for name in ("rater", "item"))
    found = np.full((len(raters), len(items)), np.nan)
    for r in ratings:
        found[raters.index(r.rater), items.index(r.item)] = r.score
    return found


def test_intraclass_correlations_are_those_of_shrout_and_fleiss():
    found = reliability(rated(*zip(*SHROUT_FLEISS, strict=True)))
    assert found.icc_single.value == pytest.approx(0.29, abs=0.005)
    assert found.icc_mean.value == pytest.approx(0.62, abs=0.005)
    assert (found.icc_single.low, found.icc_single.high) == pytest.approx((0.019, 0.761), abs=0.0005)
    assert (found.icc_mean.low, found.icc_mean.high) == pytest.approx((0.071, 0.927), abs=0.0005)
    assert found.icc_mean.n == 6


def test_intraclass_correlation_worked_by_hand():
    # b is 1 above a on 1, 2, 3: MS items 2, MS raters 1.5, MS error 0: 2 / (2 + 2 * 1.5 / 3) = 2/3
    found = reliability(rated([1, 2, 3], [2, 3, 4]))
    assert found.icc_single.value == pytest.approx(2 / 3)
    assert found.icc_mean.value == pytest.approx(2 / 2.5)  # 2 / (2 + 1.5 / 3)
    assert found.icc_single.low is found.icc_single.high is found.icc_single.missing is None  # F is infinite


def test_only_items_that_all_raters_scored_count_for_the_intraclass_correlation():
    whole = rated(*zip(*SHROUT_FLEISS, strict=True))
    more = [*whole, Rating("a", "extra", 3.0), Rating("b", "extra", 9.0)]
    assert reliability(more).icc_single == reliability(whole).icc_single


def test_alpha_is_krippendorffs_own_example():
    found = reliability(rated(*KRIPPENDORFF)).alpha
    assert found.value == pytest.approx(0.849, abs=0.0005)
    assert found.n == 11  # the twelfth unit has one value


def test_alpha_worked_by_hand():
    # within the units: 2 * (0 + 0.5 + 0) / 1, so D_o = 2 / 6; SS of 1 1 2 3 3 3 about 13/6 is 29/6
    found = reliability(rated([1, 2, 3], [1, 3, 3])).alpha
    assert found.value == pytest.approx(1 - (2 / 6) / (2 * (29 / 6) / 5))


def test_rank_correlations_worked_by_hand():
    # ranks 1 2 3 4 and 1 3 2 4: rho = 1 - 6 * 2 / 60; one of six pairs is discordant: tau = 4 / 6
    (pair,) = reliability(rated([10, 20, 30, 90], [1, 3, 2, 4])).pairs
    assert (pair.first, pair.second, pair.n, pair.missing) == ("a", "b", 4, None)
    assert pair.spearman == pytest.approx(0.8)
    assert pair.kendall == pytest.approx(4 / 6)


def test_kendalls_tau_corrects_for_ties():
    # x 1 1 2 3, y 1 2 2 3: 4 concordant, one tie in each: tau-b = 4 / sqrt(5 * 5)
    (pair,) = reliability(rated([1, 1, 2, 3], [1, 2, 2, 3])).pairs
    assert pair.kendall == pytest.approx(0.8)


def test_without_a_rater_who_disagrees_the_others_agree_better():
    found = reliability(rated([1, 2, 3, 4], [2, 4, 6, 8], [4, 3, 2, 1]))
    assert found.mean_r.value == pytest.approx((1 - 1 - 1) / 3)
    a, b, c = found.without
    assert (a.rater, b.rater, c.rater) == ("a", "b", "c")
    assert (a.mean_r.value, b.mean_r.value, c.mean_r.value) == pytest.approx((-1, -1, 1))
    assert c.change == pytest.approx(4 / 3)


def test_without_one_of_two_raters_there_is_no_agreement():
    (a, b) = reliability(rated([1, 2, 3], [1, 3, 2])).without
    assert a.mean_r.missing == b.mean_r.missing == "one-rater"
    assert a.change is b.change is None


@pytest.mark.parametrize(
    ("ratings", "mean_r", "icc", "alpha"),
    [
        ([], "one-rater", "one-rater", "one-rater"),
        (rated([1, 2, 3]), "one-rater", "one-rater", "one-rater"),
        (rated([1, 2, None, None], [None, None, 3, 4]), *["no-shared-items"] * 3),
        (rated([1], [2]), "few-items", "few-items", None),
        (rated([1, 2, 3, None], [None, 1, 2, 3]), "few-items", "few-items", None),
        (rated([5, 5, 5], [5, 5, 5]), "no-variance", "no-variance", "no-variance"),
        (rated([5, 5, 5], [1, 2, 3]), "no-variance", None, None),
        (rated([5, 5, 5], [6, 6, 6]), "no-variance", "no-variance", None),
    ],
    ids=["nothing", "one-rater", "disjoint", "one-item", "two-items", "all-tied", "one-flat", "two-levels"],
)
def test_what_cannot_be_had_is_a_word_and_never_nan(ratings, mean_r, icc, alpha):
    found = reliability(ratings)
    figures = {
        "mean_r": (found.mean_r, mean_r),
        "mean_spearman": (found.mean_spearman, mean_r),
        "mean_kendall": (found.mean_kendall, mean_r),
        "icc_single": (found.icc_single, icc),
        "icc_mean": (found.icc_mean, icc),
        "alpha": (found.alpha, alpha),
    }
    assert {name: one.missing for name, (one, _) in figures.items()} == {
        name: expected for name, (_, expected) in figures.items()
    }
    assert all((one.value is None) == (one.missing is not None) for one, _ in figures.values())
    assert all(one.value is None or math.isfinite(one.value) for one, _ in figures.values())
    assert interval(ratings, "mean_r").missing == mean_r
    assert interval(ratings, "alpha").missing == alpha


def test_a_raters_two_scores_for_an_item_count_as_their_mean():
    twice = [*rated([1, 2, 4], [1, 3, 2]), Rating("a", 2, 2.0)]
    assert reliability(twice) == reliability(rated([1, 2, 3], [1, 3, 2]))


def test_intervals_hold_the_value_and_follow_the_seed():
    rng = np.random.default_rng(5)
    quality = rng.normal(60, 15, 80)
    ratings = rated(*(quality + rng.normal(0, 10, 80) for _ in range(3)))
    for statistic in STATISTICS:
        found = interval(ratings, statistic, seed=3)
        assert found.low < found.value < found.high
        assert found.n == 80
        assert found == interval(ratings, statistic, seed=3)
        assert found != interval(ratings, statistic, seed=4)


def test_interval_of_two_raters_is_scipys_bootstrap_of_r():
    rng = np.random.default_rng(8)
    x = rng.normal(50, 20, 60)
    y = x + rng.normal(0, 15, 60)
    found = interval(rated(x, y), "mean_r")
    oracle = stats.bootstrap(
        (x, y),
        lambda *xy, axis: stats.pearsonr(*xy, axis=axis).statistic,
        paired=True,
        method="percentile",
        rng=1,
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=0.02)


def test_interval_of_alpha_is_that_of_resampled_units():
    ratings = rated(*KRIPPENDORFF)
    units = matrix(ratings)[:, :11]
    rng = np.random.default_rng(2)
    values = [
        krippendorff.alpha(units[:, rng.integers(0, 11, 11)], level_of_measurement="interval")
        for _ in range(2000)
    ]
    found = interval(ratings, "alpha")
    assert (found.low, found.high) == pytest.approx(np.quantile(values, [0.025, 0.975]), abs=0.06)


def test_four_shared_items_have_a_value_without_an_interval():
    found = interval(rated([1, 2, 3, 4], [1, 3, 2, 4]), "mean_r")
    assert (found.value, found.low, found.high, found.n) == (pytest.approx(0.8), None, None, 4)


def test_another_statistic_and_a_score_that_is_no_number_are_refused():
    with pytest.raises(OptionError, match="mean_r, alpha"):
        interval([], "median")
    with pytest.raises(InputError, match="not a number"):
        reliability([Rating("a", 1, math.nan)])


tables = st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=7, max_size=7), min_size=1, max_size=4
)


@given(tables)
@settings(deadline=None)
def test_pairs_and_alpha_are_scipys_and_krippendorffs(scores):
    ratings = rated(*scores)
    found = reliability(ratings)
    for pair in found.pairs:
        one, other = (scores["abcd".index(name)] for name in (pair.first, pair.second))
        both = [(x, y) for x, y in zip(one, other, strict=True) if None not in (x, y)]
        assert pair.n == len(both)
        if pair.missing is None:
            x, y = zip(*both, strict=True)
            assert pair.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
            assert pair.kendall == pytest.approx(stats.kendalltau(x, y).statistic)
        else:
            assert len(both) < 3 or any(len(set(side)) == 1 for side in zip(*both, strict=True))
    if found.alpha.value is not None:
        oracle = krippendorff.alpha(matrix(ratings), level_of_measurement="interval")
        assert found.alpha.value == pytest.approx(oracle, abs=1e-9)


@given(tables, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=30)
def test_the_order_of_rows_changes_nothing(scores, random):
    ratings = rated(*scores)
    mixed = random.sample(ratings, len(ratings))
    one, other = reliability(ratings), reliability(mixed)
    assert one.raters == other.raters
    for a, b in itertools.chain(
        (
            (getattr(one, name), getattr(other, name))
            for name in ("mean_r", "mean_kendall", "icc_mean", "alpha")
        ),
        ((interval(ratings, s), interval(mixed, s)) for s in STATISTICS),
    ):
        assert (a.n, a.missing) == (b.n, b.missing)
        for name in ("value", "low", "high"):
            assert getattr(a, name) == pytest.approx(getattr(b, name), abs=1e-9)
