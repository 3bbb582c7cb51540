"""MTEQA end to end with a real, small language model: asked over HTTP, stored, replayed without a server."""

import gc
from dataclasses import replace

import pytest

from core.backends.judge.client import OpenAIJudge
from core.backends.judge.settings import JudgeSettings
from core.backends.judge.store import FileCalls
from core.metrics import find_metric
from core.types import Call, Message, TextPair

pytest.importorskip("xllamacpp", reason="pip install -r requirements-llm.txt")
pytestmark = [pytest.mark.llm, pytest.mark.embedded]
ALL = {"questions": "llm", "answers": "llm", "compare": "llm"}
PAIR = TextPair(
    reference="Mary sent John three letters in May.",
    hypothesis="In May John got 3 letters from Mary.",
    lang="en",
)
STATES = {"ok", "unparsed", "cut", "refused", "empty"}


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    from tests.support.llm_server import start

    server, url = start(tmp_path_factory.mktemp("gemma"))
    running = [server]
    del server
    yield url, running
    running.clear()
    gc.collect()


def judged(url, path):
    settings = JudgeSettings(
        model="gemma-3-270m", key="none", base_url=url, timeout=240, retries=0, at_once=1
    )
    return OpenAIJudge(settings, FileCalls(path))


def test_the_server_answers_a_plain_question_with_counted_tokens(endpoint, tmp_path):
    call = Call(messages=(Message("user", "Say hello."),), max_tokens=12)
    (reply,) = judged(endpoint[0], tmp_path / "calls.jsonl").ask([call])
    assert reply.state in STATES
    assert reply.prompt_tokens > 0


@pytest.mark.timeout(900)
def test_a_run_is_stored_and_replayed_with_the_server_stopped(endpoint, backends, tmp_path):
    url, running = endpoint
    path = tmp_path / "calls.jsonl"

    def run():
        ready = replace(backends, judge=lambda name: judged(url, path))
        return find_metric("mteqa").prepare(ALL, ready, [PAIR]).score(PAIR)

    first = run()
    assert first.trace.said
    assert {one.state for one in first.trace.said} <= STATES
    assert (first.score is None) == ("mteqa" not in first.parts)
    running.clear()  # the server stops
    gc.collect()
    again = run()
    assert (again.score, again.flags, again.parts) == (first.score, first.flags, first.parts)
    assert all(one.cached for one in again.trace.said)
