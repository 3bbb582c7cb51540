"""Long rows, comma-separated, quoted as in RFC 4180. No cell is a formula (`formulas.py`)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TextIO

from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.csv_rows import csv_rows
from db.formats.sheet import make_sheet


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    rows = csv_rows(path, options.limit_bytes)
    return long.read_sheet(make_sheet(path, rows, required=long.REQUIRED), options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file with CR LF between the rows; line breaks inside a text stay as they are."""
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(long.COLUMNS)
    writer.writerows(long.flatten(bundle, safe=True))
