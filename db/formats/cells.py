"""What a cell may say: numbers, times, names and languages. Every error is a FileError with the line."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from core.errors import FileError, InputError
from db.formats.langs import iso_code
from db.names import check_label, check_rater_name

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(sentence: str) -> str:
    """A sentence that quotes a file, with what would break the line or turn it around as U+FFFD."""
    return _UNSHOWN.sub("\ufffd", sentence)


class Where(Protocol):
    """Something in a file that an error can be about."""

    def error(self, problem: str) -> FileError:
        """An error about it, which names the file and the line."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands."""

    path: Path
    line: int

    def error(self, problem: str) -> FileError:
        """An error about this line."""
        return FileError(self.path, one_line(problem), line=self.line)


def read_number(cell: str, place: Where) -> float:
    """A finite number."""
    number = float(cell) if _NUMBER.fullmatch(cell) else math.inf
    if math.isinf(number):
        raise place.error(f"“{cell:.40}” is not a number.")
    return number + 0.0  # -0.0 is 0


def read_score(cell: str, place: Where) -> float:
    """A score from 0 to 100."""
    score = float(cell) if _NUMBER.fullmatch(cell) else -1.0
    if not 0 <= score <= 100:
        raise place.error(f"the score “{cell:.40}” is not a number from 0 to 100.")
    return score + 0.0  # -0.0 is 0


def read_seconds(cell: str, place: Where) -> float | None:
    """A duration or an instant in seconds; None for an empty cell."""
    if cell == "":
        return None
    seconds = float(cell) if _NUMBER.fullmatch(cell) else float("inf")
    if not 0 <= seconds < 1e11:
        raise place.error(f"“{cell:.40}” is not a number of seconds.")
    return seconds


def read_position(cell: str, place: Where) -> int:
    """A position within a document, from 0."""
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 9):
        raise place.error(f"the position “{cell:.40}” is not a whole number from 0 upwards.")
    return int(cell)


def read_instant(cell: str, place: Where) -> datetime | None:
    """An ISO 8601 instant with its offset, in UTC; None for an empty cell."""
    if cell == "":
        return None
    try:
        instant = datetime.fromisoformat(cell)
        if instant.tzinfo is not None:
            return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise place.error(f"“{cell:.40}” is not a time like 2026-01-31T12:00:00+00:00.")


def read_label(cell: str, what: str, place: Where) -> str:
    """The name of a document or system."""
    try:
        return check_label(cell, what)
    except InputError as error:
        raise place.error(_as_part(error)) from error


def read_lang(cell: str, place: Where) -> str:
    """A language as its ISO 639 code."""
    try:
        return iso_code(cell)
    except InputError as error:
        raise place.error(_as_part(error)) from error


def read_rater(cell: str, place: Where) -> str:
    """The name of a rater, trimmed."""
    try:
        return check_rater_name(cell)
    except InputError as error:
        raise place.error(_as_part(error)) from error


def number_text(number: float) -> str:
    """A number as it is written to a file: short, and read back as the same."""
    return str(int(number)) if number.is_integer() else repr(number)


def _as_part(error: InputError) -> str:
    return error.message[:1].lower() + error.message[1:]
