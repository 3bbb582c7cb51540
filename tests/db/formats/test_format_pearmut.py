from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.raters.protocols import MarkedSpan
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.formats.bundle import CheckRow, ReadOptions, SegmentRow, SystemRow
from db.formats.json_node import JsonText
from db.formats.pearmut import read
from db.formats.spans import browser_places, read_spans
from db.permissions import OPERATOR
from db.queries.evaluation import rating_table
from db.records import RatingRecord
from tests.support.pearmut_files import CHECK, ONE, TWO, answer, campaign, entry, item, read_all, write


def test_documents_of_items_are_segments_and_models_are_systems(tmp_path):
    two = {**TWO, "ref": "弐", "instructions": "Evaluate."}
    bundle = read_all(tmp_path, campaign([ONE, two]))
    assert (bundle.name, bundle.langs) == ("c", ("en", "ja"))
    assert bundle.segments == (
        SegmentRow("novel", 0, "", "source 0", external_id="novel_#_0"),
        SegmentRow("novel", 1, "弐", "source 1", external_id="novel_#_1"),
    )
    assert bundle.systems == (SystemRow("ash"), SystemRow("elm"))
    assert [(row.key[1], row.system, row.text) for row in bundle.outputs] == [
        (0, "ash", "一𠮷"),
        (0, "elm", "壱"),
        (1, "ash", "二"),
    ]


@pytest.mark.parametrize(
    "data",
    [[[[ONE], [TWO]], [[ONE]]], {"Aki": [[ONE], [TWO]], "Bo": [[ONE]]}],
    ids=["tasks", "users"],
)
def test_a_document_of_several_tasks_is_one_document(tmp_path, data):
    bundle = read_all(tmp_path, campaign() | {"data": data})
    assert [(row.document, row.position) for row in bundle.segments] == [("novel", 0), ("document 2", 0)]
    assert len(bundle.outputs) == 3


def test_ratings_come_with_spans_comment_and_time(engine, tmp_path):
    spans = [
        {"start_i": 1, "end_i": 1, "severity": "Minor", "category": "Accuracy/Omission"},
        {"start_i": 3, "end_i": 3, "severity": "major", "category": None},
        {"start_i": "missing", "end_i": "missing", "severity": "critical"},
        {"start_i": 0, "end_i": 1, "severity": None},
    ]
    given = entry(
        "Aki",
        0,
        [ONE],
        [{"ash": answer(0, error_spans=spans, textfield="一"), "elm": answer(99.5)}],
        actions=[{"time": 1700000000.5, "action": "load"}, {"time": 1700000010.75, "action": "submit"}],
        comment="hard",
    )
    bundle = read_all(tmp_path, campaign([ONE]), given)
    at = datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC)
    assert bundle.ratings == (
        RatingRecord(
            ("novel", 0),
            "ash",
            "Aki",
            0,
            comment="一\nhard",
            rated_at=at,
            spans=(
                MarkedSpan(1, 2, "minor", "Accuracy/Omission"),
                MarkedSpan(0, 0, "major", missing=True),
                MarkedSpan(0, 0, "critical", missing=True),
            ),
        ),
        RatingRecord(("novel", 0), "elm", "Aki", 99.5, rated_at=at, spans=()),
    )
    assert any(note.startswith("1 error spans without a known severity") for note in bundle.notes)
    report = load_bundle(engine, bundle, "P")
    assert (report.ratings, report.raters) == (2, 1)
    stored = {row.system: row.spans for row in read_bundle(engine, report.campaign_id).ratings}
    assert stored == {"ash": bundle.ratings[0].spans, "elm": ()}


def test_the_browser_counted_half_characters_and_no_line_feeds():
    text = "𠮷a\nb"
    spans = [
        {"start_i": start, "end_i": end, "severity": "minor"}
        for start, end in ((0, 1), (1, 2), (3, 3), (4, 4))
    ]
    found, left_out = read_spans(JsonText(Path("x"), json.dumps(spans)).root(), browser_places(text))
    assert [text[span.start : span.end] for span in found] == ["𠮷", "𠮷a", "b", ""]
    assert ([span.missing for span in found], left_out) == ([False, False, False, True], 0)


