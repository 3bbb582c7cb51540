"""`python -m core rank`: systems by their mean rank over metrics, or one combined number a segment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, get_args

import typer

from core.cli.console import exit_on_error, named_files, output, parse_metrics, say
from core.cli.score_lines import SystemScores, columns, pooled, read_scores, together, whole_scores
from core.errors import OptionError
from core.hacks.mean_rank import How, Standings, combine, mean_rank, without_each
from core.metrics import find_metric
from core.signature import signature

WAYS = get_args(How)


@exit_on_error
def rank(
    systems: Annotated[
        list[str], typer.Option("--system", help="NAME=FILE with a system's scores; give it for each system.")
    ],
    metric: Annotated[
        str | None, typer.Option("--metric", help="Metrics with commas between; all in common without it.")
    ] = None,
    segments: Annotated[
        str | None, typer.Option("--segments", help="rank or z: one number a segment instead of ranks.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
) -> None:
    """Rank systems under each metric and on average, and without one metric after the other.

    The files hold JSON lines of `score --out`; with `--trace` BLEU and chrF are of the whole set.
    """
    files = parse_systems(systems)
    found = {name: read_scores(path) for name, path in files.items()}
    metrics = _chosen(together(found), metric)
    if segments is not None:
        lines = segment_lines(found, metrics, _way(segments))
        with output(out) as file:
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        return
    scores = {name: whole_scores(found, name) for name in metrics}
    lower = _lower(metrics)
    standings = mean_rank(scores, lower_is_better=lower)
    without = without_each(scores, lower_is_better=lower)
    for name in metrics:
        if find_metric(name).counted and not pooled(found, name):
            say(f"{name} is a mean of segments; score with --trace for that of the whole set.")
    for name in standings.left_out:
        say(f"{name} has no score of some system and counts for none.")
    with output(out) as file:
        file.write((as_object if as_json else as_table)(standings, without, scores))


def parse_systems(assignments: Sequence[str]) -> dict[str, Path]:
    """NAME=FILE … -> file by name. OptionError for fewer than two systems, or a name that comes twice."""
    found = named_files(assignments, "--system")
    if len(found) < 2:
        raise OptionError("Give --system NAME=FILE for at least two systems.")
    return found


def segment_lines(
    found: Mapping[str, SystemScores], metrics: Sequence[str], how: How
) -> list[dict[str, object]]:
    """A line a system and segment. All systems' segments are ranked or standardised together."""
    combined = iter(combine(columns(found, metrics), how, lower_is_better=_lower(metrics)))
    places = sorted(next(iter(found.values())).by_metric[metrics[0]])
    made_by = {"of": "+".join(metrics), "systems": len(found), "segments": len(places)}
    signed = signature(f"combined-{how}", made_by)
    return [
        {
            "segment": place,
            "system": name,
            "metric": f"combined-{how}",
            "score": next(combined),
            "signature": signed,
        }
        for name in found
        for place in places
    ]


def as_object(
    standings: Standings, without: Mapping[str, Standings], scores: Mapping[str, Mapping[str, float | None]]
) -> str:
    """One line of JSON."""
    whole = {
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
        "without": {
            metric: {row.system: row.mean_rank for row in one.systems} for metric, one in without.items()
        },
    }
    return f"{json.dumps(whole, ensure_ascii=False)}\n"


def as_table(
    standings: Standings, without: Mapping[str, Standings], scores: Mapping[str, Mapping[str, float | None]]
) -> str:
    """A column a system, the best first: mean rank, score and rank by metric, mean rank without each."""
    names = [row.system for row in standings.systems]
    less = {metric: {row.system: row.mean_rank for row in one.systems} for metric, one in without.items()}
    rows = [["system", *names], ["mean rank", *(f"{row.mean_rank:.2f}" for row in standings.systems)]]
    for metric in standings.metrics:
        cells = [f"{scores[metric][row.system]:.4f} ({row.ranks[metric]:g})" for row in standings.systems]
        rows.append([metric, *cells])
    for metric in standings.metrics:
        if less.get(metric):
            rows.append([f"without {metric}", *(f"{less[metric][name]:.2f}" for name in names)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join(lines) + "\n"


def _chosen(shared: Sequence[str], wanted: str | None) -> list[str]:
    metrics = list(shared) if wanted is None else parse_metrics(wanted)
    for name in metrics:
        find_metric(name)
        if name not in shared:
            raise OptionError(f"Not every file has scores of {name}; all have {', '.join(shared)}.")
    return metrics


def _lower(metrics: Sequence[str]) -> list[str]:
    return [name for name in metrics if not find_metric(name).higher_is_better]


def _way(name: str) -> How:
    for way in WAYS:
        if name == way:
            return way  # type: ignore[no-any-return]
    raise OptionError(f"--segments {name}: choose {' or '.join(WAYS)}.")
