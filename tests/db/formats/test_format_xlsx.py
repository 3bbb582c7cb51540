"""Workbooks: ours, and those that people make."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from core.errors import FileError
from db.campaigns.export import write_bundle
from db.formats import FORMATS, long, xlsx
from db.formats.bundle import Bundle
from db.records import RatingRecord
from tests.support.db_bundles import options, small_bundle

read = FORMATS["xlsx"].read
ROW = ("d", 0, "", "", "s", "r", "ash", "", "t", "Aki", 50, "", "", "", "")


def book(path: Path, *rows: tuple[object, ...], merge: str = "", title: str = "Tabelle 1") -> Path:
    made = Workbook()
    made.active.title = title
    for row in (long.COLUMNS, *rows):
        made.active.append(row)
    if merge:
        made.active.merge_cells(merge)
    made.save(path)
    return path


def with_output(text: str) -> Bundle:
    bundle = small_bundle()
    return replace(bundle, outputs=(replace(bundle.outputs[0], text=text), *bundle.outputs[1:]))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "#N/A", "＝1"])
def test_what_looks_like_a_formula_is_a_text_in_the_file_and_comes_back(tmp_path, text):
    path = tmp_path / "x.xlsx"
    write_bundle(with_output(text), "xlsx", path)
    cell = load_workbook(path)["outputs"]["D2"]
    assert (cell.data_type, cell.quotePrefix) == ("s", True)
    with zipfile.ZipFile(path) as archive:
        assert not any(b"<f>" in archive.read(name) for name in archive.namelist())
    assert read(path, options()).outputs[0].text == text


def test_one_sheet_of_long_rows_is_a_campaign_and_numbers_are_texts_where_texts_are_wanted(tmp_path):
    bundle = read(book(tmp_path / "x.xlsx", (*ROW[:4], 12, 3.5, *ROW[6:])), options())
    assert (bundle.segments[0].source, bundle.segments[0].reference) == ("12", "3.5")
    assert [(row.rater, row.score) for row in bundle.ratings] == [("Aki", 50)]


@pytest.mark.parametrize(
    ("rows", "merge", "message"),
    [
        ([ROW, ROW], "F2:F3", r"x\.xlsx: sheet “Tabelle 1” has merged cells \(F2:F3\); unmerge them"),
        ([(*ROW[:5], "=A1", *ROW[6:])], "", r"x\.xlsx, sheet Tabelle 1: cell F2 holds a formula"),
        ([(*ROW[:5], True, *ROW[6:])], "", "cell F2 holds a truth value"),
        ([(*ROW[:4], datetime(2026, 1, 31), *ROW[5:])], "", "cell E2 holds a date"),
        ([(*ROW[:10], 101, *ROW[11:])], "", "x.xlsx, sheet Tabelle 1, line 2: the score “101”"),
        ([(*ROW, "more")], "", "sheet Tabelle 1, line 2: has 16 cells where the header has 15"),
        ([], "", "has a header but no rows"),
    ],
    ids=range(7),
)
def test_what_is_wrong_is_said_with_sheet_and_cell(tmp_path, rows, merge, message):
    with pytest.raises(FileError, match=message):
        read(book(tmp_path / "x.xlsx", *rows, merge=merge), options())


def test_a_workbook_without_the_sheets_is_refused_with_those_that_are_needed(tmp_path):
    made = Workbook()
    made.active.append(("a", "b"))
    made.save(tmp_path / "x.xlsx")
    with pytest.raises(
        FileError, match="neither sheets “segments” and “outputs” nor one with the columns docum"
    ):
        read(tmp_path / "x.xlsx", options())


def test_faults_between_the_sheets_are_said_with_sheet_and_row(tmp_path):
    bundle = small_bundle()
    rating = RatingRecord(("doc0", 0), "ash", "Aki", 50.0)
    path = tmp_path / "x.xlsx"
    write_bundle(replace(bundle, ratings=(rating,)), "xlsx", path)
    for sheet, cell, value, message in (
        (
            "ratings",
            "C2",
            "oak",
            "sheet ratings, line 2: “oak” has no translation of this segment in “outputs”",
        ),
        ("ratings", "A2", "d", "sheet ratings, line 2: “d”, position 0, is not in the sheet “segments”"),
        ("ratings", "E2", "odd", "sheet ratings, line 2: the kind “odd” is none of target"),
        ("ratings", "F2", None, "sheet ratings, line 2: the score “” is not a number from 0 to 100"),
        ("ratings", "L2", "[", "sheet ratings, line 2: the list of marked errors is not JSON"),
        ("segments", "B4", 0, "sheet segments, line 4: the document “doc0” has this segment already"),
        ("campaign", "B5", "__class__", "sheet campaign, line 5: “__class__” is no protocol; there are"),
        ("outputs", "A1", "doc", "sheet outputs, line 1: has no column “document”"),
    ):
        changed = load_workbook(path)
        changed[sheet][cell] = value
        changed.save(tmp_path / "y.xlsx")
        with pytest.raises(FileError) as raised:
            read(tmp_path / "y.xlsx", options())
        assert message in str(raised.value)


def test_sheets_and_columns_that_are_not_known_are_said(tmp_path):
    path = tmp_path / "x.xlsx"
    write_bundle(small_bundle(), "xlsx", path)
    changed = load_workbook(path)
    changed.create_sheet("my notes")["A1"] = "x"
    changed["segments"]["G1"] = "mood"
    changed.save(path)
    notes = read(path, options()).notes
    assert "The sheet “my notes” is not known and was left out." in notes
    assert "The column “mood” of the sheet “segments” is not known and was left out." in notes


def test_more_rows_than_a_sheet_has_and_a_longer_text_than_a_cell_name_csv(tmp_path, monkeypatch):
    with pytest.raises(FileError, match="32,767 characters in a cell at most and a text has 32,768; use csv"):
        write_bundle(with_output("x" * 32_768), "xlsx", tmp_path / "x.xlsx")
    monkeypatch.setattr(xlsx, "MOST_ROWS", 40)
    with pytest.raises(FileError, match="has 40 rows in a sheet at most and 49 are needed; use csv or jsonl"):
        write_bundle(small_bundle(), "xlsx", tmp_path / "x.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_a_zip_bomb_and_damage_are_refused(tmp_path):
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 5_000_000)
    with pytest.raises(FileError, match="unpacks to more than the limit of 1,000,000 bytes"):
        read(bomb, options(limit_bytes=1_000_000))
    with pytest.raises(FileError, match=r"is not a workbook \(\.xlsx\) that can be read"):
        read(bomb, options())


@settings(max_examples=40)
@given(place=st.integers(0, 4000), part=st.binary(min_size=1, max_size=4))
def test_any_damage_to_a_workbook_is_taken_or_refused(place, part, tmp_path_factory):
    path = book(tmp_path_factory.mktemp("damage") / "x.xlsx", ROW)
    data = path.read_bytes()
    path.write_bytes(data[:place] + part + data[place + len(part) :])
    with suppress(FileError):
        assert read(path, options()).segments
