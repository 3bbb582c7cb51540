"""`python -m core score` on files of any size: what it writes, what it holds, how it goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.assets import ROOT
from core.backends.registry import load_backends
from core.cli.score_lines import Total
from core.codec import encode_result
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import TextPair
from tests.support.cli_files import run, write

LINES = [f"{number}番の猫は、名前がまだ無い。" for number in range(600)]  # several chunks
OTHERS = [line.replace("猫", "犬") if number % 3 else "" for number, line in enumerate(LINES)]


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    return write(tmp_path / "ref", LINES), write(tmp_path / "hyp", OTHERS)


def whole(ref: Path, hyp: Path, requests: list[Request]) -> str:
    """The lines as a program writes them that holds all texts and all results at once."""
    columns = [split_lines(read_text(path)) for path in (ref, hyp)]
    pairs = [
        TextPair(reference=one, hypothesis=other, lang="ja") for one, other in zip(*columns, strict=True)
    ]
    rows = list(score_pairs(pairs, requests, load_backends()))
    return "".join(
        json.dumps({"segment": segment, **encode_result(result)}, ensure_ascii=False) + "\n"
        for segment, results in enumerate(rows)
        for result in results
    )


@pytest.mark.parametrize(
    ("encoding", "end"), [pytest.param("utf-8", "\n", marks=pytest.mark.slow), ("shift_jis", "\r\n")]
)
def test_what_is_written_is_to_the_byte_what_all_texts_at_once_give(tmp_path, tiny_bert, encoding, end):
    ref = write(tmp_path / "ref", LINES, encoding, end)
    hyp = write(tmp_path / "hyp", OTHERS, encoding, end)
    chosen = {"encoder": str(tiny_bert), "layer": "2", "weight": "idf", "idf": "references"}
    settings = [part for name, value in chosen.items() for part in ("--set", f"bertscore.{name}={value}")]
    status, out, _ = run("score", "--metric", "chrf,bertscore", "--ref", ref, "--hyp", hyp, *settings)
    assert status == 0
    assert out == whole(ref, hyp, [Request("chrf"), Request("bertscore", chosen)])
    assert "|idf:references-600-" in out


PEAK = """
import sys
from dataclasses import replace
from core.metrics import METRICS
from core.metrics.base import Scorer
from core.types import Result
if sys.argv[1] == "quick":
    quick = Scorer(compute=lambda pair, fetched: Result(metric="chrf", score=1, signature="x"), signature="x")
    METRICS["chrf"] = replace(METRICS["chrf"], build=lambda *given: quick)
from core.__main__ import app
try:
    app(sys.argv[2:])
