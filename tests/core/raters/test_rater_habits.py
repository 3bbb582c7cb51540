"""Pace, sameness and drift of one rater, by hand and against scipy."""

import math

import numpy as np
import pytest
from scipy import stats

from core.raters.pace import pace
from core.raters.quality import Others, drift, sameness
from core.raters.ratings import Rating


def row(item, score=50, *, rater="r", document="d", kind="target", seconds=None, characters=0):
    return Rating(
        rater=rater, item=item, segment=item, system="A", document=document, place=item,
        score=float(score), kind=kind, seconds=seconds, characters=characters,
    )  # fmt: skip


def of(*scores, rater="r", **more):
    return [row(item, score, rater=rater, **more) for item, score in enumerate(scores)]


def drifting(*raters, **more):
    """The drift of the first of these lists of scores."""
    by_rater = {f"r{i}": of(*scores, rater=f"r{i}", **more) for i, scores in enumerate(raters)}
    return drift(by_rater["r0"], Others(by_rater), raters=len(raters))


def noisy(n, swing):
    """n scores that rise by a point an item, with a swing up and down, against a rater who says 0."""
    return drifting([item + swing * (item % 2) for item in range(n)], [0.0] * n)


def test_a_slope_is_told_from_20_items_on_and_where_its_interval_fits_the_scale():
    assert not noisy(19, 1).tells
    assert noisy(20, 1).tells
    wide = noisy(20, 60)  # a standard error of 2.4 points an item: an interval of 500 points in 100 items
    assert wide.slope.high - wide.slope.low > 100
    assert not wide.tells


def test_pauses_of_more_than_five_minutes_are_no_pace():
    found = pace([row(0, seconds=300, characters=50), row(1, seconds=301, characters=50)])
    assert (found.seconds.value, found.seconds.n) == (300, 1)
    assert (found.a_minute.value, found.a_minute.n) == (10, 1)


def test_pace_worked_by_hand():
    rows = [
        row(0, seconds=10, characters=50),  # 300 a minute
        row(1, seconds=20, characters=50),  # 150
        row(2, seconds=2, characters=60),  # 1800
        row(3, seconds=0, characters=40),  # no time at all
        row(4, seconds=60),
        row(5, characters=50),
    ]
    found = pace(rows, 1500)
    assert (found.seconds.value, found.seconds.n) == (10, 5)
    assert (found.a_minute.value, found.a_minute.n) == (300, 3)
    assert (found.fast.value, found.fast.n) == (2 / 4, 4)


def test_without_times_or_without_a_floor_there_is_no_pace():
    found = pace([row(0, characters=50), row(1)], 1500)
    assert found.seconds.missing == found.a_minute.missing == found.fast.missing == "no-times"
    assert pace([row(0, seconds=1, characters=500)], None).fast.missing == "no-times"


def test_the_commonest_score_and_the_longest_run():
    found = sameness([*of(80, 80, 70, 70, 70, 80, 80, 5), row(8, 80, kind="repeat")])
    assert (found.score, found.share.value, found.share.n, found.run) == (80, 5 / 9, 9, 3)


def test_drift_worked_by_hand():
    # the others say 10 each time: residuals 0 10 20, ten points an item
    found = drifting([10, 20, 30], [5, 5, 5], [15, 15, 15])
    assert (found.rho.value, found.slope.value, found.slope.n) == (pytest.approx(1), pytest.approx(1000), 3)
    assert found.p == pytest.approx(0, abs=1e-6)


def test_what_grows_with_the_items_is_no_drift():
    found = drifting([10, 20, 30, 40], [12, 22, 32, 42])
    assert (found.rho.missing, found.slope.value, found.p) == ("no-variance", None, None)


def test_drift_is_scipys_line_and_rank_correlation_over_all_places():
    scores, others = [50, 60, 40, 70, 65, 80], [55, 50, 45, 60, 70, 66]
    mine = of(*scores)
    checks = [row(i + 0.5, 0, kind="degraded") for i in range(2)]  # behind the first and the second
    in_order = sorted([*mine, *checks], key=lambda one: one.place)
    found = drift(in_order, Others({"r": in_order, "q": of(*others, rater="q")}), raters=2)
    places, residuals = [0, 2, 4, 5, 6, 7], np.subtract(scores, others)
    line, rank = stats.linregress(places, residuals), stats.spearmanr(places, residuals)
    assert found.slope.value == pytest.approx(100 * line.slope)
    half = 100 * line.stderr * stats.t.ppf(0.975, 4)
    assert (found.slope.low, found.slope.high) == pytest.approx(
        (found.slope.value - half, found.slope.value + half)
    )
    assert (found.rho.value, found.p) == pytest.approx((rank.statistic, rank.pvalue))


def test_documents_come_in_the_raters_order_with_their_mean_residual():
    mine = [
        row(0, 60, document="late"),
        row(1, 40, document="early"),
        row(2, 70, document="late"),
        row(3, 9, document="alone"),
    ]
    found = drift(mine, Others({"r": mine, "q": of(50, 50, 50, rater="q")}), raters=2)
    assert [(one.document, one.n, one.residual) for one in found.documents] == [
        ("late", 2, 15),
        ("early", 1, -10),
    ]


@pytest.mark.parametrize(
    ("raters", "missing"),
    [
        ([[1, 2, 3]], "one-rater"),
        ([[1, 2], [1, 4]], "few-items"),
        ([[], [1, 4]], "no-shared-items"),
        ([[5, 5, 5], [5, 5, 5]], "no-variance"),
    ],
    ids=["alone", "two-items", "nothing-shared", "all-tied"],
)
def test_too_little_for_a_drift_is_a_word(raters, missing):
    found = drifting(*raters)
    assert found.rho.missing == found.slope.missing == missing
    assert found.p is None
    assert not any(math.isnan(one.residual) for one in found.documents)
