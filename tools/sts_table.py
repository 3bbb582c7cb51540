"""Spearman of metrics with graded similarity of short sentences (JSTS, STS-B): a table of docs/results.md.

    python tools/sts_table.py jsts_valid.tsv:ja stsb_en_dev.tsv:en -- bertscore "subspace weight=l2" …

Each file is a TSV with `sentence1`, `sentence2` and `label` or `score`, and its language after a colon.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from scipy.stats import spearmanr

from core.backends.loaded import load_backends
from core.pipeline import Request, score_pairs
from core.textfile import read_text, split_lines
from core.types import TextPair


def read(described: str) -> tuple[list[TextPair], list[float]]:
    """Pairs and their graded similarity."""
    path, lang = described.rsplit(":", 1)
    rows = list(csv.DictReader(split_lines(read_text(Path(path))), delimiter="\t", quoting=csv.QUOTE_NONE))
    grade = "label" if "label" in rows[0] else "score"
    pairs = [TextPair(reference=row["sentence1"], hypothesis=row["sentence2"], lang=lang) for row in rows]
    return pairs, [float(row[grade]) for row in rows]


def main() -> None:
    """Print a Markdown row per metric, a column per file."""
    cut = sys.argv.index("--")
    files, metrics = sys.argv[1:cut], sys.argv[cut + 1 :]
    data = [read(described) for described in files]
    sizes = [
        f"{Path(name.rsplit(':', 1)[0]).stem}, {len(pairs)}"
        for name, (pairs, _) in zip(files, data, strict=True)
    ]
    print("| metric | " + " | ".join(sizes) + " |")
    print("|---" * (len(files) + 1) + "|")
    backends = load_backends()
    for described in metrics:
        name, *options = described.split()
        settings = dict(option.split("=", 1) for option in options)
        shown = []
        for pairs, grades in data:
            scores = [row[0].score for row in score_pairs(pairs, [Request(name, settings)], backends)]
            shown.append(f"{spearmanr(scores, grades).statistic:.3f}")
        print(f"| {described} | " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main()
