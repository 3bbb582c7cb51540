"""`python -m core rank`: mean ranks and combined segments by hand; files that cannot be compared."""

from __future__ import annotations

import json

import pytest
import sacrebleu

from tests.support.cli_files import run, write

SCORES = {
    "ours": {"chrf": [40, 60], "bertscore": [0.8, 0.9], "bleu": [10, 20]},
    "theirs": {"chrf": [70, 50], "bertscore": [0.7, 0.8], "bleu": [10, 20]},
    "copy": {"chrf": [1, 3], "bertscore": [0.75, 0.75], "bleu": [0, 0]},
}
"""Means: chrf 50, 60, 2; bertscore 0.85, 0.75, 0.75; bleu 15, 15, 0."""
OTHER_TRACE = {"trace": "BleuTrace", "format": 1, "data": {"hypothesis": [], "reference": []}}


def line(segment, metric, score, signature=None, **more):
    row = {"segment": segment, "metric": metric, "score": score, "signature": signature or f"{metric}|v:1"}
    return json.dumps(row | more)


@pytest.fixture
def systems(tmp_path):
    options = []
    for name, by_metric in SCORES.items():
        lines = [
            line(at, metric, one) for metric, values in by_metric.items() for at, one in enumerate(values)
        ]
        options += ["--system", f"{name}={write(tmp_path / f'{name}.jsonl', lines)}"]
    return options


def test_the_mean_rank_by_hand(systems):
    """ours: chrf 2, bertscore 1, bleu 1.5; theirs: 1, 2.5, 1.5; copy: 3, 2.5, 3."""
    status, out, err = run("rank", *systems)
    rows = [row.split("  ") for row in out.splitlines()]
    table = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}
    assert status == 0
    assert table["system"] == ["ours", "theirs", "copy"]
    assert table["mean rank"] == ["1.50", "1.67", "2.83"]
    assert table["chrf"] == ["50.0000 (2)", "60.0000 (1)", "2.0000 (3)"]
    assert table["bertscore"] == ["0.8500 (1)", "0.7500 (2.5)", "0.7500 (2.5)"]
    assert table["without chrf"] == ["1.25", "2.00", "2.75"]
    assert table["without bertscore"] == ["1.75", "1.25", "3.00"]
    assert err.splitlines() == [
        f"{name} is a mean over segments; use score --trace for the corpus score."
        for name in ("chrf", "bleu")
    ]


def test_json_says_the_same_for_chosen_metrics(systems, tmp_path):
    out = tmp_path / "ranks.json"
    status, printed, _ = run("rank", *systems, "--metric", "bertscore,chrf", "--json", "--out", out)
    found = json.loads(out.read_text("utf-8"))
    assert (status, printed) == (0, "")
    assert (found["metrics"], found["left_out"]) == (["bertscore", "chrf"], [])
    assert [(row["system"], row["mean_rank"]) for row in found["systems"]] == [
        ("ours", 1.5),
        ("theirs", 1.75),
        ("copy", 2.75),
    ]
    assert found["systems"][0]["ranks"] == {"bertscore": 1.0, "chrf": 2.0}
    assert found["systems"][0]["scores"] == {"bertscore": pytest.approx(0.85), "chrf": 50.0}
    assert found["without"] == {
        "bertscore": {"theirs": 1.0, "ours": 2.0, "copy": 3.0},
        "chrf": {"ours": 1.0, "theirs": 2.5, "copy": 2.5},
    }


def test_one_number_a_segment_from_the_ranks_of_all_segments(tmp_path):
    """chrf 10, 20, 30, 40 -> 0, 1/3, 2/3, 1; bertscore .9, .6, .8, .7 -> 1, 0, 2/3, 1/3."""
    a = [line(0, "chrf", 10), line(1, "chrf", 20), line(0, "bertscore", 0.9), line(1, "bertscore", 0.6)]
    b = [line(0, "chrf", 30), line(1, "chrf", 40), line(0, "bertscore", 0.8), line(1, "bertscore", 0.7)]
    options = ["--system", f"a={write(tmp_path / 'a', a)}", "--system", f"b={write(tmp_path / 'b', b)}"]
    status, out, err = run("rank", *options, "--segments", "rank")
    rows = [json.loads(row) for row in out.splitlines()]
    assert (status, err) == (0, "")
    assert [(row["system"], row["segment"]) for row in rows] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert [row["score"] for row in rows] == pytest.approx([1 / 2, 1 / 6, 2 / 3, 2 / 3])
    assert {row["metric"] for row in rows} == {"combined-rank"}
    assert rows[0]["signature"].startswith("combined-rank|of:chrf+bertscore|systems:2|segments:2|")


def test_one_number_a_segment_from_z_scores(tmp_path):
    """1, 3: mean 2, sd √2 -> ±1/√2. A segment without a score has none."""
    options = []
    for name, scores in (("a", [1, None]), ("b", [3, 5])):
        lines = [line(at, "chrf", one) for at, one in enumerate(scores)]
        options += ["--system", f"{name}={write(tmp_path / name, lines)}"]
    _, out, _ = run("rank", *options, "--segments", "z")
    found = [json.loads(row)["score"] for row in out.splitlines()]
    assert found[1] is None
    assert [found[0], found[2], found[3]] == pytest.approx([-1, 0, 1])  # 1, 3, 5: mean 3, sd 2


