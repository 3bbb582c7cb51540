"""How the command line of the core ends: by mistake, by Ctrl-C, in a pipe; never with a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.assets import ROOT
from core.errors import UnavailableError
from core.metrics import METRICS
from core.metrics.base import Scorer
from core.metrics.surface import score_chrf
from core.types import Result, TextPair
from tests.support.cli_files import HYPOTHESES, REFERENCES, run, write

BOTH = "--ref {ref} --hyp {hyp}"
MISTAKES = {
    "bleu --ref {ref} --hyp {short}": "{short}, line 3: has 2 lines but {ref} has 3",
    "bleu --ref {short} --hyp {hyp}": "{hyp}, line 3: has 3 lines but {short} has 2",
    f"bleu {BOTH} --src {{short}}": "{short}, line 3: has 2 lines but {ref} has 3",
    "bleu --ref {ref} --hyp {nul}": "{nul}, line 2: has a NUL character",
    "bleu --ref {nowhere} --hyp {hyp}": "{nowhere}: cannot be read",
    "bleu --ref {void} --hyp {void}": "{void}: is empty",
    f"meteor {BOTH}": "There is no metric meteor; choose among bleu, chrf, ter, bertscore",
    f", {BOTH}": "--metric is empty; choose from bleu",
    f"bleu {BOTH} --set bleu.tok=13a": "bleu has no option tok (it has: tokenize, lowercase, smooth)",
    f"bleu {BOTH} --set bleu.tokenize=spm": "bleu.tokenize=spm is not possible; choose auto or ja-mecab",
    f"bleu {BOTH} --set bleu.tokenize": "--set bleu.tokenize: write METRIC.OPTION=VALUE",
    f"bleu {BOTH} --set bleu.=13a": "--set bleu.=13a: write METRIC.OPTION=VALUE",
    f"bleu {BOTH} --set chrf.x=1": "--set chrf.x=1: write METRIC.OPTION=VALUE, where METRIC is in --metric",
    f"bleu,chrf {BOTH} --set tokenize=13a": "--set tokenize=13a: write METRIC.OPTION=VALUE",
    f"bleu {BOTH} --lang 日本語": "--lang: “日本語” is not a language code; write it like ja",
    f"bleu {BOTH} --out {{nowhere}}/x": "{nowhere}/x: cannot be written",
    f"bertscore {BOTH} --set encoder={{here}}": "The encoder {here} cannot be loaded here; give a folder",
    f"bertscore {BOTH} --set encoder={{tiny}} --set layer=4": "layer=4: tiny-bert has layers 0 to 3",
    f"bertscore {BOTH} --set encoder={{tiny}} --set layer=two": "layer=two: tiny-bert has layers 0 to 3",
    f"bertscore {BOTH} --set encoder={{tiny}} --set weight=x": "bertscore.weight=x is not possible; choose",
}


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    return write(tmp_path / "ref.txt", REFERENCES), write(tmp_path / "hyp.txt", HYPOTHESES)


def as_module(*arguments: object, **given: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, **given
    )


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES.items())
def test_a_mistake_ends_with_status_2_and_one_sentence(tmp_path, tiny_bert, arguments, sentence):
    names = {
        "ref": write(tmp_path / "r", REFERENCES),
        "hyp": write(tmp_path / "h", HYPOTHESES),
        "short": write(tmp_path / "short", HYPOTHESES[:2]),
        "nul": write(tmp_path / "nul", ["a", "\0\0", "c"]),
        "void": write(tmp_path / "void", []),
        "nowhere": tmp_path / "nowhere",
        "here": tmp_path,
        "tiny": tiny_bert,
    }
    status, out, err = run("score", "--metric", *arguments.format(**names).split(" "))
    assert (status, out) == (2, "")
    assert err.startswith(sentence.format(**names))
    assert err.count("\n") == 1


def test_explain_takes_one_metric_and_text_whose_bytes_were_utf8():
    texts = ("--ref", "a", "--hyp", "b")
    status, _, err = run("explain", "--metric", "bleu,chrf", *texts)
    assert (status, err) == (2, "explain takes one metric, not bleu,chrf; use score for several\n")
    status, _, err = run("explain", "--metric", "bleu", "--ref", "a", "--hyp", "b\udcff")
    assert status == 2
    assert err.startswith("--hyp is not valid UTF-8")


def test_our_own_trouble_ends_with_status_1(files, monkeypatch):
    def broken(name: str) -> None:
        raise UnavailableError("The tokenizer is not installed; install it.")

    monkeypatch.setattr("core.metrics.surface._tokenizer", broken)
    status, _, err = run("score", "--metric", "bleu", "--ref", files[0], "--hyp", files[1])
    assert (status, err) == (1, "The tokenizer is not installed; install it.\n")


def test_a_run_that_is_stopped_keeps_the_lines_that_were_written(tmp_path, monkeypatch):
    class Stops:
        def __call__(self, pair: TextPair, fetched) -> Result:
            if pair.reference == "third":
                raise KeyboardInterrupt
            return score_chrf(pair)

    prepared = Scorer(compute=Stops(), signature="chrf")
    monkeypatch.setitem(METRICS, "chrf", replace(METRICS["chrf"], build=lambda *given: prepared))
    ref, out = write(tmp_path / "r", ["first", "second", "third"]), tmp_path / "out"
    status, _, err = run("score", "--metric", "chrf", "--ref", ref, "--hyp", ref, "--out", out)
    assert (status, err) == (130, "Interrupted; finished results are kept.\n")
    assert [json.loads(line)["segment"] for line in out.read_text("utf-8").splitlines()] == [0, 1]


@pytest.mark.slow
def test_as_a_process_a_mistake_gives_status_2_and_no_traceback(files, tmp_path):
    done = as_module("score", "--metric", "bleu", "--ref", files[0], "--hyp", tmp_path / "nowhere")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr
    assert as_module("score", "--metric", "bleu").returncode == 2


def test_as_a_process_it_writes_utf8_whatever_the_terminal_says_and_loads_nothing_heavy(files):
    done = as_module(
        "explain",
        "--metric",
        "chrf",
        "--ref",
        "猫",
        "--hyp",
        "猫",
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPROFILEIMPORTTIME": "1"},
    )
    assert (done.returncode, json.loads(done.stdout)["trace"]["data"]["reference"]) == (0, "猫")
    assert not {"torch", "transformers", "streamlit"} & {
        line.split("|")[-1].strip() for line in done.stderr.splitlines()
    }


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    ref = write(tmp_path / "r", [f"line {number} of a long file" for number in range(3000)])
    command = [
        sys.executable,
        "-m",
        "core",
        "score",
        "--metric",
        "chrf",
        "--ref",
        str(ref),
        "--hyp",
        str(ref),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_the_bar_on_a_terminal_leaves_standard_output_to_the_lines(files, tmp_path):
    pty = pytest.importorskip("pty", reason="terminals like this exist on Linux and macOS only")
    command = [sys.executable, "-m", "core", "score", "--metric", "chrf"]
    command += ["--ref", str(files[0]), "--hyp", str(files[1])]
    terminal, end = pty.openpty()
    with (tmp_path / "lines").open("wb") as lines:
        subprocess.run(command, cwd=ROOT, stdout=lines, stderr=end, check=True, timeout=120)
    shown = os.read(terminal, 100_000).decode()
    assert "3/3" in shown
    assert "chrf: mean" in shown
    written = (tmp_path / "lines").read_text("utf-8").splitlines()
    assert [json.loads(line)["segment"] for line in written] == [0, 1, 2]


def test_no_bar_runs_through_lines_that_go_to_the_terminal(files):
    pty = pytest.importorskip("pty", reason="terminals like this exist on Linux and macOS only")
    command = [sys.executable, "-m", "core", "score", "--metric", "chrf"]
    command += ["--ref", str(files[0]), "--hyp", str(files[1])]
    terminal, end = pty.openpty()
    subprocess.run(command, cwd=ROOT, stdout=end, stderr=end, check=True, timeout=120)
    shown = os.read(terminal, 100_000).decode().splitlines()
    assert [json.loads(line)["segment"] for line in shown[:3]] == [0, 1, 2]
    assert len(shown) == 4
