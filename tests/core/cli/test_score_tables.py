"""`core score`: tables in and out, several systems, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest
from sacrebleu.metrics import CHRF
from typer.testing import CliRunner

from core.__main__ import app
from core.text.workbook import workbook


def run(*arguments):
    done = CliRunner().invoke(app, ["score", "--metric", "chrf", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def files(tmp_path):
    for name, lines in {"ref": "the cat\na dog\n", "one": "the cat\na cow\n", "two": "x\na dog\n"}.items():
        (tmp_path / f"{name}.txt").write_text(lines, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'Reference,MT,system\n"the cat, sat","the cat, sat",A\na dog,a cow,B\n'),
        ("a.tsv", "system\tref\thyp\nA\tthe cat, sat\tthe cat, sat\nB\ta dog\ta cow\n"),
        (
            "a.jsonl",
            '{"system": "A", "ref": "the cat, sat", "hyp": "the cat, sat"}\n'
            '{"system": "B", "reference": "a dog", "translation": "a cow", "score": 3}\n',
        ),
    ],
)
def test_a_table_has_both_texts_and_perhaps_systems(name, text, tmp_path):
    (tmp_path / name).write_text(text, "utf-8")
    code, out, err = run("--pairs", tmp_path / name)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(row["system"], row["segment"]) for row in rows] == [("A", 0), ("B", 0)]
    assert rows[0]["score"] == 100.0
    assert "A, chrf: mean 100.0000, n 1" in err


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.csv", "ref,other\na,b\n", "no column “hypothesis”"),
        ("a.csv", "ref,hyp\na\n", "line 2"),
        ("a.csv", "ref,hyp\n", "no rows"),
        ("a.txt", "ref,hyp\n", "give CSV, TSV, XLSX or JSON lines"),
        ("a.jsonl", "{\n", "line 1"),
    ],
)
def test_a_table_that_cannot_be_read_ends_in_a_sentence(name, text, sentence, tmp_path):
    (tmp_path / name).write_text(text, "utf-8")
    code, out, err = run("--pairs", tmp_path / name)
    assert (code, out) == (2, "")
    assert sentence in err


def test_several_systems_have_their_names_in_the_lines(files):
    code, out, _ = run(
        "--ref", files / "ref.txt", "--hyp", f"A={files / 'one.txt'}", "--hyp", files / "two.txt"
    )
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(row["system"], row["segment"]) for row in rows] == [
        ("A", 0),
        ("A", 1),
        ("two.txt", 0),
        ("two.txt", 1),
    ]


def test_one_system_has_lines_as_before(files):
    _, out, _ = run("--ref", files / "ref.txt", "--hyp", files / "one.txt")
    assert list(json.loads(out.splitlines()[0])) == [
        "segment",
        "metric",
        "score",
        "parts",
        "signature",
        "flags",
    ]


@pytest.mark.parametrize(("ending", "mark"), [("csv", ","), ("tsv", "\t")])
def test_scores_are_a_table_by_the_ending_of_the_file(files, ending, mark):
    out = files / f"scores.{ending}"
    run("--ref", files / "ref.txt", "--hyp", files / "one.txt", "--out", out)
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8")), delimiter=mark))
    assert float(rows[0]["score"]) == 100.0
    assert {row["metric"] for row in rows} == {"chrf"}


def test_every_line_is_scored_against_all_its_references(files):
    code, out, _ = run("--ref", files / "two.txt", "--ref", files / "ref.txt", "--hyp", files / "one.txt")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    ours = [(files / f"{name}.txt").read_text("utf-8").splitlines() for name in ("one", "two", "ref")]
    theirs = [CHRF().sentence_score(hyp, refs).score for hyp, *refs in zip(*ours, strict=True)]
    assert [row["score"] for row in rows] == pytest.approx(theirs)
    assert "|refs:2|" in rows[0]["signature"]


def test_an_empty_line_of_a_further_reference_is_no_reference(files):
    (files / "more.txt").write_text("\n\n", "utf-8")
    alone = run("--ref", files / "ref.txt", "--hyp", files / "two.txt")[1]
    both = run("--ref", files / "ref.txt", "--ref", files / "more.txt", "--hyp", files / "two.txt")[1]
    assert [json.loads(line)["score"] for line in both.splitlines()] == [
        json.loads(line)["score"] for line in alone.splitlines()
    ]


def test_a_further_reference_of_another_length_ends_in_a_sentence(files):
    (files / "more.txt").write_text("a\n", "utf-8")
    code, _, err = run("--ref", files / "ref.txt", "--ref", files / "more.txt", "--hyp", files / "one.txt")
    assert (code, "more.txt, line 2: has 1 lines" in err) == (2, True)


def test_references_and_translations_are_read_from_standard_input(files):
    command = [sys.executable, "-m", "core", "score", "--metric", "chrf"]
    told = (files / "one.txt").read_bytes()
    for given in (
        ["--ref", str(files / "ref.txt"), "--hyp", "-"],
        ["--ref", "-", "--hyp", str(files / "one.txt")],
    ):
        done = subprocess.run([*command, *given], input=told, capture_output=True, check=True)
        assert len(done.stdout.splitlines()) == 2


def test_a_pattern_stands_for_all_files_that_match(files, monkeypatch):
    monkeypatch.chdir(files)
    code, out, _ = run("--ref", "ref.txt", "--hyp", "[ot]*.txt")
    assert (code, [json.loads(line)["system"] for line in out.splitlines()]) == (
        0,
        ["one.txt"] * 2 + ["two.txt"] * 2,
    )
    assert "no file has such a name" in run("--ref", "ref.txt", "--hyp", "x*.txt")[2]


def test_a_workbook_with_two_references_is_a_table(tmp_path):
    rows = [["ref", "ref_2", "hyp"], ["=1+1", "a dog", "a dog"], ["a cat", "", "a cow"]]
    (tmp_path / "p.xlsx").write_bytes(workbook({"pairs": rows}))
    code, out, _ = run("--pairs", tmp_path / "p.xlsx")
    scores = [json.loads(line)["score"] for line in out.splitlines()]
    assert code == 0
    assert scores == pytest.approx([100.0, CHRF().sentence_score("a cow", ["a cat"]).score])


def test_a_table_that_is_given_as_text_is_told(tmp_path):
    (tmp_path / "p.csv").write_text("a,b\n", "utf-8")
    code, _, err = run("--ref", tmp_path / "p.csv", "--hyp", tmp_path / "p.csv")
    assert (code, "p.csv is read line by line as text" in err) == (0, True)


def test_a_metric_without_any_score_ends_with_2_and_strict_with_any_missing(files):
    (files / "empty.txt").write_text("\n\n", "utf-8")
    done = CliRunner().invoke(
        app,
        ["score", "--metric", "mteqa", "--ref", str(files / "empty.txt"), "--hyp", str(files / "one.txt")],
    )
    assert done.exit_code == 2
    assert "Scores are missing." in done.stderr
