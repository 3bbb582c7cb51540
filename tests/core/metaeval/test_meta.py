"""Metrics against people: by hand, against scipy, and as the field's own tool defines them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.meta import meta_figures
from core.errors import InputError, OptionError
from core.metaeval.correlation import correlate
from core.metaeval.evaluation import MetaTable, turned
from core.metaeval.summary import basis, summarise
from core.metaeval.systems import accuracy, kendall_like, pairs_of, system_level
from tests.support.meta_tables import table

NAN = float("nan")


SMALL = table(
    [[90, 60, 60], [80, 70, 10], [50, 50, 50]],
    good=[[9, 6, 5], [8, 7, 1], [3, 4, 5]],
    coarse=[[1, 0, 0], [1, 1, 0], [1, 1, 1]],
    gaps=[[0.9, NAN, 0.5], [NAN, 0.7, 0.1], [0.3, 0.4, 0.5]],
)


@pytest.mark.parametrize(
    ("coefficient", "oracle"),
    [
        ("pearson", lambda x, y: stats.pearsonr(x, y).statistic),
        ("spearman", lambda x, y: stats.spearmanr(x, y).statistic),
        ("kendall", lambda x, y: stats.kendalltau(x, y).statistic),
    ],
)
def test_coefficients_are_scipys_over_all_and_averaged_over_groups(coefficient, oracle):
    people, good = SMALL.grid(SMALL.people), SMALL.grid(SMALL.metrics["good"])
    assert correlate(SMALL, "good", coefficient).value == pytest.approx(oracle(people.ravel(), good.ravel()))
    by_item = correlate(SMALL, "good", coefficient, "item")
    assert by_item.value == pytest.approx(np.mean([oracle(people[i], good[i]) for i in (0, 1)]))
    assert (by_item.groups, by_item.left_out) == (2, 1)  # people gave the third segment one score
    by_system = correlate(SMALL, "good", coefficient, "system")
    assert by_system.value == pytest.approx(np.mean([oracle(people[:, s], good[:, s]) for s in range(3)]))


def test_documents_that_differ_in_quality_raise_the_pooled_r_and_not_the_r_within_documents():
    """Two documents, one good and one bad for people and metric; within each, the order is half right."""
    people, metric = np.array([90.0, 91, 92, 10, 11, 12]), np.array([0.92, 0.90, 0.91, 0.10, 0.11, 0.12])
    rows = np.arange(6)
    one = MetaTable(
        people=people,
        metrics={"m": metric},
        item=rows,
        system=np.zeros(6, np.int64),
        items=[str(row) for row in rows],
        systems=["s"],
        group=rows // 3,
    )
    assert correlate(one, "m").value > 0.999
    within = correlate(one, "m", "pearson", "document")
    assert (within.value, within.lowest, within.highest) == (
        pytest.approx(0.25),  # of -0.5, by hand, and 1
        pytest.approx(-0.5),
        pytest.approx(1),
    )
    found = basis(one)
    assert (found.translations, found.segments, found.documents) == (6, 6, 2)
    assert (found.mean, found.sd) == (pytest.approx(51), pytest.approx(np.sqrt((6 * 40**2 + 4) / 5)))
    assert summarise(one).metrics[0].in_segments.value is None  # one system: nothing to order


def test_translations_without_a_score_take_no_part():
    assert correlate(SMALL, "gaps").n == 7
    assert correlate(table([[1, NAN]], m=[[NAN, 2]]), "m").value is None


def test_pairs_with_ties_by_hand():
    """Pairs (s0,s1), (s0,s2), (s1,s2) of three segments.

    Segment 0: people > > =, metric > > =: 3 of 3. Segment 1: people > > >, metric = > >: 2 of 3. Segment 2:
    all ties: 3 of 3. Mean 8/9.
    """
    found = accuracy(SMALL, "coarse", calibrate=False)
    assert found.value == found.plain == pytest.approx(8 / 9)
    assert (found.pairs, found.items) == (9, 3)


def test_the_threshold_is_the_one_with_the_highest_accuracy():
    """Segment 0 has gaps 3, 4 and, where people tie, 1; segment 1: 1, 7, 6; segment 2, all ties: 1, 2, 1.

    No threshold: 2/3, 1, 0, mean 5/9. With 1: 1, 2/3 (a right order is a tie now), 2/3: 7/9. With 2: 8/9.
    """
    found = accuracy(SMALL, "good")
    assert found.plain == pytest.approx(5 / 9)
    assert found.value == pytest.approx(8 / 9)
    assert found.epsilon == 2


def brute(pairs, weights, epsilon):
    tie = np.abs(pairs.metric) <= epsilon
    right = np.where(tie, pairs.people == 0, np.sign(pairs.people) == np.sign(pairs.metric))
    return weights[right].sum()


grids = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=5)


@given(st.data())
def test_calibration_finds_what_trying_every_threshold_finds(data):
    people = data.draw(grids)
    metric = data.draw(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=len(people),
                                max_size=len(people)))  # fmt: skip
    one = table(people, m=metric)
    pairs = pairs_of(one, "m")
    for by_item in (True, False):
        weights = np.full(len(pairs.item), 1 / len(pairs.item))  # each segment has three pairs here
        tried = [brute(pairs, weights, epsilon) for epsilon in {0.0, *np.abs(pairs.metric).tolist()}]
        assert accuracy(one, "m", by_item=by_item).value == pytest.approx(max(tried))


def test_wmts_tau_takes_pairs_that_are_25_points_apart_and_counts_ties_against():
    """Segment 0: 90-60 twice, 30 points, both right. Segment 1: 80-10 and 70-10 right; 80-70 is too near."""
    found = kendall_like(SMALL, "good")
    assert (found.concordant, found.discordant, found.value) == (4, 0, 1.0)
    tied = kendall_like(table([[90, 10, 50]], m=[[1, 1, 0]]), "m")
    assert (tied.concordant, tied.discordant) == (1, 2)  # 90-50 right; 90-10 tied, 50-10 wrong
    assert kendall_like(table([[50, 51]], m=[[0, 1]]), "m").value is None


def test_systems_by_hand():
    """People's means 73.3, 60, 40; good 6.67, 5.67, 3.67: the same order."""
    found = system_level(SMALL, "good")
    means = [np.mean(SMALL.grid(column), axis=0) for column in (SMALL.people, SMALL.metrics["good"])]
    assert found.pearson == pytest.approx(stats.pearsonr(*means).statistic)
    assert found.accuracy == 1.0
    assert system_level(table([[3, 2, 1]], m=[[3, 1, 2]]), "m").accuracy == pytest.approx(2 / 3)


