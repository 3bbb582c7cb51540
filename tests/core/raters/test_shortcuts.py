"""What is computed for all pairs at once is what it would be one by one, however few or many there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.raters.pairs import codes, pearsons, shared_rows
from core.raters.ratings import Rating, columns, merged
from core.raters.reliability import interval, intervals
from core.raters.resampling import MeanR, mean_r
from core.stats.bootstrap import resamples
from core.stats.correlation import rank_correlations
from core.stats.permutation import flip_test, flip_tests


def table_of(*raters):
    """A merged table from one list of scores per rater; None is an item that the rater did not score."""
    return merged(
        columns(
            [
                Rating(f"r{i:02}", item, float(score))
                for i, scores in enumerate(raters)
                for item, score in enumerate(scores)
                if score is not None
            ]
        )
    )


def random_table(raters, items, *, gaps, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(60, 10, items) + rng.normal(0, 10, (raters, items))) * scale
    kept = rng.random((raters, items)) >= gaps
    return table_of(
        *([x if k else None for x, k in zip(*row, strict=True)] for row in zip(scores, kept, strict=True))
    )


@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.sampled_from([0, 1, 5, 70.5, 1e6])), min_size=6, max_size=6),
        min_size=2,
        max_size=5,
    )
)
def test_r_of_every_pair_is_scipys(scores):
    table = table_of(*scores)
    found = pearsons(table)
    for i, j in itertools.combinations(range(len(table.raters)), 2):
        one, other = (scores[int(table.raters[k][1:])] for k in (i, j))
        both = [(x, y) for x, y in zip(one, other, strict=True) if None not in (x, y)]
        assert found.n[i, j] == found.n[j, i] == len(both)
        varied = len(both) >= 3 and all(len(set(side)) > 1 for side in zip(*both, strict=True))
        assert bool(found.flat[i, j]) is (len(both) >= 3 and not varied)
        if varied:
            assert found.r[i, j] == pytest.approx(
                stats.pearsonr(*zip(*both, strict=True)).statistic, abs=1e-9
            )
        else:
            assert np.isnan(found.r[i, j])


def test_r_holds_where_the_shared_items_are_nearly_alike_and_the_rest_far_away():
    x, y = [5.001, 5.002, 5.003, 5.004], [0.1, 0.4, 0.2, 0.3]
    found = pearsons(table_of([*x, 1e6, -1e6], [*y, None, None]))
    assert found.r[0, 1] == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)


def test_rounding_is_no_variance():
    almost = [0.1 + 0.2, 0.3, 0.15 * 2, 0.3]  # the first is not quite 0.3
    found = pearsons(table_of(almost, [1, 2, 3, 4]))
    assert found.flat[0, 1]
    assert np.isnan(found.r[0, 1])


@pytest.mark.parametrize("levels", [5, 2000], ids=["counted", "sorted"])
def test_rank_correlations_are_scipys(levels):
    rng = np.random.default_rng(levels)
    x = rng.integers(0, levels, 400)
    y = (x + rng.integers(0, levels, 400)) // 2
    rho, tau = rank_correlations(x.astype(float), y.astype(float), levels=levels)
    assert rho == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert tau == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_codes_keep_order_and_ties():
    code, levels = codes(table_of([70, 10, 70], [10, 99.5, 0]))
    assert (code.tolist(), levels) == ([2, 1, 2, 1, 3, 0], 4)


def test_shared_rows_are_the_rows_of_the_common_items():
    table = table_of([1, 2, None, 4], [None, 6, 7, 8])
    ((i, j, one, other),) = shared_rows(table)
    assert (i, j) == (0, 1)
    assert table.score[one].tolist() == [2, 4]
    assert table.score[other].tolist() == [6, 8]


def resampled(table, weights):
    """Mean r of the items that were drawn, by pandas; NaN pairs are left out."""
    import pandas as pd

    scores = pd.DataFrame(np.nan, index=range(len(table.items)), columns=range(len(table.raters)))
    for rater, item, score in zip(table.rater, table.item, table.score, strict=True):
        scores.loc[item, rater] = score
    r = scores.loc[np.repeat(np.arange(len(weights)), weights)].corr(min_periods=2).to_numpy()
    return np.nanmean(r[np.triu_indices(len(r), 1)])


@pytest.mark.parametrize("gaps", [0.0, 0.3], ids=["complete", "gaps"])
@pytest.mark.parametrize("scale", [1.0, 0.01], ids=["whole", "fractions"])
def test_mean_r_of_a_resample_is_that_of_the_items_drawn(gaps, scale):
    table = random_table(4, 30, gaps=gaps, seed=1, scale=scale)
    batch = next(iter(resamples(len(table.items), seed=2, count=5)))
    found = mean_r(table, [batch])
    assert found == pytest.approx([resampled(table, weights) for weights in batch], abs=1e-9)


def test_a_table_without_gaps_gives_the_same_by_either_way():
    table = random_table(5, 40, gaps=0, seed=3)
    drawn = list(resamples(40, seed=4, count=50))
    assert mean_r(table, drawn) == pytest.approx(MeanR.of(table)(drawn), abs=1e-12)


def test_whole_scores_too_large_for_single_precision_lose_nothing():
    x = [10.0 + 900 * (i % 2) + i % 7 for i in range(400)]
    y = [1.0 + 800 * (i % 2) + i % 5 for i in range(399)]
    drawn = list(resamples(399, seed=5, count=20))
    whole, moved = (table_of([a * factor for a in x[:399]], [*y[:398], None]) for factor in (1, 0.001))
    assert MeanR.of(whole)(drawn) == pytest.approx(MeanR.of(moved)(drawn), abs=1e-12)


def test_intervals_are_each_interval():
    table = random_table(3, 20, gaps=0.2, seed=6)
    names = zip(table.rater, table.item, table.score, strict=True)
    ratings = [Rating(table.raters[r], int(i), float(x)) for r, i, x in names]
    assert intervals(ratings, seed=7) == {
        name: interval(ratings, name, seed=7) for name in ("mean_r", "alpha")
    }


def test_systems_tested_together_have_the_p_of_each_alone():
    rng = np.random.default_rng(8)
    sizes = (3, 13, 14, 40, 39, 38, 37, 36, 40, 200)
    differences = [np.round(rng.normal(0.3, 1, n), 1) for n in sizes]
    assert flip_tests(differences, seed=9) == tuple(flip_test(one, seed=9) for one in differences)
