"""Google's MQM files, which Marot reads too: tab-separated, a row for each error of each rating.

Columns: system, doc, docSegId, globalSegId, rater, source, target, category, severity, metadata (JSON).
Older files have `doc_id` and `seg_id`, and no metadata, or a comment instead. An error stands between <v>
and </v> in the target or the source; a rating without errors is a row `No-error`, an unrated translation a
row without a rater. The reference is in the metadata's segment.references.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

from core.errors import FileError, Wording
from core.raters.mqm_rows import (
    NO_ERROR,
    OPEN,
    SHUT,
    MqmRow,
    as_line,
    is_clean,
    is_uneven,
    ours,
    read_mqm_rows,
    theirs,
    unmarked,
)
from core.raters.protocols import SOURCE, TARGET, MarkedSpan
from db.formats.bundle import SEVERITIES, Bundle, Key, Meta, OutputRow, ReadOptions, SegmentRow
from db.formats.capabilities import left_out_notes
from db.formats.cells import FilePlace, read_rater
from db.formats.draft import CampaignDraft, campaign_name
from db.formats.json_node import JsonText, Node
from db.records import RatingRecord


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    rows = list(_rows(path, options.limit_bytes))
    if not rows:
        raise FileError(path, "has no rows.")
    reader = _Reader(CampaignDraft(path), zero=any(row.cells.number == "0" for row in rows))
    for row in rows:
        reader.add(row)
    draft = reader.finish()
    draft.meta = Meta(protocol="mqm")
    return draft.bundle(campaign_name(path), options)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with its place in the file, its comment, and its metadata, None where there is none."""

    cells: MqmRow
    place: FilePlace
    note: str
    about: Node | None

    def content(self) -> tuple[object, ...]:
        """What makes two rows the same: all cells, and the metadata whatever its layout."""
        metadata = json.dumps(self.about.value) if self.about else ""
        return replace(self.cells, line=0, last=""), self.note, metadata


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _rows(path: Path, limit_bytes: int) -> Iterator[_Row]:
    for row in read_mqm_rows(path, limit_bytes=limit_bytes):
        about = JsonText(path, row.last, row.line, Wording("metadata")).root() if row.as_json else None
        if about is not None:
            about.as_map()
        yield _Row(row, FilePlace(path, row.line), "" if row.as_json else row.last, about)


@dataclass(slots=True)
class _Judgement:
    """The errors of one rater in one translation, row by row; each row may have a time of its own."""

    rated_at: datetime | None = None
    comment: str = ""
    spans: list[MarkedSpan] = field(default_factory=list)


