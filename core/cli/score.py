"""`python -m core score`: score files of any size line by line, on this machine or on a Ray cluster.

`Checkpoint` is the state of an interrupted run, read from its output file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from core.backends import Progress
from core.backends.ray_engine import RayEngine, engine_of
from core.backends.registry import load_backends
from core.cli.console import confirm_cost, exit_on_error, output, progress_bar, say, say_if_tty
from core.cli.options import (
    Assignments,
    HypFile,
    Lang,
    MetricNames,
    OutFile,
    RefFile,
    SrcFile,
    WithTrace,
    Yes,
    parse_settings,
)
from core.cli.score_lines import Line, Total, lines_of, parse_row
from core.cli.workers import spread, work_for
from core.errors import FileError, OptionError
from core.metrics import find_metric
from core.scoring import Request
from core.signature import differences
from core.text.files import PairFiles, cannot_be_read

TOLERANCE = 1e-6
"""Maximum difference between scores of the same pair in different batches."""

FLUSH_SECONDS = 1.0
"""Maximum time for which finished lines are kept in memory."""


class LineMaker(Protocol):
    """A function that scores the pairs."""

    def __call__(self, *, progress: Progress, start: int) -> Iterator[list[Line]]:
        """The lines of each pair from `start` on."""
        ...


@exit_on_error
def score(
    metric: MetricNames,
    ref: RefFile,
    hyp: HypFile,
    src: SrcFile = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    trace: WithTrace = False,
    out: OutFile = None,
    yes: Yes = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from --out: keep its scores and append the others.")
    ] = False,
    engine: Annotated[
        str | None, typer.Option("--engine", help="Distribute the work: ray, or ray:ADDRESS of a cluster.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Number of workers for --engine.", show_default="one per CPU"),
    ] = None,
) -> None:
    """Score each line of a translation against a reference and write JSON lines.

    Files may have any size. A summary is printed to standard error.
    """
    settings = parse_settings(metric, assignments)
    if resume and out is None:
        raise OptionError("--resume needs --out FILE")
    if workers and not engine:
        raise OptionError("--workers needs --engine ray")
    cluster = engine_of(engine, workers) if engine else None
    pairs = PairFiles(ref, hyp, src, lang)
    if lang == "auto" and pairs.lang == "zh":  # kanji alone may be Japanese, too
        say("The language was taken to be zh; set --lang for another.")
    requests = [Request(name, options) for name, options in settings.items()]
    signatures, make_lines = _prepare(requests, pairs, cluster, trace=trace, yes=yes)
    checkpoint = read_checkpoint(out if resume else None, signatures, segments=len(pairs), trace=trace)
    started = time.perf_counter()
    with progress_bar("scoring", shown=out is not None or not sys.stdout.isatty()) as progress:
        _write(make_lines(progress=progress, start=checkpoint.start), out, checkpoint)
    _print_summary(checkpoint.totals, len(pairs) - checkpoint.segments, time.perf_counter() - started)


def _prepare(
    requests: Sequence[Request], pairs: PairFiles, cluster: RayEngine | None, *, trace: bool, yes: bool
) -> tuple[dict[str, str], LineMaker]:
    """Check all options, load the models and confirm the cost: signatures by metric, and the line maker."""
    backends = load_backends(say=say_if_tty)
    if cluster is not None:
        work = work_for(requests, pairs, backends, trace=trace)
        names = [request.metric for request in requests]
        return dict(zip(names, work.signatures, strict=True)), partial(spread, pairs, work, cluster)
    scorers = {
        request.metric: find_metric(request.metric).prepare(request.settings, backends, pairs)
        for request in requests
    }
    confirm_cost(list(scorers.values()), pairs, yes=yes)
    signatures = {name: scorer.signature for name, scorer in scorers.items()}
    return signatures, partial(lines_of, pairs, list(scorers.values()), trace=trace)


def _write(rows: Iterator[list[Line]], out: Path | None, checkpoint: Checkpoint) -> None:
    """Write the lines as they are made, and add their scores to the totals of the checkpoint."""
    if checkpoint.segments:
        checkpoint.check([line.score for line in next(rows)])
    flushed = time.monotonic()
    with output(out, after=checkpoint.size) as file:
        for row in rows:
            for line in row:
                file.write(f"{line.text}\n")
                checkpoint.totals[line.metric].add(line.score)
            if time.monotonic() - flushed > FLUSH_SECONDS:
                file.flush()
                flushed = time.monotonic()


def _print_summary(totals: Mapping[str, Total], pairs: int, seconds: float) -> None:
    speed = pairs / seconds if seconds else 0
    for name, total in totals.items():
        mean = "–" if total.mean is None else f"{total.mean:.4f}"
        say(f"{name}: mean {mean}, n {total.count}, missing {total.missing}, {speed:.1f} pairs/s")


@dataclass(slots=True)
class Checkpoint:
    """The complete segments of an output file.

    segments: their number. size: their length in bytes. totals: their scores by metric. last: the scores of
    the last one, in the order of the metrics.
    """

    path: Path | None
    segments: int = 0
    size: int = 0
    totals: dict[str, Total] = field(default_factory=dict)
    last: list[float | None] = field(default_factory=list)

    @property
    def start(self) -> int:
        """The segment to resume from: the last one, which is scored again to compare the texts."""
        return max(0, self.segments - 1)

    def add(self, scores: list[float | None], size: int) -> None:
        """Add a segment. size: the length of the file up to its end."""
        for total, score in zip(self.totals.values(), scores, strict=True):
            total.add(score)
        self.segments, self.size, self.last = self.segments + 1, size, scores

    def check(self, scores: Sequence[float | None]) -> None:
        """Raises FileError if these are not the scores of the last segment: the texts have changed."""
        for old, new in zip(self.last, scores, strict=True):
            if old != new and (old is None or new is None or abs(old - new) > TOLERANCE):
                raise FileError(
                    self.path or "",
                    "has other scores for segment {start}, so the texts have changed; write to another file",
                    start=self.start,
                )


def read_checkpoint(
    path: Path | None, signatures: Mapping[str, str], *, segments: int, trace: bool
) -> Checkpoint:
    """The complete segments of an output file; none without a file.

    signatures: by metric, in the order of --metric. Raises FileError for a file with other settings, metrics
    or segments, or written with another value of --trace. The file is not changed.
    """
    checkpoint = Checkpoint(path, totals={metric: Total() for metric in signatures})
    if path is None or not path.exists():
        return checkpoint
    order, scores, size = list(signatures), list[float | None](), 0
    for number, line in enumerate(_complete_lines(path), 1):
        size += len(line)
        row = parse_row(path, number, line)
        metric = order[len(scores)]
        if checkpoint.segments == segments:
            raise FileError(
                path, "has more segments than the texts ({segments})", line=number, segments=segments
            )
        _check_row(path, number, row, checkpoint.segments, metric, signatures[metric])
        if ("trace" in row) != trace and row["score"] is not None:
            raise FileError(path, f"was written with{'out' if trace else ''} --trace", line=number)
        scores.append(row["score"])
        if len(scores) == len(order):
            checkpoint.add(scores, size)
            scores = []
    return checkpoint


def _complete_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file without an unfinished last one."""
    try:
        with path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))
    except OSError as error:
        raise cannot_be_read(path, error) from error


def _check_row(
    path: Path, number: int, row: Mapping[str, Any], segment: int, metric: str, signature: str
) -> None:
    expected = {"segment": segment, "metric": metric}
    wrong = [f"{key} {row[key]}, expected {value}" for key, value in expected.items() if row[key] != value]
    if not wrong:
        wrong = differences(str(row["signature"]), signature)
    if wrong:
        raise FileError(
            path,
            "belongs to a run with other settings ({wrong}); write to another file",
            line=number,
            wrong="; ".join(wrong),
        )
