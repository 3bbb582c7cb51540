"""Metrics from outside: a real program or a file, and every way in which they fail."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from core.assets import ROOT
from core.backends.external import externals, read_line
from core.backends.registry import load_backends
from core.codec import decode_trace, encode_result
from core.errors import FileError, OptionError
from core.metrics import find_metric, known_metrics
from core.scoring import Request, score_pairs
from core.types import TextPair

PROGRAM = ROOT / "tests" / "support" / "outside_metric.py"
PAIRS = [
    TextPair(reference="abcd", hypothesis="abxy", source="a", lang="en"),
    TextPair(reference="猫がいる。", hypothesis="猫", source="A cat.", lang="ja"),
    TextPair(reference="x", hypothesis="", source="y", lang="en"),
    TextPair(reference="abcd", hypothesis="abcd", lang="en"),
]


@pytest.fixture
def describe(tmp_path, monkeypatch):
    """Write the file that describes metrics from outside, and make it the one of this machine."""

    def described(text="", *, way="plain", **more):
        if not text:
            table = {"command": [sys.executable, str(PROGRAM), way], **more}
            text = "[small]\n" + "\n".join(f"{name} = {json.dumps(value)}" for name, value in table.items())
        (tmp_path / "external.toml").write_text(text, "utf-8")
        monkeypatch.setenv("YOMIKURABE_EXTERNAL", str(tmp_path / "external.toml"))
        return tmp_path

    return described


def scored(pairs=PAIRS):
    return [row[0] for row in score_pairs(pairs, [Request("external:small", {})], load_backends())]


def test_a_program_of_somebody_elses_scores_every_pair_in_order(describe):
    describe(needs=["reference"])
    assert [result.score for result in scored()] == [0.5, 1.0, 0.0, 1.0]
    assert [result.score for result in scored(PAIRS[::-1])] == [1.0, 0.0, 1.0, 0.5]


def test_other_numbers_come_along_and_the_score_is_computed_from_the_trace(describe):
    describe(way="objects", needs=["reference"])
    result = scored()[0]
    assert result.parts == {"score": 0.5, "length": 4}
    stored = json.loads(json.dumps(encode_result(result, with_trace=True)))
    assert decode_trace(stored["trace"]).parts() == result.parts
    assert result.parts["score"] == result.score


@pytest.mark.parametrize(
    ("needs", "fields"),
    [(["source", "reference"], (4, 1)), (["source"], (3, 1)), (["reference"], (3, 0)), ([], (2, 0))],
    ids=lambda value: str(value),
)
def test_it_is_sent_what_it_needs_and_nothing_else(describe, needs, fields):
    describe(way="fields", needs=needs, high=9)
    result = scored()[0]
    assert (result.parts["score"], result.parts["source"]) == fields
    assert f"sees:{'+'.join([*needs, 'hypothesis'])}" in result.signature


def test_without_a_source_that_it_needs_a_pair_has_no_score(describe):
    describe()
    assert [result.missing for result in scored()] == [None, None, None, "It needs a source text."]


def test_a_crash_keeps_what_was_said_before_and_gives_the_reason_for_the_rest(describe):
    describe(way="crash", needs=["reference"])
    results = scored()
    assert [result.score for result in results] == [0.5, 1.0, None, None]
    assert results[2].missing == (
        "The command of external:small ended with status 3: MemoryError: no room for the model."
    )


def test_a_program_that_takes_too_long_is_stopped_with_all_it_started(describe):
    describe(way="slow", needs=["reference"], timeout=2)
    started = time.monotonic()
    results = scored()
    assert time.monotonic() - started < 20
    assert results[0].score == 0.5
    assert results[1].missing == "The command of external:small took longer than 2 seconds and was stopped."


def test_a_program_that_writes_without_end_is_stopped(describe):
    describe(way="flood", needs=["reference"])
    assert scored()[0].missing == "It printed a line that is not a score."
    assert scored()[3].missing is not None


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc, which Linux has")
def test_what_a_program_has_started_ends_with_it(describe, tmp_path):
    told = tmp_path / "helper"
    describe(needs=["reference"], command=[sys.executable, str(PROGRAM), "leaves", str(told)])
    assert [result.score for result in scored()] == [0.5, 1.0, 0.0, 1.0]
    until = time.monotonic() + 10
    while runs(int(told.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(int(told.read_text()))


def runs(process):
    """Whether a process still runs; one that has ended and is not collected does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_a_program_finds_no_key_and_no_address_of_the_database_but_what_it_asks_for(describe, monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "MY_PASSWORD",
        "CUDA_VISIBLE_DEVICES",
    ):
        monkeypatch.setenv(name, "s3cret")
    describe(way="environment", needs=[], environment=["MY_PASSWORD"])
    found = set(scored()[0].parts)
    assert {"PATH", "CUDA_VISIBLE_DEVICES", "MY_PASSWORD"} <= found
    assert not found & {"OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_KEY", "YOMIKURABE_DB"}


