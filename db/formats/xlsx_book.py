"""The sheets of a workbook as rows of text. It is data from a stranger: nothing in it is calculated."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import FileError
from db.formats.cells import number_text, one_line
from db.formats.xlsx_text import unescaped

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell

    _Cell = Cell | MergedCell | ReadOnlyCell | EmptyCell

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    SyntaxError,  # what parsers of XML raise
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
"""What openpyxl raises for a file that is damaged or no workbook."""
_CHUNK = 1 << 16
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell[\s>]")


@contextmanager
def opened(path: Path, limit_bytes: int) -> Iterator[Book]:
    """A workbook. Raises FileError for what is none, for merged cells and for too much of anything.

    `limit_bytes` holds for the file and for what it unpacks to.
    """
    from openpyxl import load_workbook

    try:
        if path.stat().st_size > limit_bytes:
            raise FileError(path, f"is larger than the limit of {limit_bytes:,} bytes; split it.")
        file = path.open("rb")
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error}).") from error
    with file:
        try:
            if _look_inside(path, limit_bytes):
                _refuse_merged(path, file)
            book = load_workbook(file, read_only=True)
        except (OSError, *_DAMAGE) as error:
            raise _no_workbook(path) from error
        yield Book(path, book)
        book.close()


def _no_workbook(path: Path) -> FileError:
    return FileError(path, "is not a workbook (.xlsx) that can be read; save it again.")


def _look_inside(path: Path, limit_bytes: int) -> bool:
    """Whether any sheet has merged cells. The sizes that a zip file tells are what is read of it at most."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > limit_bytes:
            raise FileError(path, f"unpacks to more than the limit of {limit_bytes:,} bytes; split it.")
        sheets = [one for one in members if one.filename.startswith("xl/worksheets/")]
        return any(_mentions_merging(archive, member) for member in sheets)


def _mentions_merging(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    tail = b""
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            if _MERGED.search(tail + chunk):
                return True
            tail = chunk[-40:]
    return False


def _refuse_merged(path: Path, file: BinaryIO) -> None:
    """Raises FileError that names the sheet and the range."""
    from openpyxl import load_workbook

    for sheet in load_workbook(file).worksheets:
        for merged in sheet.merged_cells.ranges:
            problem = (
                f"sheet “{sheet.title:.40}” has merged cells ({merged.coord}); unmerge them and save again."
            )
            raise FileError(path, one_line(problem))


class Book:
    """A workbook that is open for reading."""

    def __init__(self, path: Path, book: Workbook) -> None:
        self._path = path
        self._book = book
        self.names: tuple[str, ...] = tuple(sheet.title for sheet in book.worksheets)

    def place(self, name: str) -> Path:
        """What a sheet is called in errors."""
        return Path(one_line(f"{self._path}, sheet {name:.40}"))

    def rows(self, name: str) -> Iterator[tuple[int, list[str]]]:
        """Number and cells of each row that is not empty; all as long as the first. Raises FileError."""
        sheet = self._book[name]
        sheet.reset_dimensions()  # programs write wrong ones
        width = 0
        try:
            for number, row in enumerate(sheet.iter_rows(), start=1):
                cells = [self._text(cell, name, number, column) for column, cell in enumerate(row)]
                while cells and cells[-1] == "":
                    cells.pop()
                if cells:
                    width = width or len(cells)
                    yield number, cells + [""] * (width - len(cells))
        except _DAMAGE as error:
            raise _no_workbook(self._path) from error

    def _text(self, cell: _Cell, sheet: str, row: int, column: int) -> str:
        value = cell.value
        if value is None:
            return ""
        if cell.data_type == "s" or cell.data_type == "inlineStr":
            return unescaped(str(value))
        if cell.data_type == "n" and isinstance(value, int | float):
            return number_text(float(value))
        what = {"f": "a formula", "e": "an error", "b": "a truth value"}.get(cell.data_type, "a date")
        where = f"{_letters(column)}{row}"
        raise FileError(self.place(sheet), f"cell {where} holds {what}; put the text or number itself there.")


def _letters(column: int) -> str:
    """A column, from 0, as spreadsheets call it."""
    rest, letter = divmod(column, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("A") + letter)
