"""The rows of Appraise's and WMT's score files, and which segment each of them is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from core.errors import FileError
from db.formats.bundle import Key, ReadOptions, SegmentRow
from db.formats.cells import Place, read_seconds
from db.formats.csv_rows import csv_rows

_NAMES = ("user", "system", "item", "type", "source_lang", "target_lang", "score")
_DOCUMENT = ("document", "whole")
_SHAPES = {
    9: (*_NAMES, "start", "end"),
    11: (*_NAMES, *_DOCUMENT, "start", "end"),
    12: (*_NAMES, *_DOCUMENT, "spans", "start", "end"),
}
_HEADERS = ("uid", "user", "username", "user id")
_MARKERS = re.compile(r"(#(bad|dup|incomplete)\w*)+$", re.IGNORECASE)
_SEPARATORS = re.compile(r"_#{1,3}_")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row as it stands. markers: what follows `#` in the documentID; document: the rest, may be empty."""

    place: Place
    user: str
    system: str
    item: str
    type: str
    langs: tuple[str, str]
    score: str
    document: str
    markers: tuple[str, ...]
    whole: bool
    spans: str
    start: str
    end: str


def read_rows(path: Path, options: ReadOptions) -> list[ScoreRow]:
    """The rows of a file, without a header. Raises FileError."""
    rows = []
    for line, cells in csv_rows(path, options.limit_bytes):
        if line == 1 and cells[0].strip().lower() in _HEADERS:
            continue
        rows.append(_row(cells, Place(path, line)))
    if not rows:
        raise FileError(path, "has no ratings.")
    return rows


def _row(cells: Sequence[str], place: Place) -> ScoreRow:
    shape = _SHAPES.get(len(cells))
    if shape is None:
        raise place.error(f"has {len(cells)} columns; ratings of Appraise and WMT have 9, 11 or 12.")
    named = dict(zip(shape, cells, strict=True))
    whole = named.get("whole", "False").strip().lower()
    if whole not in ("true", "false", "0", "1"):
        raise place.error(f"“{whole:.40}” is neither True nor False; pairwise scores cannot be read.")
    document = named.get("document", "")
    marked = _MARKERS.search(document)
    return ScoreRow(
        place,
        named["user"],
        named["system"],
        named["item"].strip(),
        named["type"].strip(),
        (named["source_lang"].strip(), named["target_lang"].strip()),
        named["score"].strip(),
        document[: marked.start()] if marked else document,
        tuple(marked.group()[1:].split("#")) if marked else (),
        whole in ("true", "1"),
        named.get("spans", "").strip(),
        named["start"].strip(),
        named["end"].strip(),
    )


def microseconds(cell: str, place: Place) -> int | None:
    """Unix seconds as whole microseconds; None for an empty cell."""
    return None if read_seconds(cell, place) is None else round(Decimal(cell) * 1_000_000)


class Finder:
    """Finds the segments that rows are about: by id, else by position within the document.

    Whether positions count from 0 or from 1 is told by all rows of the file together.
    """

    def __init__(self, segments: Iterable[SegmentRow], rows: Iterable[ScoreRow]) -> None:
        self._by_id: dict[tuple[str, str], Key] = {}
        self._alone: dict[str, Key] = {}
        self._sizes: Counter[str] = Counter()
        ids: Counter[str] = Counter()
        for segment in segments:
            self._sizes[segment.document] = max(self._sizes[segment.document], segment.position + 1)
            if segment.external_id:
                self._by_id[segment.document, segment.external_id] = segment.key
                self._alone[segment.external_id] = segment.key
                ids[segment.external_id] += 1
        for name, count in ids.items():
            if count > 1:
                del self._alone[name]
        self._keys = {segment.key for segment in segments}
        self.first = self._first(rows)

    def find(self, row: ScoreRow) -> Key:
        """The segment of a row. Raises FileError when there is none."""
        named = self._named(row)
        if named is not None:
            return named
        document, number = self._numbered(row)
        key = document, number - self.first
        if number < 0 or key not in self._keys:
            where = f"the document “{document:.80}” has no segment" if document else "there is no segment"
            raise row.place.error(f"{where} “{row.item:.80}” in the texts.")
        return key

    def _named(self, row: ScoreRow) -> Key | None:
        document = row.document
        found = self._by_id.get((document, row.item)) or (None if document else self._alone.get(row.item))
        return found or (self._alone.get(row.item) if _SEPARATORS.search(row.item) else None)

    def _numbered(self, row: ScoreRow) -> tuple[str, int]:
        """Document and number of a segment without an id; the number is -1 where there is none."""
        parts = _SEPARATORS.split(row.item)
        number = int(parts[-1]) if re.fullmatch(r"[0-9]{1,9}", parts[-1]) else -1
        for name in (row.document, *_tails(row.item)):
            if name in self._sizes:
                return name, number
        return row.document or (next(iter(self._sizes)) if len(self._sizes) == 1 else ""), number

    def _first(self, rows: Iterable[ScoreRow]) -> int:
        """1 if some number is that of the last segment counted from 1, and none is 0; else 0."""
        ends = 0
        for row in rows:
            if self._named(row) is None:
                document, number = self._numbered(row)
                if number == 0:
                    return 0
                ends += number == self._sizes.get(document, -1)
        return int(ends > 0)


def _tails(item: str) -> Collection[str]:
    """What may be the document in an id like LP_#_DOMAIN_#_DOCUMENT_#_SEGMENT: the longest first."""
    found = list(_SEPARATORS.finditer(item))
    if not found:
        return ()
    head = item[: found[-1].start()]
    return [head, *(head[match.end() :] for match in found[:-1])]
