"""`python -m core agreement` on tables of ratings."""

from __future__ import annotations

import json

import pytest
from scipy import stats
from typer.testing import CliRunner

from core.__main__ import app

SCORES = {"aki": [90, 80, 20, 60], "ben": [80, 70, 30, 50], "chi": [10, 90, 40, 60]}


def rows():
    return [
        {"rater": rater, "item": f"i{place}", "score": score}
        for rater, scores in SCORES.items()
        for place, score in enumerate(scores)
    ]


def run(*arguments):
    return CliRunner().invoke(app, ["agreement", *map(str, arguments)])


@pytest.fixture
def ratings(tmp_path):
    lines = ["rater,item,score", *(",".join(map(str, row.values())) for row in rows()), "aki,i9,"]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_the_mean_r_is_that_of_scipys_three_pairs(ratings):
    done = run(ratings, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    aki, ben, chi = SCORES.values()
    r = [stats.pearsonr(*two).statistic for two in ((aki, ben), (aki, chi), (ben, chi))]
    assert [pair["pearson"] for pair in found["pairs"]] == pytest.approx(r)
    assert found["figures"]["mean_r"]["value"] == pytest.approx(sum(r) / 3)
    assert [(one["rater"], one["n"], one["mean"]) for one in found["raters"]] == [
        ("aki", 4, 62.5),
        ("ben", 4, 57.5),
        ("chi", 4, 50),
    ]
    assert found["raters"][2]["mean_r_without"] == pytest.approx(r[0])


def test_the_table_for_the_eye_has_six_figures_three_raters_and_three_pairs(ratings):
    done = run(ratings)
    figures, raters, pairs = (part.splitlines() for part in done.stdout.split("\n\n"))
    assert [len(part) - 1 for part in (figures, raters, pairs)] == [6, 3, 3]
    assert done.stderr == "12 ratings, 3 raters.\n"  # the row without a score is left out


def test_json_lines_with_numbers_and_items_of_several_columns_give_the_same(ratings, tmp_path):
    lines = [
        json.dumps({"judge": row["rater"], "doc": "d", "seg": int(row["item"][1:]), "points": row["score"]})
        for row in rows()
    ]
    path = tmp_path / "ratings.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    done = run(path, "--rater", "judge", "--item", "doc,seg", "--score", "points", "--json")
    assert done.stdout == run(ratings, "--json").stdout


def test_raters_whose_scores_do_not_vary_have_no_z_and_are_told(tmp_path):
    lines = ["rater\titem\tscore", *(f"{row['rater']}\t{row['item']}\t{row['score']}" for row in rows())]
    lines += [f"dan\ti{place}\t50" for place in range(4)]
    path = tmp_path / "ratings.tsv"
    path.write_text("\n".join(lines), "utf-8")
    done = run(path, "--method", "z", "--json")
    assert "rater dan, whose scores do not vary" in done.stderr
    assert [one["rater"] for one in json.loads(done.stdout)["raters"]] == list(SCORES)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rater,item\na,1\n", "line 2: has no column “score”"),
        ("rater,item,score\na,1,high\n", "line 2: “high” is not a number"),
        ("rater,item,score\na,1\n", "line 2: has a row with fewer cells"),
        ("rater,item,score\na,1,\n", "has no scores"),
        ("", "has no scores"),
    ],
)
def test_a_table_that_cannot_be_read_ends_in_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "ratings.csv"
    path.write_text(text, "utf-8")
    done = run(path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
