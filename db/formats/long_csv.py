"""Long rows, comma-separated, quoted as in RFC 4180. Cells are written as they are, formulas or not."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TextIO

from core.errors import FileError
from core.textfile import read_text
from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.sheet import make_sheet


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    rows = _rows(path, options.limit_bytes)
    sheet = make_sheet(path, rows, required=long.REQUIRED)
    return long.collect(sheet.records(), sheet.columns, path, options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file with CR LF between the rows; line breaks inside a text stay as they are."""
    writer = csv.DictWriter(file, long.COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(long.flatten(bundle))


def _rows(path: Path, limit_bytes: int) -> list[tuple[int, list[str]]]:
    """Each row with the line it begins on, without blank lines."""
    text = read_text(path, limit_bytes=limit_bytes)
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # the file's own limit is enough
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    first_line = 1
    try:
        for cells in reader:
            if cells:
                rows.append((first_line, cells))
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise FileError(
            path, f"is not well-formed CSV ({error}); look at the quotes.", line=first_line
        ) from error
    return rows
