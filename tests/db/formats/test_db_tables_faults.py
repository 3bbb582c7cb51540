from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from core.errors import FileError
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import ReadOptions
from db.queries import (
    get_campaign,
)

read = FORMATS["tables"].read


@pytest.fixture
def copy(tables, tmp_path) -> Path:
    """The fixture's folder with every table unpacked, to be spoilt by a test."""
    folder = tmp_path / "copy"
    shutil.copytree(tables, folder)
    packed = folder / "outputs.tsv.gz"
    (folder / "outputs.tsv").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    return folder


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / name
    before = file.read_text(encoding="utf-8")
    assert old in before
    file.write_text(before.replace(old, new, 1), encoding="utf-8", newline="")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("segments.tsv", "refA", "ref", "segments.tsv, line 1: has no column “refA”"),
        (
            "segments.tsv",
            "8\tliterary",
            "7\tliterary",
            "segments.tsv, line 3: the seg_id “7” stands in an earlier row",
        ),
        (
            "segments.tsv",
            "The ferry",
            "The\tferry",
            "segments.tsv, line 2: has 6 cells where the header has 5",
        ),
        ("outputs.tsv", "13\t", "14\t", "outputs.tsv, line 2: the seg_id “14” is not among the segments"),
        ("outputs.tsv", "13\t", "7\t", "outputs.tsv, line 3: the seg_id “7” stands in an earlier row"),
        (
            "outputs.tsv",
            "12\t値段は$3上がり、<b>誰も</b>笑わなかった。\t価格が上昇した。　\n",
            "",
            "no row for the segment with seg_id “12”",
        ),
        ("outputs.tsv", "Birch", "Alder", "outputs.tsv, line 1: has the column “Alder” twice"),
        ("outputs.tsv", "Birch", " ", "outputs.tsv, line 1: the system is blank"),
        ("ratings.tsv", "Alder", "Elm", "ratings.tsv, line 3: the system “Elm” is not among the outputs"),
        (
            "ratings.tsv",
            "Alder\t7",
            "Alder\t70",
            "ratings.tsv, line 3: the seg_id “70” is not among the segments",
        ),
        (
            "ratings.tsv",
            "7\tharbour",
            "7\tmarket",
            "ratings.tsv, line 2: the seg_id “7” belongs to the document",
        ),
        (
            "ratings.tsv",
            "\t97\t",
            "\tabc\t",
            "ratings.tsv, line 2: the score “abc” is not a number from 0 to 100",
        ),
        ("ratings.tsv", "\t97\t", "\t101\t", "ratings.tsv, line 2: the score “101”"),
        ("ratings.tsv", "\t97\t", "\tnan\t", "ratings.tsv, line 2: the score “nan”"),
        ("ratings.tsv", "\t97\t", "\t\t", "ratings.tsv, line 2: the score “”"),
        ("ratings.tsv", "judge-1", " ", "ratings.tsv, line 2: the name is blank"),
        (
            "ratings.tsv",
            "1700000000.5",
            "yesterday",
            "ratings.tsv, line 2: “yesterday” is not a number of seconds",
        ),
        ("ratings.tsv", "[]", "[", "ratings.tsv, line 2: the error_spans_json is not JSON"),
        ("ratings.tsv", '"end_i":2', '"end_i":-2', "line 6: field “end_i”: is not a whole number"),
        ("campaign.json", "{", "", "campaign.json, line 2: is not JSON"),
        ("campaign.json", '"adequacy"', "5", "campaign.json: “protocol” is not a text"),
        (
            "campaign.json",
            '"adequacy"',
            '"__class__"',
            "campaign.json: “__class__” is no protocol; there are",
        ),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_with_file_and_line(copy, name, old, new, message):
    spoil(copy, name, old, new)
    with pytest.raises(FileError) as raised:
        read(copy, ReadOptions())
    assert message in str(raised.value)
    assert str(raised.value).count("\n") == 0


@pytest.mark.parametrize(("name", "column"), [("segments.tsv", "refA"), ("outputs.tsv", "Alder")])
def test_a_column_that_is_empty_from_top_to_bottom_is_refused(copy, name, column):
    file = copy / name
    header, *rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row[header.index(column)] = " "
    file.write_text("\n".join("\t".join(row) for row in [header, *rows]), encoding="utf-8")
    with pytest.raises(FileError, match=f"has nothing in the column “{column}”"):
        read(copy, ReadOptions())


