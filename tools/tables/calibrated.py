"""The table of the calibrated score on WMT24, English to Japanese."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from typer import Argument

from core.backends.registry import load_backends
from core.calibration.calibrate import calibrate
from core.calibration.features import features_of
from core.calibration.model import ALPHAS, INNER, OUTER, Linear, Preparation, fit_ridge, folds_of
from core.calibration.training import SCALES, Ints, Scale, Training, training
from core.calibration.validation import TARGET_GAIN, Bootstrap, Validation, cross_validate
from core.cli.calibrate import as_text, read_people
from core.cli.console import number
from core.cli.score_lines import read_scores
from core.raters.ratings import Rating
from core.stats.correlation import pearson
from core.text.files import read_text, split_lines
from core.types import TextPair
from tools.tables.inputs import (
    CACHE_BYTES,
    Campaign,
    DataSet,
    Floats,
    Seed,
    judged_in_campaign,
    rows_by_segment,
    rows_of,
)
from tools.tables.markdown import interval, print_header, print_row, signed_interval
from tools.tables.metrics import Domains

METRICS = "bleu,chrf,bertscore,bertscore-reading,subspace,structure-dep,mteqa,sentence-cosine"
OTHER_SEEDS = range(10)
REFERENCE = "refA"
_TEXTS_AT_ONCE = 256

WorkFolder = Annotated[Path, Argument(help="Folder for the texts and scores; existing scores are reused.")]


def calibration(data: DataSet, work: WorkFolder, seed: Seed = 20261128) -> None:
    """Print the calibrated score on the official ESA ratings of wmt24-enja, for z and for raw scores.

    Scores every system first (about 25 minutes). Then prints the output of `python -m core calibrate fit`,
    r in domains, documents and segments, and the gain with ten other seeds.
    """
    texts, scores = work / "texts", work / "scores"
    systems = _write_texts(data, texts)
    _score_systems(systems, texts, scores)
    for scale in SCALES:
        cells, table = _training_table(systems, texts, scores, scale)
        found = calibrate(table, seed=seed)
        print(f"\n## {scale}\n\n{as_text(found)}", flush=True)
        _print_groups(cells, texts, table, found.validation)
        _print_other_seeds(table)


def _write_texts(data: Path, texts: Path) -> list[str]:
    """Write the texts of the rated segments, one a line, and people's scores; returns the systems."""
    ratings = [row for row in rows_of(data / "ratings.tsv.gz") if row["kind"] == "ok"]
    rated = {row["seg_id"] for row in ratings}
    segments = [row for row in rows_of(data / "segments.tsv.gz") if row["seg_id"] in rated]
    outputs = rows_by_segment(data / "outputs.tsv.gz")
    systems = sorted({row["system"] for row in ratings} - {REFERENCE})
    place = {row["seg_id"]: number for number, row in enumerate(segments)}
    people = [
        f"{place[row['seg_id']]}\t{row['system']}\t{row['annotator']}\t{row['score']}"
        for row in ratings
        if row["system"] != REFERENCE
    ]
    files = {
        "ref": [row[REFERENCE] for row in segments],
        "src": [row["src"] for row in segments],
        "docs": [f"{row['domain']}\t{row['doc_id']}" for row in segments],
        "people.tsv": ["segment\tsystem\trater\tscore", *people],
        **{system: [outputs[row["seg_id"]][system] for row in segments] for system in systems},
    }
    texts.mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        (texts / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return systems


def _score_systems(systems: Sequence[str], texts: Path, scores: Path) -> None:
    """Score the systems without a score file by the command line."""
    scores.mkdir(parents=True, exist_ok=True)
    for system in systems:
        out = scores / f"{system}.jsonl"
        if not out.exists():
            files = ["--ref", texts / "ref", "--hyp", texts / system, "--src", texts / "src", "--out", out]
            command = [sys.executable, "-m", "core", "score", "--metric", METRICS, "--lang", "ja", *files]
            subprocess.run(list(map(str, command)), check=True)


def _training_table(
    systems: Sequence[str], texts: Path, scores: Path, scale: Scale
) -> tuple[list[tuple[str, int]], Training]:
    """System and segment of each row, and the training table."""
    found = {system: read_scores(scores / f"{system}.jsonl").by_metric for system in systems}
    judged = read_people(texts / "people.tsv")
    cells = list(dict.fromkeys((one.system, one.segment) for one in judged))
    lines = {name: split_lines(read_text(texts / name)) for name in ("ref", "docs", *systems)}
    rows = [{name: by[place] for name, by in found[system].items()} for system, place in cells]
    lengths = [(len(lines["ref"][place]), len(lines[system][place])) for system, place in cells]
    row_of = {cell: row for row, cell in enumerate(cells)}
    ratings = [Rating(one.rater, row_of[one.system, one.segment], one.score) for one in judged]
    documents = [lines["docs"][place] for _, place in cells]
    return cells, training(features_of(rows, lengths), documents, ratings, scale)


def _print_groups(cells: Sequence[tuple[str, int]], texts: Path, table: Training, found: Validation) -> None:
    """Print r in each domain, and the mean r inside documents and inside segments."""
    docs = split_lines(read_text(texts / "docs"))
    domain = np.array([docs[segment].split("\t")[0] for _, segment in cells])
    segment = np.array([segment for _, segment in cells])
    groups = {name: [domain == name] for name in np.unique(domain).tolist()}
    groups["inside documents"] = [table.document == name for name in np.unique(table.document).tolist()]
    groups["inside segments"] = [segment == name for name in np.unique(segment).tolist()]
    columns = {name: table.features.score(name) for name in table.features.metrics}
    print_header(["", *groups])
    for name, column in {"calibrated": found.predicted, **columns}.items():
        print_row(name, *(number(_mean_r(found.people, column, masks)) for masks in groups.values()))


def _mean_r(people: Floats, column: Floats, masks: Sequence[np.ndarray]) -> float:
    """The mean r over the masks in which both columns vary."""
    values = []
    for mask in masks:
        rows = mask & np.isfinite(people) & np.isfinite(column)
        if rows.sum() > 2 and np.ptp(people[rows]) > 0 and np.ptp(column[rows]) > 1e-12:
            values.append(pearson(people[rows], column[rows]))
    return float(np.mean(values))


def _print_other_seeds(table: Training) -> None:
    """Print r of each model family and of the chosen one, and the gain, for other folds."""
    print()
    print_header(["seed", "ridge", "boosting", "mean of both", "chosen", "gain", "95 %"])
    rows = []
    for seed in OTHER_SEEDS:
        found = cross_validate(table, seed=seed)
        families = [found.families[name].value or 0.0 for name in ("ridge", "boosting", "mean")]
        rows.append([*families, found.calibrated.value or 0.0, found.gain.value or 0.0])
        ends = signed_interval(found.gain.low or 0.0, found.gain.high or 0.0)
        print_row(seed, *map(number, rows[-1][:4]), f"{rows[-1][4]:+.3f}", ends)
    means = np.mean(rows, axis=0).tolist()
    print_row("mean", *map(number, means[:4]), f"{means[4]:+.3f}", "")
    reached = sum(row[4] >= TARGET_GAIN for row in rows)
    print(f"\nA gain of {TARGET_GAIN} or more with {reached} of {len(rows)} seeds.", flush=True)


def vectors(campaign: Campaign, domain: Domains = None, seed: Seed = 20261129) -> None:
    """Print what ridge regression on the two texts' vectors predicts of people, by documents not seen.

    The plan of the novels paper. u, v: unit mean vectors of reference and translation, last layer of the
    built-in encoder. Five folds of whole documents; the penalty is chosen by four inside the training ones.
    r with z-scored people, its 95 % interval, and the interval of the difference to `sentence-cosine`, by
    2,000 bootstrap samples of documents.
    """
    judged = [one for one in judged_in_campaign(campaign) if not domain or one.group in domain]
    people, document = np.array([one.z for one in judged]), _numbered([one.document for one in judged])
    sides = _unit_vectors([one.pair for one in judged])
    cosine = (sides[0] * sides[1]).sum(axis=1)
    inputs = {
        "u and v": np.concatenate(sides, axis=1),
        "u · v, abs(u − v)": np.concatenate([sides[0] * sides[1], np.abs(sides[0] - sides[1])], axis=1),
        "all four": np.concatenate([*sides, sides[0] * sides[1], np.abs(sides[0] - sides[1])], axis=1),
    }
    drawing = Bootstrap(people, document, seed=seed)
    print(f"{len(judged)} translations, {len(np.unique(document))} documents\n")
    print_header(["regression on", "numbers", "r, unseen documents", "95 %", "less the cosine", "r, seen"])
    base = drawing.correlation(cosine)
    print_row(
        "nothing: the cosine of u and v", 1, number(base.value), interval(base.low, base.high), "–", "–"
    )
    for name, values in inputs.items():
        unseen = _unseen(values, people, document, seed)
        found, gain = drawing.correlation(unseen), drawing.gain(unseen, cosine)
        cells = (number(found.value), interval(found.low, found.high))
        seen = _ridge(values, people, document, seed).predict(Preparation.of(values).apply(values))
        few = gain.low is None or gain.high is None
        less = "–" if few else signed_interval(gain.low or 0.0, gain.high or 0.0)
        print_row(name, values.shape[1], *cells, less, number(pearson(seen, people)))


def _numbered(names: Sequence[str]) -> Ints:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def _unit_vectors(pairs: Sequence[TextPair]) -> list[Floats]:
    """(n, d) each: the unit mean vectors of the references and of the translations."""
    encoder = load_backends(cache_bytes=CACHE_BYTES).encoder("embedded")
    layer = encoder.layers
    found = []
    for texts in ([one.reference for one in pairs], [one.hypothesis for one in pairs]):
        distinct = list(dict.fromkeys(texts))
        means = {}
        for start in range(0, len(distinct), _TEXTS_AT_ONCE):
            some = distinct[start : start + _TEXTS_AT_ONCE]
            for text, vectors in zip(some, encoder.encode(some, layer=layer), strict=True):
                mean = vectors.vectors.astype(np.float64).mean(axis=0)
                means[text] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        found.append(np.array([means[text] for text in texts]))
    return found


def _unseen(values: Floats, people: Floats, document: Ints, seed: int) -> Floats:
    """(n,) predictions, each by the regression that has not seen the document."""
    predicted = np.full(len(people), np.nan)
    for fold in folds_of(document, OUTER, seed):
        model = _ridge(values[fold.train], people[fold.train], document[fold.train], seed)
        prepared = Preparation.of(values[fold.train])
        predicted[fold.test] = model.predict(prepared.apply(values[fold.test]))
    return predicted


def _ridge(values: Floats, people: Floats, document: Ints, seed: int) -> Linear:
    """Ridge regression with the penalty of the least squared error in folds of documents."""
    misses = np.zeros(len(ALPHAS))
    for fold in folds_of(document, INNER, seed):
        prepared = Preparation.of(values[fold.train])
        for place, one in enumerate(fit_ridge(prepared.apply(values[fold.train]), people[fold.train])):
            misses[place] += ((one.predict(prepared.apply(values[fold.test])) - people[fold.test]) ** 2).sum()
    best = int(np.argmin(misses))
    return fit_ridge(Preparation.of(values).apply(values), people, [ALPHAS[best]])[0]
