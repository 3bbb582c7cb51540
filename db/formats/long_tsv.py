"""Long rows, tab-separated without quoting. A text with a tab or a line break has no place in it."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from core.errors import FileError
from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.sheet import read_tsv

_BREAKS = frozenset("\t\n\r")


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    sheet = read_tsv(path, required=long.REQUIRED, limit_bytes=options.limit_bytes)
    return long.collect(sheet.records(), sheet.columns, path, options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. Raises FileError for a text that the format cannot hold."""
    file.write("\t".join(long.COLUMNS) + "\n")
    for line, row in enumerate(long.flatten(bundle), start=2):
        for column, cell in row.items():
            if not _BREAKS.isdisjoint(cell):
                problem = f"a {column} with a tab or line break does not fit into tsv; use csv or jsonl."
                raise FileError(path, problem, line=line)
        file.write("\t".join(row[column] for column in long.COLUMNS) + "\n")
