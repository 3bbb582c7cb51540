"""Ratings in a file of their own, for texts of any format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from core.errors import FileError, OptionError
from core.text.encoding import split_lines
from db.formats import score_ratings
from db.formats.bundle import Bundle, ReadOptions
from db.formats.detect import is_score_row, read_head
from db.formats.reference import with_reference
from db.formats.table_ratings import read_ratings
from db.formats.tables import REFERENCE

Reader = Callable[[Path, ReadOptions], Bundle]

_TABLE = {"annotator", "system", "seg_id", "score"}


def _add_table(bundle: Bundle, path: Path, options: ReadOptions) -> Bundle:
    by_id = {segment.external_id: segment for segment in bundle.segments if segment.external_id}
    systems = {system.name for system in with_reference(bundle, [REFERENCE]).systems}
    ratings, notes = read_ratings(path, by_id, systems, options)
    bundle = with_reference(bundle, dict.fromkeys(row.system for row in ratings))
    return replace(bundle, ratings=ratings, notes=(*bundle.notes, *notes))


RATINGS: Mapping[str, Callable[[Bundle, Path, ReadOptions], Bundle]] = {
    "wmt-csv": score_ratings.add_ratings,
    "appraise-csv": score_ratings.add_ratings,
    "tables": _add_table,
}
"""Formats of files with ratings alone; the last is a ratings.tsv."""


def with_ratings(read: Reader, *, own: bool = False) -> Reader:
    """A reader of texts that also reads the ratings file of its options, if there is one.

    own: the reader knows a kind of ratings file itself, which those of another kind are told from.
    """

    def both(path: Path, options: ReadOptions) -> Bundle:
        file = options.ratings_file
        if file is None or (own and options.ratings_format is None and _shape(file) is None):
            return read(path, options)
        bundle = read(path, replace(options, ratings_file=None))
        if bundle.ratings:
            raise OptionError(f"{path} holds ratings of its own; leave the second file with ratings out.")
        return RATINGS[kind_of(file, options)](bundle, file, options)

    return both


def kind_of(path: Path, options: ReadOptions) -> str:
    """The format of a file with ratings, as told or by its shape.

    Raises OptionError for one that is none of `RATINGS`, and FileError when its shape does not tell.
    """
    told = options.ratings_format
    if told is not None and told not in RATINGS:
        raise OptionError(f"There is no format of ratings “{told:.40}”; choose one of {', '.join(RATINGS)}.")
    found = told or _shape(path)
    if found is None:
        names = ", ".join(RATINGS)
        raise FileError(
            path, f"has no shape of ratings that is known; tell it with --ratings-format: {names}."
        )
    return found


def _shape(path: Path) -> str | None:
    first = next(iter(split_lines(read_head(path))), "")
    if set(first.split("\t")) >= _TABLE:
        return "tables"
    return "wmt-csv" if is_score_row(first) else None
