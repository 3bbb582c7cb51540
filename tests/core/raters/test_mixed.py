"""The mixed model: against the analysis of variance, which is REML on a balanced table, and its limits."""

import math

import numpy as np
import pytest
from scipy import stats

from core.errors import InputError
from core.raters.normalisation import MOST_LEVELS, mixed_model
from core.raters.ratings import Rating

SCORES = np.array(  # two systems, three raters, five items: 30 ratings, made up
    [
        [[40, 52, 61, 35, 70], [55, 60, 78, 41, 80], [30, 49, 52, 33, 61]],
        [[48, 55, 72, 38, 77], [57, 71, 80, 52, 95], [41, 50, 64, 34, 66]],
    ],
    dtype=float,
)


def rated(scores):
    """(systems, raters, items) scores as ratings by system: A, B, …"""
    return {
        "ABCD"[s]: [Rating(f"r{r}", i, float(x)) for r, row in enumerate(one) for i, x in enumerate(row)]
        for s, one in enumerate(scores)
    }


def variances(scores):
    """Residual, rater and item variance from the mean squares of the additive three-way layout."""
    systems, raters, items = scores.shape
    mean = scores.mean()
    by_system, by_rater, by_item = (
        scores.mean(axis=axes, keepdims=True) - mean for axes in ((1, 2), (0, 2), (0, 1))
    )
    rest = scores - mean - by_system - by_rater - by_item
    residual = (rest**2).sum() / (scores.size - systems - raters - items + 2)
    of_raters = systems * items * (by_rater**2).sum() / (raters - 1)
    of_items = systems * raters * (by_item**2).sum() / (items - 1)
    return residual, (of_raters - residual) / (systems * items), (of_items - residual) / (systems * raters)


def test_on_a_balanced_table_estimates_and_variances_are_those_of_the_analysis_of_variance():
    found = mixed_model(rated(SCORES))
    residual, rater, item = variances(SCORES)
    assert (found.n, found.raters, found.items, found.missing) == (30, 3, 5, None)
    assert [one.system for one in found.systems] == ["B", "A"]
    assert [one.estimate for one in found.systems] == pytest.approx([900 / 15, 797 / 15])
    sds = (found.residual_sd, found.rater_sd, found.item_sd)
    assert sds == pytest.approx([math.sqrt(v) for v in (residual, rater, item)], rel=1e-3)


def test_a_contrast_is_free_of_raters_and_items():
    found = mixed_model(rated(SCORES))
    (contrast,) = found.contrasts
    error = math.sqrt(2 * variances(SCORES)[0] / 15)
    assert (contrast.first, contrast.second) == ("B", "A")
    assert contrast.difference == pytest.approx(103 / 15)
    assert contrast.high - contrast.difference == pytest.approx(1.959964 * error, rel=1e-3)
    assert contrast.p == pytest.approx(2 * stats.norm.sf(103 / 15 / error), rel=1e-2)
    best = found.systems[0]
    assert best.high - best.low > contrast.high - contrast.low


def test_a_rater_who_is_always_the_same_as_another_leaves_no_rater_variance():
    level = SCORES - SCORES.mean(axis=(0, 2), keepdims=True)
    found = mixed_model(rated(50 + level))
    assert found.missing is None
    assert found.rater_sd == pytest.approx(0, abs=1e-3)
    assert found.item_sd > 5


def test_a_system_that_met_the_lenient_rater_more_often_gains_nothing_by_it():
    rng = np.random.default_rng(4)
    lenient = {"r0": 30.0, "r1": 0.0, "r2": -5.0}
    items = rng.normal(50, 10, 40)
    ratings = {
        system: [
            Rating(rater, i, quality + items[i] + level + rng.normal(0, 3))
            for i in range(40)
            for rater, level in lenient.items()
            if rng.random() < (0.9 if (rater == "r0") == (system == "worse") else 0.3)
        ]
        for system, quality in (("worse", 0.0), ("better", 6.0))
    }
    plain = {name: np.mean([one.score for one in found]) for name, found in ratings.items()}
    assert plain["worse"] > plain["better"]
    (contrast,) = mixed_model(ratings).contrasts
    assert (contrast.first, contrast.second) == ("better", "worse")
    assert contrast.low < 6 < contrast.high
    assert contrast.p < 0.001


def test_scale_and_origin_of_the_scores_do_not_matter():
    (one,) = mixed_model(rated(SCORES)).contrasts
    (other,) = mixed_model(rated(SCORES / 100 - 3)).contrasts
    assert other.difference == pytest.approx(one.difference / 100)
    assert other.p == pytest.approx(one.p, rel=1e-3)


def test_the_order_of_rows_and_systems_changes_nothing():
    ratings = rated(SCORES)
    mixed = {name: ratings[name][::-1] for name in reversed(ratings)}
    one, other = mixed_model(ratings), mixed_model(mixed)
    for a, b in zip(one.systems, other.systems, strict=True):
        assert a.system == b.system
        assert (a.estimate, a.low, a.high) == pytest.approx((b.estimate, b.low, b.high), abs=1e-3)


@pytest.mark.parametrize(
    ("ratings", "missing"),
    [
        ({}, "one-rater"),
        ({"A": [], "B": []}, "one-rater"),
        (rated(SCORES[:, :1]), "one-rater"),
        (rated(SCORES[:, :, :1]), "few-items"),
        (rated(SCORES[:1, :2, :3]), "few-items"),
        (rated(np.full((2, 3, 5), 70.0)), "no-variance"),
        (rated(np.arange(2.0 * 2 * MOST_LEVELS).reshape(2, 2, MOST_LEVELS)), "too-many"),
    ],
    ids=["nothing", "no-ratings", "one-rater", "one-item", "six-ratings", "all-tied", "many-items"],
)
def test_what_cannot_be_fitted_is_a_word(ratings, missing):
    found = mixed_model(ratings)
    assert found.missing == missing
    assert (found.systems, found.contrasts) == ((), ())
    assert found.rater_sd is found.item_sd is found.residual_sd is None


def test_where_neither_raters_nor_items_vary_there_is_no_fit():
    # each row and column of each system has the mean 50: both variances are 0
    square = np.array([[1.0, -1, 0], [0, 1, -1], [-1, 0, 1]])
    found = mixed_model(rated(50 + np.stack([10 * square, 5 * square, -7 * square.T, 20 + square])))
    assert (found.missing, found.systems) == ("no-fit", ())


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(InputError, match="not a number"):
        mixed_model({"A": [Rating("r", 1, math.nan)]})
