"""System-level Pearson of metrics with people: WebNLG 2020 (five criteria) and WMT 2021 into English.

    python tools/system_table.py DATA/webnlg2020 bleu bertscore "structure-con filter=head" …
    python tools/system_table.py DATA/wmt21-jaen --segments 300 bleu bertscore …

A system's score is the mean over its segments; human texts are no systems. With several references (WebNLG)
a segment has the best score over them, for every metric alike. People: WebNLG's mean ratings; WMT's z-scores
per rater, on the segments scored. --segments takes that many, drawn with seed 20261128.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from scipy.stats import pearsonr

from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import TextPair
from tools.signatures import print_signatures

SEED = 20261128
CRITERIA = ("Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")
HUMAN = "WebNLG-2020-reference"


@dataclass(frozen=True, slots=True)
class Item:
    """A system's text for a segment, the references, and people's scores by criterion."""

    system: str
    text: str
    references: tuple[str, ...]
    people: dict[str, float]


def rows_of(path: Path) -> list[dict[str, str]]:
    """A table with a header."""
    return list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))


def webnlg(folder: Path) -> list[Item]:
    """Every rated text of a system."""
    references = {
        row["sample_id"]: tuple(text for name, text in row.items() if name.startswith("ref") and text)
        for row in rows_of(folder / "items.tsv.gz")
    }
    texts = {row["sample_id"]: row for row in rows_of(folder / "outputs.tsv.gz")}
    return [
        Item(
            row["system"],
            texts[row["sample_id"]][row["system"]],
            references[row["sample_id"]],
            {name: float(row[name]) for name in CRITERIA},
        )
        for row in rows_of(folder / "ratings_mean.tsv.gz")
        if row["system"] != HUMAN
    ]


def wmt(folder: Path, segments: int) -> list[Item]:
    """Every rated text of a system, of some segments."""
    references = {row["seg_id"]: row["ref_A"] for row in rows_of(folder / "segments.tsv.gz")}
    texts = {row["seg_id"]: row for row in rows_of(folder / "outputs.tsv.gz")}
    kept = set(random.Random(SEED).sample(sorted(references), min(segments, len(references))))
    return [
        Item(
            row["system"],
            texts[row["seg_id"]][row["system"]],
            (references[row["seg_id"]],),
            {"z": float(row["z_mean"])},
        )
        for row in rows_of(folder / "da_seg_scores.tsv.gz")
        if row["seg_id"] in kept and row["system"] in texts[row["seg_id"]] and row["z_mean"]
    ]


def by_system(items: list[Item], values: list[float]) -> dict[str, float]:
    """The mean of each system."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for item, value in zip(items, values, strict=True):
        grouped[item.system].append(value)
    return {system: fmean(found) for system, found in grouped.items()}


def main() -> None:
    """Print a Markdown row per metric."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("metrics", nargs="+")
    arguments = parser.parse_args()
    web = (arguments.folder / "items.tsv.gz").exists()
    items = webnlg(arguments.folder) if web else wmt(arguments.folder, arguments.segments)
    pairs = [
        (place, TextPair(reference=reference, hypothesis=item.text, lang="en"))
        for place, item in enumerate(items)
        for reference in item.references
    ]
    criteria = list(items[0].people)
    people = {name: by_system(items, [item.people[name] for item in items]) for name in criteria}
    systems = sorted(people[criteria[0]])
    print(f"{len(systems)} systems, {len(items)} texts, {len(pairs)} pairs\n")
    print("| metric | " + " | ".join(criteria) + " |")
    print("|---" * (len(criteria) + 1) + "|")
    backends, signed = load_backends(cache_bytes=3 << 30), {}
    for described in arguments.metrics:
        name, *options = described.split()
        request = Request(name, dict(option.split("=", 1) for option in options))
        best = [float("-inf")] * len(items)
        for (place, _), row in zip(
            pairs, score_pairs([one for _, one in pairs], [request], backends), strict=True
        ):
            signed[described] = row[0].signature
            best[place] = max(best[place], row[0].score if row[0].score is not None else float("-inf"))
        means = by_system(items, best)
        cells = [
            f"{pearsonr([means[one] for one in systems], [people[name][one] for one in systems])[0]:.3f}"
            for name in criteria
        ]
        print(f"| {described} | " + " | ".join(cells) + " |", flush=True)
    print_signatures(signed, SEED)


if __name__ == "__main__":
    main()
