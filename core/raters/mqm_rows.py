"""The rows of Google's MQM files: tab-separated, a row for each error of each rating.

Columns: system, doc, docSegId, globalSegId, rater, source, target, category, severity, and metadata (JSON) or
a comment, or nothing. An error stands between <v> and </v> in the target or the source; a rating without
errors is a row `No-error`, an unrated translation a row without a rater.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError
from core.raters.protocols import MQM_CATEGORIES, NON_TRANSLATION
from core.text.delimited import split_rows
from core.text.files import LIMIT_BYTES, read_text, split_lines

OPEN, SHUT = "<v>", "</v>"
NO_ERROR = "No-error"

_QUOTE = '"'
_SPECIAL = re.compile(r'["\t\n\r]')
_THEIRS = {
    one: "/".join(part.capitalize() for part in one.replace("source-error", "source error").split("/"))
    for one in MQM_CATEGORIES
} | {NON_TRANSLATION: "Non-translation!"}
_OURS = {theirs.lower(): ours for ours, theirs in _THEIRS.items()} | {
    "accuracy/source language fragment": "accuracy/untranslated",
    "accuracy/untranslated text": "accuracy/untranslated",
    "style/unnatural or awkward": "style/awkward",
    "terminology/inappropriate for context": "terminology/inappropriate",
    "fluency/inconsistent": "fluency/inconsistency",
    "non-translation": NON_TRANSLATION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MqmRow:
    """A row as it stands. line: from 1. last: the tenth cell, empty without. as_json: it is metadata."""

    line: int
    system: str
    document: str
    number: str
    id: str
    rater: str
    source: str
    target: str
    category: str
    severity: str
    last: str
    as_json: bool


def read_mqm_rows(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> Iterator[MqmRow]:
    """Every row but headers. Raises FileError for another number of columns."""
    text = read_text(path, limit_bytes=limit_bytes)
    first = next(iter(split_lines(text)), "").split("\t")
    has_header = [cell.strip('"') for cell in first[:2]] == ["system", "doc"]
    holds_metadata = has_header and first[-1].startswith("metadata")
    for line, cells in _cells(text, path):
        if has_header and cells[:2] == ["system", "doc"]:
            continue
        if len(cells) not in (9, 10):
            raise FileError(path, "has {n} columns; MQM files have 9 or 10.", line=line, n=len(cells))
        last = cells[9] if len(cells) == 10 else ""
        as_json = last != "" and (holds_metadata or (not has_header and last.startswith("{")))
        system, document, number, name, rater, source, target, category, severity = cells[:9]
        yield MqmRow(
            line=line,
            system=system,
            document=document,
            number=number,
            id=name,
            rater=rater,
            source=source,
            target=target,
            category=category,
            severity=severity,
            last=last,
            as_json=as_json,
        )


def as_line(cells: Iterable[str]) -> str:
    """Cells as a line of the file, quoted where they hold quotes, tabs or line breaks."""
    return "\t".join(
        f'"{cell.replace(_QUOTE, _QUOTE * 2)}"' if _SPECIAL.search(cell) else cell for cell in cells
    )


def theirs(category: str) -> str:
    """A category as Google writes it; one that is not ours stays as it is."""
    return _THEIRS.get(category, category)


def ours(category: str) -> str:
    """A category as we write it; one that we do not have stays as it is."""
    return _OURS.get(category.lower(), category)


def is_clean(word: str) -> bool:
    """Whether a category or severity says that there is no error."""
    return word.strip().lower().replace("_", "-").replace(" ", "-") == NO_ERROR.lower()


def unmarked(text: str) -> tuple[str, tuple[int, int] | None]:
    """A text without its marks, and what the first ones hold, half-open; None where nothing is marked.

    A mark whose other one is lacking reaches to that end of the text.
    """
    if OPEN not in text and SHUT not in text:
        return text, None
    start, rest = max(text.find(OPEN), 0), text.replace(OPEN, "", 1)
    end = rest.find(SHUT)
    clean = rest.replace(OPEN, "").replace(SHUT, "")
    end = len(clean) if end < start else end
    return clean, (start, end) if end > start else None


def is_uneven(text: str) -> bool:
    """Whether only one end of an error is marked."""
    return text.count(OPEN) != text.count(SHUT)


def _cells(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line and cells of each row. Quotes quote only in a file that comes out the same when written so."""
    if '"' in text and _is_quoted(text):
        yield from split_rows(text, path, delimiter="\t")
        return
    for number, line in enumerate(split_lines(text), start=1):
        if line:
            yield number, line.split("\t")


def _is_quoted(text: str) -> bool:
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    plain = text.replace("\r\n", "\n").removesuffix("\n")
    try:
        rows = list(csv.reader(io.StringIO(plain, newline=""), "excel-tab", strict=True))
    except csv.Error:
        return False
    if "\n".join(map(as_line, rows)) == plain:
        return True
    again = io.StringIO(newline="")
    csv.writer(again, "excel-tab", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return again.getvalue().removesuffix("\n") == plain
