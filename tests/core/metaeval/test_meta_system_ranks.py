"""Rank correlations and significance over systems, by hand and by scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metaeval.evaluation import MetaTable
from core.metaeval.systems import system_level, system_permutation
from core.stats.permutation import perm_both_means

SYSTEMS = 6
SEGMENTS = 40


@pytest.fixture
def table():
    """People follow the system's number; `good` too, `bad` is noise, and two cells are missing."""
    rng = np.random.default_rng(3)
    worth = np.arange(SYSTEMS, dtype=float)
    people = worth + rng.normal(0, 0.1, (SEGMENTS, SYSTEMS))
    good = worth + rng.normal(0, 0.5, (SEGMENTS, SYSTEMS))
    bad = rng.normal(0, 1, (SEGMENTS, SYSTEMS))
    good[0, 0] = bad[1, 2] = np.nan
    item = np.repeat(np.arange(SEGMENTS), SYSTEMS)
    return MetaTable(
        systems=tuple(map(str, range(SYSTEMS))),
        items=tuple(map(str, range(SEGMENTS))),
        system=np.tile(np.arange(SYSTEMS), SEGMENTS),
        item=item,
        group=item,
        people=people.ravel(),
        metrics={"good": good.ravel(), "bad": bad.ravel()},
    )


def test_rank_correlations_over_systems_are_those_of_scipy(table):
    found = system_level(table, "bad")
    people, scores = table.grid(table.people), table.grid(table.metrics["bad"])
    shared = np.isfinite(people) & np.isfinite(scores)
    means = [np.where(shared, grid, 0).sum(axis=0) / shared.sum(axis=0) for grid in (people, scores)]
    assert found.spearman == pytest.approx(stats.spearmanr(*means).statistic)
    assert found.kendall == pytest.approx(stats.kendalltau(*means).statistic)
    assert system_level(table, "good").spearman == pytest.approx(1)


def test_a_metric_that_orders_systems_is_surely_better_than_noise_and_not_the_other_way_round(table):
    assert system_permutation(table, "good", "bad") == pytest.approx(1 / 1001, abs=0.02)
    assert system_permutation(table, "bad", "good") > 0.97


def test_equal_metrics_never_differ(table):
    assert system_permutation(table, "good", "good") == 1


def test_the_permutation_test_is_that_of_a_plain_loop():
    rng = np.random.default_rng(1)
    people = np.array([0.0, 1.0, 2.0])
    first, second = rng.normal(people, 1, (5, 3)), rng.normal(0, 1, (5, 3))
    x, y = (one - one.mean() for one in (first, second))
    x, y = x / x.std(), y / y.std()

    def gap(a, b):
        return np.corrcoef(a.mean(axis=0), people)[0, 1] - np.corrcoef(b.mean(axis=0), people)[0, 1]

    swaps = np.random.default_rng(9).random((4000, 5, 3)) < 0.5
    share = np.mean([gap(np.where(one, y, x), np.where(one, x, y)) >= gap(x, y) - 1e-12 for one in swaps])
    assert perm_both_means(people, first, second, seed=7) == pytest.approx(share, abs=0.05)


def test_two_systems_are_too_few(table):
    assert system_permutation(table.among(table.system < 2), "good", "bad") is None


def test_the_interval_over_systems_is_that_of_a_plain_bootstrap_over_documents(table):
    grids = [table.grid(one) for one in (table.people, table.metrics["bad"])]
    shared = np.isfinite(grids[0]) & np.isfinite(grids[1])
    rng = np.random.default_rng(11)
    drawn = []
    for _ in range(1000):
        rows = rng.integers(0, SEGMENTS, SEGMENTS)
        x, y = (np.nanmean(np.where(shared, grid, np.nan)[rows], axis=0) for grid in grids)
        drawn.append(np.corrcoef(x, y)[0, 1])
    found = system_level(table, "bad")
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.06)
    assert found.low < found.pearson < found.high
    few = system_level(table.among(table.item < 4), "bad")
    assert (few.low, few.high) == (None, None)
