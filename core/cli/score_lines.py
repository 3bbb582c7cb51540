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
from core.text.files import read_text, split_lines
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
    prepared: Sequence[Scorer[Any]],
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


BySegment = dict[int, Result[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """The scores of one system: by metric, then by segment; and the metrics' signatures."""

    path: Path
    by_metric: Mapping[str, BySegment]
    signatures: Mapping[str, str]


def read_scores(path: Path) -> SystemScores:
    """Read a file. FileError names the line that is no score, comes twice, or has another signature."""
    by_metric: dict[str, BySegment] = {}
    signatures: dict[str, str] = {}
    for number, line in enumerate(split_lines(read_text(path)), 1):
        if not line.strip():
            continue
        segment, result = _result(path, number, line)
        if signatures.setdefault(result.metric, result.signature) != result.signature:
            differ = "; ".join(differences(signatures[result.metric], result.signature))
            raise FileError(path, f"has two signatures of {result.metric} ({differ})", line=number)
        if segment in by_metric.setdefault(result.metric, {}):
            raise FileError(path, f"has segment {segment} under {result.metric} twice", line=number)
        by_metric[result.metric][segment] = result
    if not by_metric:
        raise FileError(path, "holds no scores; write them with python -m core score --out FILE")
    return SystemScores(path=path, by_metric=by_metric, signatures=signatures)


def together(systems: Mapping[str, SystemScores]) -> tuple[str, ...]:
    """The metrics that every system has, in the first one's order.

    Raises InputError where none is left, where systems have other segments, or scores that cannot be compared
    because their signatures differ.
    """
    first, *others = systems.values()
    metrics = tuple(name for name in first.by_metric if all(name in one.by_metric for one in others))
    if not metrics:
        raise InputError("The files have no metric in common; score all systems under the same metrics.")
    for metric in metrics:
        for other in others:
            differ = differences(first.signatures[metric], other.signatures[metric])
            if differ:
                raise InputError(
                    f"The scores of {metric} in {first.path} and {other.path} cannot be compared "
                    f"({'; '.join(differ)}); score them with the same settings."
                )
            if first.by_metric[metric].keys() != other.by_metric[metric].keys():
                raise InputError(
                    f"{first.path} and {other.path} have other segments under {metric}; "
                    "score the same segments for all systems."
                )
    return metrics


def whole_scores(systems: Mapping[str, SystemScores], metric: str) -> dict[str, float | None]:
    """Each system's score under a metric over the segments that have one for every system; None without any.

    Of counts where traces are there (`pooled`), else the mean.
    """
    results = [one.by_metric[metric] for one in systems.values()]
    shared = [place for place in results[0] if all(one[place].score is not None for one in results)]
    counted = pooled(systems, metric)
    found: dict[str, float | None] = {}
    for name, one in zip(systems, results, strict=True):
        pool = find_metric(metric).pool() if counted else MeanPool()
        for place in shared:
            pool.add(one[place])
        found[name] = pool.score
    return found


def pooled(systems: Mapping[str, SystemScores], metric: str) -> bool:
    """Whether BLEU or chrF can be computed from counts: every line has its trace."""
    lines = [result for one in systems.values() for result in one.by_metric[metric].values()]
    return find_metric(metric).counted and all(result.trace is not None for result in lines)


def columns(systems: Mapping[str, SystemScores], metrics: Sequence[str]) -> dict[str, list[float | None]]:
    """By metric the scores of all systems' segments, one system behind the other."""
    return {
        metric: [
            result.score for one in systems.values() for _, result in sorted(one.by_metric[metric].items())
        ]
        for metric in metrics
    }


def _result(path: Path, number: int, line: str) -> tuple[int, Result[Any]]:
    try:
        row = json.loads(line)
        segment, metric, signature, score = (row[key] for key in ("segment", "metric", "signature", "score"))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileError(path, "is no line of python -m core score --out FILE", line=number) from error
    there = isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score)
    if type(segment) is not int or not isinstance(metric, str) or not isinstance(signature, str):
        raise FileError(path, "has no segment number, metric and signature of the right kind", line=number)
    if score is not None and not there:
        raise FileError(path, "has a score that is no number", line=number)
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
    named = isinstance(parts, dict) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        for value in parts.values()
    )
    if not named:
        raise FileError(path, "has parts that are no numbers with names", line=number)
    return {name: float(value) for name, value in parts.items()}  # type: ignore[attr-defined]


def _flags(path: Path, number: int, flags: object) -> tuple[str, ...]:
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        raise FileError(path, "has flags that are no list of words", line=number)
    return tuple(flags)


def _trace(path: Path, number: int, metric: str, document: object) -> Any:  # noqa: ANN401 - any trace
    """Only the traces that hold counts are kept."""
    if not find_metric(metric).counted or document is None:
        return None
    try:
        trace = decode_trace(document)  # type: ignore[arg-type]
        trace.parts()  # what cannot be computed is no trace
    except (InputError, TypeError, KeyError, ValueError, AttributeError) as error:
        raise FileError(
            path, "has a trace that cannot be read; write the scores anew", line=number
        ) from error
    if not isinstance(trace, find_metric(metric).trace):
        raise FileError(path, f"has a trace of another metric than {metric}", line=number)
    return trace
