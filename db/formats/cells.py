"""Cells and rows of tables: numbers, times, names and languages; TSV, CSV, and formulas.

Every error is a FileError with its line. A cell that a spreadsheet would take for a formula gets an
apostrophe.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from core.errors import FileError, InputError, Wording, one_line
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.protocols import PROTOCOLS
from core.text.delimited import split_rows
from core.text.files import parse_number, read_text, split_lines
from core.text.languages import iso_code
from core.text.limits import CELLS, COLUMNS, MOST_CELLS, MOST_COLUMNS, too_many
from core.text.workbook import STARTS
from db.names import check_label, check_rater_name


def quoted(details: Mapping[str, object]) -> dict[str, Any]:
    """Values of an error, which quote a file, each in one line."""
    return {name: _one_line(value) for name, value in details.items()}


def note_in_line(note: Wording) -> Wording:
    """A note with the values that quote a file each in one line."""
    return Wording(note.template, **quoted(note.details))


def _one_line(value: object) -> object:
    if isinstance(value, Wording):
        return note_in_line(value)
    return one_line(value) if type(value) is str else value


class Where(Protocol):
    """Something in a file that an error can be about."""

    def error(self, problem: str, /, *, part: bool = False, **details: object) -> FileError:
        """An error about it, which names the file and the line; the arguments are those of FileError."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where in a file something stands."""

    path: Path | Wording
    line: int

    def error(self, problem: str, /, *, part: bool = False, **details: object) -> FileError:
        """An error about this line."""
        return FileError(self.path, problem, line=self.line, part=part, **quoted(details))


def read_number(cell: str, place: Where) -> float:
    """A finite number."""
    try:
        return parse_number(cell)
    except ValueError as error:
        raise place.error("“{cell:.40}” is not a number.", cell=cell) from error


def read_seconds(cell: str, place: Where) -> float | None:
    """A duration or an instant in seconds; None for an empty cell."""
    if cell == "":
        return None
    try:
        seconds = parse_number(cell)
    except ValueError:
        seconds = math.inf
    if not 0 <= seconds < 1e11:
        raise place.error("“{cell:.40}” is not a number of seconds.", cell=cell)
    return seconds


def read_position(cell: str, place: Where) -> int:
    """A position within a document, from 0."""
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 9):
        raise place.error("the position “{cell:.40}” is not a whole number from 0 upwards.", cell=cell)
    return int(cell)


def read_instant(cell: str, place: Where) -> datetime | None:
    """An ISO 8601 instant with its offset, in UTC; None for an empty cell."""
    if cell == "":
        return None
    try:
        instant = datetime.fromisoformat(cell)
        if instant.tzinfo is not None:
            return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise place.error("“{cell:.40}” is not a time like 2026-01-31T12:00:00+00:00.", cell=cell)


def read_label(cell: str, what: Wording, place: Where) -> str:
    """The name of a document or system."""
    try:
        return check_label(cell, what)
    except InputError as error:
        raise place.error(error.template, part=True, **error.details) from error


def read_lang(cell: str, place: Where) -> str:
    """A language as its ISO 639 code."""
    try:
        return iso_code(cell)
    except InputError as error:
        raise place.error(error.template, part=True, **error.details) from error


def read_protocol(cell: str, place: Where) -> str:
    """The name of a protocol of raters."""
    if cell not in PROTOCOLS:
        raise place.error(
            "“{protocol:.40}” is no protocol; there are {protocols}.",
            protocol=cell,
            protocols=", ".join(PROTOCOLS),
        )
    return cell


ITEM_TYPES = {"TGT": TARGET, "BAD": DEGRADED, "REF": REFERENCE, "CHK": REPEAT}
"""Appraise's item types as our kinds."""

_ITEM_KINDS = {**ITEM_TYPES, "SYSTEM": TARGET, "SYS": TARGET, "REPEAT": REPEAT}


def item_kind(cell: str) -> str | None:
    """The kind of an item by its type as Appraise and WMT write it; None for a type that is not known.

    `SYSTEM`, in the tables of WMT21 and WMT22, means the same as `TGT`. What follows a point and the case of
    the letters say nothing.
    """
    return _ITEM_KINDS.get(cell.strip().split(".")[0].upper())


