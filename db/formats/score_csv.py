"""Scores as Appraise exports them and WMT publishes them: ratings of texts that stand in another file.

Rows without a header, of 9 columns (user, system, itemID, itemType, source and target language, score, start,
end), 11 (documentID and isCompleteDocument after the score) or 12 (then the marked errors as JSON); or with
the header of WMT22. Languages have three letters, times are Unix seconds. WMT24 and WMT25 have such files.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

import langcodes

from core.errors import FileError, InputError
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.text.encoding import read_text
from db.formats.bundle import OFFICIAL, Bundle, RatingRow, ReadOptions
from db.formats.cells import number_text
from db.formats.spans import write_spans

KINDS = {"TGT": TARGET, "CHK": REPEAT, "BAD": DEGRADED, "REF": REFERENCE}
"""Appraise's item types as our kinds."""

_TYPES = {kind: name for name, kind in KINDS.items()}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MARKER = re.compile(r"(dup|incomplete)\w*")
_MICROSECOND = timedelta(microseconds=1)


def read(path: Path, options: ReadOptions) -> Bundle:
    """Raises FileError: there are no texts in such a file."""
    read_text(path, limit_bytes=options.limit_bytes)
    raise FileError(
        path, "holds scores and no texts; import the file with the texts, and give this one with --ratings."
    )


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write rows of 12 columns, one for each rating, revisions one after the other."""
    source, target = (_three_letters(lang) for lang in bundle.langs)
    ids = item_ids(bundle)
    writer = csv.writer(file, lineterminator="\n")
    for rating in bundle.ratings:
        marker = f"#{rating.mark}" if _MARKER.fullmatch(rating.mark) else ""
        spans = json.dumps(write_spans(rating.spans or ()), ensure_ascii=False)
        about = rating.rater, rating.system, ids[rating.key], _TYPES[rating.kind], source, target
        score = "" if rating.score is None else number_text(rating.score)
        writer.writerow((*about, score, f"{rating.key[0]}{marker}", "False", spans, *_times(rating)))


def item_ids(bundle: Bundle) -> dict[tuple[str, int], str]:
    """How each segment is called within its document: as its file did, else by its position, from 0."""
    rows = bundle.segments
    named = all(row.external_id for row in rows)
    if named and len({(row.document, row.external_id) for row in rows}) == len(rows):
        return {row.key: row.external_id for row in rows}
    return {row.key: str(row.position) for row in rows}


def remarks(bundle: Bundle) -> tuple[str, ...]:
    """What becomes of a duration without a time, and of marks that documents are not marked with."""
    lone = sum(rating.seconds is not None and rating.rated_at is None for rating in bundle.ratings)
    unfit = sum(rating.mark != OFFICIAL and not _MARKER.fullmatch(rating.mark) for rating in bundle.ratings)
    counts = {"durations without a time": lone, "marks other than dup and incomplete": unfit}
    return tuple(f"{count} {what} were left out." for what, count in counts.items() if count)


def _three_letters(lang: str) -> str:
    try:
        return langcodes.get(lang).to_alpha3()
    except LookupError as error:
        raise InputError(f"“{lang:.40}” has no code of three letters; use another format.") from error


def _times(rating: RatingRow) -> Iterator[str]:
    """Start and end in Unix seconds, exact to the microsecond; a start that is not known is empty."""
    if rating.rated_at is None:
        yield from ("", "")
        return
    end = (rating.rated_at - _EPOCH) // _MICROSECOND
    took = None if rating.seconds is None else round(rating.seconds * 1_000_000)
    for moment in (None if took is None else end - took, end):
        yield "" if moment is None else f"{moment // 1_000_000}.{moment % 1_000_000:06}"
