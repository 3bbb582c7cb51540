"""The ratings table of the `tables` format, as campaigns of error span annotation publish it.

Columns: annotator, system, seg_id, score, and perhaps wave, doc_id, domain, kind, item_type,
error_spans_json, t_start, t_end (unix seconds). `kind` becomes the mark of the item; only `TGT` items are
judgements of the text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

from core.raters.protocols import MarkedSpan
from db.formats.bundle import OFFICIAL, RatingRow, ReadOptions, SegmentRow
from db.formats.cells import Place, read_rater, read_seconds
from db.formats.json_node import JsonText
from db.formats.revisions import in_order, unasked
from db.formats.scale import Scale
from db.formats.sheet import read_tsv
from db.formats.spans import read_spans, spans_note

_TARGET = "TGT"


def read_ratings(
    path: Path, segments: Mapping[str, SegmentRow], systems: Collection[str], options: ReadOptions
) -> tuple[tuple[RatingRow, ...], tuple[str, ...]]:
    """The ratings, revisions in their order, and notes on what was left out. Raises FileError."""
    required = ("annotator", "system", "seg_id", "score")
    sheet = read_tsv(path, required=required, limit_bytes=options.limit_bytes, what="ratings")
    scale = Scale.of(path, options)
    ratings: list[RatingRow] = []
    other_items = spans_left_out = 0
    for place, record in sheet.records():
        spans, unknown = _spans(record.get("error_spans_json", ""), place)
        rating = _rating(record, segments, systems, spans, scale, place)
        if record.get("item_type", _TARGET) not in ("", _TARGET):
            other_items += 1
            continue
        spans_left_out += unknown
        ratings.append(rating)
    notes = []
    if other_items:
        notes.append(
            f"{other_items} ratings of control items (item_type other than {_TARGET}) were left out."
        )
    scale.settle()
    ordered, twice = in_order(unasked(ratings))
    return ordered, (*notes, *twice, *spans_note(spans_left_out))


def _rating(
    record: Mapping[str, str],
    segments: Mapping[str, SegmentRow],
    systems: Collection[str],
    spans: tuple[MarkedSpan, ...] | None,
    scale: Scale,
    place: Place,
) -> RatingRow:
    segment = segments.get(record["seg_id"])
    if segment is None:
        raise place.error(f"the seg_id “{record['seg_id']}” is not among the segments.")
    if record["system"] not in systems:
        raise place.error(f"the system “{record['system']}” is not among the outputs.")
    if record.get("doc_id", segment.document) != segment.document:
        raise place.error(f"the seg_id “{record['seg_id']}” belongs to the document “{segment.document}”.")
    start = read_seconds(record.get("t_start", ""), place)
    end = read_seconds(record.get("t_end", ""), place)
    took = None if start is None or end is None or end < start else round(end - start, 3)
    return RatingRow(
        segment.key,
        record["system"],
        read_rater(record["annotator"], place),
        scale.read(record["score"], place),
        mark=record.get("kind", "") or OFFICIAL,
        seconds=took,
        rated_at=None if end is None else datetime.fromtimestamp(end, UTC),
        spans=spans,
    )


def _spans(cell: str, place: Place) -> tuple[tuple[MarkedSpan, ...] | None, int]:
    if cell == "":
        return None, 0
    return read_spans(JsonText(place.path, cell, place.line, "error_spans_json").root())
