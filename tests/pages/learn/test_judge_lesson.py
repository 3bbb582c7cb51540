"""The lesson on judges: the paper's numbers, our guard, and what a small model really replied."""

from __future__ import annotations

import json

import pytest

from core.metrics.gemba.instructions import without
from core.metrics.gemba.metric import calls
from core.metrics.gemba.prompts import fingerprint
from pages.learn import stored
from pages.learn.examples import FLATTERIES, JUDGE, JUDGE_PROMPTS

pytestmark = pytest.mark.embedded


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        return start(lang, "pages/learn/judge.py")

    return opened


@pytest.mark.parametrize("words", JUDGE_PROMPTS.values())
@pytest.mark.parametrize("example", FLATTERIES, ids=lambda one: one.name)
def test_the_stored_replies_answer_the_prompts_as_they_are_now(example, words):
    """Run `PYTHONPATH=. python tools/lesson_judge.py` after a change that is meant."""
    plain, praised = (stored.judged(pair, words) for pair in example.pairs())
    for trace, pair in zip((plain, praised), example.pairs(), strict=True):
        (asked,) = calls("da", example.source, pair.hypothesis, example.lang, words=words)
        assert trace.given.text == pair.hypothesis
        assert trace.given.asked == fingerprint(asked)
        assert len(trace.given.samples[0].said.text) > 20
    assert plain.cleaned is None
    assert praised.cleaned.text == without(praised.given.text, praised.suspicious) == example.bad
    assert praised.cleaned.samples[0].said.text == plain.given.samples[0].said.text


def test_every_stored_judgement_is_the_named_models_and_has_the_score_of_its_trace():
    rows = [json.loads(one) for one in stored.JUDGE_FILE.read_text("utf-8").splitlines()]
    assert len(rows) == len(FLATTERIES) * len(JUDGE_PROMPTS) * 2
    for row in rows:
        assert f"|judge:{JUDGE}-seed" in row["signature"]
        assert row["score"] == row["parts"].get("da")
        assert (row["score"] is None) == (row["missing"] is not None)


@pytest.mark.parametrize(
    ("lang", "rose", "no_number"),
    [
        ("en", "GEMBA-MQM rose by 2.180; BLEU fell by 7.5.", "3 of 3 replies have no number"),
        ("ja", "GEMBA-MQM は2.180上がりました。BLEU は7.5下がりました。", "3つの返答のうち3つには数がなく"),
    ],
)
def test_the_papers_attack_comes_first_and_a_reply_without_a_number_is_no_score(
    lesson, html_of, lang, rose, no_number
):
    """ehiMetrick's table 8: GEMBA −3.30 to −1.12, BLEU 26.13 to 18.57."""
    at = lesson(lang)
    at.button(key="lesson-judge-change").click().run()
    assert not at.exception
    shown = html_of(at)
    assert rose in shown
    assert f"{JUDGE} " in shown
    assert no_number in shown
    assert shown.index(rose) < shown.index(no_number)


def test_a_text_that_the_model_was_not_shown_has_no_reply(lesson, html_of):
    at = lesson("en")
    at.text_area[0].set_value("Mr. Saito swam.").run()
    assert not at.exception
    assert "are for the prepared texts; this one was not shown to it." in html_of(at)
