"""The command line of the scoring core: `python -m core list|score|explain|bench`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from core.backends.loaded import load_backends, why_not
from core.calibrate_cli import calibrate_app
from core.certify_cli import certificate
from core.cli import (
    check_text,
    honest_exit,
    output,
    parse_metrics,
    parse_settings,
    say,
    whisper,
)
from core.codec import encode_result
from core.contrast_cli import contrast
from core.errors import OptionError
from core.grid_cli import grid
from core.hack_cli import hack
from core.idf_cli import idf_app
from core.meta_cli import meta
from core.metrics import find_metric, known_metrics
from core.metrics.spec import Spec
from core.pair_files import language
from core.rank_cli import rank
from core.score_cli import score
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
app.command("score")(score)
app.command("contrast")(contrast)
app.command("grid")(grid)

Metric = Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of reference and hypothesis: ja, en, … or auto.")]
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
    prepared = find_metric(name).prepare(settings[name], load_backends(say=whisper), [pair])
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


if __name__ == "__main__":
    app()
