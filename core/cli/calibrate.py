"""`python -m core calibrate fit|score`: a score fitted to one's own raters, and given to new translations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from core.calibration.applying import METRIC, apply
from core.calibration.calibrate import calibrate
from core.calibration.features import features_of
from core.calibration.files import dump, load
from core.calibration.model import FAMILIES, check_families
from core.calibration.people_files import Judged, read_people
from core.calibration.telling import as_json_object, as_text
from core.calibration.training import SCALES, Training, training
from core.cli.console import honest_exit, named_files, output, progress_bar, say
from core.cli.score_lines import read_scores, together
from core.errors import FileError, InputError, OptionError
from core.metaeval.files import read_documents
from core.metrics import METRICS
from core.raters.ratings import Rating
from core.text.encoding import read_text, split_lines
from core.types import Result

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
@honest_exit
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
@honest_exit
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
    judged: Sequence[Judged],
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
