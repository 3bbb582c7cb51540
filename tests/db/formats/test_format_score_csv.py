"""Scores of Appraise and WMT, put to texts of another format."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import FileError, OptionError
from core.raters.protocols import MarkedSpan
from db.campaigns.export import write_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle, CheckRow, SegmentRow
from db.formats.scores import add_ratings
from db.records import RatingRecord
from tests.support.db_bundles import options, small_bundle

SPANS = json.dumps([{"start_i": 0, "end_i": 2, "severity": "minor", "error_type": None}]).replace('"', '""')


def row(
    *, user="u1", system="ash", item="0", kind="TGT", score="80", doc="doc0", spans="[]", end="1700000010.75"
):
    return f'{user},{system},{item},{kind},eng,jpn,{score},{doc},False,"{spans}",1700000000.5,{end}\n'


def rated(tmp_path: Path, text: str, bundle: Bundle | None = None, **told: object) -> Bundle:
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    return add_ratings(bundle or small_bundle(), path, options(**told))


def test_a_row_of_wmt24_is_a_rating_with_errors_and_times(tmp_path):
    bundle = rated(tmp_path, row(spans=SPANS) + row(system="beech", item="5", score="99.5"))
    assert bundle.ratings[0] == RatingRecord(
        ("doc0", 0),
        "ash",
        "u1",
        80,
        seconds=10.25,
        rated_at=datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC),
        spans=(MarkedSpan(0, 3, "minor"),),
    )
    assert [(one.key, one.system, one.score, one.spans) for one in bundle.ratings[1:]] == [
        (("doc0", 5), "beech", 99.5, ())
    ]


@pytest.mark.parametrize(
    "text",
    [
        "u1,ash,2,TGT,eng,jpn,50,doc1,False,1.5,2\n",
        "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,timeStart,timeEnd\n"
        "u1,ash,2,TGT,eng,jpn,50,doc1,False,1.5,2\n",
        "u1,ash,en-ja_#_literary_#_doc1_#_2,TGT,eng,jpn,50,doc1,False,[],1.5,2\n",
        "u1,ash,en-ja_#_literary_#_doc1_#_2,TGT,eng,jpn,50,en-ja_#_doc1,False,[],1.5,2\n",
        "u1,ash,en-ja_###_doc1_###_2,TGT,en,ja,50,anything,False,[],1.5,2\n",
    ],
    ids=["wmt21", "wmt22", "wmt25", "wmt25-doc", "wmt26"],
)
def test_every_known_shape_finds_its_segment(tmp_path, text):
    (rating,) = rated(tmp_path, text + text.splitlines()[-1].replace(",2,TGT", ",0,TGT") + "\n").ratings[:1]
    assert (rating.key, rating.score, rating.seconds) == (("doc1", 2), 50, 0.5)


def test_nine_columns_find_segments_by_their_ids(tmp_path):
    bundle = small_bundle()
    named = tuple(
        SegmentRow(one.document, one.position, one.reference, external_id=f"s{n}")
        for n, one in enumerate(bundle.segments)
    )
    bundle = Bundle(
        name="x", langs=("en", "ja"), systems=bundle.systems, segments=named, outputs=bundle.outputs
    )
    assert rated(tmp_path, "u1,ash,s3,TGT,eng,jpn,50,1,2\n", bundle).ratings[0].key == ("doc1", 1)


def test_positions_count_from_one_where_the_last_one_says_so(tmp_path):
    bundle = rated(tmp_path, row(item="1") + row(item="6"))
    assert [one.key for one in bundle.ratings] == [("doc0", 0), ("doc0", 5)]
    assert "counted from 1" in bundle.notes[-1]


def test_types_and_markers_become_kinds_and_marks(tmp_path):
    bundle = rated(
        tmp_path,
        row(kind="CHK", end="1700000011")
        + row(kind="BAD", doc="doc0#bad", end="1700000012")
        + row(kind="BAD.half", item="1", end="1700000013")
        + row(kind="TGT", item="2", doc="doc0#bad", end="1700000014")
        + row(kind="REF", system="refA", end="1700000015")
        + row(item="3", doc="doc0#dup", end="1700000016")
        + row(item="4", doc="doc0#incomplete", end="1700000017"),
    )
    assert [(one.key[1], one.kind, one.mark) for one in bundle.ratings] == [
        (0, "repeat", "ok"),
        (0, "degraded", "ok"),
        (1, "degraded", "ok"),
        (2, "repeat", "ok"),
        (0, "reference", "ok"),
        (3, "target", "dup"),
        (4, "target", "incomplete"),
    ]
    assert "2 ratings are of degraded texts that the file of texts does not hold." in bundle.notes


def test_the_type_system_is_a_rating_in_any_case(tmp_path):
    text = row(kind="SYSTEM") + row(kind="system", item="1") + row(kind="Sys.half", item="2")
    bundle = rated(tmp_path, text)
    assert [(one.key[1], one.kind) for one in bundle.ratings] == [(0, "target"), (1, "target"), (2, "target")]


def test_what_is_no_rating_of_these_texts_is_counted_and_said(tmp_path):
    text = row() + row(kind="SRC") * 2 + row().replace("jpn", "deu") + row(item="1").replace("False", "True")
    assert rated(tmp_path, text).notes[-3:] == (
        "2 rows of the type “SRC” were left out.",
        "1 rows of another language pair were left out.",
        "1 rows of whole documents were left out.",
    )


def test_a_plus_in_the_system_is_a_rating_for_each(tmp_path):
    assert [one.system for one in rated(tmp_path, row(system="ash+cedar")).ratings] == ["ash", "cedar"]


def test_a_file_behind_itself_counts_once_and_another_score_is_a_revision_by_time(tmp_path):
    later, earlier = row(score="90", end="1700000020"), row(score="70")
    bundle = rated(tmp_path, (later + earlier) * 2)
    assert [one.score for one in bundle.ratings] == [70, 90]
    assert bundle.notes[-2:] == (
        "2 ratings that stand in the file twice were counted once.",
        "1 ratings are followed by a revision of the same rater: the last revision counts.",
    )


def test_a_rating_of_a_document_that_was_shown_again_is_a_repeat_of_the_official_one(tmp_path):
    again = row(score="70", doc="doc0#dup")
    bundle = rated(tmp_path, again + row(score="90", end="1700000020") + row(score="80", end="1700000030"))
    found = [(one.score, one.kind, one.mark) for one in bundle.ratings]
    assert found == [(90, "target", "ok"), (80, "target", "ok"), (70, "repeat", "dup")]
    assert bundle.notes[-2:] == (
        "1 ratings of what the same rater had rated before are repeats: the first rating counts.",
        "1 ratings are followed by a revision of the same rater: the last revision counts.",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            row() + row(item="6") + row(item="0"),
            "line 2: the document “doc0” has no segment “6” in the texts",
        ),
        (row(doc="nowhere"), "line 1: the document “nowhere” has no segment “0”"),
        (row(system="oak"), "line 1: the system “oak” has no text in the file of texts"),
        (row(score="101"), "line 1: the score “101” is not a number from 0 to 100"),
        (row(item="1") + row(score=""), "line 2: the score “”"),
        (row(spans="[{]"), "line 1: the list of marked errors is not JSON"),
        (row(end="soon"), "line 1: “soon” is not a number of seconds"),
        (row(user=" "), "line 1: the name is blank"),
        (row().replace("eng", "english!"), "line 1: “english!” is not a language code"),
        (row().replace("False", "[]"), "line 1: “[]” is neither True nor False; pairwise scores cannot"),
        ("a,b\n", "line 1: has 2 columns; ratings of Appraise and WMT have 9, 11 or 12"),
        ("", "has no ratings"),
        (row(kind="SRC"), "has no ratings of these texts: 1 rows of the type “SRC” were left out"),
    ],
    ids=range(13),
)
def test_a_fault_is_one_sentence_with_the_line(tmp_path, text, message):
    with pytest.raises(FileError) as raised:
        rated(tmp_path, text)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_file_is_written_as_appraise_exports_it(tmp_path):
    bundle = small_bundle()
    rating = RatingRecord(
        ("doc0", 1), "ash", "Aki", 50.0, mark="dup", seconds=1.5, kind="repeat",
        rated_at=datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC), spans=(MarkedSpan(0, 3, "minor"),),
    )  # fmt: skip
    check = CheckRow(("doc0", 1), "ash", "repeat", "ash says 2")
    path = tmp_path / "x.csv"
    bundle = Bundle(
        name="x", langs=bundle.langs, systems=bundle.systems, segments=bundle.segments,
        outputs=bundle.outputs, ratings=(rating,), checks=(check,),
    )  # fmt: skip
    write_bundle(bundle, "appraise-csv", path)
    assert path.read_text(encoding="utf-8") == (
        'Aki,ash,1,CHK,eng,jpn,50,doc0#dup,False,"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""minor"", '
        '""error_type"": """"}]",1700000009.250000,1700000010.750000\n'
    )


