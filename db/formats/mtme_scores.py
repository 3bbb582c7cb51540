"""Segment scores of mt-metrics-eval: a system and a score on each line, system after system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core.errors import FileError
from core.text.encoding import read_text, split_lines
from db.formats.bundle import Key, RatingRow, ReadOptions
from db.formats.cells import Place, read_number, read_rater
from db.formats.draft import Draft
from db.formats.scale import SCALES, Scale

_OTHER_SCALES = re.compile(r"(.*[.-])?([pcs]{0,2}sqm|mqm|z)([.-].*)?", re.IGNORECASE)
"""Scores that are no ratings from 0 to 100 even where each of them lies between."""


def add_scores(
    draft: Draft, path: Path, name: str, rater: str, keys: Sequence[Key], options: ReadOptions
) -> list[str]:
    """Add a file's scores as ratings by a rater; notes if they cannot be. Raises FileError.

    Scores are rescaled only from the scale that was told: a file with any score outside it, or outside 0 to
    100, or on another scale by its `name`, is left out as a whole.
    """
    scale, top = Scale.of(path, options), SCALES[options.scale or "0-100"]
    rows = _rows(path, options.limit_bytes)
    misfit = _misfit(name, [score for _, _, score in rows if score is not None], top)
    if misfit:
        return [f"{path.name}: {misfit}"]
    unknown: dict[str, int] = {}
    next_segment: dict[str, int] = {}
    for place, system, score in rows:
        if system not in draft.systems:
            unknown[system] = unknown.get(system, 0) + (score is not None)
            continue
        number = next_segment.get(system, 0)
        next_segment[system] = number + 1
        if number >= len(keys):
            raise place.error(f"“{system}” has more scores than there are segments ({len(keys)}).")
        if score is not None:
            value = scale.read(repr(score), place)
            draft.ratings.append(RatingRow(keys[number], system, read_rater(rater, place), value))
    for system, count in next_segment.items():
        if count != len(keys):
            raise FileError(path, f"has {count} scores of “{system}”, but there are {len(keys)} segments.")
    scale.settle()
    return [
        f"{path.name}: {count} scores of “{system:.80}”, which has no output, were left out."
        for system, count in unknown.items()
        if count
    ]


def _misfit(name: str, scores: Sequence[float], top: float) -> str:
    """Why a file's scores are no ratings from 0 to `top`; empty where they are."""
    if not scores:
        return "there is no score in it."
    if _OTHER_SCALES.fullmatch(name):
        return f"“{name}” scores are not from 0 to 100; they were left out."
    low, high = min(scores), max(scores)
    if low < 0 or high > top:
        return f"its scores go from {low:g} to {high:g}, not from 0 to {top:g}; they were left out."
    return ""


def _rows(path: Path, limit_bytes: int) -> list[tuple[Place, str, float | None]]:
    rows: list[tuple[Place, str, float | None]] = []
    for number, line in enumerate(split_lines(read_text(path, limit_bytes=limit_bytes)), start=1):
        place = Place(path, number)
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != 2:
            raise place.error("is not a system, a tab and a score.")
        rows.append((place, cells[0], None if cells[1] == "None" else read_number(cells[1], place)))
    return rows
