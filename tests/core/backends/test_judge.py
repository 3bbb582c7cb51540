"""The judge against a real server on loopback that behaves well, badly, or not at all."""

import threading
import time

import pytest

from core.backends.judge.client import CAP, Cap, OpenAIJudge, prompt_tokens
from core.backends.judge.settings import JudgeSettings, judge_settings
from core.backends.registry import why_not
from core.errors import UnavailableError
from core.types import Call, Message
from tests.support.judge_server import ChatServer

KEY = "sk-secret-123"
SCHEMA = {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]}


class Kept:
    """A store in memory that shows what was kept."""

    def __init__(self):
        self.rows = {}

    def find(self, keys):
        return {key: self.rows[key][2] for key in keys if key in self.rows}

    def keep(self, key, model, request, reply):
        self.rows[key] = (model, request, reply)


@pytest.fixture
def server():
    servers = []

    def started(*script, **how):
        servers.append(ChatServer(*script, **how))
        return servers[-1]

    yield started
    for one in servers:
        one.__exit__()


def judge(server, store=None, *, cap=CAP, **how):
    settings = JudgeSettings(model="small", key=KEY, base_url=server.base_url, **({"timeout": 5.0} | how))
    return OpenAIJudge(settings, store if store is not None else Kept(), cap=cap)


def call(text="How good?", **how):
    return Call(messages=(Message("user", text),), **how)


def test_a_call_is_sent_as_it_is_and_its_reply_comes_back_with_its_tokens(server):
    there = server('{"score": 80}')
    (reply,) = judge(there).ask([call("訳は？", schema=SCHEMA)])
    assert (reply.state, reply.parsed, reply.prompt_tokens, reply.completion_tokens) == (
        "ok",
        {"score": 80},
        11,
        5,
    )
    (sent,) = there.requests
    assert sent["messages"] == [{"role": "user", "content": "訳は？"}]
    assert (sent["temperature"], sent["seed"], sent["model"]) == (0, 7, "small")
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_run_again_asks_nothing_even_when_the_server_is_gone(server):
    store, there = Kept(), server("fine")
    first = judge(there, store).ask([call()])
    there.__exit__()
    again = judge(there, store).ask([call()])
    assert (again[0].text, again[0].cached, first[0].cached) == ("fine", True, False)
    assert len(there.requests) == 1


@pytest.mark.slow
def test_equal_calls_are_made_once_and_samples_are_calls_of_their_own(server):
    there = server("fine")
    replies = judge(there).ask([call(), call(), call(sample=1), call("other")])
    assert len(replies) == 4
    assert len(there.requests) == 3
    assert {one["seed"] for one in there.requests} == {7, 8}


