"""`python -m core certify`: test whether scores depend on order, batch size, neighbours or caches."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say, table
from core.cli.options import AsJson, Assignments, HypFile, Lang, MetricNames, RefFile, SrcFile, parse_settings
from core.hacks.invariance import TOLERANCE, Certificate, Deviation, certify
from core.scoring import Request
from core.text.files import PairFiles

VERDICTS = {True: "same", False: "NOT THE SAME", None: "not judged"}


@exit_on_error
def certificate(
    metric: MetricNames,
    ref: RefFile,
    hyp: HypFile,
    src: SrcFile = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    count: Annotated[int, typer.Option("--pairs", min=1, help="Use only the first N pairs.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Test whether scores depend on anything but the pair.

    Changes the order, batch size, neighbours, caches and number format (bfloat16).

    Exit status 1: a score changed by more than 0.000001. bfloat16 is reported, not judged.
    """
    settings = parse_settings(metric, assignments)
    requests = [Request(name, options) for name, options in settings.items()]
    pairs = PairFiles(ref, hyp, src, lang)[:count]
    with progress_bar("certifying") as progress:
        results = certify(pairs, requests, load_backends(), progress=progress)
    with output(None) as file:
        file.write(as_object(results) if as_json else as_table(results))
    if not results.holds:
        say(f"A score depends on more than its pair: it changed by more than {TOLERANCE:g}.")
        raise typer.Exit(1)


def as_object(results: Certificate) -> str:
    """One line of JSON."""
    document = {"tolerance": TOLERANCE, "holds": results.holds, **asdict(results)}
    return f"{json.dumps(document, ensure_ascii=False)}\n"


def as_table(results: Certificate) -> str:
    """A row for each metric and condition, then the signatures."""
    rows = [("metric", "condition", "largest change", "segment", "verdict"), *map(_row, results.changes)]
    other = [line for name, line in results.other.items() if line != results.signatures[name]]
    signatures = "".join(f"{line}\n" for line in (*results.signatures.values(), *other))
    return f"{results.pairs} pairs\n{table(rows)}{signatures}"


def _row(change: Deviation) -> tuple[str, str, str, str, str]:
    largest = "–" if change.largest is None else f"{change.largest:.2g}"
    segment = "–" if change.pair is None else str(change.pair)
    lost = f"; {change.lost} scores only in one run" if change.lost else ""
    return change.metric, change.condition, largest, segment, f"{VERDICTS[change.holds]}{lost}"
