"""`python -m core contrast`: how often a metric prefers the good one of two translations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import confirm_cost, exit_on_error, number, output, progress_bar, say, table
from core.cli.options import AsJson, Assignments, Lang, MetricNames, Yes, parse_settings
from core.errors import FileError
from core.hacks.robustness import contrast_texts, judged
from core.metaeval.contrast_sets import ALL, ContrastVerdict, Counts, failures, phenomena, read_contrast_set
from core.metrics import find_metric
from core.text.pair_files import language

Verdicts = Mapping[str, Sequence[ContrastVerdict]]
"""The verdicts on all pairs by metric."""


@exit_on_error
def contrast(
    file: Annotated[
        Path,
        typer.Argument(
            help="Tab-separated file with a header: ref, good, bad, phenomenon and optionally src."
        ),
    ],
    metric: MetricNames,
    lang: Lang = "auto",
    assignments: Assignments = None,
    failed: Annotated[
        int, typer.Option("--failures", min=0, help="Show up to N pairs per metric that count against it.")
    ] = 0,
    as_json: AsJson = False,
    yes: Yes = False,
) -> None:
    """Score the good and the bad translation of each reference and report tau by phenomenon.

    A line that is no pair, such as one with two equal translations, is named and left out.
    """
    settings = parse_settings(metric, assignments)
    left_out: list[FileError] = []
    pairs = read_contrast_set(file, left_out)
    for error in left_out:
        say(f"Left out: {error}")
    code = language(lang, [text for pair in pairs for text in (pair.reference, pair.good)])
    backends, texts = load_backends(), contrast_texts(pairs, code)
    scorers = {
        name: find_metric(name).prepare(options, backends, texts) for name, options in settings.items()
    }
    confirm_cost(list(scorers.values()), texts, yes=yes)
    with progress_bar("scoring") as progress:
        results = judged(pairs, scorers, lang=code, progress=progress)
    with output(None) as out:
        out.write(_as_lines(results) if as_json else _as_table(results))
        for name, verdicts in results.items() if failed else ():
            out.write("".join(map(_failure, [name] * failed, failures(verdicts)[:failed])))
    say(
        f"{len(pairs)} pairs, {len(settings)} metrics"
        + (f", {len(left_out)} lines left out." if left_out else ".")
    )


def _as_table(results: Verdicts) -> str:
    rows = [
        (row.name if row.name != ALL else "all", str(row.n), *(_cell(row.counts[name]) for name in results))
        for row in phenomena(results)
    ]
    columns = ("phenomenon", "n", *results)
    text = table([columns, *rows], right=range(1, len(columns)))
    return (
        f"{text}tau (wins/losses/ties/missing); a win: the good translation scores strictly better; "
        "every other pair counts against\n"
    )


def _cell(counts: Counts) -> str:
    return f"{number(counts.tau)} ({counts.right}/{counts.wrong}/{counts.equal}/{counts.missing})"


def _failure(metric: str, verdict: ContrastVerdict) -> str:
    pair = verdict.pair
    scores = f"good {number(verdict.good)}, bad {number(verdict.bad)}"
    step = f" (lost by the {verdict.fault})" if verdict.fault else ""
    head = f"\n{metric}, line {pair.line}, {pair.phenomenon}: {scores}{step}"
    return f"{head}\n  ref   {pair.reference}\n  good  {pair.good}\n  bad   {pair.bad}\n"


def _as_lines(results: Verdicts) -> str:
    """A JSON line for each pair and metric."""
    rows = (
        {
            "line": verdict.pair.line,
            "phenomenon": verdict.pair.phenomenon,
            "metric": metric,
            "good": verdict.good,
            "bad": verdict.bad,
            "outcome": verdict.outcome,
            **({"fault": verdict.fault} if verdict.fault else {}),
        }
        for metric, verdicts in results.items()
        for verdict in verdicts
    )
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