def test_the_kind_of_a_ratings_file_is_told_by_its_shape_or_has_to_be_told(tmp_path):
    write_bundle(small_bundle(), "csv", tmp_path / "texts.csv")
    read = FORMATS["csv"].read
    scores, odd = tmp_path / "scores", tmp_path / "odd"
    scores.write_text(row(), encoding="utf-8")
    odd.write_text("\n" + row(), encoding="utf-8")
    assert len(read(tmp_path / "texts.csv", options(ratings_file=scores)).ratings) == 1
    with pytest.raises(FileError, match="no shape of ratings that is known; tell it with --ratings-format"):
        read(tmp_path / "texts.csv", options(ratings_file=odd))
    assert len(read(tmp_path / "texts.csv", options(ratings_file=odd, ratings_format="wmt-csv")).ratings) == 1
    with pytest.raises(OptionError, match="no format of ratings “csv”; choose one of wmt-csv, appraise-csv"):
        read(tmp_path / "texts.csv", options(ratings_file=odd, ratings_format="csv"))


def test_a_ratings_table_is_put_to_texts_of_any_format_by_its_ids(tmp_path):
    bundle = small_bundle()
    named = tuple(
        SegmentRow(one.document, one.position, one.reference, external_id=f"s{n}")
        for n, one in enumerate(bundle.segments)
    )
    bundle = Bundle(
        name="x", langs=("en", "ja"), systems=bundle.systems, segments=named, outputs=bundle.outputs
    )
    write_bundle(bundle, "jsonl", tmp_path / "texts.jsonl")
    table = tmp_path / "ratings.tsv"
    table.write_text("annotator\tsystem\tseg_id\tscore\nAki\tbeech\ts2\t40\n", encoding="utf-8")
    (rating,) = FORMATS["jsonl"].read(tmp_path / "texts.jsonl", options(ratings_file=table)).ratings
    assert (rating.key, rating.system, rating.score) == (("doc0", 1), "beech", 40)


