"""Kendall-like τ on contrast pairs: how often a metric scores the good translation above the bad one.

    python tools/contrast_table.py DATA/hwtsc/hwtsc_challenge.tsv.gz:en -- bleu bertscore mteqa
    python tools/contrast_table.py assets/demo/contrast.ja.tsv:ja -- bleu bertscore mteqa

The file has the columns `ref`, `good`, `bad` and `phenomenon`. τ = (concordant - discordant) / (concordant +
discordant) as in paper E; behind it the pairs: good above bad, bad above good, equal (or no score). Phenomena
that begin with the same word (Number(…), Time & Date, Named …) are also shown together.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from core.backends.loaded import load_backends
from core.pipeline import Request, score_pairs
from core.textfile import read_text, split_lines
from core.types import TextPair

GROUPS = {"Number": "numbers", "Time": "dates", "Named": "names"}


def names_of(phenomenon: str) -> list[str]:
    """The rows that a pair counts in."""
    group = next((name for start, name in GROUPS.items() if phenomenon.startswith(start)), None)
    return ["all", *([group] if group else []), phenomenon]


def main() -> None:
    """Print a Markdown table with a column per metric."""
    cut = sys.argv.index("--")
    path, lang = sys.argv[1].rsplit(":", 1)
    rows = list(csv.DictReader(split_lines(read_text(Path(path))), delimiter="\t", quoting=csv.QUOTE_NONE))
    backends = load_backends(cache_bytes=3 << 30)
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    metrics = sys.argv[cut + 1 :]
    for described in metrics:
        name, *options = described.split()
        request = Request(name, dict(option.split("=", 1) for option in options))
        pairs = [
            TextPair(reference=row["ref"], hypothesis=row[side], lang=lang)
            for row in rows
            for side in ("good", "bad")
        ]
        scores = [found[0].score for found in score_pairs(pairs, [request], backends)]
        for row, good, bad in zip(rows, scores[::2], scores[1::2], strict=True):
            equal = good is None or bad is None or good == bad
            place = 2 if equal else 0 if good > bad else 1
            for group in names_of(row["phenomenon"]):
                counts[group][described][place] += 1
    print("| phenomenon | " + " | ".join(metrics) + " |")
    print("|---" * (len(metrics) + 1) + "|")
    for group, found in counts.items():
        cells = [f"{tau(found[one])} ({' / '.join(map(str, found[one]))})" for one in metrics]
        print(f"| {group}, {sum(found[metrics[0]])} | " + " | ".join(cells) + " |")


def tau(counts: list[int]) -> str:
    """The measure, or – without a pair that is told apart."""
    told = counts[0] + counts[1]
    return f"{(counts[0] - counts[1]) / told:.3f}" if told else "–"


if __name__ == "__main__":
    main()
