"""Segments of WMT 2021, Japanese to English: metrics and people, and what metrics share besides people.

    python tools/into_english.py DATA/wmt21-jaen --segments 300 bleu bertscore "subspace energy=0.8" …

Pearson and Kendall with z-scored people and WMT's tau (pairs that people separate by 25 points or more, raw),
then the partial correlations of metrics given people (paper C, figure 3). --segments takes that many, drawn
with seed 20261128, as in system_table.py.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from core.backends.registry import load_backends
from core.metaeval.correlation import correlate, partial_correlations
from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import intervals
from core.metaeval.systems import kendall_like
from core.scoring import Request, score_pairs
from core.types import TextPair
from tools.signatures import print_signatures
from tools.system_table import SEED, rows_of


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("metrics", nargs="+")
    arguments = parser.parse_args()
    rated, pairs = rated_texts(arguments.folder, arguments.segments)
    columns = {one: scores(one, pairs) for one in arguments.metrics}
    documents = {row["seg_id"]: row["doc_id"] for row in rows_of(arguments.folder / "segments.tsv.gz")}
    z = table(rated, columns, "z_mean", documents)
    raw = table(rated, columns, "raw_mean", documents)
    print(f"{len(z.systems)} systems, {len(z.items)} segments, {len(rated)} rated texts\n")
    print("| metric | Pearson | 95 % | Kendall | WMT's tau, pairs |\n|---|---|---|---|---|")
    for name, ends in zip(columns, intervals(z, seed=SEED), strict=True):
        tau, kendall = kendall_like(raw, name), correlate(z, name, "kendall").value
        band = f"{shown(ends.low)} … {shown(ends.high)}"
        pairs = tau.concordant + tau.discordant
        print(f"| {name} | {shown(ends.r)} | {band} | {shown(kendall)} | {shown(tau.value)}, {pairs} |")
    partial = partial_correlations(z)
    names = partial.metrics
    print("\n| given people | " + " | ".join(names) + " |\n" + "|---" * (len(names) + 1) + "|")
    for name, row in zip(names, partial.r.tolist(), strict=True):
        print(f"| {name} | " + " | ".join(f"{value:.2f}" for value in row) + " |")
    print_signatures(SIGNED, SEED)


def shown(value: float | None) -> str:
    """Three decimals, or a dash where too little was rated."""
    return "–" if value is None else f"{value:.3f}"


def rated_texts(folder: Path, segments: int) -> tuple[list[dict[str, str]], list[TextPair]]:
    """The rows of people's scores for some segments, and what was rated."""
    references = {row["seg_id"]: row["ref_A"] for row in rows_of(folder / "segments.tsv.gz")}
    texts = {row["seg_id"]: row for row in rows_of(folder / "outputs.tsv.gz")}
    kept = set(random.Random(SEED).sample(sorted(references), min(segments, len(references))))
    rated = [
        row
        for row in rows_of(folder / "da_seg_scores.tsv.gz")
        if row["seg_id"] in kept and row["system"] in texts[row["seg_id"]] and row["z_mean"]
    ]
    pairs = [
        TextPair(
            reference=references[row["seg_id"]], hypothesis=texts[row["seg_id"]][row["system"]], lang="en"
        )
        for row in rated
    ]
    return rated, pairs


def scores(described: str, pairs: list[TextPair]) -> np.ndarray:
    """(n,) float64 of a metric described as `NAME option=value …`."""
    name, *options = described.split()
    request = Request(name, dict(option.split("=", 1) for option in options))
    results = [row[0] for row in score_pairs(pairs, [request], BACKENDS)]
    SIGNED[described] = results[0].signature
    found = [one.score for one in results]
    return np.array([np.nan if score is None else score for score in found], np.float64)


def table(
    rated: list[dict[str, str]], columns: dict[str, np.ndarray], people: str, documents: dict[str, str]
) -> MetaTable:
    """People's column of this name beside the metrics', drawn by document."""
    items = sorted({row["seg_id"] for row in rated}, key=int)
    systems = sorted({row["system"] for row in rated})
    groups = sorted(set(documents.values()))
    return MetaTable(
        people=np.array([float(row[people]) for row in rated]),
        metrics=columns,
        item=np.array([items.index(row["seg_id"]) for row in rated]),
        system=np.array([systems.index(row["system"]) for row in rated]),
        items=items,
        systems=systems,
        group=np.array([groups.index(documents[row["seg_id"]]) for row in rated]),
    )


BACKENDS = load_backends(cache_bytes=3 << 30)
SIGNED: dict[str, str] = {}

if __name__ == "__main__":
    main()
