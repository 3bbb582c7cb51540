"""Errors as Google publishes them and Marot shows them: tab-separated, a row for each error of each rating.

Columns: system, doc, docSegId, globalSegId, rater, source, target, category, severity, metadata (JSON). Older
files have `doc_id` and `seg_id`, and no metadata, or a comment instead. An error stands between <v> and </v>
in the target or the source; a rating without one is a row `No-error`, a translation that nobody rated a row
without a rater. The reference is in the metadata's segment.references.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

from core.errors import FileError
from core.raters.protocols import SOURCE, MarkedSpan
from db.formats.bundle import Bundle, Key, OutputRow, RatingRow, SegmentRow
from db.formats.mqm_words import NO_ERROR, OPEN, SHUT, as_line, theirs

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
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. Raises FileError for a text that holds <v> or </v> itself."""
    file.write(as_line(COLUMNS) + "\n")
    reference = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
    numbers = {segment.key: number for number, segment in enumerate(bundle.segments, start=1)}
    segments = {segment.key: segment for segment in bundle.segments}
    ratings: dict[tuple[Key, str], list[RatingRow]] = {}
    for rating in bundle.ratings:
        ratings.setdefault((rating.key, rating.system), []).append(rating)
    for output in bundle.outputs:
        segment = segments[output.key]
        for text in (segment.source or "", output.text):
            if OPEN in text or SHUT in text:
                raise FileError(path, f"a text with {OPEN} or {SHUT} does not fit into mqm-tsv; use history.")
        name = segment.external_id or str(numbers[segment.key])
        start = [output.system, segment.document, str(segment.position + 1), name]
        about = _about(segment, reference)
        for row in _rows(segment, output, ratings.get((output.key, output.system), []), about):
            file.write(as_line(start + row) + "\n")


def remarks(bundle: Bundle) -> tuple[str, ...]:
    """What becomes of segments that no system has translated."""
    lone = len(bundle.segments) - len({output.key for output in bundle.outputs})
    return (f"{lone} segments without a translation were left out.",) if lone else ()


def _about(segment: SegmentRow, reference: str) -> dict[str, Any]:
    if not segment.reference:
        return {}
    return {"segment": {"references": {reference: segment.reference}, "primary_reference": reference}}


def _rows(
    segment: SegmentRow, output: OutputRow, ratings: list[RatingRow], about: dict[str, Any]
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
