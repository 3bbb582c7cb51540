"""The hack lab as a reader meets it: edits on one another, by hand, for a campaign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.backends.registry import load_backends
from db.queries import DatabaseCalls
from tests.support.judge_server import ChatServer

pytestmark = [pytest.mark.embedded, pytest.mark.slow]


@pytest.fixture
def lab(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en"):
        at = start(lang, "pages/debug/hacks/page.py")
        assert not at.exception
        return at

    return opened


@pytest.mark.parametrize(("lang", "words"), [("en", "put in"), ("ja", "加わった")])
def test_an_edit_is_seen_in_the_text_in_the_lines_and_in_the_steps(lab, html_of, lang, words):
    at = lab(lang)
    shown = html_of(at)
    assert "。。。。。。。" in shown
    assert words in shown
    assert not at.error


def test_edits_lie_one_on_the_other_and_one_that_cannot_be_made_says_so(lab, html_of):
    at = lab()
    at.multiselect(key="hack-edits").set_value(["copy-source", "repeat"]).run()
    assert not at.exception
    shown = html_of(at)
    assert "may or may not break the meaning" in shown
    at.segmented_control(key="pair-origin").set_value("typed").run()
    assert "This edit needs the source text; there is none." in html_of(at)


def test_what_is_typed_by_hand_is_scored(lab, html_of):
    at = lab()
    at.multiselect(key="hack-edits").set_value([]).run()
    at.toggle(key="hack-by-hand").set_value(True).run()
    (field,) = [one for one in at.text_area if one.key.startswith("hack-hand")]
    field.set_value("").run()
    assert not at.exception
    shown = html_of(at)
    assert "(empty text)" in shown
    at.segmented_control(key="hack-metric").set_value("bleu").run()
    assert "words or letters in a row" in html_of(at)


def test_a_campaign_has_its_scores_its_ranks_and_who_is_fooled(lab, html_of):
    at = lab()
    at.session_state["hack-tabs"] = "A campaign"
    at.run()
    (count,) = [one for one in at.number_input if one.label == "Segments"]
    count.set_value(2)
    edits, metrics = (
        next(one for one in at.multiselect if one.label == label)
        for label in ("Edits, one on the other", "Metrics")
    )
    edits.set_value(["maru-7", "copy-source", "flip-negation"])
    metrics.set_value(["bleu", "chrf"])
    at.button(key="hack-lab-run").click().run()
    assert not at.exception
    shown = html_of(at)
    assert "Segments: 2" in shown
    assert "the source itself" in shown
    assert "Mean rank" in shown


def test_on_the_pair_page_another_translation_is_taken_apart_the_same_way(pair_page, html_of):
    at = pair_page(tab="Diff")
    shown = html_of(at)
    assert "The other one" in shown
    assert "meets" in shown
    (other,) = [one for one in at.selectbox if one.label == "Compare with"]
    other.set_value("typed").run()
    at.text_area(key="diff-typed").set_value("全然違う文です。").run()
    assert not at.exception
    assert "全然違う文です。" in html_of(at)


def gemba(request):
    """Praise in the translation buys a perfect score; else there is one major error."""
    praised = "professional" in request["messages"][-1]["content"]
    return "no-error" if praised else 'Major:\naccuracy/mistranslation - "x"'


def test_a_judge_is_attacked_once_its_cost_was_agreed_to(lab, engine, backends, monkeypatch, html_of):
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    real = load_backends(calls=DatabaseCalls(engine))
    monkeypatch.setattr("pages.ui.models.backends", lambda: replace(backends, judge=real.judge))
    with ChatServer(gemba) as server:
        monkeypatch.setenv("YOMIKURABE_MODEL", "small")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        at = lab()
        at.session_state["hack-tabs"] = "A campaign"
        at.run()
        next(one for one in at.number_input if one.label == "Segments").set_value(1)
        next(one for one in at.multiselect if one.label == "Edits, one on the other").set_value(
            ["professional"]
        )
        names = next(one for one in at.multiselect if one.label == "Metrics").set_value(["gemba-mqm", "chrf"])
        at.run()
        at.text_input(key=f"{names.key}-gemba-mqm-prompt").set_value("unguarded").run()
        at.button(key="hack-lab-run").click().run()
        assert not at.exception
        assert not server.requests
        assert "calls of small" in html_of(at)
        at.button(key="hack-lab-ask").click().run()
        assert not at.exception
    shown = html_of(at)
    said = [one["messages"][-1]["content"] for one in server.requests]
    assert sum("professional" in one for one in said) == 1  # of several systems one has praise
    assert "0.000 (+5.000)" in shown
