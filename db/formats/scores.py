"""Score files of Appraise and WMT: ratings of texts that are in another file.

Rows without a header, of 9 columns (user, system, itemID, itemType, source and target language, score,
start, end), 11 (documentID and isCompleteDocument after the score) or 12 (then the marked errors as JSON);
or with the header of WMT22. Languages have three letters, times are Unix seconds. WMT24 and WMT25 have such
files.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import reduce
from pathlib import Path
from typing import TextIO

import langcodes

from core.errors import FileError, InputError, OptionError, Wording
from core.raters.assignment import DEGRADED, OFFICIAL, REPEAT, TARGET
from core.raters.protocols import MarkedSpan
from core.text.files import number_text, read_text, split_lines
from core.text.languages import UNKNOWN
from db.formats.bundle import Bundle, Key, ReadOptions, SegmentRow
from db.formats.capabilities import left_out_notes
from db.formats.cells import (
    ITEM_TYPES,
    FilePlace,
    csv_rows,
    item_kind,
    read_lang,
    read_rater,
    read_seconds,
)
from db.formats.detect import is_score_row, read_head
from db.formats.draft import Scale, unasked, with_reference
from db.formats.json_node import JsonText
from db.formats.repeats import settle
from db.formats.spans import drop_outside, read_spans, spans_note, write_spans
from db.formats.tables import REFERENCE_SYSTEM, read_ratings
from db.records import RatingRecord

_TYPES = {kind: name for name, kind in ITEM_TYPES.items()}
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


def remarks(bundle: Bundle) -> tuple[Wording, ...]:
    """What becomes of a duration without a time, and of marks that documents are not marked with."""
    lone = sum(rating.seconds is not None and rating.rated_at is None for rating in bundle.ratings)
    unfit = sum(rating.mark != OFFICIAL and not _MARKER.fullmatch(rating.mark) for rating in bundle.ratings)
    return left_out_notes(
        {Wording("durations without a time"): lone, Wording("marks other than dup and incomplete"): unfit}
    )


def _three_letters(lang: str) -> str:
    try:
        return langcodes.get(lang).to_alpha3()
    except LookupError as error:
        raise InputError(
            "“{lang:.40}” has no code of three letters; use another format.", lang=lang
        ) from error


def _times(rating: RatingRecord) -> Iterator[str]:
    """Start and end in Unix seconds, exact to the microsecond; a start that is not known is empty."""
    if rating.rated_at is None:
        yield from ("", "")
        return
    end = (rating.rated_at - _EPOCH) // _MICROSECOND
    took = None if rating.seconds is None else round(rating.seconds * 1_000_000)
    for moment in (None if took is None else end - took, end):
        yield "" if moment is None else f"{moment // 1_000_000}.{moment % 1_000_000:06}"


_NAMES = ("user", "system", "item", "type", "source_lang", "target_lang", "score")
_DOCUMENT = ("document", "whole")
_SHAPES = {
    9: (*_NAMES, "start", "end"),
    11: (*_NAMES, *_DOCUMENT, "start", "end"),
    12: (*_NAMES, *_DOCUMENT, "spans", "start", "end"),
}
_HEADERS = ("uid", "user", "username", "user id")
_MARKERS = re.compile(r"(#(bad|dup|incomplete)\w*)+$", re.IGNORECASE)
_SEPARATORS = re.compile(r"_#{1,3}_")


@dataclass(frozen=True, slots=True)
class ExportedScore:
    """A row as it stands. markers: what follows `#` in the documentID; document: the rest, may be empty."""

    place: FilePlace
    user: str
    system: str
    item: str
    type: str
    langs: tuple[str, str]
    score: str
    document: str
    markers: tuple[str, ...]
    whole: bool
    spans: str
    start: str
    end: str


def read_rows(path: Path, options: ReadOptions) -> list[ExportedScore]:
    """The rows of a file, without a header. Raises FileError."""
    rows = []
    for line, cells in csv_rows(path, options.limit_bytes):
        if line == 1 and cells[0].strip().lower() in _HEADERS:
            continue
        rows.append(_row(cells, FilePlace(path, line)))
    if not rows:
        raise FileError(path, "has no ratings.")
    return rows


def _row(cells: Sequence[str], place: FilePlace) -> ExportedScore:
    shape = _SHAPES.get(len(cells))
    if shape is None:
        raise place.error("has {n} columns; ratings of Appraise and WMT have 9, 11 or 12.", n=len(cells))
    named = dict(zip(shape, cells, strict=True))
    whole = named.get("whole", "False").strip().lower()
    if whole not in ("true", "false", "0", "1"):
        raise place.error(
            "“{whole:.40}” is neither True nor False; pairwise scores cannot be read.", whole=whole
        )
    document = named.get("document", "")
    marked = _MARKERS.search(document)
    return ExportedScore(
        place,
        named["user"],
        named["system"],
        named["item"].strip(),
        named["type"].strip(),
        (named["source_lang"].strip(), named["target_lang"].strip()),
        named["score"].strip(),
        document[: marked.start()] if marked else document,
        tuple(marked.group()[1:].split("#")) if marked else (),
        whole in ("true", "1"),
        named.get("spans", "").strip(),
        named["start"].strip(),
        named["end"].strip(),
    )


def microseconds(cell: str, place: FilePlace) -> int | None:
    """Unix seconds as whole microseconds; None for an empty cell."""
    return None if read_seconds(cell, place) is None else round(Decimal(cell) * 1_000_000)


class Finder:
    """Finds the segments that rows are about: by id, else by position within the document.

    Whether positions count from 0 or from 1 is told by all rows of the file together.
    """

    def __init__(self, segments: Iterable[SegmentRow], rows: Iterable[ExportedScore]) -> None:
        self._by_id: dict[tuple[str, str], Key] = {}
        self._alone: dict[str, Key] = {}
        self._sizes: Counter[str] = Counter()
        ids: Counter[str] = Counter()
        for segment in segments:
            self._sizes[segment.document] = max(self._sizes[segment.document], segment.position + 1)
            if segment.external_id:
                self._by_id[segment.document, segment.external_id] = segment.key
                self._alone[segment.external_id] = segment.key
                ids[segment.external_id] += 1
        for name, count in ids.items():
            if count > 1:
                del self._alone[name]
        self._keys = {segment.key for segment in segments}
        self.first = self._first(rows)

    def find(self, row: ExportedScore) -> Key:
        """The segment of a row. Raises FileError when there is none."""
        named = self._named(row)
        if named is not None:
            return named
        document, number = self._numbered(row)
        key = document, number - self.first
        if number < 0 or key not in self._keys:
            if not document:
                raise row.place.error("there is no segment “{item:.80}” in the texts.", item=row.item)
            raise row.place.error(
                "the document “{document:.80}” has no segment “{item:.80}” in the texts.",
                document=document,
                item=row.item,
            )
        return key

    def _named(self, row: ExportedScore) -> Key | None:
        document = row.document
        found = self._by_id.get((document, row.item)) or (None if document else self._alone.get(row.item))
        return found or (self._alone.get(row.item) if _SEPARATORS.search(row.item) else None)

    def _numbered(self, row: ExportedScore) -> tuple[str, int]:
        """Document and number of a segment without an id; the number is -1 where there is none."""
        parts = _SEPARATORS.split(row.item)
        number = int(parts[-1]) if re.fullmatch(r"[0-9]{1,9}", parts[-1]) else -1
        for name in (row.document, *_tails(row.item)):
            if name in self._sizes:
                return name, number
        return row.document or (next(iter(self._sizes)) if len(self._sizes) == 1 else ""), number

    def _first(self, rows: Iterable[ExportedScore]) -> int:
        """1 if some number is that of the last segment counted from 1, and none is 0; else 0."""
        ends = 0
        for row in rows:
            if self._named(row) is None:
                document, number = self._numbered(row)
                if number == 0:
                    return 0
                ends += number == self._sizes.get(document, -1)
        return int(ends > 0)


def _tails(item: str) -> Collection[str]:
    """What may be the document in an id like LP_#_DOMAIN_#_DOCUMENT_#_SEGMENT: the longest first."""
    found = list(_SEPARATORS.finditer(item))
    if not found:
        return ()
    head = item[: found[-1].start()]
    return [head, *(head[match.end() :] for match in found[:-1])]


