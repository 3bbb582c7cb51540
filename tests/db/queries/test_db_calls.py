"""Calls of language models in a real database file: kept once, found again, never with a key."""

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import text

from core.backends.judge.store import FileCalls
from core.types import Reply
from db.queries import DatabaseCalls, count_calls

REQUEST = {"messages": [["user", '訳は？\n"x"']], "schema": None, "sample": 0}


def reply(words="良い", **how):
    return Reply(**({"text": words, "state": "ok", "prompt_tokens": 11, "seconds": 0.5} | how))


def test_a_kept_reply_comes_back_as_it_was(engine):
    calls = DatabaseCalls(engine)
    calls.keep("k" * 64, "small", REQUEST, reply(parsed={"score": [1, "二"]}, state="ok"))
    found = DatabaseCalls(engine).find(["k" * 64, "other"])
    assert found == {"k" * 64: reply(parsed={"score": [1, "二"]})}
    assert count_calls(engine) == {"small": 1}


def test_the_first_reply_to_a_call_stays(engine):
    calls = DatabaseCalls(engine)
    calls.keep("a", "small", REQUEST, reply("first"))
    calls.keep("a", "small", REQUEST, reply("second"))
    assert calls.find(["a"])["a"].text == "first"


def test_many_threads_keep_their_calls(engine):
    calls = DatabaseCalls(engine)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: calls.keep(str(n % 20), "small", REQUEST, reply(str(n % 20))), range(60)))
    assert {key: one.text for key, one in calls.find([str(n) for n in range(25)]).items()} == {
        str(n): str(n) for n in range(20)
    }


def test_a_reply_with_a_lone_surrogate_is_kept_readable(engine):
    calls = DatabaseCalls(engine)
    calls.keep("a", "small", REQUEST, reply("a\ud842b"))
    assert calls.find(["a"])["a"].text == "a\N{REPLACEMENT CHARACTER}b"


def test_more_keys_than_a_query_takes_are_asked_in_parts(engine):
    calls = DatabaseCalls(engine)
    for number in (0, 700, 1999):
        calls.keep(str(number), "small", REQUEST, reply())
    assert set(calls.find([str(number) for number in range(2000)])) == {"0", "700", "1999"}


def test_the_table_has_no_column_for_a_key_of_an_account(engine):
    with engine.connect() as connection:
        columns = {row[1] for row in connection.execute(text("PRAGMA table_info(judge_call)"))}
    assert columns == {
        "key", "model", "request", "text", "parsed", "state", "problem", "prompt_tokens", "completion_tokens",
        "seconds", "created_at",
    }  # fmt: skip


def test_the_command_lines_file_keeps_calls_and_passes_over_damage(tmp_path):
    path = tmp_path / "calls.jsonl"
    FileCalls(path).keep("a", "small", REQUEST, reply(parsed={"x": 1}))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"key": "b", "rep\n[]\n')
    assert FileCalls(path).find(["a", "b"]) == {"a": reply(parsed={"x": 1})}
