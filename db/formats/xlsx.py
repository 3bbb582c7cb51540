"""A campaign as a workbook: sheets of texts, systems, checks and ratings, or one sheet of long rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from core.errors import FileError, InputError, Wording
from core.raters.assignment import DEGRADED, OFFICIAL, REFERENCE, REPEAT, TARGET
from core.raters.own_errors import errors_from_json
from core.raters.own_scales import scales_from_json
from core.raters.protocols import MarkedSpan, spans_to_json
from core.text.workbook import CellValue, SheetReader, escaped, opened, workbook
from db.design import from_json
from db.formats import long
from db.formats.bundle import IMPORTED, Bundle, CheckRow, Key, Meta, OutputRow, ReadOptions, SegmentRow
from db.formats.capabilities import OWN
from db.formats.cells import (
    FilePlace,
    make_sheet,
    read_instant,
    read_position,
    read_protocol,
    read_rater,
    read_seconds,
)
from db.formats.declared import answers_by_column, check_ratings, columns_of, read_answers, scale_columns
from db.formats.draft import CampaignDraft, Scale, campaign_name
from db.formats.history import read_span
from db.formats.json_node import JsonText
from db.records import RatingRecord

SHEETS = {
    "campaign": ("key", "value"),
    "segments": ("document", "position", "segment_id", "domain", "source", "reference"),
    "systems": ("system", "role"),
    "outputs": ("document", "position", "system", "translation"),
    "checks": ("document", "position", "system", "kind", "rule", "translation"),
    "ratings": (
        "document",
        "position",
        "system",
        "rater",
        "kind",
        "score",
        "skipped_reason",
        "comment",
        "mark",
        "seconds",
        "rated_at",
        "error_spans",
        "corrected",
    ),
}
"""The columns of each sheet. error_spans: as JSON, half-open; empty where nothing was to be marked.

Answers on own scales follow in columns `scale:NAME`. The sheet `campaign` has the scales and own error lists
as JSON.
"""

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
_NAMED = Path("xlsx")


def write_files(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    """The one file. Raises FileError for more rows than a sheet has, and texts longer than a cell."""
    for rows in _sheets(bundle).values():
        _check(rows)
    yield (
        "campaign.xlsx",
        workbook({name: chain([_columns(name, bundle)], rows) for name, rows in _sheets(bundle).items()}),
    )


def _columns(name: str, bundle: Bundle) -> tuple[str, ...]:
    return (*SHEETS[name], *(columns_of(bundle.ratings) if name == "ratings" else ()))


def _sheets(bundle: Bundle) -> dict[str, Iterable[tuple[CellValue, ...]]]:
    """The rows of each sheet, below its header."""
    scales = columns_of(bundle.ratings)
    return {
        "campaign": _campaign(bundle),
        "segments": (
            (row.document, row.position, row.external_id, row.domain, row.source, row.reference)
            for row in bundle.segments
        ),
        "systems": ((row.name, "reference" if row.is_reference else "") for row in bundle.systems),
        "outputs": ((*_where(row), row.text) for row in bundle.outputs),
        "checks": ((*_where(row), row.kind, row.rule, row.text) for row in bundle.checks),
        "ratings": (_rating(row, scales) for row in bundle.ratings),
    }


def _check(rows: Iterable[tuple[CellValue, ...]]) -> None:
    """Before anything is written: what is not written to its end cannot be closed."""
    count = 1
    for row in rows:
        count += 1
        longest = max((len(escaped(cell)) for cell in row if isinstance(cell, str)), default=0)
        if longest > MOST_CHARACTERS:
            raise FileError(
                _NAMED,
                "has {limit:,} characters in a cell at most and a text has {longest:,}; use csv.",
                limit=MOST_CHARACTERS,
                longest=longest,
            )
    if count > MOST_ROWS:
        raise FileError(
            _NAMED,
            "has {limit:,} rows in a sheet at most and {count:,} are needed; use csv or jsonl.",
            limit=MOST_ROWS,
            count=count,
        )


def _campaign(bundle: Bundle) -> Iterable[tuple[CellValue, ...]]:
    source, target = bundle.langs
    yield "name", bundle.name
    yield "source_lang", source
    yield "target_lang", target
    yield "protocol", bundle.meta.protocol
    for name in OWN:
        if bundle.meta.design.get(name):
            yield name, json.dumps(bundle.meta.design[name], ensure_ascii=False)


def _where(row: OutputRow | CheckRow | RatingRecord) -> tuple[CellValue, ...]:
    return row.key[0], row.key[1], row.system


def _rating(row: RatingRecord, scales: Sequence[str]) -> tuple[CellValue, ...]:
    return (
        *_where(row),
        row.rater,
        row.kind,
        row.score,
        row.skipped_reason,
        row.comment,
        row.mark,
        row.seconds,
        None if row.rated_at is None else row.rated_at.isoformat(),
        None if row.spans is None else json.dumps(spans_to_json(row.spans), ensure_ascii=False),
        row.edited,
        *answers_by_column(dict(row.scales), scales),
    )


_NEEDED = {
    "campaign": SHEETS["campaign"],
    "segments": ("document", "position", "reference"),
    "systems": ("system",),
    "outputs": SHEETS["outputs"],
    "checks": ("document", "position", "system", "kind", "translation"),
    "ratings": ("document", "position", "system", "rater", "score"),
}
_KINDS = (TARGET, REPEAT, REFERENCE, DEGRADED)


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a workbook. Raises FileError, which names the sheet and the row."""
    with opened(path, options.limit_bytes) as book:
        if {"segments", "outputs"} <= set(book.names):
            return _Reader(book, path, options).read()
        for name in book.names:
            rows = list(book.rows(name))
            if rows and set(long.REQUIRED) <= set(rows[0][1]):
                sheet = make_sheet(book.place(name), rows, required=long.REQUIRED)
                return replace(long.read_sheet(sheet, options), name=campaign_name(path))
    needed = ", ".join(long.REQUIRED)
    raise FileError(
        path, "has neither sheets “segments” and “outputs” nor one with the columns {needed}.", needed=needed
    )