finally:
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(folder: Path, lines: int, kind: str, metric: str = "chrf", width: int = 100) -> float:
    """MiB that a process needs to score so many lines, at its highest."""
    ref = folder / f"{lines}.ref"
    with ref.open("w", encoding="utf-8") as file:
        file.writelines(f"{number:0{width}}\n" for number in range(lines))
    arguments = ["score", "--metric", metric, "--ref", ref, "--hyp", ref, "--out", folder / "out"]
    command = [sys.executable, "-c", PEAK, kind, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert f", n {lines}, missing 0" in done.stderr
    return int(done.stdout) / 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.heavy
def test_memory_does_not_grow_with_the_files(tmp_path):
    few, many = peak(tmp_path, 10_000, "quick"), peak(tmp_path, 150_000, "quick")
    assert many - few < 8  # the texts of both files alone would take 45


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_memory_does_not_grow_with_the_files_under_real_metrics(tmp_path):
    few = peak(tmp_path, 40_000, "real", "chrf,bleu", 20)  # sacreBLEU's memory of 65,536 texts is full
    many = peak(tmp_path, 200_000, "real", "chrf,bleu", 20)
    sys.stdout.write(f"40,000 lines: {few:.0f} MiB; 200,000 lines: {many:.0f} MiB\n")
    assert many - few < 30


def test_the_mean_of_many_scores_is_right_to_the_last_digit():
    total = Total()
    for score in [1e16, 1.0, -1e16, 1.0] * 1000:
        total.add(score)
    assert (total.mean, total.count, total.missing) == (0.5, 4000, 0)
    total.add(None)
    assert (total.mean, total.missing) == (0.5, 1)
    assert Total().mean is None


ARGUMENTS = ("score", "--metric", "chrf,bleu", "--lang", "ja")


@pytest.mark.parametrize("left", [0, 1, 1000, 39_000, 100_000, 10**9])
@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_where_it_was_and_the_file_is_the_same(tmp_path, files, left):
    given = (*ARGUMENTS, "--ref", files[0], "--hyp", files[1], "--out", tmp_path / "out")
    said = run(*given)[2]
    lines = (tmp_path / "out").read_bytes()
    (tmp_path / "out").write_bytes(lines[:left])
    status, _, err = run(*given, "--resume")
    assert status == 0
    assert (tmp_path / "out").read_bytes() == lines
    assert [line.rpartition(",")[0] for line in err.splitlines()] == [
        line.rpartition(",")[0] for line in said.splitlines()
    ]


def test_only_what_is_missing_is_scored_when_a_run_goes_on(tmp_path, files, monkeypatch):
    given = (*ARGUMENTS, "--ref", files[0], "--hyp", files[1], "--out", tmp_path / "out")
    run(*given)
    lines = (tmp_path / "out").read_bytes().splitlines(keepends=True)
    (tmp_path / "out").write_bytes(b"".join(lines[:-5]))  # the last two segments, and half of one more
    scored = []
    monkeypatch.setattr("core.metrics.surface.text_flags", lambda pair: scored.append(pair.reference) or ())
    assert run(*given, "--resume")[0] == 0
    again = LINES[-4:]  # the last one that was whole is scored again, to see whether the texts are the same
    assert scored == [line for line in again for _ in range(2)]


def test_a_file_of_other_texts_is_refused_and_left_as_it_is(tmp_path, files):
    out = tmp_path / "out"
    run(*ARGUMENTS, "--ref", files[0], "--hyp", files[1], "--out", out)
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:40]))
    before = out.read_bytes()
    others = write(tmp_path / "others", [f"{line}と" for line in OTHERS])
    status, printed, err = run(*ARGUMENTS, "--ref", files[0], "--hyp", others, "--out", out, "--resume")
    assert (status, printed) == (2, "")
    assert err == (
        f"{out}: has other scores for segment 19, so the texts have changed; write to another file\n"
    )
    assert out.read_bytes() == before


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_pairs_and_resume_scores_the_rest(tmp_path, files):
    given = ["score", "--metric", "structure-dep", "--ref", *files[:1], "--hyp", *files[1:]]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "core", *map(str, given), "--out", str(out)]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    while not out.exists() or (seen := out.read_bytes().count(b"\n")) < 40:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    kept = out.read_text("utf-8").splitlines(keepends=True)
    assert (running.returncode, said) == (130, "Interrupted; finished results are kept.\n")
    assert seen <= len(kept) < len(LINES)
    assert all(json.loads(line)["segment"] == number for number, line in enumerate(kept))
    assert run(*given, "--out", out, "--resume")[0] == 0
    assert out.read_text("utf-8").splitlines(keepends=True)[: len(kept)] == kept
    assert out.read_text("utf-8") == run(*given)[1]


def test_resume_starts_a_file_that_is_not_there(tmp_path, files):
    given = (*ARGUMENTS, "--ref", files[0], "--hyp", files[1])
    assert run(*given, "--out", tmp_path / "new", "--resume")[0] == 0
    assert (tmp_path / "new").read_text("utf-8") == run(*given)[1]


@pytest.mark.parametrize(
    ("change", "more", "sentence"),
    [
        ("", ("--set", "bleu.tokenize=char"), "line 2: belongs to a run with other settings (tok: ja-mecab"),
        ("", ("--trace",), "line 1: was written without --trace"),
        ('{"segment": 0}\n', (), "line 1: is not a line of python -m core score"),
        ("precious\n", (), "line 1: is not a line of python -m core score"),
        ("twice", (), "line 1201: has more segments than the texts (600)"),
        ("late", (), "line 1: belongs to a run with other settings (segment 1, expected 0)"),
    ],
)
def test_a_file_of_another_run_is_refused_and_left_as_it_is(tmp_path, files, change, more, sentence):
    out = tmp_path / "out"
    given = (*ARGUMENTS, "--ref", files[0], "--hyp", files[1], "--out", out)
    run(*given)
    lines = out.read_text("utf-8")
    rest = "".join(lines.splitlines(keepends=True)[2:])
    out.write_text({"": lines, "twice": lines * 2, "late": rest}.get(change, change), "utf-8")
    before = out.read_bytes()
    status, printed, err = run(*given, "--resume", *more)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{out}, {sentence}")
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--resume",), "--resume needs --out FILE"),
        (("--workers", "2"), "--workers needs --engine ray"),
        (("--engine", "spark"), "--engine spark is not known; write ray"),
    ],
)
def test_options_that_need_another_say_so(files, more, sentence):
    status, _, err = run(*ARGUMENTS, "--ref", files[0], "--hyp", files[1], *more)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(sentence)
