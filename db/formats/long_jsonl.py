"""Long rows, one JSON object a line. Position, score and seconds are numbers, everything else is text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from core.text.encoding import read_text, split_lines
from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.cells import Place

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NUMBERS = tuple((long.COLUMNS.index(column), column) for column in long.NUMBERS)
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    columns: dict[str, None] = {}
    return long.collect(_rows(path, options.limit_bytes, columns), columns, path, options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file; empty cells are left out, except the texts that a row must have."""
    for row in long.flatten(bundle, safe=False):
        values: dict[str, str | int | float] = {
            column: cell
            for column, cell in zip(long.COLUMNS, row, strict=True)
            if cell or column in long.REQUIRED
        }
        for column in long.NUMBERS:
            if column in values:
                cell = str(values[column])
                values[column] = int(cell) if cell.isdigit() else float(cell)
        file.write(_ENCODER.encode(values) + "\n")


def _rows(path: Path, limit_bytes: int, columns: dict[str, None]) -> Iterator[tuple[int, Sequence[str]]]:
    """Line and cells of each row; `columns` is filled with those that there are."""
    for number, line in enumerate(split_lines(read_text(path, limit_bytes=limit_bytes)), start=1):
        if line and not line.isspace():
            record = _record(line, Place(path, number))
            if not record.keys() <= columns.keys():
                columns.update(dict.fromkeys(record))
            yield number, _cells(record, Place(path, number), escaped="\\u" in line)


def _record(line: str, place: Place) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise place.error("is not a JSON object.") from error
    if not isinstance(record, dict):
        raise place.error("is not a JSON object.")
    for column in long.REQUIRED:
        if column not in record:
            raise place.error(f"has no “{column}”; needed are {', '.join(long.REQUIRED)}.")
    return record


def _cells(record: Mapping[str, Any], place: Place, *, escaped: bool) -> tuple[str, ...]:
    """The values as text, what is null or absent as empty. escaped: some were written as escapes."""
    cells = ["" if value is None else value for value in map(record.get, long.COLUMNS)]
    for at, column in _NUMBERS:
        value = record.get(column)
        cells[at] = "" if value is None else _number(column, value, place)
    if escaped or set(map(type, cells)) != {str}:
        _check(cells, place)
    return tuple(cells)


def _check(cells: Sequence[Any], place: Place) -> None:
    for column, cell in zip(long.COLUMNS, cells, strict=True):
        if not isinstance(cell, str):
            raise place.error(f"the {column} is not a text.")
        if _UNSTORABLE.search(cell):
            raise place.error(
                f"the {column} holds a character that cannot be stored (NUL or half a surrogate pair)."
            )


def _number(column: str, value: object, place: Place) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.error(f"the {column} {json.dumps(value, ensure_ascii=False):.40} is not a number.")
    return repr(value)
