"""Entry point of `python -m core`; the commands are in `core.cli`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from core import __version__
from core.backends.registry import load_backends, why_not
from core.cli.agreement import agreement
from core.cli.align import align
from core.cli.calibrate import calibrate_app
from core.cli.certify import certificate
from core.cli.compare import compare
from core.cli.console import exit_on_error, output, say_if_tty, table
from core.cli.contrast import contrast
from core.cli.grid import grid
from core.cli.hack import hack
from core.cli.idf import idf_app
from core.cli.meta import meta
from core.cli.options import AsJson, Assignments, Lang, check_text, parse_settings
from core.cli.rank import rank
from core.cli.score import score
from core.codec import encode_result
from core.errors import OptionError
from core.metrics import find_metric, known_metrics
from core.metrics.base import Metric
from core.text.files import language
from core.types import Result, TextPair


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"yomikurabe {__version__}")
        raise typer.Exit


app = typer.Typer(
    help="Score translations and explain the scores.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
app.command("compare")(compare)
app.command("agreement")(agreement)
app.command("grid")(grid)
app.command("align")(align)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Score translations and explain the scores."""


@app.command("list")
@exit_on_error
def list_metrics(as_json: AsJson = False) -> None:
    """List all metrics with range, direction, requirements, options and availability."""
    rows = [_describe(metric) for metric in known_metrics().values()]
    with output(None) as file:
        file.write(f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n" if as_json else _as_text(rows))


@app.command()
@exit_on_error
def explain(
    metric: Annotated[str, typer.Option("--metric", help="Metric.")],
    ref: Annotated[str, typer.Option("--ref", help="Reference text.")],
    hyp: Annotated[str, typer.Option("--hyp", help="Translation text.")],
    src: Annotated[str | None, typer.Option("--src", help="Source text.")] = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
) -> None:
    """Score one pair and write the result with its trace as one JSON object."""
    settings = parse_settings(metric, assignments)
    if len(settings) > 1:
        raise OptionError("explain takes one metric, not {metric}; use score for several", metric=metric)
    for option, text in (("--ref", ref), ("--hyp", hyp), ("--src", src or "")):
        check_text(text, option)
    pair = TextPair(reference=ref, hypothesis=hyp, source=src, lang=language(lang, [ref, hyp]))
    ((name, options),) = settings.items()
    scorer = find_metric(name).prepare(options, load_backends(say=say_if_tty), [pair])
    result: Result[Any] = scorer.score(pair)
    with output(None) as file:
        file.write(json.dumps(encode_result(result, with_trace=True), ensure_ascii=False) + "\n")


def _as_text(rows: Sequence[dict[str, Any]]) -> str:
    """A line for each metric, followed by a line for each of its options."""
    heads = table([(row["name"], _summary(row)) for row in rows]).splitlines()
    lines = []
    for head, row in zip(heads, rows, strict=True):
        lines.append(head)
        for option in row["options"]:
            choices = f" ({' or '.join(option['choices'])})" if option["choices"] else ""
            lines.append(f"    {option['name']}={option['default']}: {option['summary']}{choices}")
    return "\n".join(lines) + "\n"


def _summary(row: dict[str, Any]) -> str:
    state = "available" if row["available"] else f"not available: {row['why_not']}"
    better = "higher" if row["higher_is_better"] else "lower"
    needs = f"; needs: {', '.join(row['needs'])}" if row["needs"] else ""
    return f"{row['summary']}; {row['low']:g}…{row['high']:g}, {better} is better{needs} ({state})"


def _describe(metric: Metric[Any]) -> dict[str, Any]:
    """The metric as --json writes it."""
    lacking = why_not(metric.needs)
    return {
        "name": metric.name,
        "summary": metric.summary,
        "needs": list(metric.needs),
        "low": metric.low,
        "high": metric.high,
        "higher_is_better": metric.higher_is_better,
        "paper": metric.paper,
        "source": metric.source.as_json() if metric.source else None,
        "available": lacking is None,
        "why_not": lacking,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "summary": option.summary,
            }
            for option in metric.options
        ],
    }


if __name__ == "__main__":
    app()
