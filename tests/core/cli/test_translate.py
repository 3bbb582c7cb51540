"""`core translate`: the published prompts, replies that are stored, and lines without a translation."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.errors import OptionError
from core.translation import find_prompt
from tests.support.judge_server import ChatServer


def reply(request):
    """The last message in capitals, as the schema wants it."""
    return json.dumps({"translation_output": request["messages"][-1]["content"].upper()})


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Translate a file of two lines and an empty one with a server that answers `script`."""
    monkeypatch.setattr("core.backends.judge.store.calls_path", lambda: tmp_path / "calls.jsonl")
    source = tmp_path / "src.txt"
    source.write_text("the cat sat\n\nsee http://x\n", "utf-8")

    def with_server(*script, arguments=("--yes",)):
        with ChatServer(*script) as server:
            for name, value in {
                "OPENAI_BASE_URL": server.base_url,
                "OPENAI_API_KEY": "k",
                "YOMIKURABE_MODEL": "small",
                "YOMIKURABE_RETRIES": "0",
                "YOMIKURABE_PARALLEL": "1",
            }.items():
                monkeypatch.setenv(name, value)
            done = CliRunner().invoke(app, ["translate", "--src", str(source), "--lang", "en", *arguments])
        return done, server.requests

    return with_server


def test_each_line_is_translated_with_the_published_prompt_and_schema(run):
    done, requests = run(reply)
    assert (done.exit_code, done.stdout) == (0, "THE CAT SAT\n\nSEE HTTP://X\n")
    system, _ = requests[0]["messages"]
    assert system["content"] == (
        "Translate the provided text from English to Japanese. "
        "If the text includes a URL, copy the URL as is into the translated text."
    )
    assert {one["messages"][-1]["content"] for one in requests} == {"the cat sat", "see http://x"}
    schema = requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["translation_output"]


def test_short_asks_for_a_shorter_translation(run):
    _, requests = run(reply, arguments=("--yes", "--prompt", "short"))
    assert requests[0]["messages"][0]["content"].startswith(
        "Provide a shorter and more concise translation of the given text from English to Japanese."
    )


def test_a_second_run_asks_only_for_what_is_missing(run):
    first, requests = run(500, reply)
    assert (first.exit_code, len(requests)) == (2, 2)
    again, requests = run(reply)
    assert (again.exit_code, again.stdout, len(requests)) == (0, "THE CAT SAT\n\nSEE HTTP://X\n", 1)


def test_a_line_without_a_translation_stays_empty_and_is_named(run):
    done, _ = run("I'm sorry, I cannot translate this.")
    assert (done.exit_code, done.stdout) == (2, "\n\n\n")
    assert "2 missing" in done.stderr
    assert "Line 3: The model refused to answer." in done.stderr


def test_nothing_is_asked_from_a_script_without_yes(run):
    done, requests = run(reply, arguments=())
    assert (done.exit_code, requests) == (2, [])
    assert "add --yes" in done.stderr


def test_a_file_may_hold_the_prompt_and_one_that_is_not_there_is_a_sentence(tmp_path):
    (tmp_path / "own.txt").write_text("Render {source} as {target}.\n", "utf-8")
    assert find_prompt(str(tmp_path / "own.txt"), ("ja", "en")) == "Render Japanese as English."
    with pytest.raises(OptionError, match="choose from default, short, or name a file"):
        find_prompt(str(tmp_path / "none.txt"), ("ja", "en"))
