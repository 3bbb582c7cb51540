"""Before a language model is asked: the cost is known, nothing is spent, and then all is asked at once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.backends.judge.client import CAP, Cap, OpenAIJudge, prompt_tokens
from core.backends.judge.settings import JudgeSettings, judge_settings
from core.metrics import find_metric
from core.scoring import ask_ahead, dollars, estimate, plan, score_prepared
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, FakeJudge, fake_backends
from tests.support.judge_server import ChatServer

CLEAN = "Critical:\nno-error\nMajor:\nno-error\nMinor:\nno-error"
REFERENCE = "Mary bought three books in May."
PAIRS = [
    TextPair(reference="", hypothesis=f"猫が{number}匹いる。", source=f"{number} cats.", lang="ja")
    for number in (1, 2, 3)
]


class Kept(dict):
    """A store in memory."""

    def find(self, keys):
        return {key: self[key] for key in keys if key in self}

    def keep(self, key, model, request, reply):
        self[key] = reply


@pytest.fixture
def server():
    servers = []

    def started(*script):
        servers.append(ChatServer(*script))
        return servers[-1]

    yield started
    for one in servers:
        one.__exit__()


def prepared(server, name="gemba-mqm", *, settings=None, backends=None, store=None, cap=CAP, at_once=4):
    own = JudgeSettings(
        model="small",
        key="k",
        base_url=server.base_url,
        prices=(2.0, 10.0),
        timeout=5,
        retries=0,
        at_once=at_once,
    )
    judge = OpenAIJudge(own, Kept() if store is None else store, cap=cap)
    ready = replace(backends or fake_backends(FakeEncoder({})), judge=lambda name: judge)
    return find_metric(name).prepare(settings or {}, ready, PAIRS)


def model(request):
    """A model that asks three questions, gives two answers and says `correct`."""
    system, asked = request["messages"][0]["content"], request["messages"][-1]["content"]
    if "You write reading-comprehension" in system:
        pairs = [("Mary", "Who?"), ("three", "How many?"), ("May", "When?")]
        return json.dumps({"pairs": [{"answer": answer, "question": asked} for answer, asked in pairs]})
    if "You answer a question" in system:
        return json.dumps({"answer": None if asked.startswith("When") else "Mary"})
    return json.dumps({"verdict": "correct", "reason": "The same."})


def test_the_cost_is_known_before_anything_is_asked(server):
    there = server(CLEAN)
    metric = prepared(there, settings={"samples": "2"})
    cost = estimate(metric.asks, PAIRS)
    calls = [call for pair in PAIRS for call in plan(metric.asks, pair).now]
    assert (cost.calls, cost.new, cost.completion_tokens) == (6, 6, 6 * 1024)
    assert cost.prompt_tokens == sum(prompt_tokens(call) for call in calls)
    assert there.requests == []


def test_after_asking_ahead_nothing_is_left_and_the_score_asks_nobody(server):
    there = server(CLEAN)
    metric = prepared(there)
    seen = []
    ask_ahead(metric.asks, PAIRS, progress=lambda done, total: seen.append((done, total)))
    assert (len(there.requests), seen[-1]) == (3, (3, 3))
    assert estimate(metric.asks, PAIRS).new == 0
    assert [metric.score(pair).score for pair in PAIRS] == [0, 0, 0]
    assert len(there.requests) == 3


@pytest.mark.slow
@pytest.mark.embedded
def test_calls_that_follow_from_replies_count_at_most_eight_questions_answers_and_marks(server, backends):
    there = server(model)
    steps = {"questions": "llm", "answers": "llm", "compare": "llm"}
    metric = prepared(there, "mteqa", settings=steps, backends=backends)
    pair = TextPair(reference=REFERENCE, hypothesis="In June, Mary bought 3.", lang="en")
    before = estimate(metric.asks, [pair])
    assert before.new == 1 + 8 + 8
    ask_ahead(metric.asks, [pair])
    assert len(there.requests) == 1 + 3 + 2  # one question found no answer, so there is nothing to mark
    assert plan(metric.asks, pair).now == ()
    assert metric.score(pair).score == pytest.approx(2 / 3)
    assert len(there.requests) == 6
    assert before.prompt_tokens > 17 / 6 * sum(len(str(one["messages"])) // 8 for one in there.requests)


@pytest.mark.slow
@pytest.mark.embedded
def test_questions_by_rules_are_known_so_only_their_answers_and_marks_are_counted(server, backends):
    metric = prepared(server(model), "mteqa", settings={"answers": "llm"}, backends=backends)
    pair = TextPair(reference=REFERENCE, hypothesis="In June, Mary bought 3.", lang="en")
    asked = plan(metric.asks, pair)
    assert len(asked.now) == len(metric.score(pair).trace.asked)
    assert asked.later == ()


def test_one_cap_holds_for_the_whole_run(server):
    there = server(CLEAN)
    metric = prepared(there, cap=Cap(calls=2), at_once=1)
    results = [row[0] for row in score_prepared(PAIRS, [metric])]
    assert len(there.requests) == 2
    assert [one.score for one in results] == [0, 0, None]
    assert "cap" in results[2].missing


def test_a_refused_key_is_tried_once_in_a_run(server):
    there = server(401)
    results = [row[0] for row in score_prepared(PAIRS, [prepared(there, at_once=1)])]
    assert len(there.requests) == 1
    assert {one.missing for one in results} == {
        "The language model's endpoint refused the key (OPENAI_API_KEY)."
    }


def test_a_call_that_failed_is_not_made_again_in_the_same_run_but_in_the_next(server):
    there, store = server(500, CLEAN), Kept()
    first = prepared(there, store=store)
    ask_ahead(first.asks, PAIRS[:1])
    assert first.score(PAIRS[0]).missing == "The endpoint failed (500)."
    assert len(there.requests) == 1
    assert prepared(there, store=store).score(PAIRS[0]).score == 0


def test_a_run_that_is_stopped_keeps_what_was_answered(server):
    there, store = server(CLEAN), Kept()

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_ahead(prepared(there, store=store, at_once=1).asks, PAIRS, progress=stop)
    assert estimate(prepared(there, store=store).asks, PAIRS).new <= 1
    assert len(store) >= 2


def test_a_price_makes_dollars_of_tokens(server):
    asking = prepared(server(CLEAN)).asks
    assert dollars(asking.judge, 1_000_000, 500_000) == pytest.approx(2 + 5)
    assert dollars(FakeJudge([""]), 1, 1) is None


@pytest.mark.parametrize(
    ("written", "prices"),
    [("0.15/0.60", (0.15, 0.6)), ("2 / 8", (2, 8)), ("", None), ("cheap", None), ("-1/2", None)],
)
def test_prices_are_two_numbers_or_nothing(written, prices):
    names = {"YOMIKURABE_MODEL": "small", "OPENAI_API_KEY": "k", "YOMIKURABE_PRICES": written}
    assert judge_settings(names).prices == prices
