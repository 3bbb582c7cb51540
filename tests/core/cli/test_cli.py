"""The command line of the core, as other programs use it: its lines, their order, their keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.backends.registry import PACKAGES
from core.codec import decode_trace
from core.metrics import METRICS
from core.metrics.documents import DOCUMENT_METRICS
from tests.support.cli_files import HYPOTHESES, REFERENCES, run, write
from tests.support.judge_server import ChatServer


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    return write(tmp_path / "ref.txt", REFERENCES), write(tmp_path / "hyp.txt", HYPOTHESES)


@pytest.fixture
def tiny(tiny_bert) -> tuple[str, ...]:
    return ("--set", f"bertscore.encoder={tiny_bert}", "--set", "bertscore.layer=2")


def parse(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_line_has_the_keys_and_the_order_that_other_programs_read(files, tiny):
    status, out, _ = run("score", "--metric", "bertscore", "--ref", files[0], "--hyp", files[1], *tiny)
    assert status == 0
    line = out.splitlines()[2]
    assert line.startswith('{"segment": 2, "metric": "bertscore", "score": ')
    assert list(json.loads(line)) == ["segment", "metric", "score", "parts", "signature", "flags"]
    assert list(json.loads(line)["parts"]) == ["precision", "recall", "f1"]
    assert json.loads(line)["score"] == pytest.approx(1)
    assert "|layer:2|" in json.loads(line)["signature"]


def test_lines_come_in_input_order_and_metrics_in_the_order_asked_for(files, tiny):
    metrics = "chrf,bertscore,bleu"
    _, out, err = run("score", "--metric", metrics, "--ref", files[0], "--hyp", files[1], *tiny)
    assert [(line["segment"], line["metric"]) for line in parse(out)] == [
        (segment, metric) for segment in range(3) for metric in metrics.split(",")
    ]
    assert [line.split(":")[0] for line in err.splitlines()] == metrics.split(",")
    assert ", n 3, missing 0, " in err


def test_the_summary_gives_the_mean(tmp_path):
    ref, hyp = write(tmp_path / "r", ["abc", "abc"]), write(tmp_path / "h", ["abc", "xyz"])
    _, out, err = run("score", "--metric", "chrf", "--ref", ref, "--hyp", hyp)
    assert [line["score"] for line in parse(out)] == [100, 0]
    assert err.startswith("chrf: mean 50.0000, n 2, missing 0, ")


def test_an_empty_translation_scores_zero_and_is_flagged(files, tiny):
    _, out, _ = run("score", "--metric", "bleu,chrf,bertscore", "--ref", files[0], "--hyp", files[1], *tiny)
    middle = parse(out)[3:6]
    assert [(line["score"], line["flags"]) for line in middle] == [(0, ["empty-hypothesis"])] * 3


def test_out_takes_the_lines_and_leaves_standard_output_empty(files, tmp_path):
    out = tmp_path / "scores.jsonl"
    arguments = ("score", "--metric", "chrf", "--ref", files[0], "--hyp", files[1])
    _, printed, _ = run(*arguments)
    assert run(*arguments, "--out", out)[:2] == (0, "")
    assert out.read_text(encoding="utf-8") == printed


def test_a_wrong_option_does_not_touch_the_file_that_was_to_be_written(files, tmp_path):
    out = tmp_path / "scores.jsonl"
    out.write_text("precious", encoding="utf-8")
    arguments = ("--metric", "bleu", "--ref", files[0], "--hyp", files[1], "--out", out)
    assert run("score", *arguments, "--set", "bleu.tokenize=spm")[0] == 2
    assert out.read_text(encoding="utf-8") == "precious"


def test_trace_adds_the_evidence_from_which_the_score_can_be_computed(files, tiny):
    arguments = ("score", "--metric", "bleu,chrf,bertscore", "--ref", files[0], "--hyp", files[1], *tiny)
    assert all("trace" not in line for line in parse(run(*arguments)[1]))
    for line in parse(run(*arguments, "--trace")[1]):
        assert decode_trace(line["trace"]).parts() == line["parts"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "shift_jis", "cp932", "euc_jp", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_encoding_and_line_ends_of_a_file_do_not_change_its_scores(tmp_path, encoding, end):
    scores = []
    for name, chosen, ending in (("plain", "utf-8", "\n"), ("other", encoding, end)):
        ref = write(tmp_path / f"{name}.ref", REFERENCES, chosen, ending)
        hyp = write(tmp_path / f"{name}.hyp", HYPOTHESES, chosen, ending)
        status, out, _ = run("score", "--metric", "bleu,chrf", "--ref", ref, "--hyp", hyp)
        assert status == 0
        scores.append(out)
    assert scores[0] == scores[1]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_only_line_feeds_and_carriage_returns_end_a_line(tmp_path, separator):
    ref = write(tmp_path / "r", [f"猫{separator}犬", "鳥"])
    _, out, _ = run("score", "--metric", "chrf", "--ref", ref, "--hyp", ref)
    assert [line["score"] for line in parse(out)] == [100, 100]


def test_sources_are_read_and_a_copied_one_is_flagged(files, tmp_path):
    src = write(tmp_path / "src.txt", ["I am a cat.", "No name yet.", "the cat"])
    _, out, _ = run("score", "--metric", "chrf", "--ref", files[0], "--hyp", files[1], "--src", src)
    assert [line["flags"] for line in parse(out)] == [[], ["empty-hypothesis"], ["copied-source"]]


def test_the_language_is_guessed_from_the_references_unless_it_is_given(files):
    arguments = ("score", "--metric", "bleu", "--ref", files[0], "--hyp", files[1])
    for given, tokenizer in (((), "ja-mecab"), (("--lang", "auto"), "ja-mecab"), (("--lang", "en"), "13a")):
        assert f"bleu|tok:{tokenizer}" in run(*arguments, *given)[1]


def test_explain_gives_one_object_with_its_trace(tiny):
    status, out, err = run("explain", "--metric", "bertscore", "--ref", "猫", "--hyp", "犬", *tiny)
    (result,) = parse(out)
    assert (status, err) == (0, "")
    assert list(result) == ["metric", "score", "parts", "signature", "flags", "trace"]
    trace = decode_trace(result["trace"])
    assert [token.text for token in trace.hypothesis.tokens] == ["[CLS]", "犬", "[SEP]"]
    assert trace.parts()["f1"] == result["score"]


def test_list_names_every_metric_with_what_it_needs_and_its_options():
    status, out, _ = run("list")
    assert status == 0
    for name, spec in METRICS.items():
        assert any(line.startswith(f"{name} ") for line in out.splitlines())
        for option in spec.options:
            assert f"    {option.name}={option.default}: " in out
    rows = json.loads(run("list", "--json")[1])
    assert [row["name"] for row in rows] == [*METRICS, *DOCUMENT_METRICS]
    bertscore = rows[3]
    assert (bertscore["low"], bertscore["high"], bertscore["higher_is_better"]) == (-1, 1, True)
    assert (bertscore["needs"], bertscore["available"], bertscore["why_not"]) == (["encoder"], True, None)
    assert bertscore["options"][2]["choices"] == ["none", "idf", "l2"]


def test_list_says_what_is_missing_for_a_metric_that_cannot_run_here(monkeypatch):
    monkeypatch.setitem(PACKAGES, "encoder", ("a-package-that-nobody-has",))
    rows = {row["name"]: row["why_not"] for row in json.loads(run("list", "--json")[1])}
    assert (rows["bleu"], rows["bertscore"]) == (None, "install a-package-that-nobody-has")
    assert "(not available: install a-package-that-nobody-has)" in run("list")[1]


def test_list_says_how_a_language_model_is_set_up_where_none_is(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "YOMIKURABE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("core.backends.judge.settings.SECRETS", ())
    rows = {row["name"]: row["why_not"] for row in json.loads(run("list", "--json")[1])}
    assert rows["gemba-mqm"] == "set YOMIKURABE_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL"
    assert rows["mteqa"] is None  # its rules need no model
    monkeypatch.setenv("YOMIKURABE_MODEL", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert all(row["available"] for row in json.loads(run("list", "--json")[1]))


def test_a_run_says_what_a_language_model_would_cost_before_its_lines(monkeypatch, tmp_path):
    monkeypatch.setattr("core.backends.judge.store.calls_path", lambda: tmp_path / "calls.jsonl")
    file = write(tmp_path / "all.txt", ["猫がいる。", "犬がいる。", "猫がいる。"])
    with ChatServer("Critical:\nno-error\nMajor:\nno-error\nMinor:\nno-error") as server:
        settings = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k", "YOMIKURABE_MODEL": "small"}
        for name, value in {**settings, "YOMIKURABE_PRICES": "0/10000"}.items():
            monkeypatch.setenv(name, value)
        command = ("score", "--metric", "gemba-mqm", "--ref", file, "--hyp", file, "--src", file, "--yes")
        status, out, err = run(*command)
        assert (status, [row["score"] for row in parse(out)]) == (0, [0, 0, 0])
        assert err.startswith("small: at most 2 new calls (1 reused), at most ")
        assert " tokens, $20.48.\n" in err  # two replies of at most 1,024 tokens, ten dollars a thousand
        assert "new calls" not in run(*command)[2]
    assert len(server.requests) == 2