def test_a_segment_without_a_score_counts_for_no_system(tmp_path):
    options = []
    for name, scores in (("a", [0.9, None, 0.5]), ("b", [0.6, 0.1, 0.6])):
        lines = [line(at, "bertscore", one) for at, one in enumerate(scores)]
        options += ["--system", f"{name}={write(tmp_path / name, lines)}"]
    _, out, _ = run("rank", *options)
    assert out.splitlines()[2].split() == ["bertscore", "0.7000", "(1)", "0.6000", "(2)"]


def test_a_metric_under_which_a_system_has_no_score_is_named_and_left_out(tmp_path):
    options = []
    for name, score in (("a", None), ("b", 0.5)):
        lines = [line(0, "mteqa", score), line(0, "bertscore", 0.5)]
        options += ["--system", f"{name}={write(tmp_path / name, lines)}"]
    _, out, err = run("rank", *options)
    assert err == "mteqa is left out: it has no score for some system.\n"
    assert "mteqa" not in out


def test_with_traces_bleu_is_sacrebleus_of_the_whole_set(tmp_path):
    """By the mean of sentences a has 50 and b less; by summed counts a has 1 word of 7."""
    references = ["cat", "one two three four five six"]
    texts = {"a": ["cat", "x x x x x x"], "b": ["dog", "one two three four x x"]}
    ref = write(tmp_path / "ref", references)
    options = []
    for name, lines in texts.items():
        hyp, out = write(tmp_path / name, lines), tmp_path / f"{name}.jsonl"
        run("score", "--metric", "bleu", "--ref", ref, "--hyp", hyp, "--trace", "--lang", "en", "--out", out)
        options += ["--system", f"{name}={out}"]
    _, out, err = run("rank", *options, "--json")
    found = {row["system"]: row["scores"]["bleu"] for row in json.loads(out)["systems"]}
    assert err == ""
    assert list(found) == ["b", "a"]
    for name, lines in texts.items():
        whole = sacrebleu.corpus_bleu(lines, [references], use_effective_order=True)
        assert found[name] == pytest.approx(whole.score)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "is not a line of python -m core score"),
        (["[1]"], "is not a line of python -m core score"),
        (['{"segment": 0, "metric": "chrf"}'], "is not a line of python -m core score"),
        ([line("0", "chrf", 1)], "an invalid segment, metric or signature"),
        ([line(0, "chrf", "good")], "a score that is not a number"),
        ([line(0, "chrf", True)], "a score that is not a number"),
        ([line(0, "chrf", 1).replace("1,", "NaN,")], "a score that is not a number"),
        ([line(0, "chrf", 1), line(0, "chrf", 2)], "repeats segment 0 of chrf"),
        ([line(0, "chrf", 1), line(1, "chrf", 2, "chrf|v:2")], "two signatures for chrf (v: 1 ≠ 2)"),
        ([line(0, "chrf", 1, trace={"trace": "ChrfTrace"})], "an invalid trace"),
        (
            [line(0, "chrf", 1, trace=OTHER_TRACE)],
            "a trace that does not belong to chrf",
        ),
        ([""], "has no scores"),
    ],
)
def test_a_file_that_holds_no_scores_is_named_with_its_line(tmp_path, systems, lines, message):
    bad = write(tmp_path / "bad.jsonl", lines)
    status, out, err = run("rank", *systems, "--system", f"bad={bad}")
    assert (status, out) == (2, "")
    assert message in err
    assert str(bad) in err


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ([line(0, "chrf", 1, "chrf|v:2"), line(1, "chrf", 1, "chrf|v:2")], "cannot be compared (v: 1 ≠ 2)"),
        ([line(0, "chrf", 1)], "different segments for chrf"),
        ([line(0, "mteqa", 1)], "no metric in common"),
    ],
)
def test_systems_that_cannot_be_compared_are_not(tmp_path, systems, other, message):
    status, out, err = run("rank", *systems, "--system", f"other={write(tmp_path / 'other', other)}")
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--system", "a"], "write NAME=FILE"),
        (["--system", "ours=x"], "ours is repeated"),
        (["--metric", "mteqa"], "mteqa is not in every file; the common metrics are chrf, bertscore, bleu."),
        (["--metric", "luck"], "There is no metric luck"),
        (["--segments", "median"], "choose from rank, z"),
    ],
)
def test_wrong_options_are_sentences(systems, options, message):
    status, out, err = run("rank", *systems, *options)
    assert (status, out) == (2, "")
    assert message in err


def test_one_system_has_no_rank(tmp_path):
    path = write(tmp_path / "a", [line(0, "chrf", 1)])
    assert run("rank", "--system", f"a={path}")[2] == "Give --system NAME=FILE for at least two systems.\n"
