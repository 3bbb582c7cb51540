"""Lines of scores as they are written, made here or by whoever else, and what is said of them in the end."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.backends import Progress, silent
from core.codec import encode_result
from core.metrics.base import Prepared
from core.scoring import score_prepared
from core.types import Result, TextPair


@dataclass(frozen=True, slots=True)
class Line:
    """A score as it is written: one JSON object, without the end of the line."""

    metric: str
    score: float | None
    text: str


@dataclass(slots=True)
class Total:
    """How many scores there were, how many were missing, and their sum, to the last digit (Neumaier's)."""

    there: int = 0
    missing: int = 0
    _sum: float = 0.0
    _lost: float = 0.0

    def add(self, score: float | None) -> None:
        """The next score; None for a missing one."""
        if score is None:
            self.missing += 1
            return
        self.there += 1
        total = self._sum + score
        larger, smaller = (self._sum, score) if abs(self._sum) >= abs(score) else (score, self._sum)
        self._lost += (larger - total) + smaller
        self._sum = total

    @property
    def mean(self) -> float | None:
        """None without any score."""
        mean = (self._sum + self._lost) / self.there if self.there else None
        return mean if mean is None or math.isfinite(mean) else None


def lines_of(
    pairs: Sequence[TextPair],
    prepared: Sequence[Prepared[Any]],
    *,
    trace: bool = False,
    progress: Progress = silent,
    start: int = 0,
    first: int = 0,
) -> Iterator[list[Line]]:
    """A line per metric for each pair from `start` on. first: the number of the first pair's segment."""
    rows = score_prepared(pairs, prepared, progress=progress, start=start)
    for segment, results in enumerate(rows, first + start):
        yield [_line(segment, result, trace=trace) for result in results]


def _line(segment: int, result: Result[Any], *, trace: bool) -> Line:
    line = {"segment": segment, **encode_result(result, with_trace=trace)}
    return Line(result.metric, result.score, json.dumps(line, ensure_ascii=False))
