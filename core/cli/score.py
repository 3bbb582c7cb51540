"""`python -m core score`: score files of any size line by line, on this machine or on a Ray cluster.

`Checkpoint` is the state of an interrupted run, read from its output file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Protocol, TextIO

import typer

from core.backends import Backends, Progress
from core.backends.ray_engine import RayEngine, engine_of
from core.backends.registry import load_backends
from core.cli.console import confirm_cost, exit_on_error, output, progress_bar, say, say_if_tty
from core.cli.options import (
    Assignments,
    Fast,
    HypFiles,
    Lang,
    MetricNames,
    OutFile,
    RefFiles,
    SrcFile,
    WithTrace,
    Yes,
    in_fast_format,
    parse_settings,
    reference_files,
    system_files,
)
from core.cli.score_lines import Line, Total, lines_of, parse_row
from core.cli.tables import ScoreTable, format_of, looks_like_a_table, read_pairs
from core.cli.workers import spread, work_for
from core.errors import FileError, OptionError
from core.metrics import find_metric
from core.metrics.base import Scorer
from core.scoring import Request
from core.signature import differences
from core.text.files import cannot_be_read
from core.text.pair_files import PairFiles
from core.types import TextPair

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
    ref: RefFiles = None,
    hyp: HypFiles = None,
    src: SrcFile = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs", help="Table of the texts instead of --ref and --hyp: CSV, TSV, XLSX, JSON lines."
        ),
    ] = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    fast: Fast = False,
    trace: WithTrace = False,
    out: OutFile = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="jsonl, csv or tsv.", show_default="by the ending of --out"),
    ] = None,
    yes: Yes = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 if any score is missing.")] = False,
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

    Files may have any size. A summary is printed to standard error. The exit status is 2 when a metric gave
    no score at all.
    """
    settings = parse_settings(metric, assignments)
    chosen = in_fast_format(settings) if fast else settings
    requests = [Request(name, options) for name, options in chosen.items()]
    if resume and out is None:
        raise OptionError("--resume needs --out FILE")
    if workers and not engine:
        raise OptionError("--workers needs --engine ray")
    systems = _systems(ref, hyp, src, pairs, lang)
    kind = format_of(out, form)
    if (resume or engine) and (len(systems) > 1 or pairs is not None or kind != "jsonl"):
        raise OptionError("--resume and --engine take --ref and one --hyp, and write JSON lines.")
    cluster = engine_of(engine, workers) if engine else None
    run = _Run(requests, cluster, trace=trace, yes=yes, kind=kind)
    run.write(systems, out, resume=resume)
    if any(total.missing and (strict or not total.count) for total in run.totals):
        say("Scores are missing.")
        raise SystemExit(2)


Pairs = Sequence[TextPair]


def _systems(
    ref: Sequence[Path] | None,
    hyp: Sequence[str] | None,
    src: Path | None,
    pairs: Path | None,
    lang: str,
) -> dict[str, Pairs]:
    """The pairs of each system; "" is the name of a single one that was given none."""
    if pairs is not None:
        if ref or hyp or src:
            raise OptionError("--pairs takes the place of --ref, --hyp and --src.")
        return {**read_pairs(pairs, lang)}
    (reference, more), files = reference_files(ref), system_files(hyp or ())
    if not files:
        raise OptionError("{option} is missing.", option="--hyp")
    for path in {reference, *more, *files.values()}:
        if looks_like_a_table(path):
            say(f"{path.name} is read line by line as text; give a table with --pairs.")
    found = {name: PairFiles(reference, path, src, lang, more_refs=more) for name, path in files.items()}
    if lang == "auto" and any(one.lang == "zh" for one in found.values()):  # perhaps Japanese in kanji
        say("The language was taken to be zh; set --lang for another.")
    named = len(files) > 1 or "=" in (hyp or [""])[0]
    return {name if named else "": one for name, one in found.items()}


@dataclass(slots=True)
class _Run:
    """What is scored, how, and what came of it: `totals` of each system and metric."""

    requests: Sequence[Request]
    cluster: RayEngine | None
    _: KW_ONLY
    trace: bool
    yes: bool
    kind: str
    totals: list[Total] = field(default_factory=list)

    def write(self, systems: Mapping[str, Pairs], out: Path | None, *, resume: bool) -> None:
        """Score system by system, write each line as it is made, and print a summary."""
        backends = load_backends(say=say_if_tty)
        ready = {name: self._prepare(pairs, backends) for name, pairs in systems.items()}
        for name, pairs in systems.items():
            confirm_cost(ready[name][2], pairs, yes=self.yes)
        first = next(iter(systems))
        checkpoint = read_checkpoint(
            out if resume else None, ready[first][0], segments=len(systems[first]), trace=self.trace
        )
        with (
            progress_bar("scoring", shown=out is not None or not sys.stdout.isatty()) as progress,
            output(out, after=checkpoint.size) as file,
        ):
            put = ScoreTable(file, self.kind).write if self.kind != "jsonl" else _line_writer(file)
            for name, pairs in systems.items():
                signatures, make_lines, _ = ready[name]
                own = (
                    checkpoint
                    if name == first
                    else Checkpoint(out, totals={one: Total() for one in signatures})
                )
                started, before = time.perf_counter(), own.segments
                _write(make_lines(progress=progress, start=own.start), partial(_named, put, name), own, file)
                _print_summary(own.totals, len(pairs) - before, time.perf_counter() - started, name)
                self.totals += own.totals.values()

    def _prepare(
        self, pairs: Pairs, backends: Backends
    ) -> tuple[dict[str, str], LineMaker, list[Scorer[Any]]]:
        """Check all options and load the models: signatures by metric, the line maker, and the scorers."""
        if self.cluster is not None and isinstance(pairs, PairFiles):
            work = work_for(self.requests, pairs, backends, trace=self.trace)
            names = [request.metric for request in self.requests]
            signatures = dict(zip(names, work.signatures, strict=True))
            return signatures, partial(spread, pairs, work, self.cluster), []
        scorers = {
            request.metric: find_metric(request.metric).prepare(request.settings, backends, pairs)
            for request in self.requests
        }
        signatures = {name: scorer.signature for name, scorer in scorers.items()}
        made = list(scorers.values())
        return signatures, partial(lines_of, pairs, made, trace=self.trace), made


def _line_writer(file: TextIO) -> Callable[[str], None]:
    def put(line: str) -> None:
        file.write(f"{line}\n")

    return put


def _named(put: Callable[[str], None], system: str, line: str) -> None:
    """Write a line; with the system's name where it has one."""
    put(line if not system else f'{{"system": {json.dumps(system, ensure_ascii=False)}, {line[1:]}')


def _write(
    rows: Iterator[list[Line]], put: Callable[[str], None], checkpoint: Checkpoint, file: TextIO
) -> None:
    """Write the lines as they are made, and add their scores to the totals of the checkpoint."""
    if checkpoint.segments:
        checkpoint.check([line.score for line in next(rows)])
    flushed = time.monotonic()
    for row in rows:
        for line in row:
            put(line.text)
            checkpoint.totals[line.metric].add(line.score)
        if time.monotonic() - flushed > FLUSH_SECONDS:
            file.flush()
            flushed = time.monotonic()


def _print_summary(totals: Mapping[str, Total], pairs: int, seconds: float, system: str = "") -> None:
    speed = pairs / seconds if seconds else 0
    for name, total in totals.items():
        mean = "–" if total.mean is None else f"{total.mean:.4f}"
        of = f"{system}, " if system else ""
        say(f"{of}{name}: mean {mean}, n {total.count}, missing {total.missing}, {speed:.1f} pairs/s")


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
