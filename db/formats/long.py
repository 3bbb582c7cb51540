"""What the long formats (tsv, csv, jsonl) share: one row per translation and rater.

Needed are document, position, reference, system and translation. A row without a rater is a translation that
nobody has judged yet. Files come from and go to any program: a cell is data. tsv and csv put an apostrophe
before what a spreadsheet would take for a formula; read back from such a file, it is gone again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from core.errors import FileError
from core.raters.assignment import TARGET
from db.formats.bundle import Bundle, Key, OutputRow, RatingRow, ReadOptions
from db.formats.cells import number_text
from db.formats.formulas import neutral, undone
from db.formats.langs import resolve_langs
from db.formats.long_rows import Gathered
from db.formats.revisions import in_order
from db.formats.sheet import Sheet, require_some
from db.names import rater_key

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
    columns = sheet.columns
    pick = itemgetter(*(columns.index(name) if name in columns else len(columns) for name in COLUMNS))
    if columns == COLUMNS:  # a file of ours, in which no cell is a formula
        rows = ((line, tuple(_plain(cells))) for line, cells in sheet.checked())
    else:
        rows = ((line, pick([*cells, ""])) for line, cells in sheet.checked())
    return collect(rows, columns, sheet.path, options)


def _plain(cells: Iterable[str]) -> Iterator[str]:
    return (undone(cell) if cell[:1] == "'" else cell for cell in cells)


def collect(
    rows: Iterable[tuple[int, Sequence[str]]], columns: Collection[str], path: Path, options: ReadOptions
) -> Bundle:
    """Lines and their cells, in the order of COLUMNS, to a campaign; `columns` are those the file has.

    Raises FileError for rows that contradict each other.
    """
    gathered = Gathered(path, options)
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
    ratings, twice = in_order(gathered.ratings)
    left_out = [column for column in columns if column not in COLUMNS]
    return Bundle(
        name=path.name.split(".")[0],
        langs=langs,
        systems=tuple(gathered.systems.values()),
        segments=segments,
        outputs=outputs,
        ratings=ratings,
        notes=(
            *notes,
            *twice,
            *(f"The column “{column}” is not known and was left out." for column in left_out),
        ),
    )


def flatten(bundle: Bundle, *, safe: bool) -> Iterator[tuple[str, ...]]:
    """A campaign to rows of COLUMNS, every cell as text; the inverse of `collect`.

    Only the last revision is written, and only scores of translations: checks and skips have no place.
    safe: no cell is a formula.
    """
    guard = neutral if safe else str
    segments = {segment.key: segment for segment in bundle.segments}
    roles = {system.name: "reference" if system.is_reference else "" for system in bundle.systems}
    ratings = _judged(bundle.ratings)
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
            )
        if not judged:
            yield row + _UNRATED


def _judged(ratings: Iterable[RatingRow]) -> dict[tuple[Key, str], dict[str, RatingRow]]:
    """The scores that hold, by what was judged and by rater."""
    keys: dict[str, str] = {}
    found: dict[tuple[Key, str], dict[str, RatingRow]] = {}
    for rating in ratings:
        if rating.kind == TARGET and rating.score is not None:
            key = keys.get(rating.rater) or keys.setdefault(rating.rater, rater_key(rating.rater))
            found.setdefault((rating.key, rating.system), {})[key] = rating
    return found