class _Reader:
    """A workbook of several sheets, read into one campaign."""

    def __init__(self, book: SheetReader, path: Path, options: ReadOptions) -> None:
        self._book = book
        self._path = path
        self._options = options
        self._draft = CampaignDraft(path)
        self._roles: dict[str, str] = {}
        self._own: dict[str, Any] = {}

    def read(self) -> Bundle:
        """The campaign of the sheets."""
        rows = {row["key"]: (place, row["value"]) for place, row in self._records("campaign")}
        about = {key: value for key, (_, value) in rows.items()}
        self._own = {name: _declared(name, about[name], rows[name][0]) for name in OWN if about.get(name)}
        for place, row in self._records("systems"):
            self._roles[row["system"]] = row.get("role", "")
            self._draft.add_system(row["system"], place, is_reference=row.get("role") == "reference")
        for place, row in self._records("segments"):
            self._add_segment(place, row)
        for place, row in self._records("outputs"):
            is_reference = self._roles.get(row["system"]) == "reference"
            self._draft.add_system(row["system"], place, is_reference=is_reference)
            self._draft.add_output(self._segment(place, row), row["system"], row["translation"], place)
        for place, row in self._records("checks"):
            where = self._output(place, row)
            kind = self._kind(place, row)
            if kind not in (REPEAT, DEGRADED):
                raise place.error(
                    "the kind “{kind}” is neither {repeat} nor {degraded}.",
                    kind=kind,
                    repeat=REPEAT,
                    degraded=DEGRADED,
                )
            check = CheckRow(*where, kind, row["translation"], row.get("rule") or IMPORTED)
            self._draft.checks[check] = None
        self._add_ratings()
        self._draft.meta = Meta(design=self._own)
        others = [name for name in self._book.names if name not in SHEETS]
        self._draft.notes += [
            Wording("The sheet “{sheet:.40}” is not known and was left out.", sheet=name) for name in others
        ]
        if about.get("protocol"):
            self._draft.meta = Meta(
                design=self._own, protocol=read_protocol(about["protocol"], rows["protocol"][0])
            )
        langs = about.get("source_lang") or None, about.get("target_lang") or None
        return self._draft.bundle(about.get("name") or campaign_name(self._path), self._options, langs)

    def _records(self, name: str) -> Iterator[tuple[FilePlace, Mapping[str, str]]]:
        """The rows of a sheet, which may be absent or have a header alone."""
        if name not in self._book.names:
            return
        rows = self._book.rows(name)
        head = list(islice(rows, 2))
        if len(head) < 2:
            return
        sheet = make_sheet(self._book.place(name), chain(head, rows), required=_NEEDED[name])
        known = (*SHEETS[name], *scale_columns(sheet.columns))
        unknown = [column for column in sheet.columns if column not in known]
        self._draft.notes += [
            Wording(
                "The column “{column:.40}” of the sheet “{sheet}” is not known and was left out.",
                column=column,
                sheet=name,
            )
            for column in unknown
        ]
        yield from sheet.records()

    def _add_segment(self, place: FilePlace, row: Mapping[str, str]) -> None:
        segment = SegmentRow(
            row["document"],
            read_position(row["position"], place),
            row["reference"],
            row.get("source") or None,
            row.get("domain", ""),
            row.get("segment_id", ""),
        )
        self._draft.add_segment(segment, place)

    def _add_ratings(self) -> None:
        scale = Scale.of(self._path, self._options)
        own = from_json(self._own)
        severities = [one.name for one in own.errors.severities]
        for place, row in self._records("ratings"):
            skipped = row.get("skipped_reason") or None
            spans = _spans(row.get("error_spans", ""), place, severities)
            columns = scale_columns(row)
            if skipped and (row["score"] or spans is not None):
                raise place.error("a skip has neither a score nor marked errors.")
            given = row["score"] != "" or (skipped is None and spans is None)
            self._draft.ratings.append(
                RatingRecord(
                    *self._output(place, row),
                    read_rater(row["rater"], place),
                    scale.read(row["score"], place) if given else None,
                    row.get("comment", ""),
                    row.get("mark") or OFFICIAL,
                    read_seconds(row.get("seconds", ""), place),
                    read_instant(row.get("rated_at", ""), place),
                    spans,
                    self._kind(place, row),
                    skipped,
                    edited=row.get("corrected") or None,
                    scales=read_answers(columns, [row[column] for column in columns], place),
                )
            )
        scale.settle()
        if own.scales:
            check_ratings(self._draft.ratings, own.scales)

    def _segment(self, place: FilePlace, row: Mapping[str, str]) -> Key:
        key = row["document"], read_position(row["position"], place)
        if key not in self._draft.segments:
            raise place.error(
                "“{document:.80}”, position {position}, is not in the sheet “segments”.",
                document=key[0],
                position=key[1],
            )
        return key

    def _output(self, place: FilePlace, row: Mapping[str, str]) -> tuple[Key, str]:
        where = self._segment(place, row), row["system"]
        if where not in self._draft.outputs:
            raise place.error(
                "“{system:.80}” has no translation of this segment in “outputs”.", system=row["system"]
            )
        return where

    def _kind(self, place: FilePlace, row: Mapping[str, str]) -> str:
        kind = row.get("kind") or TARGET
        if kind not in _KINDS:
            raise place.error("the kind “{kind:.40}” is none of {kinds}.", kind=kind, kinds=", ".join(_KINDS))
        return kind


def _declared(name: str, cell: str, place: FilePlace) -> Any:  # noqa: ANN401 - a list of scales, or lists of errors
    """The scales or own error lists of a cell, as JSON. Raises FileError for those that make no sense."""
    value = JsonText(place.path, cell, place.line, Wording("declaration")).root().value
    try:
        scales_from_json(value) if name == "scales" else errors_from_json(value)
    except InputError as error:
        raise place.error(error.template, part=True, **error.details) from error
    return value


def _spans(cell: str, place: FilePlace, own: Collection[str]) -> tuple[MarkedSpan, ...] | None:
    if cell == "":
        return None
    node = JsonText(place.path, cell, place.line, Wording("list of marked errors")).root()
    return tuple(read_span(one, own) for one in node.as_list())
