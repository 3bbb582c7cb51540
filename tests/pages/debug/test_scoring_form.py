"""Scoring a campaign from a page: options, cost, and a run that goes on when the page is left."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.backends.registry import load_backends
from core.metrics import METRICS
from core.metrics.base import Metric, Option, Scorer
from core.metrics.surface import BleuTrace
from core.types import Result
from db.queries import DatabaseCalls, list_campaigns, scores_of_campaign
from tests.support.judge_server import ChatServer
from tests.support.widgets import when_scored


def slow(settings, backends, pairs):
    def compute(pair, fetched):
        time.sleep(0.02)
        return Result(metric="slow", score=0.5, parts={"slow": 0.5}, signature="slow|v1")

    return Scorer(compute=compute, signature="slow|v1")


SLOW = Metric(
    name="slow",
    summary="Waits.",
    paper="none",
    headline="slow",
    low=0.0,
    high=1.0,
    trace=BleuTrace,
    build=slow,
    options=(Option(name="pause", default="20", summary="Milliseconds."),),
)


def rated(engine):
    """The demo campaign with ratings: one hundred translations."""
    return next(one.id for one in list_campaigns(engine) if one.n_ratings)


def form(start, engine, names, lang="en"):
    """The page *Systems* of the rated campaign with these metrics chosen in the form."""
    at = start(lang, "pages/debug/systems/page.py")
    at.selectbox(key="campaign-systems").set_value(rated(engine)).run()
    at.multiselect(key=f"score-metrics-{rated(engine)}").set_value(names).run()
    assert not at.exception
    return at


def test_a_run_is_seen_and_stopped_from_another_page_and_keeps_what_it_scored(start, engine, monkeypatch):
    monkeypatch.setitem(METRICS, "slow", SLOW)
    form(start, engine, ["slow"]).button(key="score-run").click().run()
    other = start("en", "pages/home/front/page.py")
    other.button(key="run-stop").click().run()
    other = when_scored(other)
    stored = len(scores_of_campaign(engine, rated(engine)))
    assert 0 < stored < 100
    shown = [one.value for one in other.markdown] + [one.body for one in other.get("html")]
    assert any(f"Stopped: {stored} of 100 scores are stored" in text for text in shown)
    other.button(key="run-close").click().run()
    assert not [one for one in other.button if one.key == "run-close"]


def test_a_second_run_is_refused_while_one_goes_on(start, engine, monkeypatch):
    monkeypatch.setitem(METRICS, "slow", SLOW)
    form(start, engine, ["slow"]).button(key="score-run").click().run()
    second = form(start, engine, ["chrf"])
    second.button(key="score-run").click().run()
    assert "Another run goes on" in second.error[0].value
    second.button(key="run-stop").click().run()
    when_scored(second)


def test_an_option_that_is_set_stands_in_the_signature(start, engine):
    at = form(start, engine, ["bleu"])
    chosen = rated(engine)
    at.segmented_control(key=f"score-metrics-{chosen}-bleu-tokenize").set_value("char").run()
    at.button(key="score-run").click().run()
    when_scored(at)
    (signature,) = {one.signature for one in scores_of_campaign(engine, chosen)}
    assert "tok:char" in signature


@pytest.mark.slow
def test_a_judge_is_asked_only_after_its_cost_was_read(start, engine, monkeypatch, backends, html_of):
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    real = load_backends(calls=DatabaseCalls(engine))
    monkeypatch.setattr("pages.ui.models.backends", lambda: replace(backends, judge=real.judge))
    with ChatServer("70") as server:
        for name, value in {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "sk-secret",
            "YOMIKURABE_MODEL": "small",
            "YOMIKURABE_PRICES": "2/10",
        }.items():
            monkeypatch.setenv(name, value)
        at = form(start, engine, ["gemba-da"])
        at.button(key="score-run").click().run()
        assert "At most 100 calls of small (0 more are stored)" in html_of(at)
        assert not server.requests
        at.button(key="score-ask").click().run()
        when_scored(at)
    scores = scores_of_campaign(engine, rated(engine))
    assert [one.score for one in scores] == [70.0] * 100
