"""`python -m core score`: two files of any size, line by line; here or by many workers."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends import Progress
from core.backends.ray_engine import RayEngine, engine_of
from core.backends.registry import load_backends
from core.cli.console import (
    agree,
    honest_exit,
    output,
    parse_metrics,
    parse_settings,
    progress_bar,
    say,
    whisper,
)
from core.cli.resume import Kept, kept_of
from core.cli.score_run import Line, Total, lines_of
from core.cli.workers import spread, work_for
from core.errors import OptionError
from core.metrics import find_metric
from core.scoring import Request
from core.text.paired import PairFiles

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


@honest_exit
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
    kept = Kept(totals={name: Total() for name in metrics})
    if resume and out is not None:
        kept = kept_of(out, run.signatures, segments=len(pairs), trace=trace)
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
        backends = load_backends(say=whisper)
        if engine is None:
            self._prepared = [
                find_metric(one.metric).prepare(one.settings, backends, pairs) for one in requests
            ]
            agree(self._prepared, pairs, yes=yes)
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


def _going_on(rows: Iterator[list[Line]], out: Path | None, kept: Kept) -> Iterator[list[Line]]:
    """The rows that are not in the file yet. Raises FileError where it is of other texts."""
    if kept.segments and out is not None:
        kept.check(out, [line.score for line in next(rows)])
    return rows


def _write(rows: Iterator[list[Line]], out: Path | None, kept: Kept) -> None:
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
