"""`python -m core agreement`: whether raters agree, from a table of ratings without a database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.console import exit_on_error, number, output, say, table
from core.cli.options import AsJson, OutFile, Seed, choose, split_names
from core.cli.tables import table_rows
from core.errors import FileError
from core.raters.ratings import METHODS, Rating, normalise, summarise
from core.raters.reliability import Reliability, intervals, reliability
from core.stats.estimate import Estimate

_FIGURES = {
    "mean_r": "mean Pearson r",
    "mean_spearman": "mean Spearman rho",
    "mean_kendall": "mean Kendall tau",
    "icc_single": "ICC(2,1)",
    "icc_mean": "ICC(2,k)",
    "alpha": "Krippendorff's alpha",
}
"""Keys of the figures in --json, and their names in the table."""


@exit_on_error
def agreement(
    file: Annotated[
        Path,
        typer.Argument(
            help="Table with one rating per row: CSV, TSV, XLSX or JSON lines.", show_default=False
        ),
    ],
    rater: Annotated[str, typer.Option("--rater", help="Column of the rater.")] = "rater",
    item: Annotated[
        str,
        typer.Option("--item", help="Columns that together name what was rated, such as doc,segment,system."),
    ] = "item",
    score: Annotated[str, typer.Option("--score", help="Column of the score.")] = "score",
    method: Annotated[
        str, typer.Option("--method", help=f"Normalisation of each rater's scores: {', '.join(METHODS)}.")
    ] = "raw",
    seed: Seed = 0,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Report whether raters agree: correlations of every two, ICC, Krippendorff's alpha, and each rater.

    Several scores of one rater for one item count as their mean. Rows without a score are left out.
    """
    scale = choose("--method", method, METHODS)
    given = read_ratings(file, rater, split_names(item), score)
    scaled = normalise(given, method=scale)
    for skipped in scaled.skipped:
        say(f"Left out under --method {scale}: rater {skipped.rater}, whose scores do not vary.")
    results = _results(scaled.ratings, seed)
    with output(out) as target:
        target.write(
            json.dumps(results, ensure_ascii=False, indent=1) + "\n" if as_json else _as_table(results)
        )
    say(f"{len(given)} ratings, {len(results['raters'])} raters.")


def read_ratings(path: Path, rater: str, item: Sequence[str], score: str) -> list[Rating]:
    """The rows that have a score. Raises FileError for a column that lacks and a score that is no number."""
    found = []
    for line, row in table_rows(path, [rater, *item, score]):
        text = row[score].strip()
        if not text:
            continue
        try:
            value = float(text)
        except ValueError as error:
            raise FileError(path, "“{score:.40}” is not a number.", line=line, score=text) from error
        found.append(Rating(row[rater], tuple(row[name] for name in item), value))
    if not found:
        raise FileError(path, "has no scores.")
    return found


def _results(ratings: Sequence[Rating], seed: int) -> dict[str, Any]:
    """The results as --json writes them."""
    found, drawn = reliability(ratings), intervals(ratings, seed)
    figures: dict[str, Estimate] = {
        name: drawn.get(name) or getattr(found, name)  # type: ignore[call-overload]
        for name in _FIGURES
    }
    return {
        "figures": {name: asdict(figure) for name, figure in figures.items()},
        "raters": [asdict(one) | _others(found, one.rater) for one in summarise(ratings)],
        "pairs": [asdict(pair) for pair in found.pairs],
    }


def _others(found: Reliability, rater: str) -> dict[str, float | None]:
    """The mean r of the other raters, and its difference to everyone's."""
    (row,) = [one for one in found.without if one.rater == rater]
    return {"mean_r_without": row.mean_r.value, "change": row.change}


def _as_table(results: dict[str, Any]) -> str:
    figures = [
        (label, number(found["value"]), f"{number(found['low'])} … {number(found['high'])}", str(found["n"]))
        for name, label in _FIGURES.items()
        for found in [results["figures"][name]]
    ]
    raters = [
        (
            one["rater"],
            str(one["n"]),
            *(number(one[name]) for name in ("mean", "sd", "low", "high", "mean_r_without")),
        )
        for one in results["raters"]
    ]
    pairs = [
        (f"{one['first']} × {one['second']}", str(one["n"]), *map(number, _coefficients(one)))
        for one in results["pairs"]
    ]
    return "\n".join(
        [
            table([("agreement", "value", "95 %", "pairs or items"), *figures], right=(1, 2, 3)),
            table(
                [("rater", "n", "mean", "sd", "lowest", "highest", "mean r without"), *raters],
                right=range(1, 7),
            ),
            table([("pair", "items", "pearson", "spearman", "kendall"), *pairs], right=range(1, 5)),
        ]
    )


def _coefficients(pair: dict[str, Any]) -> list[float | None]:
    return [pair[name] for name in ("pearson", "spearman", "kendall")]
