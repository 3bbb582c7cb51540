from __future__ import annotations

import math

import pytest
from sqlalchemy.exc import IntegrityError

from db.queries import list_translations, scores_of_translation, store_scores
from db.records import ScoreRow


@pytest.fixture
def translation(engine, campaign) -> int:
    return list_translations(engine, campaign)[0].id


def row(translation: int, **given: object) -> ScoreRow:
    return ScoreRow(
        **{"translation_id": translation, "metric": "chrf", "signature": "chrf|v1", "score": 0.5, **given}
    )


def test_a_score_comes_back_with_its_parts_flags_and_trace(engine, translation):
    stored = row(
        translation,
        score=0.0,
        parts={"precision": 0.25},
        flags=("windowed",),
        trace={"v": 1, "words": ["𠮷", None]},
    )
    assert store_scores(engine, [stored]) == 1
    assert scores_of_translation(engine, translation) == [stored]


def test_a_score_of_the_same_signature_is_replaced_and_another_one_kept(engine, translation):
    store_scores(engine, [row(translation, score=0.1), row(translation, signature="chrf|v2", score=0.2)])
    store_scores(engine, [row(translation, score=0.9), row(translation, metric="bleu", score=0.3)])
    found = [(one.metric, one.signature, one.score) for one in scores_of_translation(engine, translation)]
    assert found == [("chrf", "chrf|v2", 0.2), ("chrf", "chrf|v1", 0.9), ("bleu", "chrf|v1", 0.3)]


def test_no_score_comes_back_as_none_with_its_reason(engine, translation):
    missing = row(translation, score=None, missing="no parser")
    store_scores(engine, [missing])
    assert scores_of_translation(engine, translation) == [missing]


@pytest.mark.parametrize(
    "given", [{"score": math.nan}, {"score": math.inf}, {"score": None}, {"missing": "why"}]
)
def test_a_number_that_is_none_and_a_missing_reason_are_programming_errors(engine, translation, given):
    with pytest.raises(ValueError, match="chrf"):
        store_scores(engine, [row(translation, score=0.3), row(translation, signature="x", **given)])
    assert scores_of_translation(engine, translation) == []


def test_a_nan_in_the_parts_is_not_stored(engine, translation):
    with pytest.raises(ValueError, match="NaN"):
        store_scores(engine, [row(translation, parts={"f1": math.nan})])


def test_scores_of_an_unknown_translation_are_refused_together(engine, translation):
    with pytest.raises(IntegrityError):
        store_scores(engine, [row(translation), row(10**6)])
    assert scores_of_translation(engine, translation) == []


def test_storing_nothing_is_fine(engine):
    assert store_scores(engine, []) == 0
