"""`python -m core contrast` on the set that comes with the program and on bad files."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from typer.testing import CliRunner

from core.__main__ import app

SHIPPED = "assets/demo/contrast.ja.tsv"


def run(*arguments):
    return CliRunner().invoke(app, ["contrast", *arguments])


def test_tau_by_phenomenon_and_what_went_wrong():
    done = run(SHIPPED, "--metric", "chrf", "--failures", "1")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[1].split() == ["all", "60", "-0.400", "(18/7/35/0)"]  # (18 - 42) / 60
    papers = re.split(r"\s{2,}", lines[2])
    assert papers == [
        "numbers, dates and names (Suzuki et al.)",
        "45",
        "-0.422 (13/7/25/0)",
    ]  # (13 - 32) / 45
    assert [line.split()[0] for line in lines[3:7]] == ["number", "date", "counter", "name"]
    assert sum(line.startswith("chrf, line ") for line in lines) == 1


def test_every_pair_as_json_lines():
    done = run(SHIPPED, "--metric", "chrf,bleu", "--set", "bleu.tokenize=char", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 120
    assert Counter(row["outcome"] for row in rows if row["metric"] == "chrf") == {
        "right": 18,
        "wrong": 7,
        "equal": 35,
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [("ref\tgood\n", "lacks the columns bad, phenomenon"), ("", "lacks the columns ref")],
)
def test_a_file_that_is_no_set_ends_in_one_sentence(tmp_path, content, words):
    path = tmp_path / "set.tsv"
    path.write_text(content, "utf-8")
    done = run(str(path), "--metric", "chrf")
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
