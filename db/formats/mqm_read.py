"""Reads what `mqm_tsv` describes: files of Google's MQM campaigns and of Marot."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import FileError
from core.raters.protocols import SOURCE, TARGET, MarkedSpan
from core.text.encoding import read_text, split_lines
from db.formats.bundle import SEVERITIES, Bundle, Key, Meta, RatingRow, ReadOptions, SegmentRow
from db.formats.cells import Place, read_rater
from db.formats.csv_rows import split_rows
from db.formats.draft import Draft, campaign_name
from db.formats.json_node import JsonText, Node
from db.formats.mqm_words import OPEN, SHUT, as_line, is_clean, ours


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    rows = list(_rows(path, options.limit_bytes))
    if not rows:
        raise FileError(path, "has no rows.")
    reader = _Reader(Draft(path), zero=any(row.number == "0" for row in rows))
    for row in rows:
        reader.add(row)
    draft = reader.finish()
    draft.meta = Meta(protocol="mqm")
    return draft.bundle(campaign_name(path), options)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row as it stands; `about` is the metadata, None where there is none."""

    place: Place
    system: str
    document: str
    number: str
    id: str
    rater: str
    source: str
    target: str
    category: str
    severity: str
    note: str
    about: Node | None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CELLS = tuple(name for name in _Row.__slots__ if name not in ("place", "about"))


def _rows(path: Path, limit_bytes: int) -> Iterator[_Row]:
    text = read_text(path, limit_bytes=limit_bytes)
    first = next(iter(split_lines(text)), "").split("\t")
    has_header = [cell.strip('"') for cell in first[:2]] == ["system", "doc"]
    holds_metadata = has_header and first[-1].startswith("metadata")
    for line, cells in _cells(text, path):
        if has_header and cells[:2] == ["system", "doc"]:
            continue
        place = Place(path, line)
        if len(cells) not in (9, 10):
            raise place.error(f"has {len(cells)} columns; MQM files have 9 or 10.")
        last = cells[9] if len(cells) == 10 else ""
        as_json = last != "" and (holds_metadata or (not has_header and last.startswith("{")))
        about = JsonText(path, last, line, "metadata").root() if as_json else None
        if about is not None:
            about.as_map()
        system, document, number, name, rater, source, target, category, severity = cells[:9]
        texts = rater, source, target, category, severity
        yield _Row(place, system, document, number, name, *texts, "" if as_json else last, about)


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


@dataclass(slots=True)
class _Judgement:
    """The errors of one rater in one translation, row by row; each row may have a time of its own."""

    rated_at: datetime | None = None
    comment: str = ""
    spans: list[MarkedSpan] = field(default_factory=list)


class _Reader:
    """The rows so far. zero: whether segments are numbered from 0 within their document."""

    def __init__(self, draft: Draft, *, zero: bool) -> None:
        self._draft = draft
        self._first = 0 if zero else 1
        self._judgements: dict[tuple[Key, str, str], _Judgement] = {}
        self._seen: set[tuple[object, ...]] = set()
        self._twice = self._uneven = 0
        self._sizes: Counter[str] = Counter()
        self._keys: dict[tuple[str, str], Key] = {}
        self._left_out: Counter[str] = Counter()
        self._references: dict[str, None] = {}

    def add(self, row: _Row) -> None:
        """Add a row. Raises FileError for one that contradicts an earlier one."""
        source, source_span = _unmarked(row.source)
        target, target_span = _unmarked(row.target)
        self._uneven += _is_uneven(row.source) or _is_uneven(row.target)
        key = self._segment(row, source)
        self._draft.add_system(row.system, row.place)
        self._draft.add_output(key, row.system, target, row.place)
        if row.rater == "":
            return
        rater = read_rater(row.rater, row.place)
        whole = (*(getattr(row, name) for name in _CELLS), json.dumps(row.about.value) if row.about else "")
        if whole in self._seen:
            self._twice += 1
            return
        self._seen.add(whole)
        judged = self._judgement(row, key, rater)
        if is_clean(row.category) or is_clean(row.severity):
            return
        severity = row.severity.strip().lower()
        if severity not in SEVERITIES:
            self._left_out[f"rows of the severity “{row.severity:.40}”"] += 1
            return
        span = target_span or source_span
        note = row.about.text("note", "") if row.about else row.note
        side = TARGET if target_span or not source_span else SOURCE
        judged.spans.append(
            MarkedSpan(*(span or (0, 0)), severity, ours(row.category), side, missing=not span, note=note)
        )

    def finish(self) -> Draft:
        """The campaign with a rating for each judgement."""
        for (key, system, rater), judged in self._judgements.items():
            self._draft.ratings.append(
                RatingRow(
                    key,
                    system,
                    rater,
                    None,
                    judged.comment,
                    rated_at=judged.rated_at,
                    spans=tuple(judged.spans),
                )
            )
        for name in self._references:
            if name in self._draft.systems:
                self._draft.make_reference(name)
        self._draft.notes += [f"{count} {what} were left out." for what, count in self._left_out.items()]
        if self._uneven:
            self._draft.notes.append(
                f"{self._uneven} errors have only one end marked; they reach to the text's."
            )
        if self._twice:
            self._draft.notes.append(f"{self._twice} rows that stand in the file twice were counted once.")
        return self._draft

    def _segment(self, row: _Row, source: str) -> Key:
        named = row.document, row.number
        if named not in self._keys:
            number = row.number.strip()
            counted = number.isascii() and number.isdigit() and len(number) < 9
            position = int(number) - self._first if counted else self._sizes[row.document]
            self._sizes[row.document] += 1
            reference = self._reference(row)
            segment = SegmentRow(row.document, position, reference, source or None, external_id=row.id)
            self._draft.add_segment(segment, row.place)
            self._keys[named] = segment.key
        key = self._keys[named]
        if self._draft.segments[key].source != (source or None):
            raise row.place.error(
                f"“{row.document:.80}”, segment {row.number:.20}, had another source before."
            )
        return key

    def _reference(self, row: _Row) -> str:
        about = row.about.get("segment") if row.about else None
        references = about.get("references") if about else None
        if about is None or references is None or not references.as_map():
            return ""
        name = about.text("primary_reference", next(iter(references.as_map())))
        self._references.setdefault(name)
        return references.text(name)

    def _judgement(self, row: _Row, key: Key, rater: str) -> _Judgement:
        stamp = row.about.get("timestamp") if row.about else None
        feedback = row.about.get("feedback") if row.about else None
        judged = self._judgements.setdefault((key, row.system, rater), _Judgement())
        if stamp is not None:
            when = _moment(stamp)
            judged.rated_at = when if judged.rated_at is None else max(when, judged.rated_at)
        if feedback is not None and not judged.comment:
            judged.comment = feedback.text("notes", "")
        return judged


def _moment(stamp: Node) -> datetime:
    """Milliseconds since 1970."""
    number = stamp.as_number()
    if not 0 <= number < 1e14:
        raise stamp.error("is not a number of milliseconds.")
    return _EPOCH + timedelta(milliseconds=number)


def _unmarked(text: str) -> tuple[str, tuple[int, int] | None]:
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


def _is_uneven(text: str) -> bool:
    return text.count(OPEN) != text.count(SHUT)
