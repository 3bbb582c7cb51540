"""The long formats (tsv, csv, jsonl): one row per translation and rater.

Required are document, position, reference, system and translation. A row without a rater is a translation
without a rating. tsv is tab-separated without quoting; csv is quoted as in RFC 4180; both put an apostrophe
before a cell that a spreadsheet would take for a formula, and remove it when reading. In jsonl position,
score and seconds are numbers. Answers on a campaign's own scales stand in further columns, `scale:NAME`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, TextIO

from core.errors import FileError, Wording
from core.raters.assignment import OFFICIAL, TARGET
from core.text.files import number_text, read_text, split_lines
from core.text.limits import check_values
from core.text.workbook import neutral
from db.formats.bundle import Bundle, Key, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.formats.cells import (
    FilePlace,
    Sheet,
    csv_rows,
    make_sheet,
    read_instant,
    read_label,
    read_position,
    read_rater,
    read_seconds,
    read_tsv_sheet,
    require_some,
    undone,
    unknown_columns,
)
from db.formats.declared import PREFIX, answers_by_column, columns_of, read_answers, scale_columns
from db.formats.draft import Scale, resolve_langs
from db.formats.repeats import settle
from db.names import rater_key
from db.records import RatingRecord

_CELLS = {"reference": 3, "source": 2, "domain": 1, "external_id": 0}
"""Where a segment's fields stand among its cells."""


class Gathered:
    """What the rows so far say. A text is looked at once: further rows mostly repeat it."""

    def __init__(self, path: Path | Wording, options: ReadOptions, scales: Sequence[str] = ()) -> None:
        """scales: the columns with answers, whose cells follow those of `long.COLUMNS`."""
        self._scales = tuple(scales)
        self.segments: dict[Key, SegmentRow] = {}
        self.systems: dict[str, SystemRow] = {}
        self.outputs: dict[tuple[Key, str], str] = {}
        self.ratings: list[RatingRecord] = []
        self.scale = Scale.of(path, options)
        self._path = path
        self._raters: dict[str, str] = {}
        self._keys: dict[tuple[str, str], tuple[Key, Sequence[str]]] = {}
        self._roles: dict[str, str] = {}

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Add a row, its cells in the order of `long.COLUMNS`. Raises FileError."""
        place = FilePlace(self._path, line)
        key = self._segment(cells, place)
        system, role, text = cells[6:9]
        if self._roles.get(system) != role:
            self._add_system(system, role, place)
        if self.outputs.setdefault((key, system), text) != text:
            raise place.error(
                "the system “{system}” has another translation of this segment in an earlier row.",
                system=system,
            )
        self._add_rating(key, system, cells[9:], place)

    def _segment(self, cells: Sequence[str], place: FilePlace) -> Key:
        """The key of a row's segment, which is added or met again."""
        document, position = cells[0], cells[1]
        found = self._keys.get((document, position))
        if found is None:
            number = read_position(position, place)
            key = read_label(document, Wording("document"), place), number
            known = self.segments.get(key)
            if known is not None:  # the position is written in another way
                found = key, (known.external_id, known.domain, known.source or "", known.reference)
            else:
                external_id, domain, source, reference = cells[2:6]
                row = SegmentRow(document, number, reference, source or None, domain, external_id)
                self.segments[key] = row
                found = key, cells[2:6]
            self._keys[document, position] = found
        key, given = found
        if given != cells[2:6]:
            differs = next(name for name, at in _CELLS.items() if given[at] != cells[2 + at])
            raise place.error(
                "“{document}”, position {position}, had another {differs} in an earlier row.",
                document=key[0],
                position=key[1],
                differs=differs,
            )
        return key

    def _add_system(self, name: str, role: str, place: FilePlace) -> None:
        read_label(name, Wording("system"), place)
        if role not in ("", "reference"):
            raise place.error("the role “{role:.40}” is neither empty nor “reference”.", role=role)
        if name in self.systems:
            raise place.error("the system “{name}” has another role than in an earlier row.", name=name)
        self._roles[name] = role
        self.systems[name] = SystemRow(name, is_reference=role == "reference")

    def _add_rating(self, key: Key, system: str, cells: Sequence[str], place: FilePlace) -> None:
        rater, score, comment, mark, seconds, rated_at, *answered = cells
        if rater == "":
            if score or comment or any(answered):
                raise place.error("there is a score or comment but no rater.")
            return
        name = self._raters.get(rater) or self._raters.setdefault(rater, read_rater(rater, place))
        if score == "" and comment == "" and not any(answered):
            return
        self.ratings.append(
            RatingRecord(
                key,
                system,
                name,
                self.scale.read(score, place),
                comment,
                mark or OFFICIAL,
                read_seconds(seconds, place),
                read_instant(rated_at, place),
                scales=read_answers(self._scales, answered, place),
            )
        )


