"""`python -m core certify`: whether the numbers depend on order, batches, neighbours or memory."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, parse_metrics, parse_settings, progress_bar, say
from core.hacks.invariance import TOLERANCE, Certificate, Deviation, certify
from core.scoring import Request
from core.text.files import PairFiles

VERDICTS = {True: "same", False: "NOT THE SAME", None: "not judged"}


@exit_on_error
def certificate(
    metric: Annotated[str, typer.Option("--metric", help="A metric, or several with commas between.")],
    ref: Annotated[Path, typer.Option("--ref", help="References, one segment a line.")],
    hyp: Annotated[Path, typer.Option("--hyp", help="Translations, line by line.")],
    src: Annotated[Path | None, typer.Option("--src", help="Sources, line by line.")] = None,
    lang: Annotated[str, typer.Option("--lang", help="Language of the texts: ja, en, … or auto.")] = "auto",
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
    ] = None,
    count: Annotated[int, typer.Option("--pairs", min=1, help="So many of the first pairs.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Score again in other orders, batches and company, cold and warm, and in bfloat16; say what moved.

    Exit status 1 if a score moved by more than 0.000001; bfloat16 is reported and not judged.
    """
    metrics = parse_metrics(metric)
    settings = parse_settings(assignments or [], metrics)
    requests = [Request(name, settings[name]) for name in metrics]
    pairs = PairFiles(ref, hyp, src, lang)[:count]
    with progress_bar("certifying") as progress:
        found = certify(pairs, requests, load_backends(), progress=progress)
    with output(None) as file:
        file.write(as_object(found) if as_json else as_table(found))
    if not found.holds:
        say(f"A score depends on more than its pair: it moved by more than {TOLERANCE:g}.")
        raise typer.Exit(1)


def as_object(found: Certificate) -> str:
    """One line of JSON."""
    whole = {"tolerance": TOLERANCE, "holds": found.holds, **asdict(found)}
    return f"{json.dumps(whole, ensure_ascii=False)}\n"


def as_table(found: Certificate) -> str:
    """A line for each metric and condition, then what made the numbers."""
    lines = [
        f"{found.pairs} pairs",
        f"{'metric':<19} {'condition':<12} {'largest change':<15} segment  verdict",
    ]
    lines += [_line(change) for change in found.changes]
    lines += list(found.signatures.values())
    lines += [signed for name, signed in found.other.items() if signed != found.signatures[name]]
    return "\n".join(lines) + "\n"


def _line(change: Deviation) -> str:
    largest = "–" if change.largest is None else f"{change.largest:.2g}"
    where = "–" if change.pair is None else str(change.pair)
    lost = f"; {change.lost} scores came or went" if change.lost else ""
    shown = f"{change.metric:<19} {change.condition:<12} {largest:<15} {where:<8}"
    return f"{shown} {VERDICTS[change.holds]}{lost}"
