"""The history file: a whole campaign, and what is wrong with one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import FileError
from core.raters.practice import Expected
from db.campaigns.export import reduced, write_bundle
from db.formats import FORMATS
from db.formats.bundle import PracticeRow, ReadOptions
from tests.support.format_bundles import rich


def test_a_history_file_is_read_as_it_is_written(tmp_path):
    write_bundle(rich(), "history", tmp_path / "x.jsonl")
    lines = (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "format": "yomikurabe-history",
        "version": 1,
        "campaign": {
            "name": "Small", "langs": ["en", "ja"], "protocol": "esa", "description_en": "About",
            "design": {"before": 2}, "systems": [{"name": "ash"}, {"name": "refA", "is_reference": True}],
        },
    }  # fmt: skip
    assert json.loads(lines[-6])["rating"] == {
        "document": "doc0", "position": 0, "system": "ash", "rater": "Aki", "score": 60, "comment": "why",
        "mark": "dup", "seconds": 1.5, "revision": 2, "rated_at": "2023-11-14T22:13:30.750000+00:00",
        "spans": [
            {"start": 0, "end": 3, "severity": "minor", "category": "", "side": "target", "missing": False,
             "note": ""},
            {"start": 0, "end": 0, "severity": "major", "category": "", "side": "target", "missing": True,
             "note": ""},
        ],
    }  # fmt: skip
    assert FORMATS["history"].read(tmp_path / "x.jsonl", ReadOptions()) == rich()
    (tmp_path / "y.jsonl").write_text("\n".join(lines * 2), encoding="utf-8")
    twice = FORMATS["history"].read(tmp_path / "y.jsonl", ReadOptions())
    assert replace(twice, notes=()) == rich()
    assert twice.notes == ("7 ratings that stand in the file twice were counted once.",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"format":"yomikurabe-history"', '"format":"x"', "line 1: is not the header of a history"),
        ('"version":1', '"version":2', "line 1: field “version”: is 2; this program reads version 1"),
        (
            '{"segment":',
            '{"text":',
            "line 2: is not an object with one key of segment, output, check, practice",
        ),
        ('"score":60.0', '"score":101', "is not a number from 0 to 100"),
        ('"revision":2', '"revision":3', "is revision 3 of what has 1 revisions so far"),
        ('"kind":"repeat"', '"kind":"odd"', "“odd” is none of target, repeat, reference, degraded"),
        ('"system":"ash","rater":"Bo"', '"system":"oak","rater":"Bo"', "“oak” has no translation of this"),
        ('"skipped_reason":"hard"', '"score":1,"skipped_reason":"hard"', "is neither a score, marked errors"),
        ('"place":3', '"place":-1', "is not a whole number from 0 upwards"),
        ('"severity":"minor"', '"severity":"huge"', "“huge” is none of neutral, minor"),
        ('"langs":["en","ja"]', '"langs":["en"]', "is not a source and a target language"),
        ("}\n", "}x\n", "line 1: is not JSON"),
        ('"before":2', '"before":"2"', "line 1: field “campaign.design.before”: is of another kind"),
        ('"before":2', '"before":99', "line 1: field “campaign.design”: between 0 and 20 segments can be"),
        (
            '"protocol":"esa"',
            '"protocol":"__class__"',
            "protocol”: “__class__” is no protocol",
        ),
        ('"kind":"degraded","rule"', '"kind":"target","rule"', "“target” is neither repeat nor degraded"),
    ],
    ids=range(16),
)
def test_a_fault_in_a_history_is_one_sentence_with_the_line(tmp_path, old, new, message):
    write_bundle(rich(), "history", tmp_path / "x.jsonl")
    text = (tmp_path / "x.jsonl").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "x.jsonl").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError) as raised:
        FORMATS["history"].read(tmp_path / "x.jsonl", ReadOptions())
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


PRACTICE = {
    "document": "doc0", "position": 0, "system": "ash", "low": 0, "high": 20.5, "start": 0, "end": 3,
    "severity": "major", "feedback_ja": "解説",
}  # fmt: skip


def practising():
    return replace(
        rich(),
        practice=(
            PracticeRow(
                ("doc0", 0),
                "ash",
                Expected(low=0, high=20.5, start=0, end=3, severity="major"),
                feedback_ja="解説",
            ),
            PracticeRow(("doc0", 0), "refA", Expected(clean=True)),
        ),
        meta=replace(rich().meta, design={"practice_pass": 1, "second_try": True}),
    )


def test_practice_items_and_the_pass_mark_are_in_the_file_and_in_no_other_format(tmp_path):
    write_bundle(practising(), "history", tmp_path / "x.jsonl")
    lines = map(json.loads, (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines())
    found = [line["practice"] for line in lines if "practice" in line]
    assert found == [PRACTICE, {"document": "doc0", "position": 0, "system": "refA", "clean": True}]
    assert FORMATS["history"].read(tmp_path / "x.jsonl", ReadOptions()) == practising()
    assert "2 practice items were left out." in reduced(practising(), "xlsx").notes


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"low":0,', "", "go from a lower to a higher number"),
        ('"end":3', '"end":300', "does not lie in the translation"),
        ('"clean":true', '"clean":false', "say which answer is right"),
        (
            '"practice":{"document":"doc0","position":0,"system":"ash"',
            '"practice":{"document":"doc0","position":0,"system":"oak"',
            "“oak” has no",
        ),
        ('"practice_pass":1', '"practice_pass":"1"', "is of another kind"),
    ],
)
def test_a_fault_in_a_practice_line_is_one_sentence(tmp_path, old, new, message):
    write_bundle(practising(), "history", tmp_path / "x.jsonl")
    text = (tmp_path / "x.jsonl").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "x.jsonl").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError) as raised:
        FORMATS["history"].read(tmp_path / "x.jsonl", ReadOptions())
    assert message in str(raised.value)
