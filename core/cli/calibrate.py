"""`python -m core calibrate fit|score`: fit a score to the ratings of your own raters, and apply it.

`fit` reads score files, a table of ratings and a .docs file, reports the cross-validated correlation with the
ratings as text or JSON, and writes the model. `score` applies a model to new translations.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from core.calibration.calibrate import Calibration, calibrate
from core.calibration.features import features_of
from core.calibration.files import METRIC, apply, dump, load
from core.calibration.model import FAMILIES, check_families
from core.calibration.training import SCALES, Training, training
from core.calibration.validation import TARGET_GAIN, Inside, Validation, weights_by_feature
from core.cli.console import exit_on_error, number, output, progress_bar, say, table
from core.cli.options import AsJson, Domain, OutFile, Seed, choose, in_domain, named_files
from core.cli.score_lines import read_scores, together
from core.errors import FileError, InputError, OptionError
from core.metaeval.mtme import read_documents, read_seg_scores
from core.metrics import METRICS
from core.raters.ratings import Rating
from core.stats.estimate import Estimate
from core.text.files import parse_number, read_lines
from core.types import Result

COLUMNS = ("segment", "system", "score")
ALL_FAMILIES = ",".join(FAMILIES)
RATER = "rater"
"""Optional column, and the name of the rater without it."""

Rows = dict[tuple[str, int], Mapping[str, Result[Any]]]
"""Results by system and segment, then by metric."""

Scores = Annotated[
    list[str], typer.Option("--scores", help="Output of score --out as SYSTEM=FILE; repeatable.")
]
Ref = Annotated[Path | None, typer.Option("--ref", help="Reference file; adds text lengths as features.")]
Hyp = Annotated[
    list[str] | None,
    typer.Option("--hyp", help="Translation file as SYSTEM=FILE, for text lengths; repeatable."),
]

calibrate_app = typer.Typer(help="Fit a score to your raters and apply it.", no_args_is_help=True)


Ratings = Annotated[
    Path,
    typer.Option("--people", help="Ratings: a table with segment, system, score, rater; or .seg.score."),
]
DocumentFile = Annotated[
    Path, typer.Option("--documents", help="The .docs file: domain, tab and document per segment.")
]
ModelFile = Annotated[Path | None, typer.Option("--out", help="Model file to write (JSON).")]
Scale = Annotated[str, typer.Option("--scale", help=f"Normalisation of the ratings: {' or '.join(SCALES)}.")]
Families = Annotated[
    str,
    typer.Option(
        "--model", help="Models, separated by commas; the best is selected by inner cross-validation."
    ),
]
More = Annotated[int, typer.Option("--more", min=1, help="Number of further ratings to extrapolate to.")]


@calibrate_app.command("fit")
@exit_on_error
def fit_command(
    scores: Scores,
    people: Ratings,
    documents: DocumentFile,
    ref: Ref = None,
    hyp: Hyp = None,
    out: ModelFile = None,
    domain: Domain = None,
    scale: Scale = "z",
    model: Families = ALL_FAMILIES,
    more: More = 50,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Fit a model to ratings and report its correlation with the ratings of held-out documents."""
    families = check_families(model.split(","))
    data = _training(scores, people, documents, ref, hyp, domain=domain, scale=scale)
    with progress_bar("calibrating") as progress:
        results = calibrate(data, families=families, seed=seed, more=more, progress=progress)
    with output(None) as file:
        if as_json:
            file.write(json.dumps(as_json_object(results), ensure_ascii=False, indent=1) + "\n")
        else:
            file.write(as_text(results))
    if out is not None:
        with output(out) as file:
            file.write(dump(results.saved))


@calibrate_app.command("score")
@exit_on_error
def score_command(
    model: Annotated[Path, typer.Argument(help="Model file of calibrate fit.")],
    scores: Scores,
    ref: Ref = None,
    hyp: Hyp = None,
    out: OutFile = None,
) -> None:
    """Apply a model to new translations and write JSON lines.

    The scores must have the signatures that the model was fitted to.
    """
    saved = load(model)
    rows = _rows(scores)
    results = apply(saved, list(rows.values()), _lengths(list(rows), ref, hyp))
    with output(out) as file:
        for (system, segment), result in zip(rows, results, strict=True):
            line: dict[str, object] = {
                "segment": segment,
                "system": system,
                "metric": METRIC,
                "score": result.score,
                "signature": result.signature,
            }
            if result.missing is not None:
                line["missing"] = result.missing
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    say(f"{len(results)} translations, {len({system for system, _ in rows})} systems.")