def test_a_reference_that_is_rated_becomes_a_system_with_the_references_texts(tmp_path):
    bundle = small_bundle()
    plain = replace(
        bundle,
        systems=bundle.systems[:3],
        outputs=tuple(one for one in bundle.outputs if one.system != "refA"),
    )
    found = rated(tmp_path, row(system="refA"), plain)
    assert (found.systems[-1], len(found.outputs)) == (bundle.systems[-1], 48)
    assert found.outputs[-1].text == found.segments[-1].reference
    with pytest.raises(FileError, match="the system “refB” has no text"):
        rated(tmp_path, row(system="refB"), bundle)


def test_texts_with_ratings_of_their_own_take_no_second_file(tmp_path):
    bundle = rated(tmp_path, row())
    write_bundle(bundle, "csv", tmp_path / "texts.csv")
    with pytest.raises(OptionError, match="holds ratings of its own"):
        FORMATS["csv"].read(tmp_path / "texts.csv", options(ratings_file=tmp_path / "scores.csv"))


@pytest.mark.parametrize("name", ["wmt-csv", "appraise-csv"])
def test_scores_alone_are_no_campaign(tmp_path, name):
    (tmp_path / "x").write_text(row(), encoding="utf-8")
    with pytest.raises(FileError, match="holds scores and no texts; import the file with the texts"):
        FORMATS[name].read(tmp_path / "x", options())
