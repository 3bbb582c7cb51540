"""Limits of agreement: the published example, by hand, and where there is little."""

import math

import pytest
from scipy import stats

from core.errors import InputError
from core.raters.agreement import bland_altman
from core.raters.ratings import Rating

# Peak expiratory flow of 17 people by two meters (Bland & Altman 1986, table 1, first readings), l/min
LARGE = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]


def rated(**raters):
    return [
        Rating(rater, item, float(x)) for rater, scores in raters.items() for item, x in enumerate(scores)
    ]


def test_the_example_of_bland_and_altman():
    found = bland_altman(rated(large=LARGE, mini=MINI), "large", "mini")
    assert found.n == 17
    assert found.bias.value == pytest.approx(-2.1, abs=0.05)
    assert found.sd == pytest.approx(38.8, abs=0.05)
    assert (found.bias.low, found.bias.high) == pytest.approx((-22.1, 17.8), abs=0.1)
    assert (found.lower.value, found.upper.value) == pytest.approx((-78.1, 73.9), abs=0.1)


def test_intervals_of_the_limits_worked_by_hand():
    # differences -2 0 2: d = 0, s = 2, limits ±3.92; error of a limit 2 sqrt(1/3 + 3.8416 / 4)
    found = bland_altman(rated(a=[0, 5, 10], b=[2, 5, 8]), "a", "b")
    t = stats.t.ppf(0.975, 2)
    assert (found.bias.value, found.sd) == (0, 2)
    assert found.bias.high == pytest.approx(t * 2 / math.sqrt(3))
    assert (found.lower.value, found.upper.value) == pytest.approx((-3.92, 3.92))
    half = t * 2 * math.sqrt(1 / 3 + 3.8416 / 4)
    assert (found.upper.low, found.upper.high) == pytest.approx((3.92 - half, 3.92 + half))
    assert (found.lower.low, found.lower.high) == pytest.approx((-3.92 - half, -3.92 + half))


def test_points_are_means_and_differences_of_the_shared_items():
    ratings = [*rated(a=[10, 20], b=[30, 26]), Rating("a", "alone", 5.0), Rating("c", 0, 9.0)]
    points = bland_altman(ratings, "a", "b").points
    assert [(one.item, one.mean, one.difference) for one in points] == [(0, 20, -20), (1, 23, -6)]
    other_way = bland_altman(ratings, "b", "a").points
    assert [one.difference for one in other_way] == [20, 6]


def test_a_rater_who_is_always_as_much_higher_has_a_bias_and_no_spread():
    found = bland_altman(rated(a=[15, 25, 35], b=[10, 20, 30]), "a", "b")
    assert (found.bias.value, found.sd, found.lower.value, found.upper.value) == (5, 0, 5, 5)
    assert (found.bias.low, found.bias.high) == (5, 5)


@pytest.mark.parametrize(
    ("ratings", "n", "missing"),
    [
        ([], 0, "no-shared-items"),
        ([Rating("a", 1, 5.0), Rating("b", 2, 5.0)], 0, "no-shared-items"),
        (rated(a=[5]), 0, "no-shared-items"),
        (rated(a=[5, 6], b=[4, 7]), 2, "few-items"),
    ],
    ids=["nothing", "disjoint", "one-rater", "two-items"],
)
def test_too_little_is_a_word(ratings, n, missing):
    found = bland_altman(ratings, "a", "b")
    assert (found.n, found.sd, len(found.points)) == (n, None, n)
    for figure in (found.bias, found.lower, found.upper):
        assert (figure.value, figure.low, figure.missing) == (None, None, missing)


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(InputError, match="not a number"):
        bland_altman([Rating("a", 1, math.nan)], "a", "b")
