"""Tables of the command line: pairs and ratings from CSV, TSV, XLSX or JSON lines, scores as CSV or TSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.errors import FileError, OptionError
from core.text.files import LIMIT_BYTES, read_text, split_lines
from core.text.pair_files import language, references_of
from core.text.workbook import opened
from core.types import TextPair

COLUMNS = {
    "reference": ("reference", "ref"),
    "hypothesis": ("hypothesis", "hyp", "translation", "mt", "target"),
    "source": ("source", "src"),
    "system": ("system",),
}
"""What a column may be called; letters in either case."""

_FURTHER = re.compile("ref(?:erence)?[ _-]?([2-9]|[1-9][0-9])")

FORMATS = ("jsonl", "csv", "tsv")
SCORE_COLUMNS = ("system", "segment", "metric", "score", "flags", "missing", "signature")
_TABLES = (".csv", ".tsv", ".xlsx", ".jsonl", ".json")


def read_pairs(path: Path, lang: str) -> dict[str, list[TextPair]]:
    """The pairs of a table by system, in the order of the rows; one system without a name has "".

    Columns: reference and hypothesis, and perhaps source and system (`COLUMNS`), and further references in
    reference_2, reference_3, …; an empty cell there is no reference. Raises FileError for another ending than
    csv, tsv, xlsx and jsonl, for a table without these columns, and for a row with too few cells.
    """
    rows = list(_pairs_of(path))
    if not rows:
        raise FileError(path, "has no rows.")
    code = language(lang, [row["reference"] for _, row in rows[:200]])
    found: dict[str, list[TextPair]] = {}
    for _, row in rows:
        first, *more = references_of([row[name] for name in row if name.startswith("reference")])
        pair = TextPair(
            reference=first,
            hypothesis=row["hypothesis"],
            source=row.get("source"),
            lang=code,
            more_references=tuple(more),
        )
        found.setdefault(row.get("system", ""), []).append(pair)
    return found


def looks_like_a_table(path: Path) -> bool:
    """Whether a file that is read as lines of text has the ending of a table."""
    return path.suffix.lower() in _TABLES


def format_of(out: Path | None, given: str | None) -> str:
    """The format of the scores: as told, else by the ending of the output file, else JSON lines."""
    if given is not None and given not in FORMATS:
        raise OptionError(
            "--format {given:.20}: choose from {formats}.", given=given, formats=", ".join(FORMATS)
        )
    ending = "" if out is None else out.suffix.lower().lstrip(".")
    return given or (ending if ending in FORMATS else FORMATS[0])


class ScoreTable:
    """Writes lines of scores as a table with a header (`SCORE_COLUMNS`); parts and traces have no place."""

    def __init__(self, file: TextIO, form: str) -> None:
        self._writer = csv.writer(file, delimiter="," if form == "csv" else "\t", lineterminator="\n")
        self._writer.writerow(SCORE_COLUMNS)

    def write(self, line: str) -> None:
        """Write a line, given as its JSON object."""
        row = json.loads(line)
        row["flags"] = " ".join(row["flags"])
        self._writer.writerow(["" if row.get(name) is None else row[name] for name in SCORE_COLUMNS])


def table_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The line of each row of a table, and its cells in these columns; numbers of JSON lines as text.

    Raises FileError for another ending than csv, tsv, xlsx and jsonl, a column that lacks and a row with too
    few cells.
    """
    for line, cells in _cells(path):
        lacking = [name for name in columns if name not in cells]
        if lacking:
            raise FileError(path, "has no column “{column}”.", column="”, “".join(lacking), line=line)
        yield line, {name: cells[name] for name in columns}


def _pairs_of(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The line of each row, and its cells by `COLUMNS`."""
    for line, cells in _cells(path):
        names = _named(list(cells), path, line)
        texts = list(cells.values())
        yield line, {name: texts[place] for name, place in names.items()}


def _cells(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The line of each row, and its cells by the names of the columns as they stand there."""
    ending = path.suffix.lower()
    if ending == ".jsonl":
        yield from _of_jsonl(path)
    elif ending in (".csv", ".tsv"):
        reader = csv.reader(
            io.StringIO(read_text(path), newline=""), delimiter="," if ending == ".csv" else "\t"
        )
        header = [name.strip() for name in next(reader, [])]
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) < len(header):
                raise FileError(path, "has a row with fewer cells than the header.", line=reader.line_num)
            yield reader.line_num, dict(zip(header, cells, strict=False))
    elif ending == ".xlsx":
        with opened(path, LIMIT_BYTES) as book:
            rows = book.rows(book.names[0])
            _, header = next(rows, (0, []))
            for line, cells in rows:
                yield line, dict(zip(map(str.strip, header), cells, strict=False))
    else:
        raise FileError(path, "is no table that can be read here; give CSV, TSV, XLSX or JSON lines.")


def _of_jsonl(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(split_lines(read_text(path)), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise FileError(path, "is not JSON.", line=number) from error
        cells = row if isinstance(row, dict) else {}
        yield number, {key: _text(value) for key, value in cells.items()}


def _text(value: object) -> str:
    """A value of JSON as a cell of a table: nothing for null, and a text as it is."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(header: Sequence[str], path: Path, line: int = 1) -> dict[str, int]:
    """Where each known column stands. Raises FileError without references or translations."""
    lower = [name.strip().lower().removeprefix("\ufeff") for name in header]
    found = {name: lower.index(one) for name, forms in COLUMNS.items() for one in forms if one in lower}
    for place, name in enumerate(lower):
        if further := _FURTHER.fullmatch(name):
            found[f"reference_{int(further[1])}"] = place
    lacking = [name for name in ("reference", "hypothesis") if name not in found]
    if lacking:
        raise FileError(path, "has no column “{column}”.", column="”, “".join(lacking), line=line)
    return found
