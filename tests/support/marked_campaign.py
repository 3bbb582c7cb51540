"""A campaign in which two raters marked errors, for what is shown of marks."""

from __future__ import annotations

from core.raters.protocols import MAJOR, MINOR, MarkedSpan
from db.formats.bundle import Bundle, Meta, OutputRow, SegmentRow, SystemRow
from db.records import RatingRecord

WRONG = "large dog"


def marked_bundle(texts: int = 12, documents: int = 6) -> Bundle:
    """Each translation says `large dog` for `small cat`; Aki marks both words, Bo `dog` of every second one.

    Both raters mark the first translation's omission, which has no place.
    """
    segments = tuple(
        SegmentRow(f"d{number % documents}", number // documents, f"the small cat slept {number}")
        for number in range(texts)
    )
    outputs = tuple(
        OutputRow(segment.key, "ours", segment.reference.replace("small cat", WRONG)) for segment in segments
    )
    ratings = []
    for number, output in enumerate(outputs):
        start = output.text.index(WRONG)
        missing = (MarkedSpan(0, 0, MINOR, missing=True),) if number == 0 else ()
        aki = (MarkedSpan(start, start + len(WRONG), MAJOR), *missing)
        ratings.append(RatingRecord(output.key, "ours", "Aki", 40, spans=aki))
        if number % 2 == 0:
            bo = (MarkedSpan(start + 6, start + 9, MINOR), *missing)
            ratings.append(RatingRecord(output.key, "ours", "Bo", 60, spans=bo))
    return Bundle(
        name="Marked",
        langs=("ja", "en"),
        systems=(SystemRow("ours"),),
        segments=segments,
        outputs=outputs,
        ratings=tuple(ratings),
        meta=Meta(protocol="esa"),
    )
