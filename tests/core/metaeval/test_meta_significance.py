"""How sure one can be that a metric is closer to people: by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metaeval.correlation import partial_correlations
from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import contrast, intervals, williams
from core.stats.permutation import perm_both
from tests.support.meta_tables import table


def test_williams_by_hand():
    """r12 .6, r13 .5, r23 .7, n 50: K = 1 - .36 - .25 - .49 + .42 = .32.

    t = .1 sqrt(49 · 1.7) / sqrt(.64 · 49/47 + .3025 · .027) = .9127 / .8218 = 1.1106, 47 degrees of freedom.
    """
    assert williams(0.6, 0.5, 0.7, 50) == pytest.approx(stats.t.sf(1.1106, 47), abs=1e-4)
    assert williams(0.6, 0.5, 0.7, 50) + williams(0.5, 0.6, 0.7, 50) == pytest.approx(1)
    assert williams(0.5, 0.5, 1.0, 50) == 0.5


def noisy(seed, *noise, n=400):
    rng = np.random.default_rng(seed)
    people = rng.normal(size=n)
    return people, *(people + rng.normal(size=n) * spread for spread in noise)


def test_swapping_finds_a_better_metric_and_none_among_equals():
    people, good, bad = noisy(1, 0.3, 3.0)
    assert perm_both(people, good, bad) == pytest.approx(1 / 1001)
    assert perm_both(people, bad, good) > 0.99
    people, one, other = noisy(2, 1.0, 1.0)
    assert 0.05 < perm_both(people, one, other) < 0.95


def test_swapping_gives_small_p_as_often_as_it_says_where_there_is_no_difference():
    p = [perm_both(*noisy(seed, 1.0, 1.0, n=60), seed=seed) for seed in range(80)]
    assert stats.kstest(p, "uniform").pvalue > 0.001


def test_two_metrics_side_by_side():
    people, good, bad = noisy(3, 0.5, 2.0)
    one = table(people[:, None], good=good[:, None], bad=bad[:, None])
    found = contrast(one, "good", "bad")
    assert found.r_first == pytest.approx(stats.pearsonr(people, good).statistic)
    assert found.williams < 0.001
    assert found.permutation < 0.01
    assert contrast(table([[1, 2, 3]], a=[[1, 2, 3]], b=[[1, 1, 1]]), "a", "b").williams is None


def test_intervals_hold_the_truth_and_do_not_depend_on_the_order_of_rows():
    people, metric = noisy(4, 1.0, n=300)
    one = table(people.reshape(100, 3), m=metric.reshape(100, 3))
    (found,) = intervals(one)
    assert found.low < 1 / np.sqrt(2) < found.high
    assert found.high - found.low < 0.25
    order = np.random.default_rng(0).permutation(300)
    mixed = MetaTable(
        people=one.people[order], metrics={"m": one.metrics["m"][order]}, item=one.item[order],
        system=one.system[order], items=one.items, systems=one.systems, group=one.group[order],
    )  # fmt: skip
    assert intervals(mixed)[0].low == pytest.approx(found.low, abs=1e-12)


def residuals(people, *columns):
    return [column - np.polyval(np.polyfit(people, column, 1), people) for column in columns]


def test_partial_correlations_are_those_of_the_residuals():
    people, a, b = noisy(5, 0.5, 0.8)
    found = partial_correlations(table(people[:, None], a=a[:, None], b=b[:, None]))
    assert found.metrics == ("a", "b")
    assert found.r[0, 1] == pytest.approx(stats.pearsonr(*residuals(people, a, b)).statistic)
    assert found.r[0, 0] == 1.0
    assert (found.n == len(people)).all()


def test_each_pair_of_metrics_is_taken_where_both_have_scores():
    people, a, b, c = noisy(5, 0.5, 0.8, 0.9)
    people[:2], a[::3], b[::4], c[:] = np.nan, np.nan, np.nan, np.nan
    found = partial_correlations(table(people[:, None], a=a[:, None], b=b[:, None], c=c[:, None]))
    both = np.isfinite(people) & np.isfinite(a) & np.isfinite(b)
    oracle = stats.pearsonr(*residuals(people[both], a[both], b[both])).statistic
    assert found.r[0, 1] == found.r[1, 0] == pytest.approx(oracle)
    assert found.n[0, 1] == both.sum()
    assert np.isnan(found.r[2]).all()
    assert (found.n[2] == 0).all()


@pytest.mark.parametrize("metric", [[1, 1, 1, 1], [2, 4, 6, 8], [-1, -2, -3, -4]])
def test_a_metric_without_variance_beside_people_has_no_partial_correlation(metric):
    found = partial_correlations(table([[1, 2, 3, 4]], a=[metric], b=[[1, 3, 2, 4]]))
    assert np.isnan(found.r[0]).all()
    assert found.r[1, 1] == 1.0


def test_williams_has_no_answer_for_a_metric_and_the_same_turned_round():
    assert williams(1.0, -1.0, -1.0, 10) is None