def test_a_folder_without_its_tables_or_with_two_of_a_kind_is_refused(copy, tables, tmp_path):
    with pytest.raises(FileError, match="is not a folder"):
        read(tmp_path / "nowhere", ReadOptions())
    shutil.copy(tables / "outputs.tsv.gz", copy)
    with pytest.raises(FileError, match=r"holds both outputs\.tsv and outputs\.tsv\.gz"):
        read(copy, ReadOptions())
    (copy / "segments.tsv").unlink()
    with pytest.raises(FileError, match=r"holds neither segments\.tsv nor segments\.tsv\.gz"):
        read(copy, ReadOptions())


def test_ratings_and_campaign_json_may_be_absent(copy):
    (copy / "ratings.tsv").unlink()
    (copy / "campaign.json").unlink()
    bundle = read(copy, ReadOptions())
    assert (bundle.name, bundle.langs, bundle.ratings) == ("copy", ("en", "ja"), ())
    assert [row.name for row in bundle.systems] == ["Alder", "Birch"]
    assert len(bundle.notes) == 2


def test_a_seed_in_campaign_json_is_used(engine, copy):
    about = json.loads((copy / "campaign.json").read_text(encoding="utf-8"))
    (copy / "campaign.json").write_text(json.dumps({**about, "seed": 5}), encoding="utf-8")
    report = load_bundle(engine, read(copy, ReadOptions()), "Seeded")
    assert get_campaign(engine, report.campaign_id).seed == 5


def test_ratings_of_items_of_the_type_system_are_ratings(copy):
    """The tables of WMT21 and WMT22 write SYSTEM where Appraise writes TGT."""
    before = read(copy, ReadOptions()).ratings
    file = copy / "ratings.tsv"
    rows = file.read_text("utf-8").replace("\tTGT\t", "\tSYSTEM\t").replace("SYSTEM", "system", 2)
    file.write_text(rows, "utf-8")
    after = read(copy, ReadOptions())
    assert after.ratings == before
    assert len(before) == 7
    assert after.notes[0] == "1 ratings of control items (item_type BAD_REF) were left out."


def test_a_file_of_nothing_but_control_items_is_refused(copy):
    file = copy / "ratings.tsv"
    file.write_text(file.read_text("utf-8").replace("\tTGT\t", "\tATTENTION\t"), "utf-8")
    with pytest.raises(FileError) as caught:
        read(copy, ReadOptions())
    assert str(caught.value).endswith(
        "ratings.tsv: holds ratings, but none of a translation: item_type is ATTENTION, BAD_REF; ratings of "
        "translations have TGT or SYSTEM there."
    )


def test_columns_that_are_not_read_are_named(copy):
    spoil(copy, "segments.tsv", "seg_id\tdomain", "seg_id\tgenre")
    spoil(copy, "ratings.tsv", "t_start", "worker")
    notes = read(copy, ReadOptions()).notes
    assert [note for note in notes if "column" in str(note)] == [
        "The column “genre” is not known and was left out.",
        "The column “worker” is not known and was left out.",
    ]


SPANNED = {
    "segments.tsv": "seg_id\tdoc_id\trefA\n1\td1\tよかった。\n2\td1\t雨だ。\n",
    "outputs.tsv": "seg_id\tours\n1\t😀よかった。\n2\t雨だ。\n",
}
WITHIN = '{"start_i": 0, "end_i": 2, "severity": "minor", "error_type": "x"}'


def spanned(folder: Path, score: str, spans: str) -> Path:
    for name, text in SPANNED.items():
        (folder / name).write_text(text, encoding="utf-8")
    header = "annotator\tsystem\tseg_id\tscore\terror_spans_json"
    (folder / "ratings.tsv").write_text(f"{header}\na\tours\t2\t{score}\t{spans}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(("start", "end"), [(40, 50), (3, 3), (0, 3), (2, 9)])
def test_marked_errors_outside_the_text_are_left_out_and_counted(tmp_path, start, end):
    outside = f'{{"start_i": {start}, "end_i": {end}, "severity": "major", "error_type": "x"}}'
    bundle = read(spanned(tmp_path, "60", f"[{WITHIN}, {outside}]"), ReadOptions())
    (rating,) = bundle.ratings
    assert [(one.start, one.end) for one in rating.spans] == [(0, 3)]
    assert rating.score == 60
    assert any(str(note).startswith("1 marked errors that lie outside") for note in bundle.notes)


def test_an_emoji_is_one_character_of_the_text(tmp_path):
    spans = '[{"start_i": 5, "end_i": 5, "severity": "minor", "error_type": "x"}]'
    folder = spanned(tmp_path, "60", spans)
    ratings = folder / "ratings.tsv"
    ratings.write_text(ratings.read_text().replace("\t2\t", "\t1\t"), encoding="utf-8")
    ((span,),) = (rating.spans for rating in read(folder, ReadOptions()).ratings)
    assert (span.start, span.end) == (5, 6)
