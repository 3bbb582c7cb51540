"""How much may be in a file, counted while it is read: a small file can hold millions of empty things.

`limit_bytes` of the readers holds for what a file unpacks to. An element, a value or a cell of a few bytes
takes a hundred times as much memory.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.errors import FileError, Wording

MOST_ELEMENTS = 2_000_000
"""Elements of an XML file."""
MOST_VALUES = 10_000_000
"""Values of a JSON file, lists and objects among them."""
MOST_CELLS = 15_000_000
"""Cells of a table."""
MOST_COLUMNS = 700
"""Columns of a table; a workbook's are A to ZZ, 702."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')


ELEMENTS, VALUES, CELLS, COLUMNS = (
    Wording("elements"),
    Wording("values"),
    Wording("cells"),
    Wording("columns"),
)


def too_many(path: Path | Wording, what: Wording, most: int, line: int | None = None) -> FileError:
    """The error for a file with more than is read."""
    return FileError(path, "has more than {most:,} {what}; split it.", line=line, most=most, what=what)


def check_values(path: Path, text: str) -> None:
    """Raise FileError for a JSON text, or lines of JSON, with too many values."""
    if _separators(text) > MOST_VALUES and _separators(_STRING.sub("", text)) > MOST_VALUES:
        raise too_many(path, VALUES, MOST_VALUES)


def _separators(text: str) -> int:
    """At least as many as there are values, less one for each line."""
    return text.count(",") + text.count("[") + text.count("{")
