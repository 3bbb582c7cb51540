"""Comments coded by hand as spreadsheets, and what coders gave as figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import Engine

from core.errors import FileError
from core.raters.coding import CodingFindings, coding_findings
from core.raters.reading.findings import table_csv
from core.text.delimited import split_rows
from db.permissions import Viewer
from db.queries.coding import NO_CODE, CodingRecord, coded_comments, comments_to_code
from db.records import CodeRecord, CommentRecord

SHEET = ("comment", "about", "text", "codes")
BOOK = ("name", "label", "meaning")


def findings_of_codes(engine: Engine, viewer: Viewer, campaign_id: int) -> CodingFindings | None:
    """Agreement and counts, once all coders have finished; None before, and where nobody codes.

    Raises AccessError for a viewer who may not see scores.
    """
    found = coded_comments(engine, viewer, campaign_id)
    return None if found is None else figures_of(found)


def figures_of(found: CodingRecord) -> CodingFindings:
    """Agreement and counts of what all coders gave."""
    return coding_findings(found.comments, found.codes, waiting=found.waiting, seed=found.seed)


def sheet_csv(comments: Sequence[CommentRecord]) -> str:
    """The comments as a table to be coded: the column `codes` is empty where nothing was given yet.

    Codes are names with semicolons between; `-` is a comment that no code fits.
    """
    rows = [
        {"comment": one.key, "about": one.about, "text": one.text, "codes": _written(one.codes)}
        for one in comments
    ]
    return table_csv(SHEET, rows)


def _written(codes: Sequence[str] | None) -> str:
    return "" if codes is None else "; ".join(codes) or NO_CODE


def coder_sheet(engine: Engine, viewer: Viewer, campaign_id: int, coder_id: int) -> str:
    """`sheet_csv` of one coder. Raises AccessError as `comments_to_code`."""
    return sheet_csv(comments_to_code(engine, viewer, campaign_id, coder_id)[0])


def read_sheet(text: str, path: Path) -> dict[str, list[str]]:
    """The codes of a table that somebody filled in, by comment; rows without codes are left out.

    text: the file's content; path: its name in errors. Only the columns `comment` and `codes` are read.
    Raises FileError where one is not there.
    """
    found = {}
    for row in _rows(text, path, ("comment", "codes")):
        names = [name.strip().removeprefix("'") for name in row["codes"].split(";") if name.strip()]
        if names:
            found[row["comment"].strip()] = [] if names == [NO_CODE] else names
    return found


def book_csv(codes: Sequence[CodeRecord]) -> str:
    """The code book as a table."""
    return table_csv(BOOK, [{name: getattr(one, name) for name in BOOK} for one in codes])


def read_book(text: str, path: Path) -> list[CodeRecord]:
    """A code book from a table; a label or meaning may be missing. Raises FileError without names.

    text, path: as of `read_sheet`.
    """
    return [
        CodeRecord(name=row["name"].strip(), label=row.get("label", ""), meaning=row.get("meaning", ""))
        for row in _rows(text, path, ("name",))
        if row["name"].strip()
    ]


def _rows(text: str, path: Path, needed: Sequence[str]) -> list[Mapping[str, str]]:
    rows = list(split_rows(text, path))
    header = [cell.strip().lower() for cell in rows[0][1]] if rows else []
    for name in needed:
        if name not in header:
            raise FileError(path, "has no column “{name}”.", name=name, line=1)
    return [dict(zip(header, [*cells, *[""] * len(header)], strict=False)) for _, cells in rows[1:]]


def differing(found: CodingRecord) -> list[tuple[str, str, str, dict[str, tuple[str, ...]]]]:
    """The comments that coders coded differently: version, about, text, and codes by coder."""
    return [
        (
            one.version,
            *found.texts[one.comment],
            {coder: tuple(code for code in found.codes if code in own) for coder, own in one.codes.items()},
        )
        for one in found.comments
        if len(set(one.codes.values())) > 1
    ]


DIFFERING = ("version", "about", "text", "coder", "codes")


def differing_csv(found: CodingRecord) -> str:
    """The same as a table with a row for each coder: what is to be discussed."""
    return table_csv(
        DIFFERING,
        [
            {"version": version, "about": about, "text": text, "coder": coder, "codes": _written(codes)}
            for version, about, text, given in differing(found)
            for coder, codes in given.items()
        ],
    )