class _Reader:
    """The rows so far. zero: whether segments are numbered from 0 within their document."""

    def __init__(self, draft: CampaignDraft, *, zero: bool) -> None:
        self._draft = draft
        self._first = 0 if zero else 1
        self._judgements: dict[tuple[Key, str, str], _Judgement] = {}
        self._seen: set[tuple[object, ...]] = set()
        self._twice = self._uneven = 0
        self._sizes: Counter[str] = Counter()
        self._keys: dict[tuple[str, str], Key] = {}
        self._left_out: Counter[Wording] = Counter()
        self._references: dict[str, None] = {}

    def add(self, row: _Row) -> None:
        """Add a row. Raises FileError for one that contradicts an earlier one."""
        source, source_span = unmarked(row.cells.source)
        target, target_span = unmarked(row.cells.target)
        self._uneven += is_uneven(row.cells.source) or is_uneven(row.cells.target)
        key = self._segment(row, source)
        self._draft.add_system(row.cells.system, row.place)
        self._draft.add_output(key, row.cells.system, target, row.place)
        if row.cells.rater == "":
            return
        rater = read_rater(row.cells.rater, row.place)
        whole = row.content()
        if whole in self._seen:
            self._twice += 1
            return
        self._seen.add(whole)
        judged = self._judgement(row, key, rater)
        if is_clean(row.cells.category) or is_clean(row.cells.severity):
            return
        severity = row.cells.severity.strip().lower()
        if severity not in SEVERITIES:
            self._left_out[Wording("rows of the severity “{severity:.40}”", severity=row.cells.severity)] += 1
            return
        span = target_span or source_span
        note = row.about.text("note", "") if row.about else row.note
        side = TARGET if target_span or not source_span else SOURCE
        place, category = span or (0, 0), ours(row.cells.category)
        judged.spans.append(MarkedSpan(*place, severity, category, side, missing=not span, note=note))

    def finish(self) -> CampaignDraft:
        """The campaign with a rating for each judgement."""
        for (key, system, rater), judged in self._judgements.items():
            self._draft.ratings.append(
                RatingRecord(
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
        self._draft.notes += left_out_notes(self._left_out)
        if self._uneven:
            self._draft.notes.append(
                Wording(
                    "{count} errors have only one end marked; they reach to the text's.", count=self._uneven
                )
            )
        if self._twice:
            self._draft.notes.append(
                Wording("{count} rows that stand in the file twice were counted once.", count=self._twice)
            )
        return self._draft

    def _segment(self, row: _Row, source: str) -> Key:
        named = row.cells.document, row.cells.number
        if named not in self._keys:
            number = row.cells.number.strip()
            counted = number.isascii() and number.isdigit() and len(number) < 9
            position = int(number) - self._first if counted else self._sizes[row.cells.document]
            self._sizes[row.cells.document] += 1
            reference = self._reference(row)
            segment = SegmentRow(
                row.cells.document, position, reference, source or None, external_id=row.cells.id
            )
            self._draft.add_segment(segment, row.place)
            self._keys[named] = segment.key
        key = self._keys[named]
        if self._draft.segments[key].source != (source or None):
            raise row.place.error(
                "“{document:.80}”, segment {segment:.20}, had another source before.",
                document=row.cells.document,
                segment=row.cells.number,
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
        judged = self._judgements.setdefault((key, row.cells.system, rater), _Judgement())
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


COLUMNS = (
    "system",
    "doc",
    "docSegId",
    "globalSegId",
    "rater",
    "source",
    "target",
    "category",
    "severity",
    "metadata",
)
REFERENCE = "refA"


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. Raises FileError for a text that holds <v> or </v> itself."""
    file.write(as_line(COLUMNS) + "\n")
    reference = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
    numbers = {segment.key: number for number, segment in enumerate(bundle.segments, start=1)}
    segments = {segment.key: segment for segment in bundle.segments}
    ratings: dict[tuple[Key, str], list[RatingRecord]] = {}
    for rating in bundle.ratings:
        ratings.setdefault((rating.key, rating.system), []).append(rating)
    for output in bundle.outputs:
        segment = segments[output.key]
        for text in (segment.source or "", output.text):
            if OPEN in text or SHUT in text:
                raise FileError(
                    path,
                    "a text with {open} or {shut} does not fit into mqm-tsv; use history.",
                    open=OPEN,
                    shut=SHUT,
                )
        name = segment.external_id or str(numbers[segment.key])
        start = [output.system, segment.document, str(segment.position + 1), name]
        about = _about(segment, reference)
        for row in _written_rows(segment, output, ratings.get((output.key, output.system), []), about):
            file.write(as_line(start + row) + "\n")


def remarks(bundle: Bundle) -> tuple[Wording, ...]:
    """What becomes of segments that no system has translated."""
    lone = len(bundle.segments) - len({output.key for output in bundle.outputs})
    return left_out_notes({Wording("segments without a translation"): lone})


def _about(segment: SegmentRow, reference: str) -> dict[str, Any]:
    if not segment.reference:
        return {}
    return {"segment": {"references": {reference: segment.reference}, "primary_reference": reference}}


def _written_rows(
    segment: SegmentRow, output: OutputRow, ratings: list[RatingRecord], about: dict[str, Any]
) -> Iterator[list[str]]:
    """The cells from the rater on."""
    source, target = segment.source or "", output.text
    if not ratings:
        yield ["", source, target, "", "", _json(about)]
    for rating in ratings:
        told = dict(about)
        if rating.rated_at is not None:
            told["timestamp"] = _milliseconds(rating.rated_at)
        if rating.comment:
            told["feedback"] = {"notes": rating.comment}
        if not rating.spans:
            yield [rating.rater, source, target, NO_ERROR, NO_ERROR, _json(told)]
        for span in rating.spans or ():
            marked = (
                (_marked(source, span), target) if span.side == SOURCE else (source, _marked(target, span))
            )
            more = {**told, "note": span.note} if span.note else told
            yield [rating.rater, *marked, theirs(span.category), span.severity.capitalize(), _json(more)]


def _milliseconds(moment: datetime) -> int | float:
    """Since 1970; with decimals only where the microseconds need them."""
    whole, rest = divmod((moment - _EPOCH) // timedelta(microseconds=1), 1000)
    return whole + rest / 1000 if rest else whole


def _marked(text: str, span: MarkedSpan) -> str:
    """The text with the error marked; an omission has no place, so nothing is."""
    if span.missing:
        return text
    return f"{text[: span.start]}{OPEN}{text[span.start : span.end]}{SHUT}{text[span.end :]}"


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
