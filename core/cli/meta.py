"""`python -m core meta`: do metrics agree with people? From score files of mt-metrics-eval."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from core.cli.console import exit_on_error, output, say
from core.errors import FileError, OptionError
from core.metaeval.correlation import COEFFICIENTS, GROUPINGS, Coefficient, Grouping
from core.metaeval.evaluation import MetaTable
from core.metaeval.mtme import find_scores, one_of, table_of
from core.metaeval.summary import MetricSummary, summarise

_COLUMNS = (
    ("accuracy", 8), ("kendall_like", 8), ("system_pearson", 8), ("system_accuracy", 9), ("soft_accuracy", 8),
)  # fmt: skip


@exit_on_error
def meta(
    people: Annotated[
        str, typer.Option("--people", help="Human scores: a ….seg.score file, or its name in --folder.")
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="NAME=FILE, once for each; with --folder NAME, or none for all."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="A test set's folder as mt-metrics-eval has it.")
    ] = None,
    pair: Annotated[str | None, typer.Option("--pair", help="Which of its language pairs: en-ja.")] = None,
    documents: Annotated[
        Path | None, typer.Option("--documents", help="The ….docs file: what is drawn together.")
    ] = None,
    domain: Annotated[str | None, typer.Option("--domain", help="Only segments of this domain.")] = None,
    lower: Annotated[
        str, typer.Option("--lower", help="Metrics of which lower is better, with commas.")
    ] = "",
    coefficient: Annotated[str, typer.Option("--coefficient", help=", ".join(COEFFICIENTS))] = "pearson",
    grouping: Annotated[str, typer.Option("--grouping", help=", ".join(GROUPINGS))] = "none",
    seed: Annotated[int, typer.Option("--seed", help="Of bootstrap and permutations.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
) -> None:
    """How well metrics agree with people, on segments and on systems, and which is significantly closer."""
    scores, files, documents = _files(people, metric or [], folder, pair, documents)
    table, docs = table_of(scores, files, documents=documents, lower=_turned(lower, files))
    if domain is not None:
        table = table.among(_inside(domain, docs)[table.item])
    found = _found(table, coefficient, grouping, seed)  # type: ignore[arg-type]  # checked there
    with output(out) as file:
        file.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n" if as_json else _text(found))
    rated = int(np.isfinite(table.people).sum())
    say(
        f"{rated} of {len(table.people)} translations rated, {len(table.systems)} systems, "
        f"{len(files)} metrics; n: those that the metric scored, too."
    )


def _found(table: MetaTable, coefficient: Coefficient, grouping: Grouping, seed: int) -> dict[str, Any]:
    found = summarise(table, coefficient, grouping, seed=seed)
    return {
        "coefficient": coefficient,
        "grouping": grouping,
        "metrics": [_row(one, coefficient) for one in found.metrics],
        "better": [
            {name: getattr(one, name) for name in ("first", "second", "williams", "permutation")}
            for one in found.contrasts
        ],
        "partial": {
            "metrics": list(table.metrics),
            "r": [[_number(x) for x in row] for row in found.partial.r.tolist()],
            "n": found.partial.n.tolist(),
        },
    }


def _row(one: MetricSummary, coefficient: str) -> dict[str, Any]:
    return {
        "metric": one.metric,
        coefficient: one.segment.value,
        "n": one.segment.n,
        "groups": one.segment.groups,
        "r": one.interval.r,
        "low": one.interval.low,
        "high": one.interval.high,
        "accuracy": one.accuracy.value,
        "epsilon": one.accuracy.epsilon,
        "kendall_like": one.kendall_like.value,
        "system_pearson": one.systems.pearson,
        "system_accuracy": one.systems.accuracy,
        "soft_accuracy": one.systems.soft,
        "outliers": list(one.systems.outliers),
    }


def _text(found: dict[str, Any]) -> str:
    rows = found["metrics"]
    width = max(22, *(len(row["metric"]) + 2 for row in rows))
    heads = f"{'acc':>8}{'tau':>8}{'sys r':>8}{'sys acc':>9}{'spa':>8}"
    lines = [f"{'metric':<{width}}{'n':>8}{found['coefficient']:>10}{'r (95 %)':>26}{heads}"]
    for row in rows:
        ends = f"{_shown(row['r'])} ({_shown(row['low'])} … {_shown(row['high'])})"
        rest = "".join(f"{_shown(row[key]):>{room}}" for key, room in _COLUMNS)
        number = _shown(row[found["coefficient"]])
        lines.append(f"{row['metric']:<{width}}{row['n']:>8}{number:>10}{ends:>26}{rest}")
    return "\n".join(lines) + "\n"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _number(value: float) -> float | None:
    return value if value == value else None  # NaN is no JSON


def _turned(lower: str, files: Mapping[str, Path]) -> frozenset[str]:
    """The metrics that --lower names."""
    turned = frozenset(name for name in lower.split(",") if name)
    if not turned <= files.keys():
        unknown = ", ".join(sorted(turned - files.keys()))
        raise OptionError(f"--lower names {unknown}, which --metric does not.")
    return turned


def _inside(domain: str, docs: Sequence[tuple[str, str]]) -> NDArray[np.bool_]:
    """(segments,) which belong to the domain."""
    inside = np.array([one == domain for one, _ in docs], bool)
    if not inside.any():
        there = ", ".join(sorted({one for one, _ in docs}))
        raise OptionError(f"There is no domain {domain}; there are {there}.")
    return inside


def _files(
    people: str, metrics: list[str], folder: Path | None, pair: str | None, documents: Path | None
) -> tuple[Path, dict[str, Path], Path | None]:
    """People's file, the metrics' by name, and the documents'."""
    if folder is None:
        if not metrics:
            raise OptionError("Give --metric NAME=FILE at least once, or --folder.")
        return Path(people), dict(map(_named, metrics)), documents
    found = find_scores(folder, pair)
    if not found.metrics:
        raise FileError(folder, f"has no metrics' scores in “metric-scores/{found.pair}”.")
    files = {name: one_of(folder, "metric", found.metrics, name) for name in metrics or found.metrics}
    return one_of(folder, "human scores", found.people, people), files, documents or found.documents


def _named(pair: str) -> tuple[str, Path]:
    name, equals, file = pair.partition("=")
    if not (name and equals and file):
        raise OptionError(f"--metric “{pair}” is not of the form NAME=FILE.")
    return name, Path(file)
