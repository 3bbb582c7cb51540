"""`python -m core grid`: from files or a folder of mt-metrics-eval, with one sentence for what is wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.assets import ROOT
from tests.support.cli_files import run, write

REFERENCES = ["the cat sat", "a dog ran", "", "birds sing"]
OURS = ["the cat sat", "a dog", "fish", "birds"]
THEIRS = ["cat", "the dog ran", "x", "birds sing"]
SCORES = [
    *("ours	90", "ours	60", "ours	None", "ours	50"),
    *("theirs	20", "theirs	70", "theirs	0", "theirs	95"),
]


@pytest.fixture
def given(tmp_path) -> list[object]:
    """The options that name the files."""
    people = write(tmp_path / "people.seg.score", SCORES)
    ref, ours, theirs = (
        write(tmp_path / name, lines)
        for name, lines in (("ref", REFERENCES), ("ours", OURS), ("theirs", THEIRS))
    )
    return ["--people", people, "--ref", ref, "--hyp", f"ours={ours}", "--hyp", f"theirs={theirs}"]


@pytest.fixture
def folder(tmp_path) -> Path:
    """The same as a folder of mt-metrics-eval, the second segment in a domain of its own."""
    files = {
        "human-scores/de-en.esa.seg.score": SCORES,
        "references/de-en.refA.txt": REFERENCES,
        "sources/de-en.txt": ["eins", "zwei", "", "vier"],
        "documents/de-en.docs": ["news\td1", "novel\td2", "news\td1", "news\td3"],
        "system-outputs/de-en/ours.txt": OURS,
        "system-outputs/de-en/theirs.txt": THEIRS,
        "system-outputs/de-en/refA.txt": REFERENCES,
        "system-outputs/de-en/unrated.txt": REFERENCES,
    }
    for name, lines in files.items():
        (tmp_path / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / "set" / name, lines)
    return tmp_path / "set"


AXES = ["--axis", "metric=bleu,chrf", "--axis", "tokenize=13a,char"]


def test_a_grid_of_files_is_a_line_for_each_cell(given):
    status, out, err = run("grid", *AXES, *given)
    assert status == 0
    head, *lines = out.splitlines()
    assert head.split() == ["metric", "tokenize", "pearson", "kendall", "n", "missing"]
    assert [line.split()[:2] for line in lines] == [
        ["bleu", "13a"],
        ["bleu", "char"],
        ["chrf", "13a"],
        ["chrf", "char"],
    ]
    assert {line.split()[4] for line in lines} == {"7"}  # nobody scored ours of the third segment
    assert err == "4 cells (3 different), 7 translations.\n"  # chrf has no tokenizer


def test_a_folder_gives_the_same_figures_as_its_files(given, folder):
    (_, files, _), (_, whole, _) = (
        run("grid", *AXES, *more, "--json") for more in (given, ["--folder", folder, "--people", "esa"])
    )
    assert whole == files
    row = json.loads(whole.splitlines()[0])
    assert (row["cell"], row["n"]) == ({"metric": "bleu", "tokenize": "13a"}, 7)
    assert row["signature"].startswith("bleu|")


def test_a_domain_is_looked_at_alone(folder):
    given = ("grid", *AXES, "--folder", folder, "--people", "esa", "--json")
    assert {json.loads(line)["n"] for line in run(*given, "--domain", "news")[1].splitlines()} == {5}
    status, _, err = run(*given, "--domain", "poems")
    assert (status, err) == (2, "There is no domain poems; choose from news, novel.\n")


def test_the_heatmap_is_one_file_that_needs_nothing_else(given, tmp_path):
    assert run("grid", *AXES, *given, "--heatmap", tmp_path / "map.html", "--coefficient", "kendall")[0] == 0
    page = (tmp_path / "map.html").read_text("utf-8")
    assert "kendall with people, 7 translations" in page
    assert 'src="http' not in page


def test_with_what_was_kept_nothing_is_scored_again(given, tmp_path, monkeypatch):
    first = run("grid", *AXES, *given, "--resume", tmp_path / "kept")
    monkeypatch.setattr("core.grid.run.score_prepared", lambda *_: pytest.fail("scored again"))
    assert run("grid", *AXES, *given, "--resume", tmp_path / "kept") == first
    assert run("grid", *AXES, *given, "--keep", tmp_path / "kept") == first  # the old name


@pytest.mark.slow
def test_a_grid_that_is_killed_goes_on_and_prints_the_same_table(tmp_path):
    lines = [f"the cat sat on mat number {number} of them" for number in range(1500)]
    ref = write(tmp_path / "ref", lines)
    hyp = write(tmp_path / "hyp", [line.replace("cat", "dog") if len(line) % 2 else line for line in lines])
    people = write(tmp_path / "people", [f"ours\t{number % 97}" for number in range(1500)])
    kept = tmp_path / "kept"
    given = ["--people", people, "--ref", ref, "--hyp", f"ours={hyp}", *AXES]
    command = [sys.executable, "-m", "core", "grid", *map(str, given), "--keep", str(kept)]
    status, whole, _ = run("grid", *given)
    assert status == 0
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not kept.exists() or len(kept.read_bytes()) < 6_000:
        assert running.poll() is None
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert 0 < kept.read_bytes().count(b"\n") < 1 + 94 * 3  # 94 times 16 pairs under three different cells
    assert run("grid", *given, "--keep", kept)[1] == whole


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (["--axis", "colour=red"], "bleu or chrf has no option colour; an axis may be metric, "),
        (["--axis", "layer"], "--axis layer: write OPTION=VALUE,VALUE"),
        (["--coefficient", "phi"], "--coefficient phi: choose from pearson, spearman, kendall."),
        (["--hyp", "third"], "--hyp third: write SYSTEM=FILE."),
        (["--hyp", "ours=x"], "--hyp ours is repeated; give one file per name."),
        (["--set", "tokenize=13a"], "tokenize is an axis and also fixed to 13a; leave out one"),
        (["--folder", "x"], "--folder contains the translations; leave out --hyp"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(given, change, sentence):
    status, out, err = run("grid", *AXES, *given, *change)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(sentence)


@pytest.mark.parametrize(
    ("file", "lines", "sentence"),
    [
        ("ours", OURS[:2], "ours, line 3: has 2 lines but "),
        ("ref", REFERENCES[:2], "ours, line 3: has 4 lines but "),
        (
            "people.seg.score",
            [one.replace("ours", "b").replace("theirs", "c") for one in SCORES],
            "people.seg.score: has no scores for ours, theirs; its systems are b, c.",
        ),
        ("people.seg.score", ["ours\t1", "theirs\t2"], "people.seg.score: has 1 segments but "),
        ("people.seg.score", ["ours\tNone"] * 4, "None of these translations has a human score"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(given, tmp_path, file, lines, sentence):
    write(tmp_path / file, lines)
    status, out, err = run("grid", *AXES, *given)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.removeprefix(f"{tmp_path}/").startswith(sentence)


def test_a_value_that_the_option_does_not_have_is_refused(given):
    status, _, err = run("grid", "--metric", "bleu", "--axis", "tokenize=13a,soft", *given)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("bleu.tokenize=soft is not possible; choose ")


def test_without_files_it_says_what_to_give(tmp_path):
    status, _, err = run("grid", *AXES, "--people", tmp_path / "x")
    assert (status, err) == (2, "Give --ref FILE and --hyp SYSTEM=FILE, or --folder\n")


def test_two_rows_of_the_table_are_set_beside_people_translation_by_translation(given):
    status, out, _ = run("grid", *AXES, *given, "--nearer", "1,4")  # BLEU by words, chrF
    assert status == 0
    head, *lines, last = out.splitlines()
    names = ("line", "system", "people", "bleu 13a", "chrf char", "nearer")
    assert tuple(re.split(r"\s{2,}", head.strip())) == names
    assert {tuple(line.split()[:2]) for line in lines} == {
        *((line, "ours") for line in ("1", "2", "4")),
        *((line, "theirs") for line in ("1", "2", "3", "4")),
    }
    share = sum(line.endswith("bleu 13a") for line in lines) / 7
    assert last.startswith(f"bleu 13a is nearer on {share:.3f} of 7 translations")
    # people 90 60 50 20 70 0 95: mean 55, variance 7350 / 7; (90 - 55) / 32.40
    assert next(line.split()[2] for line in lines if line.split()[:2] == ["1", "ours"]) == "1.080"


@pytest.mark.parametrize("text", ["1", "1,1", "0,1", "1,5", "1,2,3", "a,b", "1,"])
def test_rows_that_the_table_lacks_are_one_sentence(given, text):
    status, _, err = run("grid", *AXES, *given, "--nearer", text)
    assert status == 2
    assert f"--nearer {text}: give two rows of the table, from 1 to 4, as 1,2" in err
