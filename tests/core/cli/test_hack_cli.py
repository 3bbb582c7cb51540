"""`python -m core hack`: a line out for a line in, a count of what was left alone, faults in a sentence."""

from __future__ import annotations

import json

import pytest

from core.hacks import EDITS
from tests.support.cli_files import run, write

LINES = ["彼は猫を見た。", "犬。", "", "3月12日に来ます。"]


@pytest.fixture
def hyp(tmp_path):
    return write(tmp_path / "hyp.txt", LINES)


def test_a_line_out_for_a_line_in_and_a_count_of_what_stayed(hyp):
    status, out, err = run("hack", "--kind", "flip-negation", "--hyp", hyp)
    assert (status, out) == (0, "彼は猫を見なかった。\n犬。\n\n3月12日に来ません。\n")
    assert err == "changed 2 of 4, unchanged 2, empty 1, no-predicate 1\n"


def test_json_says_what_was_done_and_where(hyp, tmp_path):
    status, out, _ = run(
        "hack", "--kind", "change-number", "--hyp", hyp, "--json", "--out", tmp_path / "o.jsonl"
    )
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()]
    assert (status, out) == (0, "")
    assert rows[0] == {
        "segment": 0,
        "text": LINES[0],
        "note": None,
        "start": None,
        "end": None,
        "skipped": "no-number",
    }
    assert rows[3] == {
        "segment": 3,
        "text": "3月21日に来ます。",
        "note": "12 → 21",
        "start": 2,
        "end": 4,
        "skipped": None,
    }


def test_several_edits_in_order_with_a_parse_of_the_text_between_them(hyp):
    status, out, _ = run("hack", "--kind", "maru-7,flip-negation", "--hyp", hyp)
    assert status == 0
    assert out.splitlines()[0] == "彼は猫を見なかった。。。。。。。。"


def test_the_other_files_go_line_by_line(hyp, tmp_path):
    more = write(tmp_path / "more.txt", ["a", "b", "c", "d"])
    assert run("hack", "--kind", "copy-source", "--hyp", hyp, "--src", more)[1] == "a\nb\n\nd\n"
    assert run("hack", "--kind", "concat", "--hyp", hyp, "--other", more)[1].splitlines()[1] == "犬。b"
    assert run("hack", "--kind", "reference-twice", "--hyp", hyp, "--ref", more)[1].splitlines()[0] == "aa"


def test_the_same_seed_gives_the_same_lines(tmp_path):
    hyp = write(tmp_path / "en.txt", ["one two three four five six seven"])
    outs = [run("hack", "--kind", "shuffle", "--hyp", hyp, "--seed", seed)[1] for seed in (1, 1, 2)]
    assert outs[0] == outs[1] != outs[2]


def test_the_list_names_every_edit():
    status, out, _ = run("hack", "--kind", "list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(EDITS)
    rows = json.loads(run("hack", "--kind", "list", "--json")[1])
    assert [row["name"] for row in rows] == list(EDITS)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--kind", "maru"], "There is no edit maru; choose among"),
        (["--kind", ","], "Give --kind EDIT or --flip METRIC, and --hyp FILE"),
        (["--kind", "concat"], "concat needs --other FILE, with one line per line of --hyp."),
        (["--kind", "repeat", "--lang", "fr"], "Edits exist for ja and en, not for fr"),
    ],
)
def test_bad_options_end_in_one_sentence(arguments, sentence, hyp):
    status, out, err = run("hack", *arguments, "--hyp", hyp)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert sentence in err


def test_bad_files_end_in_one_sentence(hyp, tmp_path):
    short = write(tmp_path / "short.txt", ["a"])
    empty = write(tmp_path / "empty.txt", [])
    _, _, err = run("hack", "--kind", "concat", "--hyp", hyp, "--other", short)
    assert err == f"{short}, line 2: has 1 lines but {hyp} has 4; write one segment per line in both\n"
    assert run("hack", "--kind", "repeat", "--hyp", empty)[::2] == (
        2,
        f"{empty}: is empty; write one segment per line\n",
    )
    status, _, err = run("hack", "--kind", "repeat")
    assert (status, err) == (
        2,
        "Give --kind EDIT or --flip METRIC, and --hyp FILE; --kind list lists the edits.\n",
    )
    assert run("hack", "--kind", "repeat", "--hyp", tmp_path / "none.txt")[0] == 2


@pytest.mark.slow
def test_the_smallest_change_is_a_table_and_json(tmp_path):
    ref = write(tmp_path / "ref.txt", ["He saw 30 cats.", "a b"])
    hyp = write(tmp_path / "good.txt", ["He saw 30 cats.", "a c"])
    other = write(tmp_path / "bad.txt", ["He saw 30 big cats.", "a c"])
    given = ("hack", "--flip", "chrf", "--hyp", hyp, "--ref", ref, "--other", other, "--lang", "en")
    status, out, err = run(*given, "--metric", "bleu")
    assert status == 0
    assert out.splitlines()[1].split() == ["change", "size", "chrf", "bleu"]
    assert "It crosses chrf" in out
    assert err == "line 2: The score is already that of the border; choose another metric or score.\n"
    first, second = map(json.loads, run(*given, "--json", "--seconds", 5)[1].splitlines())
    assert first["reached"]
    assert first["steps"][0]["scores"] == {"chrf": 100.0}
    assert second["missing"].startswith("The score is already")
    aimed = json.loads(run(*given[:-2], "--lang", "en", "--target", 50, "--json")[1].splitlines()[0])
    assert aimed["target"] == 50


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--flip", "bleu"], "--flip needs --ref FILE"),
        (["--flip", "bleu", "--ref", "HYP"], "--flip needs --other FILE or --target SCORE."),
        (["--flip", "blue", "--ref", "HYP"], "There is no metric blue; did you mean bleu?"),
        (["--flip", "gemba-da", "--ref", "HYP", "--target", "5"], "asks a language model (gemba-da)"),
    ],
)
def test_what_a_search_cannot_do_ends_in_one_sentence(arguments, sentence, hyp, tmp_path):
    status, out, err = run("hack", *(hyp if one == "HYP" else one for one in arguments), "--hyp", hyp)
    assert (status, out) == (2, "")
    assert sentence in err
