"""Long rows, one JSON object a line. Position, score and seconds are numbers, everything else is text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from core.textfile import read_text, split_lines
from db.formats import long
from db.formats.bundle import Bundle, ReadOptions
from db.formats.cells import Place


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    records = list(_records(path, options.limit_bytes))
    columns = {column: None for _, record in records for column in record}
    return long.collect(records, columns, path, options)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file; empty cells are left out, except the texts that a row must have."""
    for row in long.flatten(bundle):
        given = {column: cell for column, cell in row.items() if cell or column in long.REQUIRED}
        values = {column: _value(column, cell) for column, cell in given.items()}
        file.write(json.dumps(values, ensure_ascii=False) + "\n")


def _value(column: str, cell: str) -> str | int | float:
    if column not in long.NUMBERS:
        return cell
    return int(cell) if cell.isdigit() else float(cell)


def _records(path: Path, limit_bytes: int) -> Iterator[tuple[Place, dict[str, str]]]:
    for number, line in enumerate(split_lines(read_text(path, limit_bytes=limit_bytes)), start=1):
        place = Place(path, number)
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise place.error("is not a JSON object.") from error
        if not isinstance(record, dict):
            raise place.error("is not a JSON object.")
        for column in long.REQUIRED:
            if column not in record:
                raise place.error(f"has no “{column}”; needed are {', '.join(long.REQUIRED)}.")
        yield (
            place,
            {
                column: _cell(column, value, place) if column in long.COLUMNS else ""
                for column, value in record.items()
            },
        )


def _cell(column: str, value: object, place: Place) -> str:
    """A value as the text of a cell; null is an empty one."""
    if value is None:
        return ""
    if column in long.NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise place.error(f"the {column} {json.dumps(value, ensure_ascii=False):.40} is not a number.")
        return repr(value)
    if not isinstance(value, str):
        raise place.error(f"the {column} is not a text.")
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise place.error(
            f"the {column} holds a character that cannot be stored (NUL or half a surrogate pair)."
        )
    return value
