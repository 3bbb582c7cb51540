"""Score lines (JSON): written by `python -m core score`, and read back, one file for each system."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.backends import Progress, silent
from core.codec import decode_trace, encode_result
from core.errors import FileError, InputError
from core.metrics import find_metric
from core.metrics.base import MeanPool, Scorer
from core.scoring import score_prepared
from core.signature import differences
from core.text.files import read_lines
from core.types import Result, TextPair


@dataclass(frozen=True, slots=True)
class Line:
    """A score and its JSON object as text, without a line end."""

    metric: str
    score: float | None
    text: str


@dataclass(slots=True)
class Total:
    """Number, missing number and mean of scores. The sum is compensated (Neumaier)."""

    count: int = 0
    missing: int = 0
    _sum: float = 0.0
    _lost: float = 0.0

    def add(self, score: float | None) -> None:
        """Add a score; None for a missing one."""
        if score is None:
            self.missing += 1
            return
        self.count += 1
        total = self._sum + score
        larger, smaller = (self._sum, score) if abs(self._sum) >= abs(score) else (score, self._sum)
        self._lost += (larger - total) + smaller
        self._sum = total

    @property
    def mean(self) -> float | None:
        """The mean; None without scores."""
        mean = (self._sum + self._lost) / self.count if self.count else None
        return mean if mean is None or math.isfinite(mean) else None


def lines_of(
    pairs: Sequence[TextPair],
    scorers: Sequence[Scorer[Any]],
    *,
    trace: bool = False,
    progress: Progress = silent,
    start: int = 0,
    first: int = 0,
) -> Iterator[list[Line]]:
    """A line per metric for each pair from `start` on. first: the segment of the first pair."""
    rows = score_prepared(pairs, scorers, progress=progress, start=start)
    for segment, results in enumerate(rows, first + start):
        yield [
            Line(
                result.metric,
                result.score,
                json.dumps(
                    {"segment": segment, **encode_result(result, with_trace=trace)}, ensure_ascii=False
                ),
            )
            for result in results
        ]


BySegment = dict[int, Result[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """The scores of a system by metric and segment, and the signatures by metric."""

    path: Path
    by_metric: Mapping[str, BySegment]
    signatures: Mapping[str, str]


def read_scores(path: Path) -> SystemScores:
    """Read a score file. Raises FileError for invalid or repeated lines and for different signatures."""
    by_metric: dict[str, BySegment] = {}
    signatures: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        segment, result = _result(path, number, line)
        if signatures.setdefault(result.metric, result.signature) != result.signature:
            differ = "; ".join(differences(signatures[result.metric], result.signature))
            raise FileError(
                path,
                "has two signatures for {metric} ({differ})",
                line=number,
                metric=result.metric,
                differ=differ,
            )
        if segment in by_metric.setdefault(result.metric, {}):
            raise FileError(
                path,
                "repeats segment {segment} of {metric}",
                line=number,
                segment=segment,
                metric=result.metric,
            )
        by_metric[result.metric][segment] = result
    if not by_metric:
        raise FileError(path, "has no scores; write them with python -m core score --out FILE")
    return SystemScores(path=path, by_metric=by_metric, signatures=signatures)


def together(systems: Mapping[str, SystemScores]) -> tuple[str, ...]:
    """The metrics that all systems share, in the order of the first.

    Raises InputError if there are none, and if segments or signatures differ between systems.
    """
    first, *others = systems.values()
    metrics = tuple(name for name in first.by_metric if all(name in other.by_metric for other in others))
    if not metrics:
        raise InputError("The files have no metric in common; score all systems with the same metrics.")
    for metric in metrics:
        for other in others:
            differ = differences(first.signatures[metric], other.signatures[metric])
            if differ:
                raise InputError(
                    "The scores of {metric} in {first} and {other} cannot be compared "
                    "({difference}); score them with the same settings.",
                    metric=metric,
                    first=first.path,
                    other=other.path,
                    difference="; ".join(differ),
                )
            if first.by_metric[metric].keys() != other.by_metric[metric].keys():
                raise InputError(
                    "{first} and {other} have different segments for {metric}; score the same "
                    "segments for all systems.",
                    first=first.path,
                    other=other.path,
                    metric=metric,
                )
    return metrics


def whole_scores(systems: Mapping[str, SystemScores], metric: str) -> dict[str, float | None]:
    """Each system's score over the segments that have a score for every system; None without such segments.

    The corpus score if the traces are there (`pooled`), else the mean.
    """
    by_segment = [scores.by_metric[metric] for scores in systems.values()]
    shared = [
        segment
        for segment in by_segment[0]
        if all(results[segment].score is not None for results in by_segment)
    ]
    counted = pooled(systems, metric)
    whole: dict[str, float | None] = {}
    for name, results in zip(systems, by_segment, strict=True):
        pool = find_metric(metric).pool() if counted else MeanPool()
        for segment in shared:
            pool.add(results[segment])
        whole[name] = pool.score
    return whole


def pooled(systems: Mapping[str, SystemScores], metric: str) -> bool:
    """Whether the metric is computed from counts and every line has its trace."""
    lines = [result for scores in systems.values() for result in scores.by_metric[metric].values()]
    return find_metric(metric).counted and all(result.trace is not None for result in lines)


def columns(systems: Mapping[str, SystemScores], metrics: Sequence[str]) -> dict[str, list[float | None]]:
    """The scores by metric: the segments of the first system, then those of the second, and so on."""
    return {
        metric: [
            result.score
            for scores in systems.values()
            for _, result in sorted(scores.by_metric[metric].items())
        ]
        for metric in metrics
    }


def parse_row(path: Path, number: int, line: str | bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises FileError if it lacks a segment, metric, signature or score."""
    try:
        row: dict[str, Any] = json.loads(line)
        for key in ("segment", "metric", "signature", "score"):
            row[key]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileError(path, "is not a line of python -m core score --out", line=number) from error
    return row


