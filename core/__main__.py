"""The command line of the scoring core: `python -m core list|score|explain|bench`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from core.backends.loaded import load_backends, why_not
from core.calibrate_cli import calibrate_app
from core.certify_cli import certificate
from core.cli import (
    agree,
    check_text,
    honest_exit,
    language,
    output,
    parse_metrics,
    parse_settings,
    progress_bar,
    read_pairs,
    say,
)
from core.codec import encode_result
from core.contrast_cli import contrast
from core.errors import OptionError
from core.hack_cli import hack
from core.idf_cli import idf_app
from core.meta_cli import meta
from core.metrics import find_metric, known_metrics
from core.metrics.spec import Spec
from core.pipeline import score_prepared
from core.rank_cli import rank
from core.types import Result, TextPair

app = typer.Typer(
    help="Score translations and show why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(idf_app, name="idf")
app.add_typer(calibrate_app, name="calibrate")
app.command("hack")(hack)
app.command("meta")(meta)
app.command("certify")(certificate)
app.command("rank")(rank)
app.command("contrast")(contrast)

Metric = Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of reference and hypothesis: ja, en, … or auto.")]
Yes = Annotated[bool, typer.Option("--yes", help="Ask a language model without asking you first.")]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
]


@app.command("list")
@honest_exit
def list_metrics(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list instead of a table.")] = False,
) -> None:
    """Show every metric: what it needs, its range and direction, its options, whether it can run here."""
    rows = [_describe(spec) for spec in known_metrics().values()]
    with output(None) as file:
        file.write(f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n" if as_json else _table(rows))


@app.command()
@honest_exit
def score(
    metric: Metric,
    ref: Annotated[Path, typer.Option("--ref", help="References, one segment a line.")],
    hyp: Annotated[Path, typer.Option("--hyp", help="Translations, line by line.")],
    src: Annotated[Path | None, typer.Option("--src", help="Sources, line by line.")] = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    trace: Annotated[bool, typer.Option("--trace", help="Write the evidence with each score.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
    yes: Yes = False,
) -> None:
    """Score two files line by line; JSON lines out, a summary on standard error."""
    metrics = parse_metrics(metric)
    settings = parse_settings(assignments or [], metrics)
    pairs = read_pairs(ref, hyp, src, lang)
    backends = load_backends(say=_whisper)
    prepared = [find_metric(name).prepare(settings[name], backends, pairs) for name in metrics]
    agree(prepared, pairs, yes=yes)
    started = time.perf_counter()
    lines_on_terminal = out is None and sys.stdout.isatty()
    with progress_bar("scoring", shown=not lines_on_terminal) as progress:
        rows = score_prepared(pairs, prepared, progress=progress)
        totals: dict[str, list[float | None]] = {name: [] for name in metrics}
        with output(out) as file:
            for segment, results in enumerate(rows):
                for result in results:
                    line = {"segment": segment, **encode_result(result, with_trace=trace)}
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    totals[result.metric].append(result.score)
    _summary(totals, time.perf_counter() - started)


@app.command()
@honest_exit
def explain(
    metric: Metric,
    ref: Annotated[str, typer.Option("--ref", help="The reference.")],
    hyp: Annotated[str, typer.Option("--hyp", help="The translation.")],
    src: Annotated[str | None, typer.Option("--src", help="The source.")] = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
) -> None:
    """Score one pair and write the result with its trace as one JSON object."""
    (name, *others) = metrics = parse_metrics(metric)
    if others:
        raise OptionError(f"explain takes one metric, not {metric}; use score for several")
    settings = parse_settings(assignments or [], metrics)
    for option, text in (("--ref", ref), ("--hyp", hyp), ("--src", src or "")):
        check_text(text, option)
    pair = TextPair(reference=ref, hypothesis=hyp, source=src, lang=language(lang, [ref, hyp]))
    prepared = find_metric(name).prepare(settings[name], load_backends(say=_whisper), [pair])
    result: Result[Any] = prepared.score(pair)
    with output(None) as file:
        file.write(json.dumps(encode_result(result, with_trace=True), ensure_ascii=False) + "\n")


@app.command()
@honest_exit
def bench(
    data: Annotated[
        list[Path] | None, typer.Option("--data", help="TSV with columns reference and hypothesis.")
    ] = None,
    lines: Annotated[int, typer.Option("--lines", help="Distinct lines for the memory figure.")] = 20_000,
) -> None:
    """Measure speed and memory; one JSON line on standard output."""
    from core.bench import run_bench

    sys.stdout.write(json.dumps(run_bench(data or [], lines=lines, say=say)) + "\n")


def _table(rows: Sequence[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        state = "available" if row["available"] else f"not available: {row['why_not']}"
        better = "higher" if row["higher_is_better"] else "lower"
        scale = f"{row['low']:g}…{row['high']:g}, {better} is better"
        needs = f"; needs: {', '.join(row['needs'])}" if row["needs"] else ""
        lines.append(f"{row['name']:<17} {row['summary']}; {scale}{needs} ({state})")
        for option in row["options"]:
            choices = f" ({' or '.join(option['choices'])})" if option["choices"] else ""
            lines.append(f"    {option['name']}={option['default']}: {option['summary']}{choices}")
    return "\n".join(lines) + "\n"


def _describe(spec: Spec[Any]) -> dict[str, Any]:
    lacking = why_not(spec.needs)
    return {
        "name": spec.name,
        "summary": spec.summary,
        "needs": list(spec.needs),
        "low": spec.low,
        "high": spec.high,
        "higher_is_better": spec.higher_is_better,
        "paper": spec.paper,
        "available": lacking is None,
        "why_not": lacking,
        "options": [
            {"name": one.name, "default": one.default, "choices": list(one.choices), "summary": one.summary}
            for one in spec.options
        ],
    }


def _whisper(message: str) -> None:
    if sys.stderr.isatty():
        say(message)


def _summary(totals: dict[str, list[float | None]], seconds: float) -> None:
    for name, scores in totals.items():
        there = [value for value in scores if value is not None]
        mean = f"{fmean(there):.4f}" if there else "–"
        speed = len(scores) / seconds if seconds else 0
        say(f"{name}: mean {mean}, n {len(there)}, missing {len(scores) - len(there)}, {speed:.1f} pairs/s")


if __name__ == "__main__":
    app()