def test_two_runs_at_the_same_time_do_not_double_their_calls(server):
    there = server(lambda request: "slow but fine")
    one = judge(there)
    found = []
    threads = [threading.Thread(target=lambda: found.append(one.ask([call()])[0].text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["slow but fine"] * 4
    assert len(there.requests) == 1


@pytest.mark.parametrize("trouble", [429, 500, 503])
@pytest.mark.slow
def test_a_busy_or_broken_server_is_asked_again(server, trouble):
    there = server(trouble, trouble, "fine")
    assert judge(there).ask([call()])[0].text == "fine"
    assert len(there.requests) == 3


def test_a_server_that_stays_broken_fails_that_call_and_is_asked_again_next_time(server):
    store, there = Kept(), server(500)
    (reply,) = judge(there, store, retries=1).ask([call()])
    assert (reply.state, store.rows) == ("failed", {})
    assert "500" in reply.problem


@pytest.mark.parametrize("trouble", ["silence", "half"])
def test_silence_and_half_a_document_fail_the_call_and_nothing_else(server, trouble):
    there = server(trouble)
    (reply,) = judge(there, retries=0, timeout=0.5).ask([call()])
    assert reply.state == "failed"


def test_a_broken_connection_is_tried_again(server):
    assert judge(server("cut", "fine")).ask([call()])[0].text == "fine"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("The translation is very good.", "unparsed"),
        ('{"score": "high"}', "unparsed"),
        ('{"score": 80', "unparsed"),
        ("", "empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("申し訳ありませんが、評価できません。", "refused"),
    ],
)
def test_a_reply_that_cannot_be_read_never_becomes_an_object(server, text, state):
    (reply,) = judge(server(lambda request: text)).ask([call(schema=SCHEMA)])
    assert (reply.state, reply.parsed) == (state, None)
    assert reply.problem.endswith(".")


@pytest.mark.parametrize(
    "text", ['```json\n{"score": 5}\n```', 'Sure! {"score": 5} Hope it helps.', '{"x": {}} {"score": 5}']
)
def test_an_object_is_found_in_fences_and_among_prose(server, text):
    (reply,) = judge(server(text)).ask([call(schema=SCHEMA)])
    assert (reply.state, reply.parsed) == ("ok", {"score": 5})


def test_a_reply_at_its_limit_is_cut_and_not_read(server):
    (reply,) = judge(server("length")).ask([call(schema=SCHEMA)])
    assert (reply.state, reply.parsed) == ("cut", None)


def test_a_server_without_schemas_is_asked_in_plain_text_from_then_on(server):
    there = server('{"score": 1}', schemas=False)
    replies = judge(there, at_once=1).ask([call(schema=SCHEMA), call("b", schema=SCHEMA)])
    assert [one.parsed for one in replies] == [{"score": 1}] * 2
    assert ["response_format" in one for one in there.requests] == [True, False, False]


def test_the_cap_on_calls_and_tokens_holds(server):
    there = server("fine")
    replies = judge(there, cap=Cap(calls=2), at_once=1).ask([call(str(number)) for number in range(5)])
    assert [one.state for one in replies].count("spent") == 3
    assert len(there.requests) == 2
    least = prompt_tokens(call("t0")) + call("t0").max_tokens
    few = judge(there, cap=Cap(tokens=least), at_once=1).ask([call(f"t{number}") for number in range(3)])
    assert [one.state for one in few] == ["ok", "spent", "spent"]


def test_a_run_stops_at_the_tokens_that_were_said_before_it(server):
    run = judge(server("fine"), at_once=1).for_run()
    calls = [call(f"t{number}", max_tokens=2) for number in range(5)]
    said = run.estimate(calls)
    assert said.prompt_tokens + said.completion_tokens == 5 * (8 + 2)
    run.limit(50)
    states = [one.state for one in run.ask(calls)]  # the server counts 16 tokens a call: 48 after three
    assert states == ["ok", "ok", "ok", "spent", "spent"]


def test_the_estimate_counts_only_what_would_be_asked_and_asks_nothing(server):
    there = server("fine")
    one = judge(there)
    one.ask([call("known")])
    found = one.estimate([call("known"), call("新しい", max_tokens=50), call("新しい", max_tokens=50)])
    assert (found.calls, found.new, found.prompt_tokens, found.completion_tokens) == (3, 1, 3 + 1 + 8, 50)
    assert len(there.requests) == 1
    assert prompt_tokens(call("abcdefgh")) == 2 + 8


def test_stopping_keeps_what_was_answered(server):
    store = Kept()

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(server("fine"), store, at_once=1).ask([call(str(number)) for number in range(9)], progress=stop)
    assert 2 <= len(store.rows) < 9


@pytest.mark.parametrize(("code", "says"), [(401, "refused the key"), (404, "knows no model small")])
def test_a_wrong_key_or_model_is_one_sentence_without_the_key(server, code, says):
    with pytest.raises(UnavailableError, match=says) as caught:
        judge(server(code)).ask([call()])
    assert "sk-" not in caught.value.message


def test_an_endpoint_that_is_down_is_one_sentence(server):
    there = server("fine")
    there.__exit__()
    with pytest.raises(UnavailableError, match="cannot be reached"):
        judge(there, retries=0).ask([call()])


def test_the_key_goes_to_the_server_and_nowhere_else(server):
    store, there = Kept(), server("fine")
    one = judge(there, store)
    one.ask([call()])
    assert there.keys == {f"Bearer {KEY}"}
    settings = JudgeSettings(model="small", key=KEY)
    assert KEY not in repr(store.rows) + one.signature() + repr(settings)


def test_settings_come_from_the_environment_and_need_a_model_and_a_key_or_an_endpoint(monkeypatch):
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    assert judge_settings({}) is None
    assert judge_settings({"OPENAI_API_KEY": "k"}) is None
    assert judge_settings({"OPENAI_API_KEY": "k", "YOMIKURABE_MODEL": "m"}).model == "m"
    local = judge_settings({"OPENAI_BASE_URL": "http://localhost:1/v1", "YOMIKURABE_MODEL": "m"})
    assert local.base_url == "http://localhost:1/v1"


SLOW = {"YOMIKURABE_TIMEOUT": "0.5", "YOMIKURABE_RETRIES": "1", "YOMIKURABE_PARALLEL": "2"}


def test_a_reply_may_take_the_seconds_that_are_set_and_is_asked_for_again_as_often(server):
    """Half a second is too short for a server that answers after one or two, thirty are enough."""
    there = server("silence")
    reach = {"OPENAI_BASE_URL": there.base_url, "YOMIKURABE_MODEL": "small"}
    (late,) = OpenAIJudge(judge_settings(reach | SLOW), Kept()).ask([call()])
    assert (late.state, len(there.requests)) == ("failed", 2)
    assert late.problem == "The language model did not answer within 0.5 s (YOMIKURABE_TIMEOUT)."
    patient = reach | SLOW | {"YOMIKURABE_TIMEOUT": "30"}
    there.script = [lambda request: time.sleep(1) or "fine"]
    (reply,) = OpenAIJudge(judge_settings(patient), Kept()).ask([call()])
    assert (reply.state, reply.text) == ("ok", "fine")


@pytest.mark.parametrize("parallel", [1, 3])
def test_as_many_calls_are_made_at_a_time_as_are_set(server, parallel):
    now, most, lock = [0], [0], threading.Lock()

    def slow(request):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.3)
        with lock:
            now[0] -= 1
        return "fine"

    environment = {"OPENAI_BASE_URL": server(slow).base_url, "YOMIKURABE_MODEL": "small"}
    settings = judge_settings(environment | {"YOMIKURABE_PARALLEL": str(parallel)})
    replies = OpenAIJudge(settings, Kept()).ask([call(str(number)) for number in range(6)])
    assert ([one.text for one in replies], most) == (["fine"] * 6, [parallel])


def test_time_retries_and_parallel_calls_have_defaults_and_come_from_the_environment(monkeypatch):
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    reach = {"OPENAI_API_KEY": "k", "YOMIKURABE_MODEL": "m"}
    usual, slow = judge_settings(reach), judge_settings(reach | SLOW)
    assert (usual.timeout, usual.retries, usual.at_once) == (60, 4, 4)
    assert (slow.timeout, slow.retries, slow.at_once) == (0.5, 1, 2)


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        (
            "TIMEOUT",
            ["0", "-1", "nan", "inf", "1e6", "a minute"],
            "a number of seconds above 0, up to 86400.",
        ),
        ("RETRIES", ["-1", "1.5", "21", "four"], "a whole number from 0 to 20."),
        ("PARALLEL", ["0", "65", "²"], "a whole number from 1 to 64."),
    ],
)
def test_a_number_out_of_its_range_is_one_sentence(monkeypatch, name, values, sentence):
    for value in values:
        environment = {"OPENAI_API_KEY": "k", "YOMIKURABE_MODEL": "m", f"YOMIKURABE_{name}": value}
        with pytest.raises(UnavailableError) as caught:
            judge_settings(environment)
        assert str(caught.value) == f"YOMIKURABE_{name} is “{value}”; set it to {sentence}"
        for variable, given in environment.items():
            monkeypatch.setenv(variable, given)
        assert why_not(("judge",)) == str(caught.value)


def test_numbers_in_the_secrets_file_may_be_numbers(monkeypatch, tmp_path):
    path = tmp_path / "secrets.toml"
    path.write_text('OPENAI_API_KEY = "k"\nYOMIKURABE_MODEL = "m"\nYOMIKURABE_TIMEOUT = 300\n', "utf-8")
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", (path,))
    assert judge_settings({}).timeout == 300


def test_settings_may_stand_in_the_secrets_file(monkeypatch, tmp_path):
    path = tmp_path / "secrets.toml"
    path.write_text('OPENAI_API_KEY = "k"\nYOMIKURABE_MODEL = "from-file"\n', "utf-8")
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", (path,))
    assert judge_settings({}).model == "from-file"
    assert judge_settings({"YOMIKURABE_MODEL": "mine"}).model == "mine"


def test_a_lone_surrogate_in_a_text_is_sent_as_something_that_can_be_read(server):
    there = server("fine")
    (reply,) = judge(there).ask([call("a\ud842b")])
    assert reply.state == "ok"
    assert there.requests[0]["messages"][0]["content"] == "a\N{REPLACEMENT CHARACTER}b"