def test_a_wrong_number_of_scores_is_refused_whole(describe):
    describe(way="few", needs=["reference"])
    assert {result.missing for result in scored()} == {
        "The command of external:small gave 3 scores for 4 pairs, so none of them was used."
    }


def test_what_is_no_score_is_missing_and_never_a_number(describe):
    describe(way="odd", needs=["reference"])
    results = scored([TextPair(reference="x", hypothesis=str(number)) for number in range(6)])
    assert [result.missing for result in results] == [
        "It gave no score.",
        "It printed a line that is not a score.",
        "It printed a line that is not a score.",
        "too long",
        "It printed a line that is not a score.",
        None,
    ]
    assert results[5].score == 7
    assert results[5].flags == ("out-of-range",)


@pytest.mark.parametrize("line", ["NaN", "Infinity", "true", '{"score": "1"}', "1e999", ""])
def test_only_a_finite_number_is_a_score(line):
    assert read_line(line).score is None


def test_a_program_that_is_not_there_is_a_reason(describe):
    describe('[small]\ncommand = ["no-such-program"]\nneeds = []\n')
    assert scored()[0].missing == (
        "The command of external:small cannot be started (No such file or directory)."
    )


def test_a_file_of_scores_is_taken_line_by_line_and_refused_when_it_does_not_fit(describe):
    folder = describe('[small]\nfile = "scores.txt"\nneeds = []\n')
    (folder / "scores.txt").write_text("0.1\n0.2\nNone\n0.4\n", "utf-8")
    assert [result.score for result in scored()] == [0.1, 0.2, None, 0.4]
    assert scored(PAIRS[:3])[0].missing == "The file of external:small has 4 scores for 3 pairs."


def test_the_signature_changes_with_the_script_and_with_the_version(describe, tmp_path):
    (tmp_path / "script.py").write_text("print(1)\n", "utf-8")

    def signed(version="1"):
        describe(f'[small]\ncommand = ["python", "script.py"]\nversion = "{version}"\n')
        return find_metric("external:small").prepare({}, load_backends(), []).signature

    one = signed()
    assert "version:1" in one
    assert signed("2") != one
    (tmp_path / "script.py").write_text("print(2)\n", "utf-8")
    assert signed() != one


def test_the_list_of_metrics_has_those_from_outside_at_its_end(describe):
    describe(low=-1, higher_is_better=False, summary="errors that it finds")
    spec = list(known_metrics().values())[-1]
    assert (spec.name, spec.low, spec.higher_is_better) == ("external:small", -1, False)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[small", "is not TOML"),
        ("small = 1", "is not a table"),
        ("[small]\nneeds = []", "needs a command or a file"),
        ('[small]\ncommand = ["x"]\nfile = "y"', "needs a command or a file"),
        ('[small]\ncommand = "x"', "command of the wrong kind"),
        ('[small]\ncommand = ["x"]\ncolour = 1', "knows no “colour”"),
        ('[small]\ncommand = ["x"]\nneeds = ["luck"]', "can need source and reference"),
    ],
    ids=["no-toml", "no-table", "neither", "both", "kind", "word", "needs"],
)
def test_a_description_that_cannot_be_used_is_a_sentence(describe, text, sentence):
    describe(text)
    with pytest.raises(FileError, match=sentence):
        externals()


def test_a_metric_that_nobody_described_is_a_sentence(describe):
    describe()
    with pytest.raises(OptionError, match=r"No metric external:comet is described in .* .there are: small"):
        find_metric("external:comet")
