"""Segment Pearson of metrics with people on a campaign, per domain: the tables of docs/results.md.

    python tools/meta_table.py --campaign "WMT24 en-ja" bleu bertscore "bertscore-reading mode=token" …

Each argument is a metric with its options. People: the campaign's official ratings of systems other than
the reference, z per rater. In brackets the 95 % interval of the difference to the first metric named
`bertscore`, by 1,000 bootstrap samples of whole documents (seed 20261127).
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from tools.choose_layer import Judged, from_campaign
from tools.signatures import print_signatures

SEED = 20261127
SAMPLES = 1000


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis."""
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    return (x * y).sum(axis=-1) / np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))


def samples(documents: list[str], rng: np.random.Generator) -> list[np.ndarray]:
    """Places of the items of each bootstrap sample of documents."""
    places = defaultdict(list)
    for place, document in enumerate(documents):
        places[document].append(place)
    groups = [np.array(group) for group in places.values()]
    return [
        np.concatenate([groups[pick] for pick in rng.integers(len(groups), size=len(groups))])
        for _ in range(SAMPLES)
    ]


def cells(judged: list[Judged], scores: np.ndarray, base: np.ndarray | None) -> list[str]:
    """One cell per domain: r, and the interval of its difference to the base metric."""
    row = []
    for group in ("all", *sorted({one.group for one in judged})):
        at = np.array([i for i, one in enumerate(judged) if group in ("all", one.group)])
        people = np.array([judged[i].z for i in at])
        cell = f"{float(pearson(scores[at], people)):.3f}"
        if base is not None:
            rng = np.random.default_rng(SEED)
            gaps = [
                float(pearson(scores[at][pick], people[pick]) - pearson(base[at][pick], people[pick]))
                for pick in samples([judged[i].document for i in at], rng)
            ]
            low, high = np.quantile(gaps, [0.025, 0.975])
            cell += f" ({low:+.3f} … {high:+.3f})"
        row.append(cell)
    return row


def main() -> None:
    """Score with every metric and print one Markdown row each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--campaign", required=True)
    parser.add_argument("--no-intervals", action="store_true")
    parser.add_argument("metrics", nargs="+")
    arguments = parser.parse_args()
    judged = from_campaign(arguments.campaign)
    pairs = [one.pair for one in judged]
    groups = ["all", *sorted({one.group for one in judged})]
    sizes = [sum(group in ("all", one.group) for one in judged) for group in groups]
    print("| metric | " + " | ".join(f"{g}, {n}" for g, n in zip(groups, sizes, strict=True)) + " |")
    print("|---" * (len(groups) + 1) + "|")
    backends, base, signed = load_backends(cache_bytes=4 << 30), None, {}
    for described in arguments.metrics:
        name, *options = described.split()
        settings = dict(option.split("=", 1) for option in options)
        rows = list(score_pairs(pairs, [Request(name, settings)], backends))
        signed[described] = rows[0][0].signature
        scores = np.array([row[0].score for row in rows], float)
        shown = cells(judged, scores, None if arguments.no_intervals else base)
        print(f"| {described} | " + " | ".join(shown) + " |", flush=True)
        if name == "bertscore" and base is None:
            base = scores
    print_signatures(signed, SEED)


if __name__ == "__main__":
    main()