@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    ends=st.tuples(st.integers(0, 50), st.integers(0, 50)),
)
def test_a_span_as_the_browser_counts_it_is_found_again(text, ends):
    start, end = sorted(place % len(text) for place in ends)
    if "\n" in (text[start], text[end]):
        return

    def units(part: str) -> int:
        return len(part.replace("\n", "").encode("utf-16-le")) // 2

    span = {"start_i": units(text[:start]), "end_i": units(text[: end + 1]) - 1, "severity": "minor"}
    (found,), _ = read_spans(JsonText(Path("x"), json.dumps([span])).root(), browser_places(text))
    assert (found.start, found.end, found.missing) == (start, end + 1, False)


def test_submitting_again_is_a_revision_and_a_reset_voids_what_came_before(tmp_path):
    def scored(score: int, user: str = "Aki") -> dict[str, object]:
        return entry(user, 0, [TWO], [{"ash": answer(score)}])

    reset = entry("Aki", 0, [TWO], "__RESET__")
    bundle = read_all(
        tmp_path,
        campaign([TWO]),
        scored(10),
        scored(20, "Bo"),
        reset,
        scored(30),
        scored(40, "Bo"),
        scored(50),
    )
    assert [(row.rater, row.score) for row in bundle.ratings] == [
        ("Bo", 20),
        ("Aki", 30),
        ("Bo", 40),
        ("Aki", 50),
    ]
    assert "1 submissions that were reset were left out." in bundle.notes


def test_the_text_of_a_check_never_enters_a_systems_translations(engine, tmp_path):
    given = (
        entry("Aki", 1, [CHECK], [{"ash": answer(5), "elm": answer(70)}]),
        entry("Aki", 0, [ONE], [{"ash": answer(90), "elm": answer(80)}]),
    )
    bundle = read_all(tmp_path, campaign([ONE], [CHECK]), *given)
    assert bundle.checks == (
        CheckRow(("novel", 0), "ash", "degraded", "一X"),
        CheckRow(("novel", 0), "elm", "repeat", "壱"),
    )
    assert [(row.system, row.score, row.kind) for row in bundle.ratings] == [
        ("ash", 5, "degraded"),
        ("elm", 70, "repeat"),
        ("ash", 90, "target"),
        ("elm", 80, "target"),
    ]
    report = load_bundle(engine, bundle, "P")
    stored = read_bundle(engine, report.campaign_id)
    assert [(row.system, row.score) for row in stored.ratings] == [("ash", 90), ("elm", 80)]
    assert "一X" not in {row.text for row in stored.outputs}
    kinds = ("target", "repeat", "degraded")
    every = rating_table(engine, OPERATOR, report.campaign_id, kinds=kinds)
    assert {(row.system, row.kind, row.score) for row in every} == {
        (row.system, row.kind, row.score) for row in bundle.ratings
    }


def test_random_checks_tutorials_and_forms_are_kept_apart(tmp_path):
    form = {"text": "How old are you?", "form": "number"}
    data = campaign([ONE], [form], data_random=[[item(0, ash="一X")]], data_welcome=[[item(9, ash="九")]])
    data["data_random"][0][0]["item_id"] = "random"
    given = (
        {"user_id": "Aki", "item_i": "random_0", "annotation": [{"ash": answer(3)}]},
        entry("Aki", "welcome_0", [item(9, ash="九")], [{"ash": answer(50)}]),
        entry("Aki", 1, [form], ["42"]),
        {"user_id": "Aki", "item_i": 0, "annotation": [{"ash": answer(None), "elm": answer(1)}]},
    )
    bundle = read_all(tmp_path, data, *given)
    assert bundle.checks == (CheckRow(("novel", 0), "ash", "degraded", "一X"),)
    assert [(row.system, row.score, row.kind) for row in bundle.ratings] == [
        ("ash", 3, "degraded"),
        ("elm", 1, "target"),
    ]
    assert bundle.notes[:4] == (
        "1 items of a form were left out.",
        "1 submissions of the tutorial were left out.",
        "1 answers to forms were left out.",
        "1 judgements without a score from 0 to 100 were left out.",
    )


def test_a_folder_and_a_download_are_read_too(tmp_path):
    write(tmp_path / "task.json", campaign([TWO]))
    (tmp_path / "download.json").write_text(
        json.dumps({"c": [entry("Aki", 0, [TWO], [{"ash": answer(7)}])], "other": []}, indent=1),
        encoding="utf-8",
    )
    (tmp_path / "progress.json").write_text("{}", encoding="utf-8")
    assert [row.score for row in read(tmp_path, ReadOptions()).ratings] == [7]
    write(tmp_path / "task2.json", campaign([TWO]))
    with pytest.raises(FileError, match="must hold one campaign, an object with “data”, but holds 2"):
        read(tmp_path, ReadOptions())
