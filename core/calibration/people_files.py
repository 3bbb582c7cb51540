"""People's scores in a file: a table with the columns segment, system and score, and rater where it is known.

TSV or CSV with a header; segments count from 0, as in the JSON lines of scores. Without a column `rater`, all
scores are one rater's. mt-metrics-eval's `….seg.score` (a system, a tab and a score a line) is read, too.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from core.errors import FileError
from core.metaeval.files import read_scores
from core.text.encoding import read_text, split_lines

COLUMNS = ("segment", "system", "score")
RATER = "rater"


class Judged(NamedTuple):
    """What a rater says of a system's translation of a segment."""

    rater: str
    system: str
    segment: int
    score: float


def read_people(path: Path) -> list[Judged]:
    """Every score of the file. Raises FileError, with the line, for another form."""
    lines = split_lines(read_text(path))
    header = next((line for line in lines if line.strip()), "")
    delimiter = "\t" if "\t" in header else ","
    names = [cell.strip() for cell in header.split(delimiter)]
    if set(COLUMNS) <= set(names):
        return list(_table(path, lines, delimiter))
    if delimiter == "\t" and len(names) == 2:
        return [
            Judged(RATER, system, segment, score)
            for system, scores in read_scores(path).by_system.items()
            for segment, score in enumerate(scores.tolist())
            if not math.isnan(score)
        ]
    raise FileError(path, f"has no header with the columns {', '.join(COLUMNS)} (and {RATER})", line=1)


def _table(path: Path, lines: list[str], delimiter: str) -> Iterator[Judged]:
    if delimiter == "\t":
        reader = csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.DictReader(lines)
    reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
    for row in reader:
        line = reader.line_num
        segment = _number(path, line, row, "segment")
        if segment < 0 or segment != int(segment):
            raise FileError(path, "has a segment that is no whole number from 0 on", line=line)
        if not row["system"]:
            raise FileError(path, "names no system", line=line)
        score = _number(path, line, row, "score")
        yield Judged(row.get(RATER) or RATER, row["system"].strip(), int(segment), score)


def _number(path: Path, line: int, row: Mapping[str, str | None], name: str) -> float:
    try:
        value = float(row[name] or "")
    except ValueError:
        value = float("nan")
    if not math.isfinite(value):
        raise FileError(path, f"has a {name} that is no number", line=line)
    return value