def read_people(path: Path) -> list[Rating]:
    """The ratings of a file, each of a (system, segment): a table, or a .seg.score file of mt-metrics-eval.

    A table is TSV or CSV with a header of segment (from 0), system, score and optionally rater. Raises
    FileError with the line.
    """
    lines = read_lines(path)
    header = next((line for line in lines if line.strip()), "")
    delimiter = "\t" if "\t" in header else ","
    names = [cell.strip() for cell in header.split(delimiter)]
    if set(COLUMNS) <= set(names):
        return list(_read_table(path, lines, delimiter))
    if delimiter == "\t" and len(names) == 2:
        return [
            Rating(RATER, (system, segment), score)
            for system, scores in read_seg_scores(path).by_system.items()
            for segment, score in enumerate(scores.tolist())
            if not math.isnan(score)
        ]
    raise FileError(
        path,
        "has no header with the columns {columns} (and {rater})",
        line=1,
        columns=", ".join(COLUMNS),
        rater=RATER,
    )


def _read_table(path: Path, lines: list[str], delimiter: str) -> Iterator[Rating]:
    if delimiter == "\t":
        reader = csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.DictReader(lines)
    reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
    for row in reader:
        line = reader.line_num
        segment = _parse_number(path, line, row, "segment")
        if segment < 0 or segment != int(segment):
            raise FileError(path, "has a segment that is not a whole number from 0", line=line)
        if not row["system"]:
            raise FileError(path, "has no system", line=line)
        score = _parse_number(path, line, row, "score")
        yield Rating(row.get(RATER) or RATER, (row["system"].strip(), int(segment)), score)


def _parse_number(path: Path, line: int, row: Mapping[str, str | None], column: str) -> float:
    try:
        return parse_number((row[column] or "").strip())
    except ValueError as error:
        raise FileError(path, "has a {column} that is not a number", line=line, column=column) from error


def _training(
    scores: Sequence[str],
    people: Path,
    documents: Path,
    ref: Path | None,
    hyp: Sequence[str] | None,
    *,
    domain: str | None,
    scale: str,
) -> Training:
    """The rated translations of the domain with their scores as features."""
    normalisation = choose("--scale", scale, SCALES)
    rows = _rows(scores)
    docs = read_documents(documents)
    inside = in_domain(domain, docs)
    rated = [rating for rating in read_people(people) if rating.item in rows]
    cells = [cell for cell in dict.fromkeys(rating.item for rating in rated) if cell in rows]
    for _, segment in cells:
        if segment >= len(docs):
            raise FileError(
                documents,
                "has {n} segments, but {people} has segment {segment}.",
                n=len(docs),
                people=people,
                segment=segment,
            )
    cells = [cell for cell in cells if inside[cell[1]]]
    if not cells:
        raise InputError("No system in --scores has ratings; use the same system names in --people.")
    features = features_of([rows[cell] for cell in cells], _lengths(cells, ref, hyp))
    for name in features.empty:
        say(f"{name} is left out: it has no scores.")
    index = {cell: number for number, cell in enumerate(cells)}
    ratings = [Rating(one.rater, index[one.item], one.score) for one in rated if one.item in index]
    return training(features, ["\t".join(docs[segment]) for _, segment in cells], ratings, normalisation)


def _rows(scores: Sequence[str]) -> Rows:
    """The results of each system's segments for the metrics that all systems share."""
    files = named_files(scores, "--scores", form="SYSTEM=FILE")
    systems = {name: read_scores(path) for name, path in files.items()}
    metrics = together(systems)
    order = [name for name in METRICS if name in metrics] + sorted(set(metrics) - METRICS.keys())
    return {
        (name, segment): {metric: system.by_metric[metric][segment] for metric in order}
        for name, system in systems.items()
        for segment in sorted(system.by_metric[order[0]])
    }


def _lengths(
    cells: Sequence[tuple[str, int]], ref: Path | None, hyp: Sequence[str] | None
) -> list[tuple[int, int]] | None:
    """Code points of the reference and of the translation of each cell; None without the texts."""
    if ref is None and not hyp:
        return None
    if ref is None or not hyp:
        raise OptionError("Give both --ref and --hyp, or neither.")
    references = read_lines(ref)
    files = named_files(hyp, "--hyp", form="SYSTEM=FILE")
    texts = {name: read_lines(path) for name, path in files.items()}
    for system, segment in cells:
        if system not in texts:
            raise OptionError("--hyp has no file for {system}; give one for each system.", system=system)
        for path, lines in ((ref, references), (files[system], texts[system])):
            if segment >= len(lines):
                raise FileError(
                    path, "has {n} lines, but segment {segment} is scored.", n=len(lines), segment=segment
                )
    return [(len(references[segment]), len(texts[system][segment])) for system, segment in cells]


