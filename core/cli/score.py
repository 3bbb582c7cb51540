"""`python -m core score`: two files of any size, line by line; here or by many workers.

A run that was interrupted resumes from its file of scores.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from core.backends import Progress
from core.backends.ray_engine import RayEngine, engine_of
from core.backends.registry import load_backends
from core.cli.console import (
    confirm_cost,
    exit_on_error,
    output,
    parse_metrics,
    parse_settings,
    progress_bar,
    say,
    say_if_tty,
)
from core.cli.score_lines import Line, Total, lines_of
from core.cli.workers import spread, work_for
from core.errors import FileError, OptionError
from core.metrics import find_metric
from core.scoring import Request
from core.signature import differences
from core.text.files import PairFiles

TOLERANCE = 1e-6
"""Scores of the same texts differ by less, wherever and with whichever others they are made."""


@dataclass(slots=True)
class Checkpoint:
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


def read_checkpoint(path: Path, signatures: Mapping[str, str], *, segments: int, trace: bool) -> Checkpoint:
    """What stays of a file, which may not be there yet. Half a line, or half a segment, at its end does not.

    signatures: by metric, in the order asked for. Raises FileError for lines of another run: of other
    settings, metrics or segments, with or without traces; nothing is changed.
    """
    kept = Checkpoint(totals={metric: Total() for metric in signatures})
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


FLUSHED = 1.0  # seconds after which lines are in the file, whatever happens


Metric = Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")]
Ref = Annotated[Path, typer.Option("--ref", help="References, one segment a line.")]
Hyp = Annotated[Path, typer.Option("--hyp", help="Translations, line by line.")]
Src = Annotated[Path | None, typer.Option("--src", help="Sources, line by line.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of reference and hypothesis: ja, en, … or auto.")]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
]
WithTrace = Annotated[bool, typer.Option("--trace", help="Write the evidence with each score.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]
Yes = Annotated[bool, typer.Option("--yes", help="Ask a language model without asking you first.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where --out FILE ends.")]
Engine = Annotated[
    str | None, typer.Option("--engine", help="ray, or ray:ADDRESS of a cluster: many workers.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="How many, with --engine; else one a processor.")
]


@exit_on_error
def score(
    metric: Metric,
    ref: Ref,
    hyp: Hyp,
    src: Src = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    trace: WithTrace = False,
    out: Out = None,
    yes: Yes = False,
    resume: Resume = False,
    engine: Engine = None,
    workers: Workers = None,
) -> None:
    """Score two files of any size line by line; JSON lines out, a summary on standard error."""
    metrics = parse_metrics(metric)
    settings = parse_settings(assignments or [], metrics)
    if resume and out is None:
        raise OptionError("--resume needs --out FILE: the file to go on with")
    if workers and not engine:
        raise OptionError("--workers needs --engine ray")
    chosen = engine_of(engine, workers) if engine else None
    pairs = PairFiles(ref, hyp, src, lang)
    run = _Run([Request(name, settings[name]) for name in metrics], pairs, chosen, trace=trace, yes=yes)
    kept = Checkpoint(totals={name: Total() for name in metrics})
    if resume and out is not None:
        kept = read_checkpoint(out, run.signatures, segments=len(pairs), trace=trace)
    started = time.perf_counter()
    lines_on_terminal = out is None and sys.stdout.isatty()
    with progress_bar("scoring", shown=not lines_on_terminal) as progress:
        _write(_going_on(run.lines(progress, kept.start), out, kept), out, kept)
    _summary(kept.totals, len(pairs) - kept.segments, time.perf_counter() - started)


class _Run:
    """What was asked for, with its options settled: nothing wrong is found out after a line was written."""

    def __init__(
        self,
        requests: Sequence[Request],
        pairs: PairFiles,
        engine: RayEngine | None,
        *,
        trace: bool,
        yes: bool,
    ) -> None:
        self._pairs, self._engine, self._trace = pairs, engine, trace
        backends = load_backends(say=say_if_tty)
        if engine is None:
            self._prepared = [
                find_metric(one.metric).prepare(one.settings, backends, pairs) for one in requests
            ]
            confirm_cost(self._prepared, pairs, yes=yes)
            signed = [one.signature for one in self._prepared]
        else:
            self._work = work_for(requests, pairs, backends, trace=trace)
            signed = list(self._work.signatures)
        self.signatures = {one.metric: line for one, line in zip(requests, signed, strict=True)}

    def lines(self, progress: Progress, start: int) -> Iterator[list[Line]]:
        """The lines of each pair from `start` on."""
        if self._engine is not None:
            return spread(self._pairs, self._work, self._engine, progress=progress, start=start)
        return lines_of(self._pairs, self._prepared, trace=self._trace, progress=progress, start=start)


def _going_on(rows: Iterator[list[Line]], out: Path | None, kept: Checkpoint) -> Iterator[list[Line]]:
    """The rows that are not in the file yet. Raises FileError where it is of other texts."""
    if kept.segments and out is not None:
        kept.check(out, [line.score for line in next(rows)])
    return rows


def _write(rows: Iterator[list[Line]], out: Path | None, kept: Checkpoint) -> None:
    flushed = time.monotonic()
    with output(out, after=kept.size) as file:
        for row in rows:
            for line in row:
                file.write(f"{line.text}\n")
                kept.totals[line.metric].add(line.score)
            if time.monotonic() - flushed > FLUSHED:
                file.flush()
                flushed = time.monotonic()


def _summary(totals: Mapping[str, Total], scored: int, seconds: float) -> None:
    speed = scored / seconds if seconds else 0
    for name, total in totals.items():
        mean = "–" if total.mean is None else f"{total.mean:.4f}"
        say(f"{name}: mean {mean}, n {total.there}, missing {total.missing}, {speed:.1f} pairs/s")
