"""Translations side by side: filters, systems' means, and where people and a metric disagree."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metaeval.evaluation import PEOPLE, Evaluation, Filter
from core.metaeval.leaderboard import disagreements, system_board

NAN = np.nan


def evaluation(people, *, lower=(), flags=None, length=None, **metrics):
    """From (segments, systems) grids; two segments a document, the documents news and novel in turn."""
    people = np.array(people, np.float64)
    segments, systems = people.shape
    segment, system = (index.ravel() for index in np.indices(people.shape))
    document = segment // 2
    n = people.size
    return Evaluation(
        translation=np.arange(100, 100 + n),
        segment=segment + 10,
        system=system,
        document=document,
        domain=document % 2,
        position=segment % 2,
        length=np.array(length, np.int64).repeat(systems) if length else np.full(n, 5),
        people=people.ravel(),
        metrics={name: np.array(grid, np.float64).ravel() for name, grid in metrics.items()},
        flags={name: np.array(grid, bool).ravel() for name, grid in (flags or {}).items()},
        systems=[f"s{number}" for number in range(systems)],
        documents=[f"d{number}" for number in range((segments + 1) // 2)],
        domains=["news", "novel"],
        lower=frozenset(lower),
        signatures={name: f"{name}|v1" for name in metrics},
    )


FOUR = evaluation([[90, 10], [80, NAN], [70, 30], [60, 40]], good=[[4, 1], [3, 1], [2, 1], [2, NAN]])


def test_a_place_is_document_number_of_the_segment_and_system():
    assert FOUR.place(7) == "d1 2 · s1"


def test_a_filter_passes_what_meets_all_its_conditions():
    found = evaluation(
        [[1, 2], [3, 4], [5, 6], [7, 8]],
        length=[5, 10, 15, 20],
        flags={"windowed": [[0, 1], [0, 0], [1, 0], [0, 0]]},
        m=[[0, 0]] * 4,
    )
    assert Filter().rows(found).all()
    assert found.people[Filter(domains=["novel"]).rows(found)].tolist() == [5, 6, 7, 8]
    assert found.people[Filter(documents=["d0"], systems=["s1"]).rows(found)].tolist() == [2, 4]
    assert found.people[Filter(shortest=10, longest=15).rows(found)].tolist() == [3, 4, 5, 6]
    assert found.people[Filter(flag="windowed").rows(found)].tolist() == [2, 5]
    assert found.people[Filter(flag="windowed", without=True).rows(found)].tolist() == [1, 3, 4, 6, 7, 8]
    assert not Filter(flag="never").rows(found).any()


def test_a_part_keeps_every_column_in_step():
    part = FOUR.among(np.isfinite(FOUR.people))
    assert part.translation.tolist() == [100, 101, 102, 104, 105, 106, 107]
    assert part.column("good")[-2:].tolist()[0] == 2
    assert len(part.system) == len(part.length) == len(part.people) == 7


def test_a_metric_of_which_lower_is_better_is_turned_round_for_the_statistics():
    found = evaluation([[1, 2], [3, 4]], lower=["errors"], errors=[[9, 8], [7, 6]])
    assert found.column("errors").tolist() == [9, 8, 7, 6]
    assert found.table().metrics["errors"].tolist() == [-9, -8, -7, -6]
    assert found.table().group.tolist() == [0, 0, 0, 0]


def test_systems_stand_by_peoples_mean_and_those_without_one_below():
    found = evaluation([[1, 5, NAN], [3, 7, NAN]], m=[[1, 2, 3], [1, 2, NAN]])
    rows = system_board(found)
    assert [one.system for one in rows] == ["s1", "s0", "s2"]
    assert [one.means[PEOPLE].mean for one in rows] == [6, 2, None]
    assert (rows[2].means["m"].mean, rows[2].means["m"].n) == (3, 1)
    assert rows[0].means["m"].low is None  # two segments are too few for an interval


def test_the_interval_of_a_mean_is_that_of_the_bootstrap_of_scipy():
    scores = np.random.default_rng(3).normal(70, 12, 60)
    (row,) = system_board(evaluation(scores[:, None]))
    expected = stats.bootstrap(
        (scores,), np.mean, n_resamples=9999, method="percentile", random_state=0
    ).confidence_interval
    assert row.means[PEOPLE].low == pytest.approx(expected.low, abs=0.4)
    assert row.means[PEOPLE].high == pytest.approx(expected.high, abs=0.4)


def test_what_disagrees_most_comes_first_on_both_sides():
    # people put b last and the metric puts it first; e is the other way round
    found = evaluation([[50], [10], [30], [40], [90]], m=[[0.5], [0.9], [0.3], [0.4], [0.1]])
    above, under = disagreements(found, "m", count=2)
    assert [(one.row, one.people, one.metric) for one in above[:1]] == [(1, 0.0, 1.0)]
    assert [(one.row, one.gap) for one in under[:1]] == [(4, -1.0)]
    assert all(one.gap > 0 for one in above)


def test_nothing_disagrees_where_the_orders_are_the_same_or_too_few_are_rated():
    same = evaluation([[1], [2], [3]], m=[[10], [20], [30]])
    assert disagreements(same, "m") == ([], [])
    few = evaluation([[1], [2], [NAN]], m=[[2], [1], [3]])
    assert disagreements(few, "m") == ([], [])
