"""`python -m core calibrate fit|score`: a score fitted to one's own raters, and given to new translations.

People's scores in a file: a table with the columns segment, system and score, and rater where it is known.

TSV or CSV with a header; segments count from 0, as in the JSON lines of scores. Without a column `rater`, all
scores are one rater's. mt-metrics-eval's `….seg.score` (a system, a tab and a score a line) is read, too.

What was found, as lines for a terminal and as one JSON object.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from core.calibration.calibrate import Calibration, calibrate
from core.calibration.features import features_of
from core.calibration.files import METRIC, apply, dump, load
from core.calibration.model import FAMILIES, check_families
from core.calibration.training import SCALES, Training, training
from core.calibration.validation import TARGET_GAIN, Validation, weights_by_feature
from core.cli.console import exit_on_error, named_files, output, progress_bar, say
from core.cli.score_lines import read_scores, together
from core.errors import FileError, InputError, OptionError
from core.metaeval.mtme import read_documents, read_seg_scores
from core.metrics import METRICS
from core.raters.ratings import Rating
from core.stats.estimate import Estimate
from core.text.files import read_text, split_lines
from core.types import Result

COLUMNS = ("segment", "system", "score")
RATER = "rater"


class PeopleScore(NamedTuple):
    """What a rater says of a system's translation of a segment."""

    rater: str
    system: str
    segment: int
    score: float


def read_people(path: Path) -> list[PeopleScore]:
    """Every score of the file. Raises FileError, with the line, for another form."""
    lines = split_lines(read_text(path))
    header = next((line for line in lines if line.strip()), "")
    delimiter = "\t" if "\t" in header else ","
    names = [cell.strip() for cell in header.split(delimiter)]
    if set(COLUMNS) <= set(names):
        return list(_table(path, lines, delimiter))
    if delimiter == "\t" and len(names) == 2:
        return [
            PeopleScore(RATER, system, segment, score)
            for system, scores in read_seg_scores(path).by_system.items()
            for segment, score in enumerate(scores.tolist())
            if not math.isnan(score)
        ]
    raise FileError(path, f"has no header with the columns {', '.join(COLUMNS)} (and {RATER})", line=1)


def _table(path: Path, lines: list[str], delimiter: str) -> Iterator[PeopleScore]:
    if delimiter == "\t":
        reader = csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.DictReader(lines)
    reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
    for row in reader:
        line = reader.line_num
        segment = _number(path, line, row, "segment")
        if segment < 0 or segment != int(segment):
            raise FileError(path, "has a segment that is no whole number from 0 on", line=line)
        if not row["system"]:
            raise FileError(path, "names no system", line=line)
        score = _number(path, line, row, "score")
        yield PeopleScore(row.get(RATER) or RATER, row["system"].strip(), int(segment), score)


def _number(path: Path, line: int, row: Mapping[str, str | None], name: str) -> float:
    try:
        value = float(row[name] or "")
    except ValueError:
        value = float("nan")
    if not math.isfinite(value):
        raise FileError(path, f"has a {name} that is no number", line=line)
    return value


_VERDICTS = {
    "reached": f"The gain is at least {TARGET_GAIN} and its interval lies above 0.",
    "gain": f"The gain is certain but smaller than {TARGET_GAIN}.",
    "unsure": "The interval of the gain holds 0: whether the model is better is not certain.",
    "none": "There is no single metric to compare with.",
    "worse": "The model is no better than the best single metric.",
}
_WHY = {
    "few": "there are only {rated} rated translations of {documents} documents.",
    "wide": "{documents} documents leave the gain open by {width:.3f}, more than twice what was hoped for.",
    "alone": "no translation has two raters, so nobody knows how much of their scores is chance.",
    "disagree": "raters agree with one another with r = {r:.2f} only, over {n} translations.",
    "alike": "the metrics say much the same (median r with the best one {r:.2f}), so they add little to it.",
    "flat": "more ratings of this kind hardly help ({gain:+.3f} for {more}).",
}


