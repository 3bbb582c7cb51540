from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from core.errors import FileError, OptionError
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.engine import read_session
from db.formats.appraise import read
from db.formats.bundle import Bundle, CheckRow, ReadOptions, SegmentRow, SystemRow
from db.models import CheckText


def item(number: int, target: str, text: str, kind: str = "TGT", **more: object) -> dict[str, object]:
    return {
        "_block": 0,
        "_item": number,
        "itemID": number,
        "itemType": kind,
        "sourceID": "novel",
        "sourceText": f"source {number}",
        "targetID": target,
        "targetText": text,
        **more,
    }


def batch(*items: object, source: str = "eng", target: str = "jpn") -> dict[str, object]:
    return {"items": list(items), "task": {"batchNo": 1, "sourceLanguage": source, "targetLanguage": target}}


def read_batches(tmp_path: Path, *batches: object, **told: str) -> Bundle:
    path = tmp_path / "batches.json"
    path.write_text(json.dumps(batches, ensure_ascii=False, indent=1), encoding="utf-8")
    return read(path, ReadOptions(**told))


def test_a_direct_batch_gives_systems_the_reference_and_checks(tmp_path):
    bundle = read_batches(
        tmp_path,
        batch(
            item(2, "ash+beech", "二𠮷"),
            item(2, "ash+beech", "二X", "BAD"),
            item(1, "ash", "一"),
            item(1, "ash", "一", "CHK"),
            item(1, "human", "壱", "REF"),
        ),
    )
    assert (bundle.langs, bundle.name) == (("en", "ja"), "batches")
    assert bundle.segments == (
        SegmentRow("novel", 0, "壱", "source 1", external_id="1"),
        SegmentRow("novel", 1, "", "source 2", external_id="2"),
    )
    assert bundle.systems == (SystemRow("ash"), SystemRow("beech"), SystemRow("human", is_reference=True))
    assert [(row.key[1], row.system, row.text) for row in bundle.outputs] == [
        (1, "ash", "二𠮷"),
        (1, "beech", "二𠮷"),
        (0, "ash", "一"),
        (0, "human", "壱"),
    ]
    assert bundle.checks == (
        CheckRow(("novel", 1), "ash", "degraded", "二X"),
        CheckRow(("novel", 1), "beech", "degraded", "二X"),
        CheckRow(("novel", 0), "ash", "repeat", "一"),
    )


def document(name: str, system: str, *texts: str, first: int = 0, kind: str = "TGT") -> list[object]:
    """The segments of a document: its sources are “Yes.”, “No.”, “Yes.”"""
    return [
        item(first + n, system, text, kind, documentID=name, isCompleteDocument=False, sourceText=source)
        for n, (text, source) in enumerate(zip(texts, ("Yes.", "No.", "Yes."), strict=False))
    ]


def test_segments_of_a_document_are_known_by_their_text_though_itemids_count_on(tmp_path):
    bundle = read_batches(
        tmp_path,
        batch(
            *document("d", "ash", "はい", "いえ", "ええ"), *document("d", "elm", "うん", "否", "是", first=3)
        ),
    )
    assert [(row.position, row.source) for row in bundle.segments] == [(0, "Yes."), (1, "No."), (2, "Yes.")]
    texts = {(row.key[1], row.system): row.text for row in bundle.outputs}
    assert [texts[n, "ash"] for n in range(3)] == ["はい", "いえ", "ええ"]
    assert [texts[n, "elm"] for n in range(3)] == ["うん", "否", "是"]


def test_a_copy_marked_bad_never_enters_a_systems_translations(engine, tmp_path):
    bundle = read_batches(
        tmp_path,
        batch(
            *document("d#bad", "ash", "はX", first=10, kind="BAD.half"),
            item(11, "ash", "いえ", documentID="d#bad", sourceText="No."),
            *document("d", "ash", "はい", "いえ", first=20),
            *document("d#dup1", "ash", "はい", "いえ", first=30),
            *document("d#incomplete", "ash", "はい", first=40),
        ),
    )
    assert [(row.key, row.text) for row in bundle.outputs] == [(("d", 0), "はい"), (("d", 1), "いえ")]
    assert bundle.checks == (
        CheckRow(("d", 0), "ash", "degraded", "はX"),
        CheckRow(("d", 1), "ash", "repeat", "いえ"),
    )
    report = load_bundle(engine, bundle, "A")
    with read_session(engine) as session:
        assert session.scalars(select(CheckText.text)).all() == ["はX"]
    assert {row.text for row in read_bundle(engine, report.campaign_id).outputs} == {"はい", "いえ"}


