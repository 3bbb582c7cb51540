"""`python -m core calibrate fit|score` on files."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.cli.calibrate import read_people
from core.errors import FileError
from core.raters.ratings import Rating
from tests.support.made_ratings import made

SYSTEMS = ("ash", "beech")
SEGMENTS = 40


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two systems, ten documents of four segments, bleu and chrf and a metric with gaps; two raters."""
    folder = tmp_path_factory.mktemp("calibrate")
    data = made(documents=10, of_each=8, gaps=4)
    values = data.features.values.tolist()
    people = ["segment\tsystem\trater\tscore"]
    for number, system in enumerate(SYSTEMS):
        lines = []
        for segment in range(SEGMENTS):
            row = segment * 2 + number
            people.append(f"{segment}\t{system}\trater{segment % 2}\t{data.people()[row]}")
            for metric, score in zip(data.features.names, values[row], strict=True):
                line = {"segment": segment, "metric": metric, "score": score, "signature": f"{metric}|v1"}
                line.update(
                    {"score": None, "missing": "no"} if score != score else {"parts": {"recall": score / 2}}
                )
                lines.append(json.dumps(line))
        (folder / f"{system}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        (folder / f"{system}.txt").write_text("訳文\n" * SEGMENTS, "utf-8")
    (folder / "people.tsv").write_text("\n".join(people) + "\n", "utf-8")
    (folder / "docs").write_text(
        "".join(f"{'novel' if n < 20 else 'news'}\td{n // 4}\n" for n in range(SEGMENTS)), "utf-8"
    )
    (folder / "ref.txt").write_text("参照訳\n" * SEGMENTS, "utf-8")
    return folder


def scores(files):
    return [part for name in SYSTEMS for part in ("--scores", f"{name}={files / f'{name}.jsonl'}")]


def run(files, *arguments):
    given = ["--people", str(files / "people.tsv"), "--documents", str(files / "docs"), *arguments]
    return CliRunner().invoke(app, ["calibrate", "fit", *scores(files), "--model", "ridge", *given])


def test_fit_tells_everything_and_score_uses_what_it_saved(files, tmp_path):
    model, out = tmp_path / "model.json", tmp_path / "scores.jsonl"
    done = run(files, "--out", str(model), "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["verdict"] == "reached"
    assert told["why"] == []
    assert told["calibrated"]["n"] == told["facts"]["translations"] == 80
    assert told["gain"]["value"] == pytest.approx(
        told["calibrated"]["value"] - told["metrics"][told["best"]]["value"], abs=1e-9
    )
    assert {one["group"] for one in told["importance"]} == {"bleu", "chrf", "bertscore"}
    done = CliRunner().invoke(app, ["calibrate", "score", str(model), *scores(files), "--out", str(out)])
    assert done.exit_code == 0
    assert "80 translations, 2 systems." in done.stderr
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(one["system"], one["segment"]) for one in lines[:2]] == [("ash", 0), ("ash", 1)]
    assert {one["signature"] for one in lines} == {told["signature"]}
    assert all(one["score"] is not None for one in lines)


def test_the_text_says_how_much_there_is_and_why_a_gain_is_small(files):
    done = run(files, "--domain", "novel")
    assert done.exit_code == 0
    assert "40 translations of 5 documents, 40 ratings of 2 raters" in done.stdout
    assert "The data set is small" in done.stdout
    assert "training translations" in done.stdout


def test_lengths_are_features_where_the_texts_are_given(files):
    texts = [part for name in SYSTEMS for part in ("--hyp", f"{name}={files / f'{name}.txt'}")]
    done = run(files, "--ref", str(files / "ref.txt"), *texts, "--json")
    assert {"text.reference", "text.hypothesis", "text.ratio"} <= json.loads(done.stdout)["weights"].keys()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--scale", "ranks"), "--scale ranks: choose from z, raw."),
        (("--model", "forest"), "There is no model “forest”"),
        (("--domain", "poems"), "There is no domain poems; choose from news, novel."),
        (("--ref", "REF"), "Give both --ref and --hyp"),
        (("--scores", "ash"), "--scores ash: write SYSTEM=FILE."),
        (("--scores", "ash=again.jsonl"), "--scores ash is repeated"),
        (("--documents", "REF"), "is not a domain, a tab and a document"),
        (("--people", "REF"), "has no header with the columns segment, system, score"),
        (("--people", "NONE"), "none.tsv"),
    ],
)
def test_a_fault_of_the_user_is_one_sentence_and_status_2(files, arguments, sentence):
    places = {"REF": str(files / "ref.txt"), "NONE": str(files / "none.tsv")}
    done = run(files, *(places.get(one, one) for one in arguments))
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_too_little_data_is_said(files, tmp_path):
    (tmp_path / "few.tsv").write_text(
        "".join((files / "people.tsv").read_text("utf-8").splitlines(keepends=True)[:21]), "utf-8"
    )
    done = run(files, "--people", str(tmp_path / "few.tsv"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "There are 20 rated translations with scores, and a model needs at least 30"
    )


def test_scores_of_other_settings_are_refused(files, tmp_path):
    model, other = tmp_path / "model.json", tmp_path / "ash.jsonl"
    assert run(files, "--out", str(model)).exit_code == 0
    other.write_text((files / "ash.jsonl").read_text("utf-8").replace("chrf|v1", "chrf|v2"), "utf-8")
    done = CliRunner().invoke(app, ["calibrate", "score", str(model), "--scores", f"ash={other}"])
    assert done.exit_code == 2
    assert "The model learnt from other scores of chrf" in done.stderr


@pytest.mark.parametrize("score", ["1_0", "nan", "inf", "１", "", "half"])
def test_a_score_that_is_no_plain_number_is_refused_with_its_line(tmp_path, score):
    table, tabs = tmp_path / "table.csv", tmp_path / "people.seg.score"
    table.write_text(f"system,segment,score\nash,0,5\nash,1,{score}\n", "utf-8")
    with pytest.raises(FileError, match="score that is not a number"):
        read_people(table)
    tabs.write_text(f"ash\t5\nash\t{score}\n", "utf-8")
    with pytest.raises(FileError, match=r"line 2: .* is not a number; write a number or None"):
        read_people(tabs)


def test_people_are_read_from_tables_and_from_the_fields_own_form(tmp_path):
    path = tmp_path / "people"
    path.write_text("system,segment,score\nash,0,55\n", "utf-8")
    assert read_people(path) == [Rating("rater", ("ash", 0), 55.0)]
    path.write_text("ash\t55\nash\tNone\nbeech\t60\nbeech\t70\n", "utf-8")
    assert [one[:3] for one in read_people(path)] == [
        ("rater", ("ash", 0), 55.0),
        ("rater", ("beech", 0), 60.0),
        ("rater", ("beech", 1), 70.0),
    ]


@pytest.mark.parametrize(
    "row", ["x\tash\t1", "-1\tash\t1", "0.5\tash\t1", "0\t\t1", "0\tash\tNone", "0\tash"]
)
def test_a_bad_line_is_named(tmp_path, row):
    path = tmp_path / "people.tsv"
    path.write_text(f"segment\tsystem\tscore\n0\tash\t1\n{row}\n", "utf-8")
    with pytest.raises(FileError, match="line 3"):
        read_people(path)