REQUIRED = ("document", "position", "reference", "system", "translation")
COLUMNS = (
    "document",
    "position",
    "segment_id",
    "domain",
    "source",
    "reference",
    "system",
    "role",
    "translation",
    "rater",
    "score",
    "comment",
    "mark",
    "seconds",
    "rated_at",
)
"""All columns, as written. `role` is `reference` for a reference that was rated like a system."""

NUMBERS = ("position", "score", "seconds")
_UNRATED = ("",) * (len(COLUMNS) - COLUMNS.index("rater"))


def read_sheet(sheet: Sheet, options: ReadOptions) -> Bundle:
    """The rows of a table to a campaign. Raises FileError."""
    columns, scales = sheet.columns, scale_columns(sheet.columns)
    wanted = (*COLUMNS, *scales)
    pick = itemgetter(*(columns.index(name) if name in columns else len(columns) for name in wanted))
    undoing = _Undoing()
    if set(columns) <= set(wanted):  # a file of ours, perhaps without some columns: no cell is a formula
        rows = ((line, pick([*map(undoing.plain, cells), ""])) for line, cells in sheet.checked())
    else:
        rows = ((line, pick([*cells, ""])) for line, cells in sheet.checked())
    bundle = collect(rows, columns, sheet.path, options)
    notes = undoing.notes() if columns != wanted else ()
    return replace(bundle, notes=(*bundle.notes, *notes))


class _Undoing:
    """Takes away the apostrophes that keep cells from being formulas, and counts them."""

    def __init__(self) -> None:
        self._count = 0

    def plain(self, cell: str) -> str:
        """The cell without such an apostrophe."""
        found = undone(cell) if cell[:1] == "'" else cell
        self._count += found != cell
        return found

    def notes(self) -> tuple[Wording, ...]:
        """A sentence about them, if there were any."""
        if not self._count:
            return ()
        return (
            Wording(
                "{count} cells began with an apostrophe before = + - or @; it was taken for the mark of a "
                "spreadsheet and left out.",
                count=self._count,
            ),
        )


def collect(
    rows: Iterable[tuple[int, Sequence[str]]],
    columns: Collection[str],
    path: Path | Wording,
    options: ReadOptions,
) -> Bundle:
    """Lines and their cells, in the order of COLUMNS, to a campaign; `columns` are those the file has.

    The cells of its columns `scale:NAME` follow, in their order. Raises FileError for rows that
    contradict each other.
    """
    scales = scale_columns(columns)
    gathered = Gathered(path, options, scales)
    for line, cells in rows:
        gathered.add(line, cells)
    gathered.scale.settle()
    if not gathered.segments:
        raise FileError(path, "has no rows.")
    segments = tuple(gathered.segments.values())
    outputs = tuple(OutputRow(key, system, text) for (key, system), text in gathered.outputs.items())
    require_some("reference", any(segment.reference.strip() for segment in segments), path)
    require_some("translation", any(output.text.strip() for output in outputs), path)
    langs, notes = resolve_langs(
        options.source_lang,
        options.target_lang,
        (segment.source or "" for segment in segments),
        (segment.reference for segment in segments),
    )
    ratings, twice = settle(gathered.ratings, options, says_revisions=False)
    return Bundle(
        name=Path(str(path)).name.split(".")[0],
        langs=langs,
        systems=tuple(gathered.systems.values()),
        segments=segments,
        outputs=outputs,
        ratings=ratings,
        notes=(*notes, *twice, *unknown_columns(columns, (*COLUMNS, *scales))),
    )


