"""What is told of a calibrated score: what it lives on, how it grows, why it gains little, what next."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.calibration.calibrate import advise, calibrate, reasons
from core.calibration.features import features_of
from core.calibration.learning import learning_curve
from core.calibration.model import fit
from core.calibration.training import training
from core.calibration.validation import cross_validate, importances
from core.raters.ratings import Rating
from tests.support.made_ratings import made, result

NAN = float("nan")
RIDGE = ("ridge",)


def test_a_model_lives_on_the_metrics_that_know_something(validated, data):
    falls = {one.group: one.fall for one in importances(data, validated)}
    assert list(falls)[2] == "bertscore"
    assert min(falls["bleu"], falls["chrf"]) > 0.2
    assert abs(falls["bertscore"]) < 0.02


def test_the_last_point_of_the_curve_is_the_validations_r(validated, data):
    curve = learning_curve(data, validated, more=50)
    assert curve.points[-1].r == validated.calibrated.value
    assert [one.rated for one in curve.points] == pytest.approx([33.6, 48, 67.2, 96])  # of 96 in a fold
    assert curve.ahead.rated == 96 + 40  # of 50 more a fold learns from four fifths
    assert curve.ahead.r == pytest.approx(validated.calibrated.value + curve.ahead.gain)
    assert curve.ahead.low <= curve.ahead.gain <= curve.ahead.high
    assert learning_curve(data, validated, more=50) == curve


def test_with_too_few_translations_nothing_is_said_of_more():
    data = made(documents=5, of_each=12)
    curve = learning_curve(data, cross_validate(data, families=RIDGE))
    assert curve.ahead is None


def test_why_the_gain_is_small_is_measured():
    """Two metrics that say the same, and two raters who do not agree at all."""
    rng = np.random.default_rng(2)
    n = 60
    scores = rng.normal(size=n)
    rows = [{"bleu": result("bleu", s), "chrf": result("chrf", 2 * s)} for s in scores.tolist()]
    first, second = rng.normal(size=(2, n))
    ratings = [Rating("ash", place, float(one)) for place, one in enumerate(first + scores)]
    ratings += [Rating("beech", place, float(one)) for place, one in enumerate(second)]
    data = training(features_of(rows), [place // 6 for place in range(n)], ratings, "raw")
    found = cross_validate(data, families=RIDGE)
    told = {one.why: one.numbers for one in reasons(data, found, learning_curve(data, found))}
    assert {"few", "disagree", "alike"} <= told.keys()
    assert told["few"] == {"rated": 60, "documents": 10}
    assert told["alike"]["r"] == pytest.approx(1)
    assert told["disagree"]["r"] == pytest.approx(stats.pearsonr(first + scores, second)[0])
    assert told["disagree"]["n"] == 60


def test_where_the_gain_is_reached_no_excuse_is_made(validated, data):
    assert reasons(data, validated, learning_curve(data, validated)) == []


def test_single_ratings_are_named_as_a_limit():
    data = made(noise=6)
    found = cross_validate(data, families=RIDGE)
    assert found.verdict != "reached"
    assert "alone" in {one.why for one in reasons(data, found, learning_curve(data, found))}


def test_rate_next_what_is_unlike_anything_rated_and_one_of_a_segment():
    data = made(gaps=6)
    model = fit(data, np.arange(len(data)), families=RIDGE)
    unrated = data.features.values[:5] * 1.01
    unrated = np.vstack([unrated, np.full((2, 3), 9.0), [[NAN, 1.0, 1.0]]])
    found = advise(data, model, unrated, [0, 1, 2, 3, 4, 5, 5, 6])
    assert found[0].row in (5, 6)
    assert found[0].reason in ("unlike", "both")
    rows = [one.row for one in found]
    assert not {5, 6} <= set(rows)  # of one segment
    assert 7 not in rows  # it lacks bleu, which nothing rated lacks
    assert len(rows) == 6
    assert advise(data, model, unrated[:0], []) == []


def test_everything_at_once_is_the_same_for_the_same_seed():
    data = made(documents=6)
    steps = []
    first = calibrate(data, families=RIDGE, seed=7, progress=lambda done, total: steps.append(done / total))
    second = calibrate(data, families=RIDGE, seed=7)
    assert first.saved.signature == second.saved.signature
    assert first.validation.gain == second.validation.gain
    assert steps == sorted(steps)
    assert steps[-1] == 1
    assert first.saved.facts["r"] == first.validation.calibrated.value
