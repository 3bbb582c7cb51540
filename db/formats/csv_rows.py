"""The rows of a file with separators and quotes, each with the line that it begins on."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import FileError
from core.text.encoding import read_text

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def csv_rows(path: Path, limit_bytes: int, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Row by row without blank lines, quoted as in RFC 4180. Raises FileError."""
    return split_rows(read_text(path, limit_bytes=limit_bytes), path, delimiter=delimiter)


def split_rows(text: str, path: Path, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The same of a text that was read already; `path` only names the file in errors."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # the file's own limit is enough
    lines = (match.group() for match in _LINE.finditer(text))
    reader = csv.reader(lines, strict=True, delimiter=delimiter)
    first_line = 1
    try:
        for cells in reader:
            if cells:
                yield first_line, cells
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise FileError(
            path, f"is not well-formed CSV ({error}); look at the quotes.", line=first_line
        ) from error