_VERDICTS = {
    "reached": f"The gain is at least {TARGET_GAIN} and its interval is above 0.",
    "gain": f"The gain is significant but smaller than {TARGET_GAIN}.",
    "unsure": "The interval of the gain includes 0: the model may not be better.",
    "none": "There is no single metric to compare with.",
    "worse": "The model is no better than the best single metric.",
}
_REASONS = {
    "few": "there are only {rated} rated translations of {documents} documents.",
    "wide": "with {documents} documents the gain is uncertain by {width:.3f}, more than twice the target.",
    "alone": "no translation has two raters, so the reliability of the ratings is unknown.",
    "disagree": "raters correlate with each other with only r = {r:.2f}, over {n} translations.",
    "alike": "the metrics are correlated (median r with the best one {r:.2f}), so the others add little.",
    "flat": "more ratings of this kind help little ({gain:+.3f} for {more}).",
}


def as_text(results: Calibration) -> str:
    """Tables of correlations, importances and the learning curve, and the gain over the best metric."""
    data, checked = results.data, results.validation
    correlations = [
        ("Pearson r with people", "r", "95 %", "n"),
        _row(f"calibrated ({len(checked.folds)} folds)", checked.calibrated),
        *(_row(f"  {name} alone", estimate) for name, estimate in checked.families.items()),
        *(_row(name, estimate) for name, estimate in checked.metrics.items()),
    ]
    importances = [("r decreases when permuted", "by")]
    importances += [(group.group, f"{group.fall:.3f}") for group in results.importances]
    points = [("training translations", "r")]
    points += [(f"{point.rated:.0f}", f"{point.r:.3f}") for point in results.curve.points]
    notes = [_extrapolation(results)]
    notes += [f"Limit: {_REASONS[reason.why].format(**reason.numbers)}" for reason in results.reasons]
    if data.few:
        notes.append("The data set is small: rely on the intervals.")
    return (
        f"{len(data)} translations of {data.documents} documents, {len(data.ratings.score)} ratings of "
        f"{len(data.ratings.raters)} raters, {len(data.features.names)} features, scale {data.scale}; "
        f"{data.gaps} translations lack the score of some metric.\n\n"
        f"{table(correlations, right=(1, 2, 3))}\n"
        f"gain over {checked.best}: {_with_sign(checked.gain)}. {_VERDICTS[checked.verdict]}\n"
        "The best metric is selected on the same data, which favours it.\n"
        f"{_within_documents(checked)}\n{table(importances, right=(1,))}\n{table(points, right=(1,))}"
        + "".join(f"{note}\n" for note in (*notes, f"signature: {results.saved.signature}"))
    )


def _row(name: str, estimate: Estimate) -> tuple[str, str, str, str]:
    interval = "" if estimate.value is None else "–"
    if estimate.value is not None and estimate.low is not None and estimate.high is not None:
        interval = f"{estimate.low:.3f} … {estimate.high:.3f}"
    return name, number(estimate.value), interval, str(estimate.n)


def _with_sign(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    bounded = estimate.low is not None and estimate.high is not None
    return f"{estimate.value:+.3f}" + (f" ({estimate.low:+.3f} … {estimate.high:+.3f})" if bounded else "")


def _within_documents(checked: Validation) -> str:
    """A line on the gain within documents; empty without it."""
    inside = checked.inside
    if inside is None or inside.calibrated.value is None or inside.gain.value is None:
        return ""
    only_between = inside.gain.value <= 0 < (checked.gain.value or 0.0)
    note = " The gain is between documents only." if only_between else ""
    return (
        f"within documents (mean r): calibrated {number(inside.calibrated.value)}, "
        f"{checked.best} {number(inside.best.value)}, gain {_with_sign(inside.gain)}.{note}\n"
    )


def _extrapolation(results: Calibration) -> str:
    ahead = results.curve.ahead
    if ahead is None:
        return "There is too little data to extrapolate to more ratings."
    return (
        f"with {results.curve.more} more rated translations: r {ahead.gain:+.3f} "
        f"({ahead.low:+.3f} … {ahead.high:+.3f}), if the trend continues."
    )


def as_json_object(results: Calibration) -> dict[str, Any]:
    """The content of `as_text`, and the weights of the ridge model."""
    checked = results.validation
    return {
        "signature": results.saved.signature,
        "facts": dict(results.saved.facts),
        "few": results.data.few,
        "calibrated": _estimate(checked.calibrated),
        "chosen": [model.family for model in checked.models],
        "families": {name: _estimate(estimate) for name, estimate in checked.families.items()},
        "metrics": {name: _estimate(estimate) for name, estimate in checked.metrics.items()},
        "best": checked.best,
        "gain": _estimate(checked.gain),
        "verdict": checked.verdict,
        "inside": None if checked.inside is None else _inside_object(checked.inside),
        "importance": [asdict(group) for group in results.importances],
        "weights": dict(weights_by_feature(checked, results.data.features.names)),
        "curve": asdict(results.curve),
        "why": [asdict(reason) for reason in results.reasons],
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def _inside_object(inside: Inside) -> dict[str, Any]:
    return {
        "calibrated": _estimate(inside.calibrated),
        "best": _estimate(inside.best),
        "gain": _estimate(inside.gain),
    }