def test_what_is_no_translation_of_a_segment_is_left_out_with_a_note(tmp_path):
    bundle = read_batches(
        tmp_path,
        batch(
            item(1, "ash", "一", mqm=[{"start_i": 0, "end_i": 0, "severity": "minor"}]),
            item(2, "ash", "二", mqm={"tutorial": {"instruction": "x"}, "payload": []}),
            item(3, "ash", "三", "SRC"),
            item(4, "ash", "全部", isCompleteDocument=True),
            item(5, "elm", "壊", "BAD"),
        ),
    )
    assert [row.text for row in bundle.outputs] == ["一"]
    assert bundle.notes == (
        "1 items' error spans, shown beforehand, were left out.",
        "1 items of the tutorial were left out.",
        "1 items of type SRC were left out.",
        "1 items that show a whole document were left out.",
        "1 checks of “elm”, of which there is no text, were left out.",
        "There are no references: metrics that compare with one cannot be computed.",
    )


def test_a_reference_judged_as_a_target_is_the_reference_and_a_second_one_a_system(tmp_path):
    bundle = read_batches(
        tmp_path, batch(item(1, "refA", "一"), item(1, "refB", "壱"), item(1, "ash", "ひとつ"))
    )
    assert bundle.segments[0].reference == "一"
    assert [row.name for row in bundle.systems if row.is_reference] == ["refA"]


def test_of_several_language_pairs_one_is_told(tmp_path):
    batches = batch(item(1, "ash", "一")), batch(item(1, "ash", "eins"), target="deu")
    with pytest.raises(OptionError, match=r"several language pairs \(eng-deu, eng-jpn\)"):
        read_batches(tmp_path, *batches)
    bundle = read_batches(tmp_path, *batches, target_lang="ja")
    assert ([row.text for row in bundle.outputs], bundle.langs) == (["一"], ("en", "ja"))
    assert bundle.notes[0] == "1 batches of another language pair were left out."


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([item(1, "ash", 5)], "line 12: field “targetText”: is not a text"),
        ([item(1, "ash", "一"), {"itemType": "TGT"}], "line 14: has no field “sourceID”"),
        ([item(1, "ash", "一", "TARGET")], "line 8: field “itemType”: “TARGET” is none of TGT, BAD, REF"),
        (
            [item(1, "ash", "一"), item(1, "ash", "二")],
            "“targetText”: the system “ash” had another text",
        ),
        ([item(1, "ash", "一"), item(1, "ash", "二", "CHK")], "field “targetText”: differs from the text of"),
        ([item(1, "a", "一"), item(1, "b", "二", sourceText="x")], "field “sourceText”: is another one than"),
        ([item(1, "ash+", "一")], "field “targetID”: the targetID is blank"),
        ([item(True, "ash", "一")], "field “itemID”: is not a text"),
        ([item(1, "ash", "一", documentID="#bad")], "field “documentID”: the documentID is blank"),
        ([item(1, "ash", "\0")], "field “targetText”: holds a character that cannot be stored"),
        ([item(1, "ash", "\udc00")], "field “targetText”: holds a character that cannot be stored"),
        ([item(1, "ash", "一", mqm="x")], "field “mqm”: is not a list"),
        ([{"targets": []}], "line 4: is a pairwise item"),
        ([[]], "line 4: is not a JSON object"),
        ([], "has no segments"),
        ([item(1, "ash", " ")], "has no translation of any system"),
    ],
    ids=range(16),
)
def test_a_fault_is_said_with_line_and_field(tmp_path, items, message):
    path = tmp_path / "batches.json"
    path.write_text(json.dumps([batch(*items)], indent=1), encoding="utf-8")
    with pytest.raises(FileError) as raised:
        read(path, ReadOptions())
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([], "batches.json: has no batches"),
        ({}, "batches.json, line 1: is not a list"),
        ([{"items": []}], "line 2: has no field “task”"),
        ([{"task": {"sourceLanguage": "eng", "targetLanguage": "jpn"}}], "has no field “items”"),
        (
            [batch(target="xyz!")],
            "field “task.targetLanguage”: “xyz!” is not a language code; write it like ja",
        ),
        ([batch(source="xxx")], "field “task.sourceLanguage”: “xxx” is not a language code"),
    ],
)
def test_a_fault_of_a_batch_is_said_with_line_and_field(tmp_path, batches, message):
    path = tmp_path / "batches.json"
    path.write_text(json.dumps(batches, indent=1), encoding="utf-8")
    with pytest.raises(FileError) as raised:
        read(path, ReadOptions())
    assert message in str(raised.value)


def test_segments_of_a_direct_batch_are_in_the_order_of_their_numbers(tmp_path):
    bundle = read_batches(tmp_path, batch(item(10, "ash", "十"), item(9, "ash", "九")))
    assert [(row.position, row.external_id) for row in bundle.segments] == [(0, "9"), (1, "10")]
