"""Going on with a file of scores that a run left unfinished: what of it stays, and what is still to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.cli.score_run import Total
from core.errors import FileError
from core.signature import differences

TOLERANCE = 1e-6
"""Scores of the same texts differ by less, wherever and with whichever others they are made."""


@dataclass(slots=True)
class Kept:
    """Segments whose lines are all there, how many bytes they take, and their scores by metric.

    last: the scores of the last of them, in the metrics' order.
    """

    segments: int = 0
    size: int = 0
    totals: dict[str, Total] = field(default_factory=dict)
    last: list[float | None] = field(default_factory=list)

    @property
    def start(self) -> int:
        """Where to go on: at the last segment; scored again it tells whether the texts are the same."""
        return max(0, self.segments - 1)

    def check(self, path: Path, scores: Sequence[float | None]) -> None:
        """Raises FileError where the last segment's scores are others now: the texts have changed."""
        same = [
            one == other or (None not in (one, other) and abs(one - other) <= TOLERANCE)  # type: ignore[operator]
            for one, other in zip(self.last, scores, strict=True)
        ]
        if not all(same):
            raise FileError(
                path,
                f"holds other scores of segment {self.start} than these texts have; write to another file",
            )


def kept_of(path: Path, signatures: Mapping[str, str], *, segments: int, trace: bool) -> Kept:
    """What stays of a file, which may not be there yet. Half a line, or half a segment, at its end does not.

    signatures: by metric, in the order asked for. Raises FileError for lines of another run: of other
    settings, metrics or segments, with or without traces; nothing is changed.
    """
    kept = Kept(totals={metric: Total() for metric in signatures})
    if not path.exists():
        return kept
    order, scores, size = list(signatures), list[float | None](), 0
    for number, (line, ended) in enumerate(_lines(path), 1):
        size += ended
        row = _row(path, number, line)
        metric = order[len(scores)]
        if kept.segments == segments:
            raise FileError(path, f"has more segments than the texts have ({segments})", line=number)
        _check(path, number, row, {"segment": kept.segments, "metric": metric}, signatures[metric])
        if ("trace" in row) != trace and row["score"] is not None:
            raise FileError(path, f"was written with{'out' if trace else ''} --trace", line=number)
        scores.append(row["score"])
        if len(scores) == len(order):
            for name, score in zip(order, scores, strict=True):
                kept.totals[name].add(score)
            kept.segments, kept.size, kept.last = kept.segments + 1, size, scores
            scores = []
    return kept


def _lines(path: Path) -> Iterator[tuple[bytes, int]]:
    """Whole lines and their lengths in bytes."""
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line, len(line)
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error})") from error


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
        found = {key: row[key] for key in ("segment", "metric", "signature", "score")}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileError(
            path, "is no line of python -m core score, so nothing can go on", line=number
        ) from error
    return found | ({"trace": True} if "trace" in row else {})


def _check(
    path: Path, number: int, row: Mapping[str, Any], place: Mapping[str, object], signature: str
) -> None:
    wrong = [
        f"{key} {row[key]} stands where {value} is next" for key, value in place.items() if row[key] != value
    ]
    if not wrong:
        wrong = differences(str(row["signature"]), signature)
    if wrong:
        raise FileError(
            path, f"was begun by another run ({'; '.join(wrong)}); write to another file", line=number
        )
