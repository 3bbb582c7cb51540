"""A file larger than the limit is refused by its size: none of it is read."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from core.errors import FileError
from core.text.archive import unpacked
from core.text.files import LIMIT_BYTES
from db.formats import FORMATS
from db.formats.detect import detect
from tests.support.db_bundles import options

SIZE = 50 * LIMIT_BYTES
INSIDE = {"tables": "segments.tsv", "mtme": "sources/en-ja.txt", "pearmut": "a.json", "wmt-jsonl": "a.jsonl"}
"""The file of a folder that is read first."""


def large(path: Path) -> Path:
    """A file that says it is so large, and takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(SIZE)
    return path


def must_be_refused(read, path: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r": is larger than the limit of 200,000,000 bytes; split it\.$"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < LIMIT_BYTES / 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("tables", "mtme")])
def test_every_format_refuses_a_large_file_without_reading_it(name, tmp_path):
    given = options(hypotheses=(("a", tmp_path / "ref"),)) if name == "lines" else options()
    must_be_refused(lambda path: FORMATS[name].read(path, given), large(tmp_path / "ref"))


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.folder])
def test_every_format_refuses_a_large_file_in_a_folder_without_reading_it(name, tmp_path):
    large(tmp_path / "set" / INSIDE[name])
    must_be_refused(lambda path: FORMATS[name].read(path, options()), tmp_path / "set")


def test_a_large_zip_file_is_refused_without_reading_it(tmp_path):
    def unpack(path: Path) -> None:
        with unpacked(path):
            raise AssertionError("it was unpacked")

    path = large(tmp_path / "set.zip")
    with path.open("r+b") as file:
        file.write(b"PK\x03\x04")
    must_be_refused(unpack, path)


def test_a_look_for_the_format_reads_only_the_beginning_of_a_large_file(tmp_path):
    path = large(tmp_path / "rows.tsv")
    tracemalloc.start()
    try:
        detect(path)
        assert tracemalloc.get_traced_memory()[1] < LIMIT_BYTES / 20
    finally:
        tracemalloc.stop()
