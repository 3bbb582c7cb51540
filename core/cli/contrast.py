"""`python -m core contrast`: how often a metric prefers the good one of two translations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends
from core.cli.console import (
    confirm_cost,
    exit_on_error,
    output,
    parse_metrics,
    parse_settings,
    progress_bar,
    say,
)
from core.hacks.robustness import contrast_texts, judged
from core.metaeval.contrast_sets import ALL, ContrastVerdict, Counts, failures, phenomena, read_contrast_set
from core.metrics import find_metric
from core.text.files import language

Found = Mapping[str, Sequence[ContrastVerdict]]


@exit_on_error
def contrast(
    file: Annotated[Path, typer.Argument(help="With tabs and a header: ref, good, bad, phenomenon[, src].")],
    metric: Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")],
    lang: Annotated[str, typer.Option("--lang", help="Language of the texts: ja, en, … or auto.")] = "auto",
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
    ] = None,
    failed: Annotated[int, typer.Option("--failures", min=0, help="Show so many for each metric.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Every pair, as JSON lines.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask a language model without asking you first.")
    ] = False,
) -> None:
    """Score the good and the bad translation of each reference; tau by phenomenon, and what went wrong."""
    metrics = parse_metrics(metric)
    settings = parse_settings(assignments or [], metrics)
    pairs = read_contrast_set(file)
    spoken = language(lang, [text for one in pairs for text in (one.reference, one.good)])
    backends, texts = load_backends(), contrast_texts(pairs, spoken)
    prepared = {name: find_metric(name).prepare(given, backends, texts) for name, given in settings.items()}
    confirm_cost(list(prepared.values()), texts, yes=yes)
    with progress_bar("scoring") as progress:
        found = judged(pairs, prepared, lang=spoken, progress=progress)
    with output(None) as out:
        out.write(_lines(found) if as_json else _table(found))
        for name, verdicts in found.items() if failed else ():
            out.write("".join(map(_failure, [name] * failed, failures(verdicts)[:failed])))
    say(f"{len(pairs)} pairs, {len(metrics)} metrics.")


def _table(found: Found) -> str:
    rows = phenomena(found)
    width = max(len(row.name) for row in rows) + 2
    lines = [f"{'phenomenon':<{max(width, 12)}}{'n':>5}" + "".join(f"{name:>26}" for name in found)]
    for row in rows:
        cells = "".join(f"{_cell(row.counts[name]):>26}" for name in found)
        lines.append(f"{row.name if row.name != ALL else 'all':<{max(width, 12)}}{row.n:>5}{cells}")
    lines.append("tau (good above bad / bad above good / equal or missing)")
    return "\n".join(lines) + "\n"


def _cell(one: Counts) -> str:
    tau = "–" if one.tau is None else f"{one.tau:.3f}"
    return f"{tau} ({one.right}/{one.wrong}/{one.equal + one.missing})"


def _failure(metric: str, one: ContrastVerdict) -> str:
    head = f"\n{metric}, line {one.pair.line}, {one.pair.phenomenon}: good {one.good:.3f}, bad {one.bad:.3f}"
    return f"{head}\n  ref   {one.pair.reference}\n  good  {one.pair.good}\n  bad   {one.pair.bad}\n"


def _lines(found: Found) -> str:
    """A JSON line for each pair and metric."""

    def line(metric: str, one: ContrastVerdict) -> dict[str, Any]:
        return {
            "line": one.pair.line,
            "phenomenon": one.pair.phenomenon,
            "metric": metric,
            "good": one.good,
            "bad": one.bad,
            "outcome": one.outcome,
        }

    rows = (line(metric, one) for metric, verdicts in found.items() for one in verdicts)
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
