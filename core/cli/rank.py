"""`python -m core rank`: systems by mean rank over metrics, or one combined score per segment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, get_args

import typer

from core.cli.console import exit_on_error, output, say, table
from core.cli.options import AsJson, OutFile, choose, named_files, parse_metrics
from core.cli.score_lines import SystemScores, columns, pooled, read_scores, together, whole_scores
from core.errors import OptionError
from core.hacks.mean_rank import How, Standings, combine, mean_rank, without_each
from core.metrics import find_metric
from core.signature import signature

COMBINATIONS: tuple[How, ...] = get_args(How)

Scores = Mapping[str, Mapping[str, float | None]]
"""Scores by metric, then by system."""


@exit_on_error
def rank(
    systems: Annotated[
        list[str], typer.Option("--system", help="Score file of a system as NAME=FILE; repeatable.")
    ],
    metric: Annotated[
        str | None,
        typer.Option("--metric", help="Metrics, separated by commas.", show_default="all common metrics"),
    ] = None,
    segments: Annotated[
        str | None,
        typer.Option("--segments", help="Combine the metrics per segment by rank or z instead of ranking."),
    ] = None,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Rank systems under each metric, on average, and without each metric in turn.

    The score files are the output of score --out.

    BLEU and chrF are corpus scores with score --trace, and means over segments without.
    """
    scored = {name: read_scores(path) for name, path in parse_systems(systems).items()}
    metrics = _select(together(scored), metric)
    if segments is not None:
        lines = segment_lines(scored, metrics, choose("--segments", segments, COMBINATIONS))
        with output(out) as file:
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        return
    scores = {name: whole_scores(scored, name) for name in metrics}
    lower = _lower_is_better(metrics)
    standings = mean_rank(scores, lower_is_better=lower)
    without = without_each(scores, lower_is_better=lower)
    for name in metrics:
        if find_metric(name).counted and not pooled(scored, name):
            say(f"{name} is a mean over segments; use score --trace for the corpus score.")
    for name in standings.left_out:
        say(f"{name} is left out: it has no score for some system.")
    with output(out) as file:
        file.write((as_object if as_json else as_table)(standings, without, scores))


def parse_systems(assignments: Sequence[str]) -> dict[str, Path]:
    """NAME=FILE … -> files by name. Raises OptionError for fewer than two systems and repeated names."""
    files = named_files(assignments, "--system")
    if len(files) < 2:
        raise OptionError("Give --system NAME=FILE for at least two systems.")
    return files


def segment_lines(
    scored: Mapping[str, SystemScores], metrics: Sequence[str], how: How
) -> list[dict[str, object]]:
    """A line for each system and segment; the segments of all systems are ranked or scaled together."""
    combined = iter(combine(columns(scored, metrics), how, lower_is_better=_lower_is_better(metrics)))
    segments = sorted(next(iter(scored.values())).by_metric[metrics[0]])
    parameters = {"of": "+".join(metrics), "systems": len(scored), "segments": len(segments)}
    line = signature(f"combined-{how}", parameters)
    return [
        {
            "segment": segment,
            "system": name,
            "metric": f"combined-{how}",
            "score": next(combined),
            "signature": line,
        }
        for name in scored
        for segment in segments
    ]


def as_object(standings: Standings, without: Mapping[str, Standings], scores: Scores) -> str:
    """One line of JSON."""
    document = {
        "metrics": list(standings.metrics),
        "left_out": list(standings.left_out),
        "systems": [
            {
                "system": row.system,
                "mean_rank": row.mean_rank,
                "ranks": dict(row.ranks),
                "scores": {metric: scores[metric][row.system] for metric in scores},
            }
            for row in standings.systems
        ],
        "without": {metric: _mean_ranks(other) for metric, other in without.items()},
    }
    return f"{json.dumps(document, ensure_ascii=False)}\n"


def as_table(standings: Standings, without: Mapping[str, Standings], scores: Scores) -> str:
    """A column for each system, best first: mean rank, score and rank by metric, mean rank without each."""
    names = [row.system for row in standings.systems]
    rows = [["system", *names], ["mean rank", *(f"{row.mean_rank:.2f}" for row in standings.systems)]]
    for metric in standings.metrics:
        cells = [f"{scores[metric][row.system]:.4f} ({row.ranks[metric]:g})" for row in standings.systems]
        rows.append([metric, *cells])
    for metric in standings.metrics:
        if metric in without and (ranks := _mean_ranks(without[metric])):
            rows.append([f"without {metric}", *(f"{ranks[name]:.2f}" for name in names)])
    return table(rows)


def _mean_ranks(standings: Standings) -> dict[str, float]:
    return {row.system: row.mean_rank for row in standings.systems}


def _select(shared: Sequence[str], names: str | None) -> list[str]:
    """The metrics of --metric, or all shared ones. Raises OptionError for metrics that are not shared."""
    metrics = list(shared) if names is None else parse_metrics(names)
    for name in metrics:
        find_metric(name)
        if name not in shared:
            raise OptionError(
                "{name} is not in every file; the common metrics are {shared}.",
                name=name,
                shared=", ".join(shared),
            )
    return metrics


def _lower_is_better(metrics: Sequence[str]) -> list[str]:
    return [name for name in metrics if not find_metric(name).higher_is_better]
