"""Marks for a campaign from a file of ratings: those of one rater, found by segment, system and text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from core.raters.assignment import TARGET
from core.raters.protocols import MarkedSpan
from db.formats.bundle import Bundle
from db.queries import list_translations


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMarks:
    """Marked errors by translation id. unknown: marked translations that the campaign does not have."""

    marks: Mapping[int, Sequence[MarkedSpan]]
    unknown: int


def raters_in(bundle: Bundle) -> list[str]:
    """The raters of a file who have marked errors, in order of appearance."""
    return list(dict.fromkeys(one.rater for one in bundle.ratings if one.spans is not None))


def marks_in(engine: Engine, campaign_id: int, bundle: Bundle, rater: str) -> FileMarks:
    """What one rater of a file marked last in translations that the campaign has with the very same text."""
    known = {
        (row.document, row.position, row.system, row.text): row.id
        for row in list_translations(engine, campaign_id)
    }
    texts = {(output.key, output.system): output.text for output in bundle.outputs}
    found: dict[int, Sequence[MarkedSpan]] = {}
    unknown = set()
    for one in bundle.ratings:
        if one.rater != rater or one.spans is None or one.kind != TARGET:
            continue
        text = texts.get((one.key, one.system))
        place = None if text is None else known.get((*one.key, one.system, text))
        if place is None:
            unknown.add((one.key, one.system))
        else:
            found[place] = one.spans
    return FileMarks(marks=found, unknown=len(unknown))