def flatten(bundle: Bundle, *, safe: bool) -> Iterator[tuple[str, ...]]:
    """A campaign to rows of COLUMNS and of its scales (`header`), as text; the inverse of `collect`.

    Only the last revision is written, and only scores of translations: checks and skips have no place.
    safe: no cell is a formula.
    """
    guard = neutral if safe else str
    segments = {segment.key: segment for segment in bundle.segments}
    roles = {system.name: "reference" if system.is_reference else "" for system in bundle.systems}
    ratings = _judged(bundle.ratings)
    scales = header(bundle)[len(COLUMNS) :]
    for output in bundle.outputs:
        segment = segments[output.key]
        row = (
            guard(segment.document),
            str(segment.position),
            guard(segment.external_id),
            guard(segment.domain),
            guard(segment.source or ""),
            guard(segment.reference),
            guard(output.system),
            roles[output.system],
            guard(output.text),
        )
        judged = ratings.get((output.key, output.system), {})
        for rating in judged.values():
            yield (
                *row,
                guard(rating.rater),
                number_text(rating.score or 0.0),
                guard(rating.comment),
                guard(rating.mark),
                "" if rating.seconds is None else number_text(rating.seconds),
                "" if rating.rated_at is None else rating.rated_at.isoformat(),
                *map(_answer, answers_by_column(dict(rating.scales), scales)),
            )
        if not judged:
            yield row + _UNRATED + ("",) * len(scales)


def header(bundle: Bundle) -> tuple[str, ...]:
    """The columns that a campaign is written in."""
    if not any(rating.scales for rating in bundle.ratings):
        return COLUMNS
    return (*COLUMNS, *columns_of(_kept(bundle.ratings)))


def _answer(value: float | None) -> str:
    return "" if value is None else number_text(value)


def _kept(ratings: Iterable[RatingRecord]) -> list[RatingRecord]:
    return [rating for judged in _judged(ratings).values() for rating in judged.values()]


def _judged(ratings: Iterable[RatingRecord]) -> dict[tuple[Key, str], dict[str, RatingRecord]]:
    """The scores that hold, by what was judged and by rater."""
    keys: dict[str, str] = {}
    found: dict[tuple[Key, str], dict[str, RatingRecord]] = {}
    for rating in ratings:
        if rating.kind == TARGET and rating.score is not None:
            key = keys.get(rating.rater) or keys.setdefault(rating.rater, rater_key(rating.rater))
            found.setdefault((rating.key, rating.system), {})[key] = rating
    return found


