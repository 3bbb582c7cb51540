"""The command line of the scoring core: `python -m core list|score|explain|…`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends, why_not
from core.cli.calibrate import calibrate_app
from core.cli.certify import certificate
from core.cli.console import check_text, exit_on_error, output, parse_metrics, parse_settings, say_if_tty
from core.cli.contrast import contrast
from core.cli.grid import grid
from core.cli.hack import hack
from core.cli.idf import idf_app
from core.cli.meta import meta
from core.cli.rank import rank
from core.cli.score import score
from core.codec import encode_result
from core.errors import OptionError
from core.metrics import find_metric, known_metrics
from core.metrics.base import Metric
from core.text.files import language
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

MetricOption = Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of reference and hypothesis: ja, en, … or auto.")]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
]


@app.command("list")
@exit_on_error
def list_metrics(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON list instead of a table.")] = False,
) -> None:
    """Show every metric: what it needs, its range and direction, its options, whether it can run here."""
    rows = [_describe(spec) for spec in known_metrics().values()]
    with output(None) as file:
        file.write(f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n" if as_json else _table(rows))


@app.command()
@exit_on_error
def explain(
    metric: MetricOption,
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
    prepared = find_metric(name).prepare(settings[name], load_backends(say=say_if_tty), [pair])
    result: Result[Any] = prepared.score(pair)
    with output(None) as file:
        file.write(json.dumps(encode_result(result, with_trace=True), ensure_ascii=False) + "\n")


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


def _describe(spec: Metric[Any]) -> dict[str, Any]:
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
