"""Reads workbooks: those that `xlsx` writes, and those with one sheet of long rows (`long.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from core.errors import FileError
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.protocols import MarkedSpan
from db.formats import long
from db.formats.bundle import (
    IMPORTED,
    OFFICIAL,
    Bundle,
    CheckRow,
    Key,
    Meta,
    RatingRow,
    ReadOptions,
    SegmentRow,
)
from db.formats.cells import Place, read_instant, read_position, read_rater, read_seconds
from db.formats.draft import Draft, campaign_name
from db.formats.history_lines import read_span
from db.formats.json_node import JsonText
from db.formats.scale import Scale
from db.formats.sheet import make_sheet
from db.formats.xlsx import SHEETS
from db.formats.xlsx_book import Book, opened

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
    raise FileError(path, f"has neither sheets “segments” and “outputs” nor one with the columns {needed}.")


class _Reader:
    """A workbook of several sheets, read into one campaign."""

    def __init__(self, book: Book, path: Path, options: ReadOptions) -> None:
        self._book = book
        self._path = path
        self._options = options
        self._draft = Draft(path)
        self._roles: dict[str, str] = {}

    def read(self) -> Bundle:
        """The campaign of the sheets."""
        about = {row["key"]: row["value"] for _, row in self._records("campaign")}
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
                raise place.error(f"the kind “{kind}” is neither {REPEAT} nor {DEGRADED}.")
            check = CheckRow(*where, kind, row["translation"], row.get("rule") or IMPORTED)
            self._draft.checks[check] = None
        self._add_ratings()
        others = [name for name in self._book.names if name not in SHEETS]
        self._draft.notes += [f"The sheet “{name:.40}” is not known and was left out." for name in others]
        if about.get("protocol"):
            self._draft.meta = Meta(protocol=about["protocol"])
        langs = about.get("source_lang") or None, about.get("target_lang") or None
        return self._draft.bundle(about.get("name") or campaign_name(self._path), self._options, langs)

    def _records(self, name: str) -> Iterator[tuple[Place, Mapping[str, str]]]:
        """The rows of a sheet, which may be absent or have a header alone."""
        if name not in self._book.names:
            return
        rows = self._book.rows(name)
        head = list(islice(rows, 2))
        if len(head) < 2:
            return
        sheet = make_sheet(self._book.place(name), chain(head, rows), required=_NEEDED[name])
        unknown = [column for column in sheet.columns if column not in SHEETS[name]]
        self._draft.notes += [
            f"The column “{column:.40}” of the sheet “{name}” is not known and was left out."
            for column in unknown
        ]
        yield from sheet.records()

    def _add_segment(self, place: Place, row: Mapping[str, str]) -> None:
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
        for place, row in self._records("ratings"):
            skipped = row.get("skipped_reason") or None
            spans = _spans(row.get("error_spans", ""), place)
            if skipped and (row["score"] or spans is not None):
                raise place.error("a skip has neither a score nor marked errors.")
            given = row["score"] != "" or (skipped is None and spans is None)
            self._draft.ratings.append(
                RatingRow(
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
                )
            )
        scale.settle()

    def _segment(self, place: Place, row: Mapping[str, str]) -> Key:
        key = row["document"], read_position(row["position"], place)
        if key not in self._draft.segments:
            raise place.error(f"“{key[0]:.80}”, position {key[1]}, is not in the sheet “segments”.")
        return key

    def _output(self, place: Place, row: Mapping[str, str]) -> tuple[Key, str]:
        where = self._segment(place, row), row["system"]
        if where not in self._draft.outputs:
            raise place.error(f"“{row['system']:.80}” has no translation of this segment in “outputs”.")
        return where

    def _kind(self, place: Place, row: Mapping[str, str]) -> str:
        kind = row.get("kind") or TARGET
        if kind not in _KINDS:
            raise place.error(f"the kind “{kind:.40}” is none of {', '.join(_KINDS)}.")
        return kind


def _spans(cell: str, place: Place) -> tuple[MarkedSpan, ...] | None:
    if cell == "":
        return None
    node = JsonText(place.path, cell, place.line, "list of marked errors").root()
    return tuple(read_span(one) for one in node.as_list())