def read_csv(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    rows = csv_rows(path, options.limit_bytes)
    return read_sheet(make_sheet(path, rows, required=REQUIRED), options)


def write_csv(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file with CR LF between the rows; line breaks inside a text stay as they are."""
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(header(bundle))
    writer.writerows(flatten(bundle, safe=True))


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NUMBERS = tuple((COLUMNS.index(column), column) for column in NUMBERS)
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def read_jsonl(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    columns: dict[str, None] = {}
    rows = list(_rows(path, options.limit_bytes, columns))
    fullest = sorted((answers for _, answers, _ in rows if answers), key=len, reverse=True)
    scales = scale_columns(dict.fromkeys(name for answers in fullest for name in answers))
    columns = {**{name: None for name in columns if name not in scales}, **dict.fromkeys(scales)}
    cells = (
        (line, (*found, *(_answered(record, scale, FilePlace(path, line)) for scale in scales)))
        for line, record, found in rows
    )
    return collect(cells, columns, path, options)


def write_jsonl(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file; empty cells are left out, except the texts that a row must have."""
    columns = header(bundle)
    for row in flatten(bundle, safe=False):
        values: dict[str, str | int | float] = {
            column: cell for column, cell in zip(columns, row, strict=True) if cell or column in REQUIRED
        }
        for column in (*NUMBERS, *columns[len(COLUMNS) :]):
            if column in values:
                cell = str(values[column])
                values[column] = int(cell) if cell.isdigit() else float(cell)
        file.write(_ENCODER.encode(values) + "\n")


def _rows(
    path: Path, limit_bytes: int, columns: dict[str, None]
) -> Iterator[tuple[int, Mapping[str, Any], Sequence[str]]]:
    """Line, scales' answers and cells of each row; `columns` is filled with those that there are."""
    text = read_text(path, limit_bytes=limit_bytes)
    check_values(path, text)
    for number, line in enumerate(split_lines(text), start=1):
        if line and not line.isspace():
            record = _record(line, FilePlace(path, number))
            if not record.keys() <= columns.keys():
                columns.update(dict.fromkeys(record))
            answers = {name: value for name, value in record.items() if name.startswith(PREFIX)}
            yield number, answers, _cells(record, FilePlace(path, number), escaped="\\u" in line)


def _answered(answers: Mapping[str, Any], column: str, place: FilePlace) -> str:
    value = answers.get(column)
    return "" if value is None else _number(column, value, place)


def _record(line: str, place: FilePlace) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise place.error("is not a JSON object.") from error
    if not isinstance(record, dict):
        raise place.error("is not a JSON object.")
    for column in REQUIRED:
        if column not in record:
            raise place.error(
                "has no “{column}”; needed are {required}.", column=column, required=", ".join(REQUIRED)
            )
    return record


def _cells(record: Mapping[str, Any], place: FilePlace, *, escaped: bool) -> tuple[str, ...]:
    """The values as text, what is null or absent as empty. escaped: some were written as escapes."""
    cells = ["" if value is None else value for value in map(record.get, COLUMNS)]
    for at, column in _NUMBERS:
        value = record.get(column)
        cells[at] = "" if value is None else _number(column, value, place)
    if escaped or set(map(type, cells)) != {str}:
        _check(cells, place)
    return tuple(cells)


def _check(cells: Sequence[Any], place: FilePlace) -> None:
    for column, cell in zip(COLUMNS, cells, strict=True):
        if not isinstance(cell, str):
            raise place.error("the {column} is not a text.", column=column)
        if _UNSTORABLE.search(cell):
            raise place.error(
                "the {column} holds a character that cannot be stored (NUL or half a surrogate pair).",
                column=column,
            )


def _number(column: str, value: object, place: FilePlace) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.error(
            "the {column} {value:.40} is not a number.",
            column=column,
            value=json.dumps(value, ensure_ascii=False),
        )
    return repr(value)


_BREAK = re.compile(r"[\t\n\r]")


def read_tsv(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    return read_sheet(read_tsv_sheet(path, required=REQUIRED, limit_bytes=options.limit_bytes), options)


def write_tsv(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. Raises FileError for a text that the format cannot hold."""
    columns = header(bundle)
    file.write("\t".join(columns) + "\n")
    for line, row in enumerate(flatten(bundle, safe=True), start=2):
        joined = "\t".join(row)
        if joined.count("\t") >= len(row) or "\n" in joined or "\r" in joined:
            column = next(name for name, cell in zip(columns, row, strict=True) if _BREAK.search(cell))
            raise FileError(
                path,
                "a {column} with a tab or line break does not fit into tsv; use csv or jsonl.",
                line=line,
                column=column,
            )
        file.write(joined + "\n")
