"""Workbooks (.xlsx): written, and read within limits.

No cell is a formula: a text that looks like one is stored as a text. Nothing in a workbook is calculated
when it is read. Characters that XML cannot represent are written as `_xHHHH_`, as Excel does. Numbers have
15 digits.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import FileError, Wording, one_line, os_reason
from core.text.files import number_text
from core.text.limits import COLUMNS, MOST_COLUMNS, too_many

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

    _Cell = Cell | MergedCell | ReadOnlyCell | EmptyCell


STARTS = "=+-@\t\r＝＋－＠"
"""What a formula may begin with; Japanese spreadsheets take the wide forms, too."""

_AT_RISK = re.compile(f"'*[{re.escape(STARTS)}]")

CellValue = str | int | float | None
_NO_VALUES = {"f": Wording("a formula"), "e": Wording("an error"), "b": Wording("a truth value")}
_TEXT = frozenset(f"{STARTS}#")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def neutral(cell: str) -> str:
    """A cell of a CSV file as one that is no formula: an apostrophe before what could be one."""
    return f"'{cell}" if _AT_RISK.match(cell) else cell


def escaped(text: str) -> str:
    """A text as it stands in the file."""
    return _UNFIT.sub(lambda match: f"_x{ord(match.group()):04X}_", text)


def unescaped(text: str) -> str:
    """The inverse of `escaped`."""
    return _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), text) if "_x" in text else text


def workbook(sheets: Mapping[str, Iterable[Sequence[CellValue]]]) -> bytes:
    """A workbook of these sheets; the first row of each stays in sight."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for row in rows:
            sheet.append([_cell(sheet, value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _cell(sheet: WriteOnlyWorksheet, value: CellValue) -> object:
    """A value as a cell: a text is a text, whatever it begins with."""
    if not isinstance(value, str):
        return value
    if value == "":
        return None
    text = escaped(value)
    if value[0] not in _TEXT:
        return text
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"
    cell.quotePrefix = True  # so that it stays a text when it is edited
    return cell


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
_FAR = re.compile(rb"""\sr=["'][A-Za-z]{3,}\d""")
"""A cell in a column behind ZZ: the cells before it in its row would be made, too."""


@contextmanager
def opened(path: Path, limit_bytes: int) -> Iterator[SheetReader]:
    """A workbook. Raises FileError for what is none, for merged cells and for too much of anything.

    `limit_bytes` holds for the file and for what it unpacks to.
    """
    from openpyxl import load_workbook

    try:
        if path.stat().st_size > limit_bytes:
            raise FileError(path, "is larger than the limit of {limit:,} bytes; split it.", limit=limit_bytes)
        file = path.open("rb")
    except OSError as error:
        raise FileError(path, "cannot be read ({reason}).", reason=os_reason(error)) from error
    with file:
        try:
            if _look_inside(path, limit_bytes):
                _refuse_merged(path, file)
            book = load_workbook(file, read_only=True)
        except (OSError, *_DAMAGE) as error:
            raise _no_workbook(path) from error
        yield SheetReader(path, book)
        book.close()


def _no_workbook(path: Path) -> FileError:
    return FileError(path, "is not a workbook (.xlsx) that can be read; save it again.")


def _look_inside(path: Path, limit_bytes: int) -> bool:
    """Whether any sheet has merged cells. The sizes that a zip file tells are what is read of it at most."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > limit_bytes:
            raise FileError(
                path,
                "unpacks to more than the limit of {limit:,} bytes; split it.",
                limit=limit_bytes,
            )
        sheets = [one for one in members if one.filename.startswith("xl/worksheets/")]
        merging = [_mentions_merging(path, archive, member) for member in sheets]
        return any(merging)


def _mentions_merging(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    """Whether a sheet has merged cells. Raises FileError for one with too many columns."""
    tail, merging = b"", False
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            piece = tail + chunk
            if _FAR.search(piece):
                raise too_many(path, COLUMNS, MOST_COLUMNS)
            merging = merging or _MERGED.search(piece) is not None
            tail = chunk[-40:]
    return merging


def _refuse_merged(path: Path, file: BinaryIO) -> None:
    """Raises FileError that names the sheet and the range."""
    from openpyxl import load_workbook

    for sheet in load_workbook(file).worksheets:
        for merged in sheet.merged_cells.ranges:
            raise FileError(
                path,
                "sheet “{sheet:.40}” has merged cells ({cells}); unmerge them and save again.",
                sheet=one_line(sheet.title),
                cells=merged.coord,
            )


class SheetReader:
    """A workbook that is open for reading."""

    def __init__(self, path: Path, book: Workbook) -> None:
        self._path = path
        self._book = book
        self.names: tuple[str, ...] = tuple(sheet.title for sheet in book.worksheets)

    def place(self, name: str) -> Wording:
        """What a sheet is called in errors."""
        return Wording("{file}, sheet {sheet:.40}", file=self._path, sheet=one_line(name))

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
        what = _NO_VALUES.get(cell.data_type, Wording("a date"))
        where = f"{_letters(column)}{row}"
        raise FileError(
            self.place(sheet),
            "cell {where} holds {what}; put the text or number itself there.",
            where=where,
            what=what,
        )


def _letters(column: int) -> str:
    """A column, from 0, as spreadsheets call it."""
    rest, letter = divmod(column, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("A") + letter)
