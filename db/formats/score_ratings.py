"""Ratings of Appraise's and WMT's score files, put to the texts that they are of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import FileError
from core.raters.assignment import DEGRADED, REPEAT, TARGET
from core.raters.protocols import MarkedSpan
from db.formats.bundle import OFFICIAL, Bundle, RatingRow, ReadOptions
from db.formats.cells import read_lang, read_rater
from db.formats.json_node import JsonText
from db.formats.langs import UNKNOWN
from db.formats.reference import with_reference
from db.formats.revisions import in_order, unasked
from db.formats.scale import Scale
from db.formats.score_csv import KINDS
from db.formats.score_rows import Finder, ScoreRow, microseconds, read_rows
from db.formats.spans import read_spans, spans_note

_NO_SCORE = ("", "None")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def add_ratings(bundle: Bundle, path: Path, options: ReadOptions) -> Bundle:
    """The campaign with the ratings of a file. Raises FileError for a segment or system that it lacks."""
    rows = read_rows(path, options)
    bundle = with_reference(bundle, dict.fromkeys(row.system for row in rows))
    reader = _Reader(bundle, path, options)
    wanted = [row for row in rows if reader.concerns(row)]
    finder = Finder(bundle.segments, wanted)
    reader.scored = any(row.score not in _NO_SCORE for row in wanted)
    for row in wanted:
        reader.add(row, finder)
    if not reader.ratings:
        raise FileError(path, "has no ratings of these texts: " + " ".join(reader.notes()))
    reader.scale.settle()
    ratings, twice = in_order(unasked(reader.ratings))
    notes = [*reader.notes(), *twice]
    if finder.first:
        notes.append("The itemIDs were taken as positions within the documents, counted from 1.")
    return replace(bundle, ratings=ratings, notes=(*bundle.notes, *notes))


class _Reader:
    """The ratings so far, and what was left out. scored: whether any row has a score; else errors say all."""

    def __init__(self, bundle: Bundle, path: Path, options: ReadOptions) -> None:
        self.ratings: list[RatingRow] = []
        self.scored = True
        self.scale = Scale.of(path, options)
        self._systems = {system.name for system in bundle.systems}
        self._outputs = {(output.key, output.system) for output in bundle.outputs}
        self._checks = {(check.key, check.system, check.kind) for check in bundle.checks}
        self._langs = tuple(lang.partition("-")[0] for lang in bundle.langs)
        self._left_out: Counter[str] = Counter()
        self._without_text = self._unknown_spans = 0
        self._codes: dict[str, str] = {}

    def notes(self) -> list[str]:
        """Sentences about what there is no place for."""
        notes = [f"{count} rows of {what} were left out." for what, count in self._left_out.items()]
        if self._without_text:
            notes.append(
                f"{self._without_text} ratings are of degraded texts that the file of texts does not hold."
            )
        return [*notes, *spans_note(self._unknown_spans)]

    def concerns(self, row: ScoreRow) -> bool:
        """Whether a row judges a segment of this campaign; if not, it is counted."""
        for lang in row.langs:
            if lang not in self._codes:
                self._codes[lang] = read_lang(lang, row.place) if lang != UNKNOWN else lang
        pair = zip((self._codes[lang] for lang in row.langs), self._langs, strict=True)
        if any(UNKNOWN not in (told, own) and told != own for told, own in pair):
            what = "another language pair"
        elif row.whole:
            what = "whole documents"
        elif row.type.split(".")[0] not in KINDS:
            what = f"the type “{row.type:.40}”"
        else:
            return True
        self._left_out[what] += 1
        return False

    def add(self, row: ScoreRow, finder: Finder) -> None:
        """Add the ratings of a row: one for each system that shares the text."""
        key = finder.find(row)
        spans = self._spans(row)
        by_errors = row.score in _NO_SCORE and not self.scored and spans is not None
        score = None if by_errors else self.scale.read(row.score, row.place)
        start, end = microseconds(row.start, row.place), microseconds(row.end, row.place)
        took = None if start is None or end is None or end < start else (end - start) / 1_000_000
        mark = next((marker for marker in row.markers if not _is_bad(marker)), OFFICIAL)
        names = [row.system] if row.system in self._systems else row.system.split("+")
        for name in dict.fromkeys(names):
            if (key, name) not in self._outputs:
                known = (
                    "translation of this segment" if name in self._systems else "text in the file of texts"
                )
                raise row.place.error(f"the system “{name:.80}” has no {known}.")
            kind = self._kind(row, key, name)
            self._without_text += kind == DEGRADED and (key, name, kind) not in self._checks
            self.ratings.append(
                RatingRow(
                    key,
                    name,
                    read_rater(row.user, row.place),
                    score,
                    mark=mark,
                    seconds=took,
                    rated_at=None if end is None else _EPOCH + timedelta(microseconds=end),
                    spans=spans,
                    kind=kind,
                )
            )

    def _kind(self, row: ScoreRow, key: tuple[str, int], system: str) -> str:
        """A degraded document holds texts that nothing was done to: those repeat."""
        kind = KINDS[row.type.split(".")[0]]
        if not any(map(_is_bad, row.markers)) or kind not in (TARGET, DEGRADED):
            return kind
        if (key, system, DEGRADED) in self._checks:
            return DEGRADED
        return REPEAT if kind == TARGET or (key, system, REPEAT) in self._checks else DEGRADED

    def _spans(self, row: ScoreRow) -> tuple[MarkedSpan, ...] | None:
        if row.spans in ("", "None"):
            return None
        node = JsonText(row.place.path, row.spans, row.place.line, "list of marked errors").root()
        spans, unknown = read_spans(node)
        self._unknown_spans += unknown
        return spans


def _is_bad(marker: str) -> bool:
    return marker.lower().startswith("bad")
