"""Repeats, damaged texts and references of one rater: by hand and against scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.raters.quality import degraded_below_original, reference_above_systems, repeat_error
from core.raters.ratings import Rating


def row(item, score, kind="target", *, segment=None, system="A"):
    return Rating(
        rater="r", item=item, segment=item if segment is None else segment, system=system,
        document="d", place=0, score=float(score), kind=kind,
    )  # fmt: skip


def scored(kind, *scores):
    return [row(item, score, kind) for item, score in enumerate(scores)]


def test_repeat_error_is_the_mean_distance_to_the_first_score():
    rows = [*scored("target", 50, 70, 90), *scored("repeat", 60, 65), row("unseen", 3, "repeat")]
    found = repeat_error(rows)
    assert (found.value, found.n) == (7.5, 2)


def test_degraded_scores_that_lie_all_below_have_the_least_exact_p():
    # of the C(8, 4) = 70 ways to choose which four are lowest, one
    found = degraded_below_original([*scored("target", 60, 70, 80, 90), *scored("degraded", 10, 20, 30, 55)])
    assert (found.n, found.against, found.share, found.test) == (4, 4, 1, "mann-whitney-exact")
    assert found.p == pytest.approx(1 / 70)


def test_only_originals_of_degraded_items_enter():
    low_elsewhere = [*scored("target", 60, 70, 80), *(row(f"x{i}", 1) for i in range(9))]
    found = degraded_below_original([*low_elsewhere, *scored("degraded", 10, 20, 30)])
    assert (found.n, found.against) == (3, 3)
    assert found.p == pytest.approx(1 / 20)


def test_where_scores_may_be_corrected_the_first_ones_count_for_damaged_texts_only():
    corrected = [*scored("target", 60, 70), *(one._replace(first=90.0) for one in scored("degraded", 10, 20))]
    assert degraded_below_original(corrected).share == 0
    assert degraded_below_original([one._replace(first=None) for one in corrected]).share == 1
    again = [*corrected, row(0, 50, "repeat")]
    assert repeat_error(again).value == 10


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=3, max_size=14))
def test_p_is_scipys_choice_of_method_for_degraded_below(pairs):
    originals, damaged = zip(*pairs, strict=True)
    found = degraded_below_original([*scored("target", *originals), *scored("degraded", *damaged)])
    if len({*originals, *damaged}) == 1:
        assert found.missing == "no-variance"
    else:
        oracle = stats.mannwhitneyu(damaged, originals, alternative="less", method="auto")
        assert found.p == pytest.approx(oracle.pvalue, abs=1e-12)
    assert found.share == sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


def test_references_meet_every_output_for_their_segment():
    rows = [
        row("a0", 40, segment=0), row("b0", 70, segment=0, system="B"),
        row("a1", 50, segment=1), row("a2", 60, segment=2), row("a9", 99, segment=9),
        row("r0", 70, "reference", segment=0), row("r1", 95, "reference", segment=1),
        row("r2", 55, "reference", segment=2), row("r3", 5, "reference", segment=3),
    ]  # fmt: skip
    found = reference_above_systems(rows)
    # 70 above 40 and level with 70, 95 above 50, 55 below 60: 2.5 of 4
    assert (found.n, found.against, found.share) == (3, 4, 2.5 / 4)
    oracle = stats.mannwhitneyu([70, 95, 55], [40, 70, 50, 60], alternative="greater", method="asymptotic")
    assert (found.test, found.p) == ("mann-whitney-asymptotic", pytest.approx(oracle.pvalue))


@pytest.mark.parametrize(
    ("rows", "degraded", "reference", "repeat"),
    [
        ([], "no-checks", "no-checks", "no-checks"),
        (scored("target", 1, 2, 3), "no-checks", "no-checks", "no-checks"),
        (scored("degraded", 1, 2, 3), "no-shared-items", "no-checks", "no-checks"),
        (scored("reference", 1, 2, 3), "no-checks", "no-shared-items", "no-checks"),
        (scored("repeat", 1, 2, 3), "no-checks", "no-checks", "no-shared-items"),
        ([*scored("target", 9, 9), *scored("degraded", 1, 2)], "few-items", "no-checks", "no-checks"),
        ([*scored("target", *"777"), *scored("degraded", *"777")], "no-variance", "no-checks", "no-checks"),
        ([*scored("target", *"777"), *scored("reference", *"777")], "no-checks", "no-variance", "no-checks"),
    ],
    ids=["nothing", "targets", "degraded", "references", "repeats", "two", "tied", "tied-references"],
)
def test_what_cannot_be_tested_is_a_word(rows, degraded, reference, repeat):
    for found, missing in (
        (degraded_below_original(rows), degraded),
        (reference_above_systems(rows), reference),
    ):
        assert (found.missing, found.p, found.test) == (missing, None, None)
        assert (found.share is None) == (found.n == 0)
    again = repeat_error(rows)
    assert (again.missing, again.value) == (repeat, None)
