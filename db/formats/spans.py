"""Error spans as annotation tools write them: `start_i` and `end_i`, both inclusive, or both “missing”."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from core.errors import Wording
from core.raters.assignment import TARGET as RATED
from core.raters.protocols import SOURCE, TARGET, MarkedSpan
from db.formats.bundle import SEVERITIES, Bundle, Key
from db.formats.json_node import Node
from db.records import RatingRecord

MISSING = "missing"


def read_spans(
    node: Node | None, places: Sequence[int] | None = None
) -> tuple[tuple[MarkedSpan, ...] | None, int]:
    """The spans of a list, half-open, and how many were left out for want of a known severity.

    None without a list: nothing was asked to be marked.

    `places`: the offset in the stored text of each character that the tool counted; the token for omissions
    is counted behind them. Without it, every character of the text was. Raises FileError.
    """
    if node is None:
        return None, 0
    found = [_read_span(one, places) for one in node.as_list()]
    kept = tuple(span for span in found if span is not None)
    return kept, len(found) - len(kept)


def browser_places(text: str) -> list[int]:
    """The offset of each UTF-16 unit but line feeds: a page that makes each unit an element counts so."""
    return [n for n, char in enumerate(text) if char != "\n" for _ in range(1 + (char > "\uffff"))]


def write_spans(
    spans: Iterable[MarkedSpan], places: Sequence[int] | None = None, *, category: str = "error_type"
) -> list[dict[str, Any]]:
    """The inverse of `read_spans`, ready for JSON. With `places` an omission counts behind the text.

    category: what the tool calls it.
    """
    return [
        {**_write_place(span, places if span.side == TARGET else None), "severity": span.severity}
        | {category: span.category}
        | ({"side": span.side} if span.side != TARGET else {})
        | ({"note": span.note} if span.note else {})
        for span in spans
    ]


def _write_place(span: MarkedSpan, places: Sequence[int] | None) -> dict[str, Any]:
    first, last = span.start, span.end - 1
    if places is not None and not span.missing:
        first, last = bisect_left(places, span.start), bisect_left(places, span.end) - 1
    if span.missing or first > last:
        nowhere = MISSING if places is None else len(places)
        return {"start_i": nowhere, "end_i": nowhere}
    return {"start_i": first, "end_i": last}


def spans_note(left_out: int) -> tuple[Wording, ...]:
    """A sentence about the spans that were left out; none where none was."""
    if not left_out:
        return ()
    return (
        Wording(
            "{n} error spans without a known severity ({severities}) were left out.",
            n=left_out,
            severities=", ".join(SEVERITIES),
        ),
    )


def drop_outside(bundle: Bundle) -> Bundle:
    """The campaign without marked errors that lie outside their text, and a note of how many there were.

    A rating without a score says by its marks alone how good a translation is: it is left out with them.
    """
    lengths = _Lengths(bundle)
    ratings: list[RatingRecord] = []
    spans = 0
    for rating in bundle.ratings:
        inside = tuple(span for span in rating.spans or () if lengths.hold(span, rating))
        outside = len(rating.spans or ()) - len(inside)
        spans += outside
        if not outside:
            ratings.append(rating)
        elif rating.score is not None:
            ratings.append(replace(rating, spans=inside))
    if not spans:
        return bundle
    notes = [Wording("{n} marked errors that lie outside their text were left out.", n=spans)]
    if left_out := len(bundle.ratings) - len(ratings):
        notes.append(
            Wording("{n} ratings by marked errors alone were left out with such an error.", n=left_out)
        )
    return replace(bundle, ratings=tuple(ratings), notes=(*bundle.notes, *notes))


class _Lengths:
    """The lengths of a campaign's texts in code points; of a text that is changed as a check, the longest."""

    def __init__(self, bundle: Bundle) -> None:
        self._sources = {one.key: len(one.source) for one in bundle.segments if one.source is not None}
        self._targets: dict[tuple[Key, str, str], int] = {
            (one.key, one.system, RATED): len(one.text) for one in bundle.outputs
        }
        for one in bundle.checks:
            key = (one.key, one.system, one.kind)
            self._targets[key] = max(len(one.text), self._targets.get(key, 0))

    def hold(self, span: MarkedSpan, rating: RatingRecord) -> bool:
        """Whether the span lies in the text that was rated. A text that the file does not have holds any."""
        if span.missing:
            return True
        if span.side == SOURCE:
            length = self._sources.get(rating.key)
        else:
            length = self._targets.get((rating.key, rating.system, rating.kind))
        return length is None or span.end <= length


def _read_span(node: Node, places: Sequence[int] | None) -> MarkedSpan | None:
    severity = (node.text("severity", "")).lower()
    category = node.text("category", "") or node.text("error_type", "")
    start, end = node.need("start_i"), node.need("end_i")
    missing = MISSING in (start.value, end.value)
    first, last = (0, -1) if missing else (_offset(start), _offset(end))
    if not missing and last < first:
        raise end.error("lies before start_i.")
    side = node.text("side", TARGET)
    if side not in (TARGET, SOURCE):
        raise node.error("the side “{side:.40}” is neither target nor source.", side=side)
    if places is not None and side == TARGET and not missing:
        missing = first >= len(places)
        if last >= len(places) and not missing:
            raise end.error("is {last}, but the text has {n} characters.", last=last, n=len(places))
        first, last = (0, -1) if missing else (places[first], places[last])
    if severity not in SEVERITIES:
        return None
    return MarkedSpan(first, last + 1, severity, category, side, missing, node.text("note", ""))


def _offset(node: Node) -> int:
    number = node.as_number()
    if number < 0 or not number.is_integer():
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)