def test_soft_accuracy_is_one_for_people_themselves_and_counts_exactly_on_two_segments():
    """Two segments, gaps of people 10 and 10, of the metric 10 and -10: sign patterns ++ +- -+ --.

    p of people: sums 20, 0, 0, -20 against 20: 1/4. Of the metric, sum 0: gaps ±20 and 0, at least 0 in 3/4.
    1 - |1/4 - 3/4| = 1/2, but for the drawing of a thousand signs.
    """
    same = table([[30, 20], [20, 10]], m=[[30, 20], [20, 10]])
    assert system_level(same, "m").soft == 1.0
    other = table([[30, 20], [20, 10]], m=[[30, 20], [10, 20]])
    assert system_level(other, "m").soft == pytest.approx(0.5, abs=0.06)


def test_a_system_far_from_the_others_is_named_and_left_out_beside():
    people = [[70, 71, 72, 73, 10]] * 4
    found = system_level(table(people, m=[[4, 3, 2, 1, 0]] * 4), "m")
    assert found.outliers == ("s4",)
    assert found.pearson > 0.4
    assert found.pearson_inside == pytest.approx(-1)


def test_bad_tables_and_words_are_sentences():
    def made(people, **metrics):
        n = len(people)
        index = np.zeros(n, np.int64)
        return MetaTable(
            people=np.array(people, float),
            metrics=metrics,
            item=index,
            system=index,
            items=["i"],
            systems=["s"],
            group=index,
        )

    with pytest.raises(InputError, match="2 values for 1"):
        made([0], m=np.zeros(2))
    with pytest.raises(InputError, match="twice"):
        made([0, 1])
    with pytest.raises(OptionError, match="no rho by item"):
        correlate(SMALL, "good", "rho", "item")
    assert turned(np.array([1.0]), higher_is_better=False).tolist() == [-1]


def test_a_part_is_the_whole_of_its_rows():
    part = SMALL.among(SMALL.item == 1)
    assert correlate(part, "good").n == 3


def test_many_metrics_of_many_segments_take_seconds():
    found = meta_figures(metrics=10, segments=2500)
    assert found["meta_scores_each"] == 50_000
    seconds = sum(value for name, value in found.items() if name.endswith("_cpu_s"))
    assert seconds < 3  # a hundredth of the bench, which may take 60


def test_scores_that_differ_by_rounding_are_tied():
    people = np.array([61.866666666666674, 80, 30, 61.86666666666667, 60, 50])  # two systems, three segments
    two = MetaTable(
        people=people,
        metrics={"m": np.array([0.5, 0.9, 0.2, 0.5, 0.3, 0.6])},
        item=np.array([0, 1, 2, 0, 1, 2]),
        system=np.array([0, 0, 0, 1, 1, 1]),
        items=["0", "1", "2"],
        systems=["A", "B"],
        group=np.array([0, 1, 2, 0, 1, 2]),
    )
    found = accuracy(two, "m")
    assert (found.value, found.epsilon) == (1.0, 0.0)  # tied and tied, right, right
