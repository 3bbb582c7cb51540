"""A second round of questions about what is left, and answers compared by a metric from outside."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from core.backends.external import run_external
from core.backends.judge.client import OpenAIJudge
from core.backends.judge.settings import JudgeSettings
from core.errors import OptionError
from core.metrics import find_metric
from core.metrics.mteqa.judge import Pair, uncovered
from core.scoring import Request, new_costs, score_pairs
from core.types import TextPair
from tests.support.judge_server import ChatServer

pytestmark = pytest.mark.embedded
SEA = "The old sailor slowly opened the heavy door and looked at the grey sea."


def prepared(backends, pairs, **settings):
    return find_metric("mteqa").prepare(settings, backends, pairs)


def test_the_second_round_asks_for_the_words_that_no_answer_of_the_first_covers(backends):
    pair = TextPair(reference=SEA, hypothesis=SEA.replace("slowly", "quickly"), lang="en")
    once, twice = (prepared(backends, [pair], rounds=rounds).score(pair) for rounds in ("1", "2"))
    assert twice.trace.asked[: twice.trace.first] == once.trace.asked
    (added,) = twice.trace.asked[twice.trace.first :]
    assert added.question == "The old sailor ____ opened the heavy door and looked at the grey sea."
    assert (added.expected, added.given, added.verdict) == ("slowly", "quickly", 0)
    assert twice.parts["again"] == 1
    assert twice.parts["first_coverage"] == once.parts["coverage"] < twice.parts["coverage"]
    n = once.parts["questions"]
    assert twice.score == pytest.approx(once.score * n / (n + 1))
    assert "|rounds:2|" in twice.signature
    assert "rounds" not in once.signature


def test_the_parts_that_are_left_stand_between_the_answers():
    assert uncovered("Mary sent 3 letters.", [Pair(0, 4, "Who?"), Pair(10, 11, "How many?")]) == [
        "sent",
        "letters.",
    ]
    assert uncovered("猫。", [Pair(0, 1, "何？")]) == []


class Kept(dict):
    def find(self, keys):
        return {key: self[key] for key in keys if key in self}

    def keep(self, key, model, request, reply):
        self[key] = reply


def test_a_model_is_shown_what_is_left_and_the_cost_said_before_holds_both_rounds(backends):
    def model(request):
        system, asked = (request["messages"][place]["content"] for place in (0, -1))
        if "no question asks about yet" in system:
            assert "sent John" in asked
            return json.dumps({"pairs": [{"answer": "John", "question": "Who got letters?"}]})
        if "You write reading" in system:
            return json.dumps({"pairs": [{"answer": "Mary", "question": "Who sent letters?"}]})
        return json.dumps({"answer": "Mary" if "Who sent" in asked else "John"})

    pair = TextPair(reference="Mary sent John letters.", hypothesis="John heard from Mary.", lang="en")
    with ChatServer(model) as server:
        own = JudgeSettings(model="small", key="k", base_url=server.base_url, timeout=5, retries=0)
        ready = replace(backends, judge=lambda name: OpenAIJudge(own, Kept()))
        scorer = prepared(ready, [pair], questions="llm", answers="llm", rounds="2", most="3")
        ((_, cost),) = new_costs([scorer], [pair])
        result = scorer.score(pair)
    assert [(one.expected, one.verdict) for one in result.trace.asked] == [("Mary", 1), ("John", 1)]
    assert [one.step for one in result.trace.said] == ["questions", "again", "answers", "answers"]
    assert (result.trace.first, len(server.requests)) == (1, 4)
    assert cost.new == 1 + 1 + 2 * 3


LETTERS = """import json, sys
open("started", "a").write("x")
for line in sys.stdin:
    one = json.loads(line)
    a, b = set(one["reference"]), set(one["hypothesis"])
    print(2 * len(a & b) / len(a | b) - 1 if a != set("30") else None)
"""


@pytest.fixture
def letters(tmp_path, monkeypatch):
    """A metric from -1 to 1: the share of letters in common."""
    (tmp_path / "letters.py").write_text(LETTERS)
    described = (
        f'[letters]\ncommand = ["{sys.executable}", "letters.py"]\nneeds = ["reference"]\nlow = -1.0\n'
    )
    file = tmp_path / "external.toml"
    file.write_text(described + '[sees]\ncommand = ["x"]\nneeds = ["source"]\n')
    monkeypatch.setenv("YOMIKURABE_EXTERNAL", str(file))
    return tmp_path


def test_a_metric_from_outside_marks_the_answers_of_all_pairs_in_one_process(backends, letters):
    pairs = [
        TextPair(reference="Tom bought a house in Bath.", hypothesis="Tom bought a home in Bath.", lang="en"),
        TextPair(reference="Ann sold 30 cows in May.", hypothesis="Ann sold 30 hens in May.", lang="en"),
    ]
    ready = replace(backends, outsider=run_external)
    request = Request("mteqa", {"compare": "external:letters"})
    first, second = (row[0] for row in score_pairs(pairs, [request], ready))
    verdicts = {one.expected: one.verdict for one in (*first.trace.asked, *second.trace.asked)}
    assert verdicts["house"] == pytest.approx(3 / 6)  # h o e of h o u s e m
    assert verdicts["Tom"] == 1
    assert [one.usable for one in second.trace.asked if one.expected == "30"] == [False]
    assert second.parts["unusable"] == 1
    assert "|compare:external:letters@" in first.signature
    assert (letters / "started").read_text() == "x"


def test_a_metric_that_needs_the_source_cannot_compare_answers(backends, letters):
    with pytest.raises(OptionError, match="needs the reference alone"):
        prepared(backends, [], compare="external:sees")
    with pytest.raises(OptionError, match="external:NAME"):
        prepared(backends, [], compare="bleurt")
