"""Contrast sets on the page: options of metrics, a judge whose cost is told first, an external metric."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from core.assets import ROOT
from core.backends.registry import load_backends
from db.queries import DatabaseCalls
from tests.support.judge_server import ChatServer

PAIRS = (
    "phenomenon\tref\tgood\tbad\tsrc",
    "number\tThe book costs 21 pounds.\tThe price is 21 pounds.\tThe book costs 12 pounds.\t本は21ポンドだ。",
    "unit\tIt is 17 km away.\tIt is 17 kilometres away.\tIt is 17 m away.\t17キロ離れている。",
)


@pytest.fixture
def page(start, tmp_path, monkeypatch):
    """The tab, with two pairs for the set that comes with the program."""
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(PAIRS) + "\n", "utf-8")
    monkeypatch.setattr("pages.debug.meta.contrast.SHIPPED", path)

    def opened(*metrics, lang="en"):
        at = start(lang, "pages/debug/meta/page.py")
        at.segmented_control(key="meta-what").set_value("contrast").run()
        at.multiselect(key="contrast-metrics").set_value(list(metrics)).run()
        assert not at.exception
        return at

    return opened


def signed(at):
    return [one.value for one in at.code]


def test_a_metric_is_run_with_the_options_that_were_chosen_and_signs_with_them(page):
    at = page("chrf", "bleu")
    at.button(key="contrast-run").click().run()
    assert [one.startswith(("chrf|nc:6|nw:0|", "bleu|tok:13a|")) for one in signed(at)] == [True, True]
    at.segmented_control(key="contrast-metrics-chrf-word_order").set_value("2").run()
    at.button(key="contrast-run").click().run()
    assert not at.exception
    assert [one.partition("|beta")[0] for one in signed(at)][:1] == ["chrf|nc:6|nw:2"]


def judge(request):
    """The translation with the wrong number and the wrong unit have a major error."""
    said = request["messages"][-1]["content"]
    wrong = "costs 12 pounds" in said or "17 m away" in said
    return 'Major:\naccuracy/mistranslation - "x"' if wrong else "no-error"


def test_a_judge_is_asked_once_its_cost_was_agreed_to(page, engine, backends, monkeypatch, html_of):
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    real = load_backends(calls=DatabaseCalls(engine))
    monkeypatch.setattr("pages.ui.models.backends", lambda: replace(backends, judge=real.judge))
    with ChatServer(judge) as server:
        monkeypatch.setenv("YOMIKURABE_MODEL", "small")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        at = page("gemba-mqm", "chrf")
        at.button(key="contrast-run").click().run()
        assert not at.exception
        assert not server.requests
        assert "4 calls of small" in html_of(at)  # two translations of two references
        at.button(key="contrast-ask").click().run()
        assert not at.exception
    assert len(server.requests) == 4
    assert "1.00 (2 / 0 / 0 / 0)" in html_of(at)
    assert signed(at)[0].startswith("gemba-mqm|")


def test_a_metric_from_outside_is_run_like_any_other(page, tmp_path, monkeypatch, html_of):
    command = json.dumps([sys.executable, str(ROOT / "tests" / "support" / "outside_metric.py"), "plain"])
    path = tmp_path / "external.toml"
    path.write_text(f'[small]\ncommand = {command}\nneeds = ["reference"]\n', "utf-8")
    monkeypatch.setenv("YOMIKURABE_EXTERNAL", str(path))
    at = page("external:small")
    at.button(key="contrast-run").click().run()
    assert not at.exception
    # the letters that the reference has, too: 20 of 23 and 20 of 25 of the good ones, all of the bad ones
    assert "−1.00 (0 / 2 / 0 / 0)" in html_of(at)
    assert signed(at)[0].startswith("external:small|")