_NO_SCORE = ("", "None")


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
        raise FileError(path, "has no ratings of these texts: {notes}", notes=_joined(reader.notes()))
    reader.scale.settle()
    ratings, twice = settle(unasked(reader.ratings), options, says_revisions=True)
    notes = [*reader.notes(), *twice]
    if finder.first:
        notes.append(Wording("The itemIDs were taken as positions within the documents, counted from 1."))
    return replace(bundle, ratings=ratings, notes=(*bundle.notes, *notes))


def _joined(sentences: Iterable[Wording]) -> Wording:
    return reduce(lambda said, more: Wording("{said} {more}", said=said, more=more), sentences)


class _Reader:
    """The ratings so far, and what was left out. scored: whether any row has a score; else errors say all."""

    def __init__(self, bundle: Bundle, path: Path, options: ReadOptions) -> None:
        self.ratings: list[RatingRecord] = []
        self.scored = True
        self.scale = Scale.of(path, options)
        self._systems = {system.name for system in bundle.systems}
        self._outputs = {(output.key, output.system) for output in bundle.outputs}
        self._checks = {(check.key, check.system, check.kind) for check in bundle.checks}
        self._langs = tuple(lang.partition("-")[0] for lang in bundle.langs)
        self._left_out: Counter[Wording] = Counter()
        self._without_text = self._unknown_spans = 0
        self._codes: dict[str, str] = {}

    def notes(self) -> list[Wording]:
        """Sentences about what there is no place for."""
        notes = [
            Wording("{count} rows of {what} were left out.", count=count, what=what)
            for what, count in self._left_out.items()
        ]
        if self._without_text:
            notes.append(
                Wording(
                    "{count} ratings are of degraded texts that the file of texts does not hold.",
                    count=self._without_text,
                )
            )
        return [*notes, *spans_note(self._unknown_spans)]

    def concerns(self, row: ExportedScore) -> bool:
        """Whether a row judges a segment of this campaign; if not, it is counted."""
        for lang in row.langs:
            if lang not in self._codes:
                self._codes[lang] = read_lang(lang, row.place) if lang != UNKNOWN else lang
        pair = zip((self._codes[lang] for lang in row.langs), self._langs, strict=True)
        if any(UNKNOWN not in (told, own) and told != own for told, own in pair):
            what = Wording("another language pair")
        elif row.whole:
            what = Wording("whole documents")
        elif item_kind(row.type) is None:
            what = Wording("the type “{type:.40}”", type=row.type)
        else:
            return True
        self._left_out[what] += 1
        return False

    def add(self, row: ExportedScore, finder: Finder) -> None:
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
                raise row.place.error(
                    "the system “{system:.80}” has no translation of this segment."
                    if name in self._systems
                    else "the system “{system:.80}” has no text in the file of texts.",
                    system=name,
                )
            kind = self._kind(row, key, name)
            self._without_text += kind == DEGRADED and (key, name, kind) not in self._checks
            self.ratings.append(
                RatingRecord(
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

    def _kind(self, row: ExportedScore, key: tuple[str, int], system: str) -> str:
        """A degraded document holds texts that nothing was done to: those repeat."""
        kind = item_kind(row.type) or TARGET
        if not any(map(_is_bad, row.markers)) or kind not in (TARGET, DEGRADED):
            return kind
        if (key, system, DEGRADED) in self._checks:
            return DEGRADED
        return REPEAT if kind == TARGET or (key, system, REPEAT) in self._checks else DEGRADED

    def _spans(self, row: ExportedScore) -> tuple[MarkedSpan, ...] | None:
        if row.spans in ("", "None"):
            return None
        node = JsonText(row.place.path, row.spans, row.place.line, Wording("list of marked errors")).root()
        spans, unknown = read_spans(node)
        self._unknown_spans += unknown
        return spans


def _is_bad(marker: str) -> bool:
    return marker.lower().startswith("bad")


Reader = Callable[[Path, ReadOptions], Bundle]

_TABLE = {"annotator", "system", "seg_id", "score"}


def _add_table(bundle: Bundle, path: Path, options: ReadOptions) -> Bundle:
    by_id = {segment.external_id: segment for segment in bundle.segments if segment.external_id}
    systems = {system.name for system in with_reference(bundle, [REFERENCE_SYSTEM]).systems}
    ratings, notes = read_ratings(path, by_id, systems, options)
    bundle = with_reference(bundle, dict.fromkeys(row.system for row in ratings))
    return replace(bundle, ratings=ratings, notes=(*bundle.notes, *notes))


RATINGS: Mapping[str, Callable[[Bundle, Path, ReadOptions], Bundle]] = {
    "wmt-csv": add_ratings,
    "appraise-csv": add_ratings,
    "tables": _add_table,
}
"""Formats of files with ratings alone; the last is a ratings.tsv."""


def with_ratings(read: Reader, *, own: bool = False) -> Reader:
    """A reader of texts that also reads the ratings file of its options, if there is one.

    Marked errors outside their text are left out of either.

    own: the reader knows a kind of ratings file itself, which those of another kind are told from.
    """

    def both(path: Path, options: ReadOptions) -> Bundle:
        file = options.ratings_file
        if file is None or (own and options.ratings_format is None and _shape(file) is None):
            return drop_outside(read(path, options))
        bundle = read(path, replace(options, ratings_file=None))
        if bundle.ratings:
            raise OptionError(
                "{path} holds ratings of its own; leave the second file with ratings out.", path=path
            )
        return drop_outside(RATINGS[kind_of(file, options)](bundle, file, options))

    return both


def kind_of(path: Path, options: ReadOptions) -> str:
    """The format of a file with ratings, as told or by its shape.

    Raises OptionError for one that is none of `RATINGS`, and FileError when its shape does not tell.
    """
    told = options.ratings_format
    if told is not None and told not in RATINGS:
        raise OptionError(
            "There is no format of ratings “{told:.40}”; choose one of {ratings}.",
            told=told,
            ratings=", ".join(RATINGS),
        )
    found = told or _shape(path)
    if found is None:
        names = ", ".join(RATINGS)
        raise FileError(
            path,
            "has no shape of ratings that is known; tell it with --ratings-format: {names}.",
            names=names,
        )
    return found


def _shape(path: Path) -> str | None:
    first = next(iter(split_lines(read_head(path))), "")
    if set(first.split("\t")) >= _TABLE:
        return "tables"
    return "wmt-csv" if is_score_row(first) else None
