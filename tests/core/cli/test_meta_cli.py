"""`python -m core meta` on files of mt-metrics-eval's form."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from core.__main__ import app

PEOPLE = {"ash": [90, 80, None, 70], "beech": [60, 70, 50, 40], "cedar": [10, 20, 30, 20]}
GOOD = {
    "ash": [0.9, 0.8, 0.6, 0.7],
    "beech": [0.6, 0.7, 0.5, 0.4],
    "cedar": [0.1, 0.2, 0.3, 0.25],
    "elm": [1, 1, 1, 1],
}


@pytest.fixture
def files(tmp_path):
    def write(name, scores):
        lines = [f"{system}\t{score}" for system, values in scores.items() for score in values]
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
        return str(tmp_path / name)

    errors = {system: [-score for score in values] for system, values in GOOD.items()}
    (tmp_path / "docs").write_text("news\td1\nnews\td1\nnovel\td2\nnovel\td2\n", "utf-8")
    write("people.seg.score", PEOPLE)
    write("good.seg.score", GOOD)
    write("errors.seg.score", errors)
    return tmp_path


def run(files, *arguments):
    from typer.testing import CliRunner

    given = ["meta", "--people", str(files / "people.seg.score"), *arguments]
    return CliRunner().invoke(app, given)


def metric(files, name):
    return ["--metric", f"{name}={files / f'{name}.seg.score'}"]


def test_figures_are_those_of_the_shared_systems_and_scored_segments(files):
    done = run(files, *metric(files, "good"), "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    (row,) = found["metrics"]
    pairs = [
        (human, score)
        for system, values in PEOPLE.items()
        for human, score in zip(values, GOOD[system], strict=True)
        if human is not None
    ]
    assert row["n"] == 11
    assert row["pearson"] == pytest.approx(stats.pearsonr(*zip(*pairs, strict=True)).statistic)
    assert row["system_accuracy"] == 1.0


def test_a_metric_of_which_lower_is_better_is_turned_round(files):
    done = run(files, *metric(files, "good"), *metric(files, "errors"), "--lower", "errors", "--json")
    good, errors = json.loads(done.stdout)["metrics"]
    assert errors["pearson"] == pytest.approx(good["pearson"])


def test_a_domain_alone_and_the_table_for_the_eye(files):
    done = run(
        files, *metric(files, "good"), "--documents", str(files / "docs"), "--domain", "news", "--json"
    )
    assert json.loads(done.stdout)["metrics"][0]["n"] == 6
    shown = run(files, *metric(files, "good"), "--coefficient", "kendall", "--grouping", "item").stdout
    heads, row, basis, *_ = shown.splitlines()
    assert [one in heads for one in ("r in segments", "r in documents", "kendall by item", "pooled r")] == [
        True
    ] * 4
    assert row.split()[:2] == ["good", "11"]  # people left one of twelve out
    assert basis.startswith(
        "These figures rest on 11 translations of 4 segments in 4 documents; people's mean is"
    )


def test_metrics_of_different_translations_are_told_and_can_be_put_on_common_ground(files):
    half = "\n".join(f"ash\t{score}" for score in ("0.9", "0.8", "None", "0.7"))
    rest = "\n".join(f"{name}\t{score}" for name in ("beech", "cedar") for score in [*GOOD[name][:3], "None"])
    (files / "half.seg.score").write_text(f"{half}\n{rest}\n", "utf-8")
    given = [*metric(files, "good"), *metric(files, "half"), "--documents", str(files / "docs"), "--json"]
    done = run(files, *given)
    good, half = json.loads(done.stdout)["metrics"]
    assert (good["n"], good["scored"], half["n"], half["scored"]) == (9, 11, 9, 9)
    assert good["pearson"] == pytest.approx(half["pearson"])
    assert "every metric has scored; scored are: good 11." in done.stderr
    assert "The number of documents is 2; intervals from fewer than 10 are rough." in done.stderr
    done = run(files, *given, "--own-items")
    assert [row["n"] for row in json.loads(done.stdout)["metrics"]] == [11, 9]
    assert "different translations (n 9 to 11)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--metric", "good"], "--metric good: write NAME=FILE."),
        (["--metric", "good=GOOD", "--lower", "bleu"], "--lower names bleu"),
        (
            ["--metric", "good=GOOD", "--coefficient", "rho"],
            "--coefficient rho: choose from pearson, spearman, kendall.",
        ),
        (
            ["--metric", "good=GOOD", "--documents", "DOCS", "--domain", "law"],
            "no domain law; choose from news, novel",
        ),
        (["--metric", "good=BAD"], "line 2: “much” is not a number"),
        (["--metric", "good=SHORT"], "has 3 segments and"),
        (["--metric", "good=UNEVEN"], "not have as many scores of each system: ash 2, beech 1"),
        (["--metric", "good=EMPTY"], "holds no scores"),
        (["--metric", "good=OTHER"], "no system that all metrics have scored"),
        (["--metric", "good=GOOD", "--documents", "EMPTY"], "has 1 lines but the test set has 4"),
    ],
    ids=[
        "form",
        "lower",
        "coefficient",
        "domain",
        "number",
        "sizes",
        "uneven",
        "empty",
        "other",
        "documents",
    ],
)
def test_bad_input_is_one_sentence(files, arguments, sentence):
    for name, text in {
        "BAD": "ash\t1\nash\tmuch\n",
        "SHORT": "ash\t1\n" * 3,
        "UNEVEN": "ash\t1\nash\t1\nbeech\t1\n",
        "EMPTY": "\n",
        "OTHER": "elm\t1\n" * 4,
    }.items():
        (files / name).write_text(text, "utf-8")
    paths = {"GOOD": "good.seg.score", "DOCS": "docs"}
    given = [
        word.replace(name, str(files / paths.get(name, name)))
        for word in arguments
        for name in [
            next((one for one in (*paths, "BAD", "SHORT", "UNEVEN", "EMPTY", "OTHER") if one in word), "\0")
        ]
    ]
    done = run(files, *given)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture
def folder(files):
    """The same files laid out as mt-metrics-eval lays them out."""
    root = files / "set"
    for name, there in (
        ("people", "human-scores/en-ja.esa"),
        ("good", "metric-scores/en-ja/good-refA"),
        ("errors", "metric-scores/en-ja/a%20metric-refA"),
    ):
        path = root / f"{there}.seg.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((files / f"{name}.seg.score").read_bytes())
    (root / "documents").mkdir()
    (root / "documents" / "en-ja.docs").write_bytes((files / "docs").read_bytes())
    return root


def in_folder(folder, *arguments):
    from typer.testing import CliRunner

    return CliRunner().invoke(app, ["meta", "--folder", str(folder), *arguments])


def test_a_folder_gives_the_figures_of_its_files(files, folder):
    given = json.loads(
        run(files, *metric(files, "good"), "--documents", str(files / "docs"), "--json").stdout
    )
    done = in_folder(folder, "--people", "esa", "--metric", "good-refA", "--json")
    assert done.exit_code == 0
    (found,), (expected,) = json.loads(done.stdout)["metrics"], given["metrics"]
    assert found == expected | {"metric": "good-refA"}
    everything = json.loads(in_folder(folder, "--people", "esa", "--lower", "a metric-refA", "--json").stdout)
    assert [row["metric"] for row in everything["metrics"]] == ["a metric-refA", "good-refA"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--people", "mqm"], "no human scores “mqm”; there are esa"),
        (["--people", "esa", "--metric", "bleu"], "no metric “bleu”; there are a metric-refA, good-refA"),
        (["--people", "esa", "--pair", "de-en"], "no language pair de-en; choose with --pair among en-ja"),
    ],
)
def test_what_a_folder_lacks_is_said_with_what_it_has(folder, arguments, words):
    done = in_folder(folder, *arguments)
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.split())


def test_a_folder_without_scores_is_none(tmp_path):
    done = in_folder(tmp_path, "--people", "esa")
    assert done.exit_code == 2
    assert "has no scores of segments" in " ".join(done.stderr.split())


def test_metrics_must_be_named_without_a_folder(files):
    done = run(files)
    assert done.exit_code == 2
    assert "Give --metric NAME=FILE, or --folder." in done.stderr


def test_raters_files_show_what_one_more_rater_reaches_and_what_metrics_are_worth(tmp_path):
    rng = np.random.default_rng(5)
    truth = rng.normal(size=600)
    columns = {name: truth + rng.normal(size=600) for name in ("one", "two", "metric")}
    columns["people"] = (columns["one"] + columns["two"]) / 2
    for name, values in columns.items():
        (tmp_path / f"{name}.seg.score").write_text("".join(f"ash\t{value}\n" for value in values), "utf-8")
    raters = [part for name in ("one", "two") for part in ("--rater", str(tmp_path / f"{name}.seg.score"))]
    done = run(tmp_path, *metric(tmp_path, "metric"), *raters, "--json")
    found = json.loads(done.stdout)["ceiling"]
    expected = stats.pearsonr(columns["one"], columns["two"]).statistic
    # which of the two is held out differs from translation to translation
    assert found["one_rater"]["value"] == pytest.approx(expected, abs=0.01)
    assert found["one_rater"]["n"] == 600
    assert [one["metric"] for one in found["metrics"]] == ["metric"]
    shown = run(tmp_path, *metric(tmp_path, "metric"), *raters).stdout
    assert "one more rater" in shown


def test_raters_who_share_too_little_end_in_one_sentence(files):
    done = run(files, *metric(files, "good"), "--rater", str(files / "people.seg.score"))
    assert done.exit_code == 2
    assert done.stderr == "The files of --rater have fewer than 10 translations that two of them score.\n"
