"""Spearman of metrics with graded similarity of short sentences (JSTS, STS, SICK): tables of docs/results.md.

    python tools/sts_table.py jsts_valid.tsv:ja stsb_en_dev.tsv:en -- bertscore "subspace weight=l2" …

Each file is a TSV with its language after a colon. Its columns: `sentence1` or `sentence_A`, `sentence2` or
`sentence_B`, and `label`, `score` or `relatedness_score`. A file with a `year` has a column of the table for
each; where there is a `split`, only `test` counts. The table's last column is the mean of the others.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from statistics import fmean

from scipy.stats import spearmanr

from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import TextPair
from tools.signatures import print_signatures

GRADES = ("label", "score", "relatedness_score")

Graded = tuple[list[TextPair], list[float]]
"""Pairs of sentences and how alike people found them."""


def read(described: str) -> dict[str, Graded]:
    """The sets of a file by name."""
    path, lang = described.rsplit(":", 1)
    stem = Path(path).name.split(".")[0]
    sets: dict[str, Graded] = {}
    for row in csv.DictReader(split_lines(read_text(Path(path))), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row.get("split", "test") != "test":
            continue
        pairs, grades = sets.setdefault(f"STS {row['year']}" if "year" in row else stem, ([], []))
        first, second = (row.get(f"sentence{one}") or row[f"sentence_{two}"] for one, two in ("1A", "2B"))
        pairs.append(TextPair(reference=first, hypothesis=second, lang=lang))
        grades.append(float(next(row[name] for name in GRADES if name in row)))
    return sets


def main() -> None:
    """Print a Markdown row per metric, a column per file."""
    cut = sys.argv.index("--")
    files, metrics = sys.argv[1:cut], sys.argv[cut + 1 :]
    sets = {name: graded for described in files for name, graded in read(described).items()}
    print(
        "| metric | " + " | ".join(f"{name}, {len(pairs)}" for name, (pairs, _) in sets.items()) + " | mean |"
    )
    print("|---" * (len(sets) + 2) + "|")
    backends, signed = load_backends(), {}
    for described in metrics:
        name, *options = described.split()
        settings = dict(option.split("=", 1) for option in options)
        found = []
        for pairs, grades in sets.values():
            results = [row[0] for row in score_pairs(pairs, [Request(name, settings)], backends)]
            signed[described], scores = results[0].signature, [one.score for one in results]
            found.append(spearmanr(scores, grades).statistic)
        shown = " | ".join(f"{value:.3f}" for value in (*found, fmean(found)))
        print(f"| {described} | {shown} |", flush=True)
    print_signatures(signed)


if __name__ == "__main__":
    main()
