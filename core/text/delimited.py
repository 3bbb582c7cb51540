"""Tables as text with delimiters, row by row, quoted as in RFC 4180."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import FileError

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def split_rows(text: str, path: Path, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Line, from 1, and cells of each row that is not blank; `path` only names the file in errors.

    Raises FileError.
    """
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
            path, "is not well-formed CSV ({reason}); look at the quotes.", line=first_line, reason=error
        ) from error