def _result(path: Path, number: int, line: str) -> tuple[int, Result[Any]]:
    row = parse_row(path, number, line)
    segment, metric, signature, score = (row[key] for key in ("segment", "metric", "signature", "score"))
    if type(segment) is not int or not isinstance(metric, str) or not isinstance(signature, str):
        raise FileError(path, "has an invalid segment, metric or signature", line=number)
    if score is not None and not _is_finite(score):
        raise FileError(path, "has a score that is not a number", line=number)
    return segment, Result(
        metric=metric,
        score=None if score is None else float(score),
        signature=signature,
        parts=_parts(path, number, row.get("parts", {})),
        flags=_flags(path, number, row.get("flags", [])),
        missing="it was missing" if score is None else None,
        trace=_trace(path, number, metric, row.get("trace")),
    )


def _parts(path: Path, number: int, parts: object) -> dict[str, float]:
    if not isinstance(parts, dict) or not all(map(_is_finite, parts.values())):
        raise FileError(path, "has parts that are not an object of numbers", line=number)
    return {name: float(value) for name, value in parts.items()}


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _flags(path: Path, number: int, flags: object) -> tuple[str, ...]:
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        raise FileError(path, "has flags that are not a list of strings", line=number)
    return tuple(flags)


def _trace(path: Path, number: int, metric: str, document: object) -> Any:  # noqa: ANN401 - any trace
    """The trace of a metric that is computed from counts; None for other metrics."""
    if not find_metric(metric).counted or document is None:
        return None
    try:
        trace = decode_trace(document)  # type: ignore[arg-type]
        trace.parts()  # raises if the trace is incomplete
    except (InputError, TypeError, KeyError, ValueError, AttributeError) as error:
        raise FileError(path, "has an invalid trace; score the texts again", line=number) from error
    if not isinstance(trace, find_metric(metric).trace):
        raise FileError(path, "has a trace that does not belong to {metric}", line=number, metric=metric)
    return trace
