"""Uploads are read in a process of its own, and small files that hold millions of things are refused."""

from __future__ import annotations

import gzip
import subprocess
import sys

import pytest
from openpyxl import Workbook

from core.errors import FileError, OptionError, ScaleUnknown
from db.campaigns.export import write_bundle
from db.formats import FORMATS, apart
from tests.support.db_bundles import options, small_bundle

HEADER = "document\tposition\treference\tsystem\ttranslation\n"


@pytest.fixture
def history(tmp_path):
    write_bundle(small_bundle(), "history", tmp_path / "x.jsonl")
    return tmp_path / "x.jsonl"


def test_a_campaign_comes_out_of_the_process_as_it_is_read_here(history):
    assert apart.read("history", history, options()) == FORMATS["history"].read(history, options())


def test_an_error_comes_out_as_it_is_raised_here(tmp_path):
    scores = tmp_path / "x.tsv"
    scores.write_text(HEADER.rstrip() + "\trater\tscore\nd\t0\tr\ts\tt\tAki\t0.8\n", "utf-8")
    wrong = tmp_path / "y.tsv"
    wrong.write_text(HEADER + "d\tq\tr\ts\tt\n", "utf-8")
    for name, path, given, kind in (
        ("tsv", wrong, options(), FileError),
        ("tsv", scores, options(scale=None), ScaleUnknown),
        ("lines", wrong, options(), OptionError),
    ):
        found = []
        for read in (apart.read, apart.read_here):
            with pytest.raises(kind) as raised:
                read(name, path, given)
            found.append((type(raised.value), str(raised.value), vars(raised.value)))
        assert found[0] == found[1]


def test_what_takes_too_much_memory_is_one_sentence_and_this_process_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "x.tsv.gz"
    with gzip.open(path, "wb", 1) as file:
        file.write(HEADER.encode() + b"d\t0\tr\ts\t" + b"x" * 150_000_000 + b"\n")
    monkeypatch.setattr(apart, "MEMORY_BYTES", 400 << 20)
    with pytest.raises(FileError, match="takes more memory to read than a file may; split it"):
        apart.read("tsv", path, options())


def test_what_takes_too_long_is_one_sentence(history, monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 0.01)
    with pytest.raises(FileError, match=r"takes more than 0.01 seconds to read"):
        apart.read("history", history, options())


def test_a_process_that_fails_is_no_fault_of_the_file(history, monkeypatch):
    failed = subprocess.CompletedProcess([], 1, b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(RuntimeError, match="has failed"):
        apart.read("history", history, options())


def test_where_a_process_cannot_be_limited_the_file_is_read_here(history, monkeypatch):
    monkeypatch.setattr(apart, "resource", None)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert apart.read("history", history, options()).name == "Small"


def refused(name, path, message):
    with pytest.raises(FileError) as raised:
        FORMATS[name].read(path, options())
    assert message in str(raised.value)


def test_elements_of_xml_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("db.formats.xml_tree.MOST_ELEMENTS", 100)
    path = tmp_path / "x.tmx"
    path.write_text(f"<tmx><body>{'<a/>' * 100}</body></tmx>")
    refused("tmx", path, "line 1: has more than 100 elements; split it.")


@pytest.mark.parametrize("name", ["jsonl", "history"])
def test_values_of_json_are_counted_but_not_commas_in_texts(tmp_path, monkeypatch, name, history):
    monkeypatch.setattr("core.text.limits.MOST_VALUES", 400)
    path = tmp_path / "y.json"
    path.write_text('{"document": "' + "a, [b]" * 500 + '"}')
    refused(name, path, "y.json, line 1: ")
    path.write_text('{"document": [[]' + ",[]" * 500 + "]}")
    refused(name, path, "y.json: has more than 400 values; split it.")


def test_columns_and_cells_of_tables_are_counted(tmp_path, monkeypatch):
    path = tmp_path / "x.tsv"
    path.write_text("\t".join(f"c{n}" for n in range(701)) + "\n\n")
    refused("tsv", path, "line 1: has more than 700 columns; split it.")
    monkeypatch.setattr("db.formats.cells.MOST_CELLS", 40)
    path.write_text(HEADER + "".join(f"d\t{n}\tr\ts\tt\n" for n in range(9)))
    refused("tsv", path, "line 10: has more than 40 cells; split it.")


def test_a_column_that_is_there_twice_is_named(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("document\tposition\tdocument\n\n")
    refused("tsv", path, "has the column “document” twice")


def test_a_cell_far_to_the_right_is_refused_before_the_cells_before_it_are_made(tmp_path):
    book = Workbook()
    book.active["XFD1"] = "x"
    book.save(tmp_path / "x.xlsx")
    refused("xlsx", tmp_path / "x.xlsx", "has more than 700 columns; split it.")
