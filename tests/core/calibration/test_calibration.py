"""A score fitted to people: what it may learn from, how it is tested, and when it says that it cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.calibration.features import features_of
from core.calibration.model import check_families, fit
from core.calibration.training import training
from core.calibration.validation import RESAMPLES, Bootstrap, cross_validate
from core.errors import CalibrationError, OptionError
from core.raters.ratings import Rating
from tests.support.made_ratings import made, result

NAN = float("nan")
RIDGE = ("ridge",)


def small(scores, *, documents=None, raters=("ash",), scale="raw"):
    """A rating of each translation by each rater: `scores` has a row a rater."""
    n = len(scores[0])
    features = features_of([{"bleu": result("bleu", float(place % 7))} for place in range(n)])
    ratings = [
        Rating(rater, place, float(score))
        for rater, row in zip(raters, scores, strict=True)
        for place, score in enumerate(row)
    ]
    return training(features, documents or [place // 6 for place in range(n)], ratings, scale)


def test_two_metrics_that_each_know_a_half_make_a_better_score_than_either(validated, data):
    assert validated.verdict == "reached"
    r = {name: one.value for name, one in validated.metrics.items()}
    assert validated.calibrated.value > max(r.values()) + 0.15  # r near .94 and .67
    assert validated.best == max(r, key=r.get)
    assert validated.calibrated.n == len(data) == 120
    assert data.gaps == 6
    assert validated.metrics["bertscore"].n == 114
    assert validated.calibrated.value == pytest.approx(
        stats.pearsonr(validated.people, validated.predicted)[0]
    )


@pytest.mark.slow
@pytest.mark.parametrize(("families", "scale"), [(RIDGE, "raw"), (RIDGE, "z"), (("boosting",), "z")])
def test_what_is_tested_on_cannot_change_what_is_learnt(families, scale):
    data = made(documents=5, of_each=16, scale=scale)
    rows = np.arange(64)
    values = data.features.values.copy()
    values[64:] = 1e6
    score = data.ratings.score.copy()
    items = np.array(data.ratings.items)[data.ratings.item]
    score[items >= 64] = -1e6
    other = replace(
        data, features=replace(data.features, values=values), ratings=replace(data.ratings, score=score)
    )
    first, second = (fit(one, rows, families=families, seed=4) for one in (data, other))
    new = np.random.default_rng(0).normal(size=(9, values.shape[1]))
    assert first.predict(new).tolist() == second.predict(new).tolist()
    assert first.errors == second.errors


def test_the_family_is_the_one_that_errs_least_inside_the_training_rows():
    data = made(documents=6, of_each=15)
    model = fit(data, np.arange(len(data)), seed=1)
    assert model.family == min(model.errors, key=model.errors.get)
    parts = model.by_family(data.features.values)
    assert parts["mean"] == pytest.approx((parts["ridge"] + parts["boosting"]) / 2)
    with pytest.raises(OptionError, match="no model “forest”"):
        check_families(["forest"])


def test_people_are_each_raters_z_scores_averaged():
    scores = [[10, 20, 30] * 10, [50, 50, 80] * 10]
    data = small(scores, raters=("ash", "beech"), scale="z")
    first, second = (stats.zscore(row, ddof=1) for row in np.array(scores, float))
    assert data.people() == pytest.approx((first + second) / 2)
    few = data.people(np.arange(3))
    expected = (np.array([-1, 0, 1]) + np.array([-1, -1, 2]) / np.sqrt(3)) / 2  # of these three alone
    assert few[:3] == pytest.approx(expected)
    assert np.isnan(few[3:]).all()


def test_one_rater_is_enough():
    data = small([[place * 7 % 31 for place in range(48)]], scale="z")
    assert len(cross_validate(data, families=RIDGE).folds) == 5


@pytest.mark.parametrize(
    ("scores", "documents", "scale", "reason", "sentence"),
    [
        ([range(29)], None, "raw", "few", "There are 29 rated translations"),
        ([range(40)], ["a"] * 20 + ["b"] * 20, "raw", "documents", "come from 2 documents"),
        ([[55] * 40], None, "raw", "equal", "All scores of people are equal"),
        ([[55] * 40], None, "z", "equal", "All scores of people are equal"),
        ([[55] * 40, [60] * 40], None, "z", "spread", "take raw scores"),
    ],
)
def test_too_little_is_said_in_one_sentence(scores, documents, scale, reason, sentence):
    with pytest.raises(CalibrationError, match=sentence) as caught:
        small(scores, documents=documents, raters=("ash", "beech")[: len(scores)], scale=scale)
    assert caught.value.reason == reason
    assert caught.value.message.count("\n") == 0


def test_a_constant_metric_and_people_it_knows_nothing_of_give_no_best():
    n = 40
    rows = [{"bleu": result("bleu", 1.0)} for _ in range(n)]
    ratings = [Rating("ash", place, float(place % 5)) for place in range(n)]
    data = training(features_of(rows), [place // 8 for place in range(n)], ratings, "raw")
    found = cross_validate(data, families=RIDGE)
    assert (found.best, found.verdict, found.metrics["bleu"].value) == (None, "none", None)


@pytest.mark.slow
def test_intervals_are_those_of_documents_drawn_anew():
    rng = np.random.default_rng(8)
    document = np.repeat(np.arange(6), 5)
    people = rng.normal(size=30)
    column, other = people + rng.normal(size=30), rng.normal(size=30)
    column[4] = NAN
    drawing = Bootstrap(people, document, seed=9)
    found, gain = drawing.correlation(column), drawing.gain(column, other)
    drawn = []
    for pick in np.random.default_rng(9).choice(6, (RESAMPLES, 6)):
        rows = np.concatenate([np.flatnonzero(document == name) for name in pick])
        rows = rows[rows != 4]
        drawn.append([stats.pearsonr(people[rows], one[rows])[0] for one in (column, other)])
    r, s = np.array(drawn).T
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(r, (0.025, 0.975))))
    assert (gain.low, gain.high) == pytest.approx(tuple(np.quantile(r - s, (0.025, 0.975))))
    assert (found.n, gain.n) == (29, 29)


def test_telling_documents_apart_is_no_gain_inside_them():
    """People like two documents of three better; a score that knows just that has no r inside any."""
    rng = np.random.default_rng(4)
    document = np.repeat(np.arange(9), 8)
    people = 10.0 * (document % 3 > 0) + rng.normal(size=72)
    knows_documents = (document % 3 > 0) + rng.normal(size=72) / 100
    knows_texts = people - 10.0 * (document % 3 > 0)
    drawing = Bootstrap(people, document, seed=0)
    assert drawing.gain(knows_documents, knows_texts).value > 0.5
    inside = drawing.inside_gain(knows_documents, knows_texts)
    by_hand = [stats.pearsonr(people[document == n], knows_documents[document == n])[0] for n in range(9)]
    assert drawing.inside(knows_texts).value == pytest.approx(1)
    assert inside.value == pytest.approx(np.mean(by_hand) - 1)
    assert inside.high < 0
    assert inside.n == 72


def test_with_fewer_than_five_documents_there_is_no_interval():
    rng = np.random.default_rng(8)
    people = rng.normal(size=40)
    one = Bootstrap(people, np.repeat(np.arange(4), 10), seed=0).correlation(people + rng.normal(size=40))
    assert one.value is not None
    assert (one.low, one.high) == (None, None)
