"""Own scales and error lists in files: they come back, or the file says what is left out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import FileError, RatingError
from core.raters.own_errors import errors_from_json
from core.raters.own_scales import OwnScale, ScaleAnchor
from core.raters.protocols import MarkedSpan
from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.design import Design, from_json, to_json
from db.formats import get_format
from db.formats.bundle import Meta
from db.formats.declared import declared
from db.permissions import OPERATOR
from db.queries.evaluation import judgements
from db.records import RatingRecord
from tests.support.db_bundles import options, small_bundle

FLUENCY = OwnScale(
    name="fluency", en="Fluency", ja="自然さ", low=1, high=5, anchors=(ScaleAnchor(value=1, ja="読めない"),)
)
VOICE = OwnScale(name="voice", ja="文体", low=-1, high=1, step=0.1, needed=False)
ERRORS = errors_from_json(
    {
        "categories": [{"name": "style/voice", "en": "Voice"}],
        "severities": [{"name": "slip", "ja": "小さな傷", "weight": 0.5}],
    }
)
DESIGN = Design(scales=(FLUENCY, VOICE), errors=ERRORS)


def rated(protocol="esa"):
    """Aki answers both scales of one text and one of another, Bo none; the errors have an own severity."""
    base = small_bundle(segments=2, systems=("ash",))
    spans = (MarkedSpan(0, 3, "slip", "style/voice"), MarkedSpan(0, 0, "slip", missing=True))
    ratings = (
        RatingRecord(
            ("doc0", 0), "ash", "Aki", 70.0, spans=spans, scales=(("fluency", 4.0), ("voice", -0.3))
        ),
        RatingRecord(("doc1", 0), "ash", "Aki", 20.0, spans=(), scales=(("fluency", 1.0),)),
        RatingRecord(("doc0", 0), "ash", "Bo", 50.0, spans=()),
    )
    return replace(base, ratings=ratings, meta=Meta(protocol=protocol, design=to_json(DESIGN)))


def stored(engine, bundle=None, name="Small"):
    return load_bundle(engine, bundle or rated(), name).campaign_id


def written(engine, number, name, tmp_path):
    path = tmp_path / f"out{get_format(name).suffix}"
    held = write_bundle(read_bundle(engine, number, history=True), name, path)
    return path, list(held.notes)


def test_a_history_brings_scales_lists_and_answers_back_exactly(engine, tmp_path):
    number = stored(engine)
    path, notes = written(engine, number, "history", tmp_path)
    assert notes == []
    again = get_format("history").read(path, options())
    whole = read_bundle(engine, number, history=True)
    assert again.ratings == whole.ratings
    assert from_json(again.meta.design) == DESIGN
    copied = stored(engine, again, "Copy")
    assert read_bundle(engine, copied, history=True).ratings == whole.ratings
    assert [one.score for one in judgements(engine, OPERATOR, copied, scale="fluency").scores] == [75, 0]
    assert [one.score for one in judgements(engine, OPERATOR, copied, scale="voice").scores] == [35]


def test_a_workbook_brings_scales_lists_and_answers_back(engine, tmp_path):
    path, notes = written(engine, stored(engine), "xlsx", tmp_path)
    assert not any("scale" in note or "severit" in note for note in notes)
    again = get_format("xlsx").read(path, options())
    assert from_json(again.meta.design) == DESIGN
    assert {(one.rater, one.key, one.scales, one.spans) for one in again.ratings} == {
        (one.rater, one.key, one.scales, one.spans) for one in rated().ratings
    }


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl"])
def test_a_long_file_has_a_column_a_scale_and_is_read_back_with_the_declaration(engine, tmp_path, name):
    path, notes = written(engine, stored(engine), name, tmp_path)
    assert "2 declarations of own scales were left out." in notes
    assert "2 own categories and severities of errors were left out." in notes
    again = get_format(name).read(path, options())
    answers = {(one.rater, one.key): one.scales for one in again.ratings}
    assert answers == {(one.rater, one.key): one.scales for one in rated().ratings}
    assert not any("not known" in note for note in again.notes)
    (note,) = declared(again, ()).notes[-1:]
    assert "(fluency, voice) whose values are not declared" in note
    whole = declared(again, (FLUENCY, VOICE))
    assert from_json(whole.meta.design).scales == (FLUENCY, VOICE)
    number = stored(engine, whole, "Again")
    assert [one.score for one in judgements(engine, OPERATOR, number, scale="fluency").scores] == [75, 0]


def test_the_columns_of_a_long_file_are_the_usual_ones_where_nobody_answered(engine, tmp_path):
    bundle = replace(rated(), ratings=rated().ratings[2:])
    path, _ = written(engine, stored(engine, bundle), "csv", tmp_path)
    assert "scale:" not in path.read_text("utf-8")


def test_in_a_csv_the_answers_stand_in_their_columns(engine, tmp_path):
    path, _ = written(engine, stored(engine), "csv", tmp_path)
    header, *rows = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    assert header[-2:] == ["scale:fluency", "scale:voice"]
    cells = {(row[header.index("rater")], row[0]): row[-2:] for row in rows if row[-2:] != ["", ""]}
    assert cells == {("Aki", "doc0"): ["4", "-0.3"], ("Aki", "doc1"): ["1", ""]}


@pytest.mark.parametrize("name", ["wmt-csv", "mtme", "mqm-tsv", "pearmut"])
def test_a_format_without_a_place_says_how_many_answers_and_declarations_it_leaves_out(
    engine, tmp_path, name
):
    _, notes = written(engine, stored(engine), name, tmp_path)
    assert "3 answers on own scales were left out." in notes
    assert "2 declarations of own scales were left out." in notes
    assert "2 own categories and severities of errors were left out." in notes


def test_an_answer_off_its_scale_is_refused_with_its_place(engine, tmp_path):
    path, _ = written(engine, stored(engine), "history", tmp_path)
    path.write_text(path.read_text("utf-8").replace('"fluency":4.0', '"fluency":4.5'), "utf-8")
    with pytest.raises(FileError, match=r"line 11: .*4.5 is not on the scale “fluency”"):
        get_format("history").read(path, options())
    long, _ = written(engine, 1, "csv", tmp_path)
    bundle = get_format("csv").read(long, options())
    with pytest.raises(
        RatingError, match=r"“Aki” of “doc0”, position 0: .*4.0 is not on the scale “fluency”"
    ):
        declared(bundle, (replace(FLUENCY, high=3), VOICE))
    with pytest.raises(RatingError, match="no scale “voice”"):
        declared(bundle, (FLUENCY,))


def test_a_cell_that_is_no_number_is_refused_with_its_line(engine, tmp_path):
    path, _ = written(engine, stored(engine), "csv", tmp_path)
    path.write_text(path.read_text("utf-8").replace(",4,-0.3", ",good,-0.3"), "utf-8")
    with pytest.raises(FileError, match="line 2: “good” is not a number"):
        get_format("csv").read(path, options())


def test_a_history_with_a_broken_declaration_is_refused(engine, tmp_path):
    path, _ = written(engine, stored(engine), "history", tmp_path)
    head, *rest = path.read_text("utf-8").splitlines()
    header = json.loads(head)
    header["campaign"]["design"]["scales"][0]["step"] = 3
    path.write_text("\n".join([json.dumps(header), *rest]), "utf-8")
    with pytest.raises(FileError, match=r"line 1: .*the step 3 of the scale “fluency” does not divide"):
        get_format("history").read(path, options())
