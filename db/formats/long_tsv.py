"""Long rows, tab-separated without quoting. A text with a tab or a line break has no place in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TextIO

from core.errors import FileError
from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.sheet import read_tsv

_BREAK = re.compile(r"[\t\n\r]")


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    return long.read_sheet(read_tsv(path, required=long.REQUIRED, limit_bytes=options.limit_bytes), options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. Raises FileError for a text that the format cannot hold."""
    file.write("\t".join(long.COLUMNS) + "\n")
    for line, row in enumerate(long.flatten(bundle, safe=True), start=2):
        joined = "\t".join(row)
        if joined.count("\t") >= len(row) or "\n" in joined or "\r" in joined:
            column = next(name for name, cell in zip(long.COLUMNS, row, strict=True) if _BREAK.search(cell))
            problem = f"a {column} with a tab or line break does not fit into tsv; use csv or jsonl."
            raise FileError(path, problem, line=line)
        file.write(joined + "\n")
