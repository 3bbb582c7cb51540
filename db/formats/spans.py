"""Error spans as annotation tools write them: `start_i` and `end_i`, both inclusive, or both “missing”."""

from __future__ import annotations

from db.formats.bundle import SEVERITIES, SpanRow
from db.formats.json_node import Node

MISSING = "missing"


def read_spans(node: Node | None, text: str | None = None) -> tuple[tuple[SpanRow, ...], int]:
    """The spans of a list, half-open, and how many were left out for want of a known severity.

    `text` is what they mark, if it is known: a span beyond its end is a FileError.
    """
    if node is None:
        return (), 0
    found = [_read_span(one, text) for one in node.as_list()]
    kept = tuple(span for span in found if span is not None)
    return kept, len(found) - len(kept)


def spans_note(left_out: int) -> tuple[str, ...]:
    """A sentence about the spans that were left out; none where none was."""
    if not left_out:
        return ()
    return (f"{left_out} error spans without a known severity ({', '.join(SEVERITIES)}) were left out.",)


def _read_span(node: Node, text: str | None) -> SpanRow | None:
    start, end = node.need("start_i"), node.need("end_i")
    severity = node.text("severity", "").lower()
    category = node.text("category", node.text("error_type", ""))
    missing = MISSING in (start.value, end.value)
    places = (0, 0) if missing else (_offset(start), _offset(end) + 1)
    if places[1] < places[0]:
        raise end.error("lies before start_i.")
    if text is not None and places[1] > len(text):
        raise end.error(f"is {places[1] - 1}, but the text has {len(text)} characters.")
    if severity not in SEVERITIES:
        return None
    return SpanRow(*places, severity, category, missing=missing, note=node.text("note", ""))


def _offset(node: Node) -> int:
    number = node.as_number()
    if number < 0 or not number.is_integer():
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)
