"""The calibrated score on WMT24, English to Japanese: the tables of docs/results.md.

    python tools/calibration_table.py DATA/wmt24-enja OUT

OUT/texts gets the rated segments and the official ESA ratings in the form that `python -m core calibrate fit`
reads, OUT/scores the scores of every system (about 25 minutes; a file that is there is not made again). Then,
for z and for raw scores: what `calibrate fit` says with SEED, r in domains, documents and segments,
and gain and interval with other drawings of the folds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.calibration.calibrate import calibrate
from core.calibration.features import features_of
from core.calibration.training import SCALES, Scale, Training, training
from core.calibration.validation import TARGET_GAIN, Validation, cross_validate
from core.cli.calibrate import as_text, read_people
from core.cli.score_lines import read_scores
from core.raters.ratings import Rating
from core.stats.correlation import pearson
from core.text.files import read_text, split_lines
from tools.system_table import rows_of

SEED = 20261128
SEEDS = range(10)
METRICS = "bleu,chrf,bertscore,bertscore-reading,subspace,structure-dep,mteqa,sentence-cosine"
REFERENCE = "refA"


def main() -> None:
    """Make what is missing, then print everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    texts, scores = arguments.out / "texts", arguments.out / "scores"
    systems = write_texts(arguments.data, texts)
    score(systems, texts, scores)
    for scale in SCALES:
        cells, data = read(systems, texts, scores, scale)
        found = calibrate(data, seed=SEED)
        print(f"\n## {scale}\n\n{as_text(found)}", flush=True)
        inside(cells, texts, data, found.validation)
        again(data)


def write_texts(data: Path, texts: Path) -> list[str]:
    """The texts of the rated segments, one a line, and people's scores; returns the systems."""
    ratings = [row for row in rows_of(data / "ratings.tsv.gz") if row["kind"] == "ok"]
    rated = {row["seg_id"] for row in ratings}
    segments = [row for row in rows_of(data / "segments.tsv.gz") if row["seg_id"] in rated]
    outputs = {row["seg_id"]: row for row in rows_of(data / "outputs.tsv.gz")}
    systems = sorted({row["system"] for row in ratings} - {REFERENCE})
    texts.mkdir(parents=True, exist_ok=True)
    place = {row["seg_id"]: number for number, row in enumerate(segments)}
    files = {
        "ref": [row[REFERENCE] for row in segments],
        "src": [row["src"] for row in segments],
        "docs": [f"{row['domain']}\t{row['doc_id']}" for row in segments],
        "people.tsv": ["segment\tsystem\trater\tscore"] + [
            f"{place[row['seg_id']]}\t{row['system']}\t{row['annotator']}\t{row['score']}"
            for row in ratings
            if row["system"] != REFERENCE
        ],
        **{system: [outputs[row["seg_id"]][system] for row in segments] for system in systems},
    }  # fmt: skip
    for name, lines in files.items():
        (texts / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return systems


def score(systems: Sequence[str], texts: Path, scores: Path) -> None:
    """Score with the command line what has not been scored."""
    scores.mkdir(parents=True, exist_ok=True)
    for system in systems:
        out = scores / f"{system}.jsonl"
        if not out.exists():
            files = ["--ref", texts / "ref", "--hyp", texts / system, "--src", texts / "src", "--out", out]
            command = [sys.executable, "-m", "core", "score", "--metric", METRICS, "--lang", "ja", *files]
            subprocess.run(list(map(str, command)), check=True)


def read(
    systems: Sequence[str], texts: Path, scores: Path, scale: Scale
) -> tuple[list[tuple[str, int]], Training]:
    """System and segment of each row, and the training table."""
    found = {system: read_scores(scores / f"{system}.jsonl").by_metric for system in systems}
    judged = read_people(texts / "people.tsv")
    cells = list(dict.fromkeys((one.system, one.segment) for one in judged))
    lines = {name: split_lines(read_text(texts / name)) for name in ("ref", "docs", *systems)}
    rows = [{name: by[place] for name, by in found[system].items()} for system, place in cells]
    lengths = [(len(lines["ref"][place]), len(lines[system][place])) for system, place in cells]
    number = {cell: row for row, cell in enumerate(cells)}
    ratings = [Rating(one.rater, number[one.system, one.segment], one.score) for one in judged]
    documents = [lines["docs"][place] for _, place in cells]
    return cells, training(features_of(rows, lengths), documents, ratings, scale)


def inside(cells: Sequence[tuple[str, int]], texts: Path, data: Training, found: Validation) -> None:
    """Print r in each domain, and the mean r in documents and in segments (the systems' translations)."""
    docs = split_lines(read_text(texts / "docs"))
    domain = np.array([docs[segment].split("\t")[0] for _, segment in cells])
    segment = np.array([segment for _, segment in cells])
    columns = {"calibrated": found.predicted, **{n: data.features.score(n) for n in data.features.metrics}}
    groups = {name: [domain == name] for name in np.unique(domain).tolist()}
    groups["inside documents"] = [data.document == name for name in np.unique(data.document).tolist()]
    groups["inside segments"] = [segment == name for name in np.unique(segment).tolist()]
    print("| | " + " | ".join(groups) + " |\n" + "|---" * (len(groups) + 1) + "|")
    for name, column in columns.items():
        cells_of = [f"{mean_r(found.people, column, masks):.3f}" for masks in groups.values()]
        print(f"| {name} | " + " | ".join(cells_of) + " |", flush=True)


def mean_r(people: np.ndarray, column: np.ndarray, masks: Sequence[np.ndarray]) -> float:
    """The mean over groups in which both vary."""
    values = []
    for mask in masks:
        rows = mask & np.isfinite(people) & np.isfinite(column)
        if rows.sum() > 2 and np.ptp(people[rows]) > 0 and np.ptp(column[rows]) > 1e-12:
            values.append(pearson(people[rows], column[rows]))
    return float(np.mean(values))


def again(data: Training) -> None:
    """With other drawings of the folds: r of each family and of the chosen one, and the gain."""
    print("\n| seed | ridge | boosting | mean of both | chosen | gain | 95 % |\n" + "|---" * 7 + "|")
    rows = []
    for seed in SEEDS:
        found = cross_validate(data, seed=seed)
        families = [found.families[name].value or 0.0 for name in ("ridge", "boosting", "mean")]
        rows.append([*families, found.calibrated.value or 0.0, found.gain.value or 0.0])
        shown = " | ".join(f"{value:.3f}" for value in rows[-1][:4])
        low, high = found.gain.low or 0.0, found.gain.high or 0.0
        print(f"| {seed} | {shown} | {rows[-1][4]:+.3f} | {low:+.3f} … {high:+.3f} |", flush=True)
    means = np.mean(rows, axis=0).tolist()
    print("| mean | " + " | ".join(f"{value:.3f}" for value in means[:4]) + f" | {means[4]:+.3f} | |")
    reached = sum(row[4] >= TARGET_GAIN for row in rows)
    print(f"\nA gain of {TARGET_GAIN} or more with {reached} of {len(rows)} seeds.", flush=True)


if __name__ == "__main__":
    main()