def unknown_columns(columns: Iterable[str], known: Collection[str]) -> tuple[Wording, ...]:
    """A sentence about each column that is not read."""
    return tuple(
        Wording("The column “{column}” is not known and was left out.", column=one_line(column))
        for column in columns
        if column not in known
    )


def read_rater(cell: str, place: Where) -> str:
    """The name of a rater, trimmed."""
    try:
        return check_rater_name(cell)
    except InputError as error:
        raise place.error(error.template, part=True, **error.details) from error


def csv_rows(path: Path, limit_bytes: int, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Row by row without blank lines, quoted as in RFC 4180. Raises FileError."""
    return split_rows(read_text(path, limit_bytes=limit_bytes), path, delimiter=delimiter)


_NEUTRAL = re.compile(f"'+[{re.escape(STARTS)}]")


def undone(cell: str) -> str:
    """The inverse of `neutral`, exactly."""
    return cell[1:] if _NEUTRAL.match(cell) else cell


_ROWS = Wording("rows")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a checked header. Each row, which is read once, comes with its line, from 1."""

    path: Path | Wording
    columns: tuple[str, ...]
    rows: Iterable[tuple[int, list[str]]]

    def checked(self) -> Iterator[tuple[int, list[str]]]:
        """Row by row. Raises FileError where one has not as many cells as the header.

        A row that is the header again is passed over: files are put one behind the other.
        """
        header = list(self.columns)
        left = MOST_CELLS
        for line, cells in self.rows:
            left -= len(cells)
            if left < 0:
                raise too_many(self.path, CELLS, MOST_CELLS, line)
            if len(cells) != len(header):
                raise FileError(
                    self.path,
                    "has {n} cells where the header has {columns}.",
                    line=line,
                    n=len(cells),
                    columns=len(header),
                )
            if cells != header:
                yield line, cells

    def records(self) -> Iterator[tuple[FilePlace, dict[str, str]]]:
        """Row by row: where it stands, and its cells by column."""
        for line, cells in self.checked():
            yield FilePlace(self.path, line), dict(zip(self.columns, cells, strict=True))


def make_sheet(
    path: Path | Wording,
    rows: Iterable[tuple[int, list[str]]],
    *,
    required: Collection[str],
    what: Wording = _ROWS,
) -> Sheet:
    """Check a header row; the rows below it are checked as they are read. Raises FileError."""
    given = iter(rows)
    header_line, columns = next(given, (0, []))
    if not header_line:
        raise FileError(path, "is empty; it needs a header line and rows below it.")
    if len(columns) > MOST_COLUMNS:
        raise too_many(path, COLUMNS, MOST_COLUMNS, header_line)
    twice = next((column for column, times in Counter(columns).items() if times > 1), None)
    if twice is not None:
        raise FileError(path, "has the column “{column}” twice.", line=header_line, column=twice)
    missing = [column for column in required if column not in columns]
    if missing:
        raise FileError(
            path,
            "has no column “{column}”; needed are {required}.",
            line=header_line,
            column=missing[0],
            required=", ".join(required),
        )
    first = next(given, None)
    if first is None:
        raise FileError(path, "has a header but no {what}.", what=what)
    return Sheet(path, tuple(columns), chain([first], given))


def read_tsv_sheet(
    path: Path, *, required: Collection[str], limit_bytes: int, what: Wording = _ROWS
) -> Sheet:
    """Read a tab-separated file. Cells are taken as they are: quotes mean nothing. Raises FileError."""
    lines = split_lines(read_text(path, limit_bytes=limit_bytes))
    while len(lines) > 1 and lines[-1] == "":
        lines.pop()
    rows = ((number, line.split("\t")) for number, line in enumerate(lines, start=1))
    return make_sheet(path, rows, required=required, what=what)


def require_some(column: str, filled: bool, path: Path | Wording) -> None:
    """Raises FileError when a column that holds texts is empty from top to bottom."""
    if not filled:
        raise FileError(path, "has nothing in the column “{column}”; is it the right file?", column=column)