def as_text(found: Calibration) -> str:
    """A table of correlations, the gain and what it means, importances, the learning curve."""
    data, checked = found.data, found.validation
    lines = [
        f"{len(data)} translations of {data.documents} documents, {len(data.ratings.score)} ratings of "
        f"{len(data.ratings.raters)} raters, {len(data.features.names)} features, scale {data.scale}; "
        f"{data.gaps} translations have a gap, where a metric gave no score.",
        "",
        f"{'Pearson r with people':<24}{'r':>8}{'95 %':>18}{'n':>7}",
        _row(f"calibrated ({len(checked.folds)} folds)", checked.calibrated),
        *(_row(f"  {name} alone", one) for name, one in checked.families.items()),
        *(_row(name, one) for name, one in checked.metrics.items()),
        "",
        f"gain over {checked.best}: {_signed(checked.gain)}. {_VERDICTS[checked.verdict]}",
        "The best metric is picked on the same data, which favours it.",
        *_inside(checked),
        "",
        f"{'r falls when shuffled':<24}{'by':>8}",
        *(f"{one.group:<24}{one.fall:>8.3f}" for one in found.importances),
        "",
        f"{'learning from':<24}{'r':>8}",
        *(f"{one.rated:<24.0f}{one.r:>8.3f}" for one in found.curve.points),
        _ahead(found),
    ]
    lines.extend(f"Why not more: {_WHY[one.why].format(**one.numbers)}" for one in found.reasons)
    if data.few:
        lines.append("This is little data: believe the intervals, not the figures.")
    return "\n".join([*lines, f"signature: {found.saved.signature}"]) + "\n"


def _row(name: str, one: Estimate) -> str:
    if one.value is None:
        return f"{name:<24}{'–':>8}{'':>18}{one.n:>7}"
    ends = "–" if one.low is None or one.high is None else f"{one.low:.3f} … {one.high:.3f}"
    return f"{name:<24}{one.value:>8.3f}{ends:>18}{one.n:>7}"


def _signed(one: Estimate) -> str:
    if one.value is None:
        return "–"
    ends = "" if one.low is None or one.high is None else f" ({one.low:+.3f} … {one.high:+.3f})"
    return f"{one.value:+.3f}{ends}"


def _inside(checked: Validation) -> list[str]:
    """Whether the gain is there inside documents, too."""
    one = checked.inside
    if one is None or one.calibrated.value is None or one.gain.value is None:
        return []
    only_apart = one.gain.value <= 0 < (checked.gain.value or 0.0)
    apart = " What is gained comes from telling documents apart." if only_apart else ""
    return [
        f"inside documents (mean r): calibrated {one.calibrated.value:.3f}, {checked.best} "
        f"{one.best.value:.3f}, gain {_signed(one.gain)}.{apart}"
    ]


def _ahead(found: Calibration) -> str:
    one = found.curve.ahead
    if one is None:
        return "There is too little to say what more ratings would bring."
    return (
        f"with {found.curve.more} more rated translations: r {one.gain:+.3f} "
        f"({one.low:+.3f} … {one.high:+.3f}), if it goes on as it went."
    )


def as_json_object(found: Calibration) -> dict[str, Any]:
    """Everything of `as_text`, and the ridge's weights."""
    checked = found.validation
    return {
        "signature": found.saved.signature,
        "facts": dict(found.saved.facts),
        "few": found.data.few,
        "calibrated": asdict(checked.calibrated),
        "chosen": [model.family for model in checked.models],
        "families": {name: asdict(one) for name, one in checked.families.items()},
        "metrics": {name: asdict(one) for name, one in checked.metrics.items()},
        "best": checked.best,
        "gain": asdict(checked.gain),
        "verdict": checked.verdict,
        "inside": None if checked.inside is None else asdict(checked.inside),
        "importance": [asdict(one) for one in found.importances],
        "weights": dict(weights_by_feature(checked, found.data.features.names)),
        "curve": asdict(found.curve),
        "why": [asdict(one) for one in found.reasons],
    }


calibrate_app = typer.Typer(
    help="A score fitted to one's own raters: learnt, tested by document, given to new translations.",
    no_args_is_help=True,
)
Rows = dict[tuple[str, int], Mapping[str, Result[Any]]]
Scores = Annotated[
    list[str], typer.Option("--scores", help="SYSTEM=FILE of score --out; give it for each system.")
]
Ref = Annotated[Path | None, typer.Option("--ref", help="The references, for their lengths.")]
Hyp = Annotated[
    list[str] | None, typer.Option("--hyp", help="SYSTEM=FILE, the translations, for their lengths.")
]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]


