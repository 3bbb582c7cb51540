"""A workbook for Excel and its like: sheets of segments, systems, outputs, checks and ratings.

No cell is a formula: what looks like one is stored as a text, and shown with the apostrophe that says so.
Numbers have 15 digits there, as in any workbook.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import FileError
from core.raters.protocols import spans_to_json
from db.formats.bundle import Bundle, CheckRow, OutputRow, RatingRow
from db.formats.formulas import STARTS
from db.formats.xlsx_text import escaped

SHEETS = {
    "campaign": ("key", "value"),
    "segments": ("document", "position", "segment_id", "domain", "source", "reference"),
    "systems": ("system", "role"),
    "outputs": ("document", "position", "system", "translation"),
    "checks": ("document", "position", "system", "kind", "rule", "translation"),
    "ratings": (
        "document",
        "position",
        "system",
        "rater",
        "kind",
        "score",
        "skipped_reason",
        "comment",
        "mark",
        "seconds",
        "rated_at",
        "error_spans",
    ),
}
"""The columns of each sheet. error_spans: as JSON, half-open; empty where nothing was to be marked."""

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
_NAMED = Path("xlsx")
_TEXT = frozenset(f"{STARTS}#")

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

Cell = str | int | float | None


def write_files(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    """The one file. Raises FileError for more rows than a sheet has, and texts longer than a cell."""
    for rows in _sheets(bundle).values():
        _check(rows)
    yield (
        "campaign.xlsx",
        workbook({name: chain([SHEETS[name]], rows) for name, rows in _sheets(bundle).items()}),
    )


def workbook(sheets: Mapping[str, Iterable[Sequence[Cell]]]) -> bytes:
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


def _sheets(bundle: Bundle) -> dict[str, Iterable[tuple[Cell, ...]]]:
    """The rows of each sheet, below its header."""
    return {
        "campaign": _campaign(bundle),
        "segments": (
            (row.document, row.position, row.external_id, row.domain, row.source, row.reference)
            for row in bundle.segments
        ),
        "systems": ((row.name, "reference" if row.is_reference else "") for row in bundle.systems),
        "outputs": ((*_where(row), row.text) for row in bundle.outputs),
        "checks": ((*_where(row), row.kind, row.rule, row.text) for row in bundle.checks),
        "ratings": map(_rating, bundle.ratings),
    }


def _check(rows: Iterable[tuple[Cell, ...]]) -> None:
    """Before anything is written: what is not written to its end cannot be closed."""
    count = 1
    for row in rows:
        count += 1
        longest = max((len(escaped(cell)) for cell in row if isinstance(cell, str)), default=0)
        if longest > MOST_CHARACTERS:
            problem = (
                f"has {MOST_CHARACTERS:,} characters in a cell at most and a text has {longest:,}; use csv."
            )
            raise FileError(_NAMED, problem)
    if count > MOST_ROWS:
        problem = f"has {MOST_ROWS:,} rows in a sheet at most and {count:,} are needed; use csv or jsonl."
        raise FileError(_NAMED, problem)


def _campaign(bundle: Bundle) -> Iterable[tuple[Cell, ...]]:
    source, target = bundle.langs
    yield "name", bundle.name
    yield "source_lang", source
    yield "target_lang", target
    yield "protocol", bundle.meta.protocol


def _where(row: OutputRow | CheckRow | RatingRow) -> tuple[Cell, ...]:
    return row.key[0], row.key[1], row.system


def _rating(row: RatingRow) -> tuple[Cell, ...]:
    return (
        *_where(row),
        row.rater,
        row.kind,
        row.score,
        row.skipped_reason,
        row.comment,
        row.mark,
        row.seconds,
        None if row.rated_at is None else row.rated_at.isoformat(),
        None if row.spans is None else json.dumps(spans_to_json(row.spans), ensure_ascii=False),
    )


def _cell(sheet: WriteOnlyWorksheet, value: Cell) -> object:
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
    cell.quotePrefix = True  # so that it stays a text when somebody edits it
    return cell
