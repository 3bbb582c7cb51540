"""What a model is made of: folds, gaps, ridge, trees; by hand and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import Ridge

from core.calibration import model
from core.calibration.features import features_of, values_of
from core.calibration.model import Preparation, fit_ridge, folds_of, grow
from core.errors import CalibrationError
from tests.support.made_ratings import result

NAN = float("nan")
RNG = np.random.default_rng(5)
DATA = RNG.normal(size=(120, 6))
PEOPLE = DATA[:, 0] - np.maximum(DATA[:, 1], 0) + RNG.normal(size=120) / 3


@pytest.mark.parametrize("seed", range(5))
def test_folds_share_no_document_and_test_every_translation_once(seed):
    document = np.random.default_rng(seed).integers(0, 17, 200)
    folds = folds_of(document, 5, seed)
    assert sorted(np.concatenate([fold.test for fold in folds]).tolist()) == list(range(200))
    for fold in folds:
        assert not set(document[fold.train].tolist()) & set(document[fold.test].tolist())
        assert len(fold.train) + len(fold.test) == 200


def test_folds_are_of_one_size_where_documents_allow_it():
    document = np.repeat([0, 1, 2, 3], [4, 3, 2, 1])
    assert [len(fold.test) for fold in folds_of(document, 2, 0)] == [5, 5]  # 4 + 1 and 3 + 2
    assert len(folds_of(document, 9, 0)) == 4


def test_a_gap_is_filled_with_the_mean_and_has_a_mark_of_its_own():
    ready = Preparation.of(np.array([[1.0], [3.0], [NAN]]))
    assert ready.mean.tolist() == [2.0]
    expected = [
        [-1.2247449, -0.7071068],
        [1.2247449, -0.7071068],
        [0.0, 1.4142136],
    ]  # sd of 1, 3, 2: sqrt(2/3)
    assert ready.apply(np.array([[1.0], [3.0], [NAN]])) == pytest.approx(np.array(expected))


def test_a_gap_that_no_training_row_had_is_told():
    ready = Preparation.of(np.array([[1.0, NAN], [2.0, 5.0], [4.0, 6.0]]))
    assert ready.unmet(np.array([[1.0, NAN], [NAN, 1.0], [1.0, 1.0]])).tolist() == [False, True, False]


def test_a_feature_that_never_varies_or_is_never_there_counts_for_nothing():
    ready = Preparation.of(np.array([[7.0, NAN], [7.0, NAN]]))
    assert ready.apply(np.array([[7.0, NAN]])).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("alpha", [1.0, 31.6, 1000.0])
def test_the_ridge_is_that_of_scikit_learn(alpha):
    (ours,) = fit_ridge(DATA, PEOPLE, [alpha])
    theirs = Ridge(alpha=alpha).fit(DATA, PEOPLE)
    assert ours.predict(DATA) == pytest.approx(theirs.predict(DATA), abs=1e-10)


def test_trees_read_as_plain_numbers_say_what_scikit_learn_says():
    ours = grow(DATA, PEOPLE, depth=3, trees=40, seed=2)
    theirs = GradientBoostingRegressor(
        n_estimators=40, learning_rate=model.RATE, max_depth=3, min_samples_leaf=model.MIN_LEAF,
        subsample=model.SUBSAMPLE, max_features=model.SHARE_OF_FEATURES, random_state=2,
    ).fit(DATA, PEOPLE)  # fmt: skip
    new = np.random.default_rng(6).normal(size=(500, 6))
    assert ours.predict(new) == pytest.approx(theirs.predict(new), abs=1e-12)
    stages = list(theirs.staged_predict(new))
    first, last = ours.staged(new, (10, 40))
    assert first == pytest.approx(stages[9], abs=1e-12)
    assert last == pytest.approx(stages[39], abs=1e-12)


def test_features_are_scores_parts_flags_and_lengths_in_a_fixed_order():
    rows = [
        {
            "chrf": result("chrf", 0.5, parts={"chrf": 0.5, "recall": 0.25}),
            "bertscore": result("bertscore", 0.9, parts={"f1": 0.9, "recall": 0.8}, flags=("windowed",)),
        },
        {
            "chrf": result("chrf", None),
            "bertscore": result("bertscore", 0.7, parts={"recall": 0.6}, flags=("empty-hypothesis",)),
        },
    ]  # fmt: skip
    found = features_of(rows, [(9, 9), (3, 0)])
    assert found.names == (
        "chrf", "chrf.recall", "bertscore", "bertscore.recall", "bertscore#windowed",
        "text.reference", "text.hypothesis", "text.ratio", "text#empty-hypothesis",
    )  # fmt: skip
    ten, four = np.log(10), np.log(4)  # of the lengths, and one
    expected = [[0.5, 0.25, 0.9, 0.8, 1, ten, ten, 0, 0], [NAN, NAN, 0.7, 0.6, 0, four, 0, -four, 1]]
    assert found.values == pytest.approx(np.array(expected), nan_ok=True)
    assert values_of(("chrf", "mteqa"), rows, None) == pytest.approx(
        np.array([[0.5, NAN], [NAN, NAN]]), nan_ok=True
    )


def test_scores_made_in_two_ways_are_refused():
    other = result("chrf", 0.5)
    rows = [{"chrf": other}, {"chrf": type(other)(metric="chrf", score=0.4, signature="chrf|v2")}]
    with pytest.raises(CalibrationError, match="chrf have two signatures") as caught:
        features_of(rows)
    assert caught.value.reason == "signatures"


def test_a_metric_without_any_score_is_left_out_and_told():
    found = features_of([{"bleu": result("bleu", 1.0), "mteqa": result("mteqa", None)}])
    assert (found.metrics, found.empty) == (("bleu",), ("mteqa",))
    with pytest.raises(CalibrationError, match="No metric has a score"):
        features_of([{"mteqa": result("mteqa", None)}])
