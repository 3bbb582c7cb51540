"""Rows under a header line, as TSV files have them: tab-separated, no quoting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.errors import FileError
from core.text.encoding import read_text, split_lines
from db.formats.cells import Place


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a checked header. Each row, which is read once, comes with its line, from 1."""

    path: Path
    columns: tuple[str, ...]
    rows: Iterable[tuple[int, list[str]]]

    def checked(self) -> Iterator[tuple[int, list[str]]]:
        """Row by row. Raises FileError where one has not as many cells as the header.

        A row that is the header again is passed over: files are put one behind the other.
        """
        header = list(self.columns)
        for line, cells in self.rows:
            if len(cells) != len(header):
                raise FileError(
                    self.path, f"has {len(cells)} cells where the header has {len(header)}.", line=line
                )
            if cells != header:
                yield line, cells

    def records(self) -> Iterator[tuple[Place, dict[str, str]]]:
        """Row by row: where it stands, and its cells by column."""
        for line, cells in self.checked():
            yield Place(self.path, line), dict(zip(self.columns, cells, strict=True))


def make_sheet(
    path: Path, rows: Iterable[tuple[int, list[str]]], *, required: Collection[str], what: str = "rows"
) -> Sheet:
    """Check a header row; the rows below it are checked as they are read. Raises FileError."""
    given = iter(rows)
    header_line, columns = next(given, (0, []))
    if not header_line:
        raise FileError(path, "is empty; it needs a header line and rows below it.")
    for column in columns:
        if columns.count(column) > 1:
            raise FileError(path, f"has the column “{column}” twice.", line=header_line)
    missing = [column for column in required if column not in columns]
    if missing:
        raise FileError(
            path, f"has no column “{missing[0]}”; needed are {', '.join(required)}.", line=header_line
        )
    first = next(given, None)
    if first is None:
        raise FileError(path, f"has a header but no {what}.")
    return Sheet(path, tuple(columns), chain([first], given))


def read_tsv(path: Path, *, required: Collection[str], limit_bytes: int, what: str = "rows") -> Sheet:
    """Read a tab-separated file. Cells are taken as they are: quotes mean nothing. Raises FileError."""
    lines = split_lines(read_text(path, limit_bytes=limit_bytes))
    while len(lines) > 1 and lines[-1] == "":
        lines.pop()
    rows = ((number, line.split("\t")) for number, line in enumerate(lines, start=1))
    return make_sheet(path, rows, required=required, what=what)


def require_some(column: str, filled: bool, path: Path) -> None:
    """Raises FileError when a column that holds texts is empty from top to bottom."""
    if not filled:
        raise FileError(path, f"has nothing in the column “{column}”; is it the right file?")
