"""`python -m core meta --pointing`: whether metrics find errors where people mark them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import number, output, progress_bar, say, say_if_tty, table
from core.cli.marked_files import evidence_of, read_marked, sampled
from core.cli.options import parse_settings
from core.errors import OptionError
from core.metaeval.pointing import FIGURES, LEAST, Pointing, PointingTable, pointing
from core.metrics import METRICS, find_metric
from core.stats.estimate import Estimate
from core.text.pair_files import language

FEW_DOCUMENTS = 10

WithPointing = Annotated[
    bool,
    typer.Option(
        "--pointing",
        help="Measure whether metrics find errors where people mark them. --people is an MQM file (TSV), "
        "--metric the names of metrics.",
    ),
]
Reference = Annotated[
    str | None,
    typer.Option("--reference", help="With --pointing: the system in the file that is the reference."),
]
Segments = Annotated[
    int | None, typer.Option("--segments", min=1, help="With --pointing: number of segments to draw.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSample:
    """What is taken of a file: so many of its segments, drawn by seed, in a language or `auto`.

    reference: the system that is the reference, None for that of the metadata.
    """

    reference: str | None
    segments: int | None
    lang: str
    seed: int


def point(
    people: Path,
    metrics: Sequence[str],
    assignments: Sequence[str] | None,
    drawn: MarkedSample,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Score the marked translations of a file and write how well each metric points.

    Raises OptionError for a metric that says nothing of single places or asks a language model.
    """
    settings = parse_settings(",".join(metrics), assignments)
    for name in settings:
        if find_metric(name).evidence is None:
            able = ", ".join(one for one, metric in METRICS.items() if metric.evidence is not None)
            raise OptionError(
                "{metric} says nothing of single places in a translation; choose from {metrics}.",
                metric=name,
                metrics=able,
            )
        if find_metric(name).costs:
            raise OptionError(
                "{metric} asks a language model; score a campaign with it and use python -m db pointing.",
                metric=name,
            )
    pairs = sampled(read_marked(people, drawn.reference), drawn.segments, seed=drawn.seed)
    code = language(drawn.lang, [one.reference for one in pairs[:200]])
    with progress_bar("scoring") as progress:
        found = evidence_of(
            [one.pair(code) for one in pairs], settings, load_backends(say=say_if_tty), progress=progress
        )
    write_pointing(pointing([one.marked for one in pairs], found, seed=drawn.seed), out, as_json=as_json)


def write_pointing(found: Pointing, out: Path | None, *, as_json: bool) -> None:
    """Write a pointing as tables or as JSON; what to keep in mind goes to standard error."""
    with output(out) as file:
        file.write(
            json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n" if as_json else _as_tables(found)
        )
    everything = found.everything
    if everything.marked < LEAST:
        say(f"Fewer than {LEAST} translations are marked in part ({everything.marked}).")
    elif everything.documents < FEW_DOCUMENTS:
        say(
            f"The number of documents is {everything.documents}; intervals from fewer than {FEW_DOCUMENTS} "
            "are rough."
        )


def _as_tables(found: Pointing) -> str:
    text = _as_table(found.everything)
    if found.twice is not None:
        text += f"\nTranslations that two raters have marked:\n{_as_table(found.twice)}"
    return text


def _as_table(found: PointingTable) -> str:
    columns = ("", "AP in texts (95 %)", "AUC in texts (95 %)", "pooled AP (95 %)", "pooled AUC (95 %)")
    rows = [(one.name, *(_between(getattr(one, figure)) for figure in FIGURES)) for one in found.rows]
    return table([columns, *rows], right=range(1, len(columns))) + (
        f"{found.texts} ratings of translations in {found.documents} documents, {found.marked} with a mark "
        f"in part of the text; {number(found.share)} of {found.characters} characters are marked.\n"
    )


def _between(one: Estimate) -> str:
    return f"{number(one.value)} ({number(one.low)} … {number(one.high)})"