@calibrate_app.command("fit")
@exit_on_error
def fit_command(
    scores: Scores,
    people: Annotated[
        Path, typer.Option("--people", help="A table with segment, system, score and rater; or ….seg.score.")
    ],
    documents: Annotated[
        Path, typer.Option("--documents", help="Domain, tab and document of each segment, a ….docs file.")
    ],
    ref: Ref = None,
    hyp: Hyp = None,
    out: Annotated[Path | None, typer.Option("--out", help="The model to write, JSON.")] = None,
    domain: Annotated[str | None, typer.Option("--domain", help="Only segments of this domain.")] = None,
    scale: Annotated[str, typer.Option("--scale", help=f"People's scores: {' or '.join(SCALES)}.")] = "z",
    model: Annotated[
        str, typer.Option("--model", help="With commas, of which the best is taken inside the folds.")
    ] = ",".join(FAMILIES),
    more: Annotated[int, typer.Option("--more", min=1, help="How many more ratings to look ahead.")] = 50,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of folds, trees and bootstrap.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The findings as one JSON object.")] = False,
) -> None:
    """Fit to people's scores, and say how well it agrees with them on documents that it has not seen."""
    families = check_families(model.split(","))
    data = _training(scores, people, documents, ref, hyp, domain=domain, scale=scale)
    with progress_bar("calibrating", shown=True) as progress:
        found = calibrate(data, families=families, seed=seed, more=more, progress=progress)
    with output(None) as file:
        told = json.dumps(as_json_object(found), ensure_ascii=False, indent=1) + "\n"
        file.write(told if as_json else as_text(found))
    if out is not None:
        with output(out) as file:
            file.write(dump(found.saved))


@calibrate_app.command("score")
@exit_on_error
def score_command(
    model: Annotated[Path, typer.Argument(help="A model that calibrate fit wrote.")],
    scores: Scores,
    ref: Ref = None,
    hyp: Hyp = None,
    out: Out = None,
) -> None:
    """Give new translations a model's score; JSON lines out. Scores made otherwise than its are refused."""
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
    """What is rated, scored, and of the domain."""
    if scale not in SCALES:
        raise OptionError(f"--scale {scale}: choose {' or '.join(SCALES)}.")
    found = _rows(scores)
    docs = read_documents(
        documents, len([line for line in split_lines(read_text(documents)) if line.strip()])
    )
    if domain is not None and domain not in {one for one, _ in docs}:
        there = ", ".join(sorted({one for one, _ in docs}))
        raise OptionError(f"There is no domain {domain}; there are {there}.")
    judged = [one for one in read_people(people) if (one.system, one.segment) in found]
    for one in judged:
        if one.segment >= len(docs):
            raise FileError(documents, f"has {len(docs)} segments and no {one.segment}, which {people} has.")
    return _put_together(judged, found, docs, domain, (ref, hyp), scale)


def _put_together(
    judged: Sequence[PeopleScore],
    found: Rows,
    docs: Sequence[tuple[str, str]],
    domain: str | None,
    texts: tuple[Path | None, Sequence[str] | None],
    scale: str,
) -> Training:
    judged = [one for one in judged if domain is None or docs[one.segment][0] == domain]
    cells = list(dict.fromkeys((one.system, one.segment) for one in judged))
    if not cells:
        raise InputError("People have scored none of the systems that --scores names; give the same names.")
    place = {cell: number for number, cell in enumerate(cells)}
    ratings = [Rating(one.rater, place[one.system, one.segment], one.score) for one in judged]
    features = features_of([found[cell] for cell in cells], _lengths(cells, *texts))
    for name in features.empty:
        say(f"{name} has no score of anything and is left out.")
    documents = ["\t".join(docs[segment]) for _, segment in cells]
    return training(features, documents, ratings, scale)  # type: ignore[arg-type]  # looked at before


def _rows(scores: Sequence[str]) -> Rows:
    """The results of each system's segments under the metrics that all have, from SYSTEM=FILE …."""
    files = named_files(scores, "--scores", form="SYSTEM=FILE")
    systems = {name: read_scores(path) for name, path in files.items()}
    metrics = together(systems)
    order = [name for name in METRICS if name in metrics] + sorted(set(metrics) - METRICS.keys())
    return {
        (name, segment): {metric: one.by_metric[metric][segment] for metric in order}
        for name, one in systems.items()
        for segment in sorted(one.by_metric[order[0]])
    }


def _lengths(
    cells: Sequence[tuple[str, int]], ref: Path | None, hyp: Sequence[str] | None
) -> list[tuple[int, int]] | None:
    """Code points of both texts of each translation, or None without the texts."""
    if ref is None and not hyp:
        return None
    if ref is None or not hyp:
        raise OptionError("Give both --ref and --hyp SYSTEM=FILE for each system, or none of them.")
    references = split_lines(read_text(ref))
    files = named_files(hyp, "--hyp", form="SYSTEM=FILE")
    texts = {name: split_lines(read_text(path)) for name, path in files.items()}
    for system, segment in cells:
        if system not in texts:
            raise OptionError(f"--hyp names no file of {system}; give one for each system.")
        for path, lines in ((ref, references), (files[system], texts[system])):
            if segment >= len(lines):
                raise FileError(path, f"has {len(lines)} lines, and segment {segment} is scored.")
    return [(len(references[segment]), len(texts[system][segment])) for system, segment in cells]
