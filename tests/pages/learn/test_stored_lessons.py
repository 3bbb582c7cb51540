"""The stored scores of the lessons are those that the metrics give now, and the verdicts follow from them."""

from __future__ import annotations

import pytest

from core.metrics import find_metric
from core.types import Result, TextPair
from pages.learn import stored, verdict
from pages.learn.examples import AB_METRICS, VERSIONS, asked

pytestmark = pytest.mark.embedded


@pytest.fixture
def shared(backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    return backends


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_stored_scores_are_what_their_metrics_give_now(shared, step):
    """Run `PYTHONPATH=. python tools/lesson_scores.py` after a change that is meant."""
    checked = 0
    for one in list(asked())[::step]:
        scorer = find_metric(one.metric).prepare(one.settings, shared, [one.pair])
        kept = stored.of(one.pair).find(one.metric, scorer.signature)
        assert kept is not None, (one.metric, one.pair, scorer.signature)
        assert kept.trace.parts() == pytest.approx(dict(kept.parts), abs=1e-6)
        fresh = scorer.score(one.pair)
        assert kept.score == pytest.approx(fresh.score, abs=1e-5), (one.metric, one.pair)
        assert kept.flags == fresh.flags
        checked += 1
    assert checked > 200 // step


def scores(name, kind):
    versions = next(one for one in VERSIONS if one.name == name)
    return {metric: stored.score(metric, versions.pair(kind)).score for metric in AB_METRICS}


def test_the_teachers_three_translations_have_the_figures_that_she_measured(shared):
    """BERTScore: opposite .963, wrong name .933, good paraphrase .900; MTEQA .917, .750, .750."""
    measured = {"negation": (0.963, 0.917), "name": (0.933, 0.750), "paraphrase": (0.900, 0.750)}
    for kind, (bertscore, mteqa) in measured.items():
        found = scores("bridge-ja", kind)
        assert found["bertscore"] == pytest.approx(bertscore, abs=0.0005)
        assert found["mteqa"] == pytest.approx(mteqa, abs=0.0005)


def test_every_metric_prefers_the_opposite_to_the_paraphrase_in_the_teachers_example(shared):
    opposite, paraphrase = scores("bridge-ja", "negation"), scores("bridge-ja", "paraphrase")
    assert [name for name in AB_METRICS if opposite[name] > paraphrase[name]] == list(AB_METRICS)


def result(metric, score):
    return Result(metric=metric, score=score, signature="")


def moved(before, after):
    found = ({name: result(name, score) for name, score in one.items()} for one in (before, after))
    return verdict.changes(*found)


@pytest.fixture
def english(monkeypatch):
    monkeypatch.setattr("pages.ui.state.language", lambda: "en")


def test_the_verdict_names_what_rose_what_fell_and_what_stood_still(english):
    changes = moved(
        {"bleu": 9.425, "bertscore": 0.8714, "mteqa": 1.0, "chrf": 40.0},
        {"bleu": 11.99, "bertscore": 0.8861, "mteqa": 0.8, "chrf": 40.04},
    )
    assert verdict.sentence(changes, "broken") == (
        "The meaning is broken; BLEU rose by 2.6, BERTScore F by 0.015; MTEQA fell by 0.200; "
        "chrF did not move."
    )
    assert verdict.finding(changes, "broken") == "2 of 4 numbers rose for a worse translation."
    assert verdict.finding(changes, "repaired") == "1 of 4 numbers fell for a better translation."
    assert verdict.finding(changes, None) == ""


def test_the_amount_is_the_difference_of_the_numbers_as_shown(english):
    """0.8704 and 0.8716 are shown as 0.870 and 0.872: the reader subtracts 0.002, not 0.001."""
    (one,) = moved({"bertscore": 0.8704}, {"bertscore": 0.8716})
    assert one.amount == 0.002


def test_all_right_and_meaning_kept_and_missing_scores(english):
    changes = moved({"bleu": 9.0, "mteqa": 0.5}, {"bleu": 8.0, "mteqa": 0.25})
    assert verdict.finding(changes, "broken").startswith("All 2 numbers moved the right way")
    assert verdict.finding(changes, "kept") == "2 of 2 numbers fell although the meaning is the same."
    none = verdict.changes({"bleu": result("bleu", None)}, {"bleu": result("bleu", 1.0)})
    assert none == []
    assert verdict.sentence([], None) == ""


def test_a_text_that_a_reader_typed_has_nothing_stored():
    assert not stored.of(TextPair(reference="犬。", hypothesis="猫。", lang="ja")).rows
