"""How often a metric prefers a paraphrase to a sentence in which only who does what is changed.

    python tools/role_probe.py bleu bertscore "structure-dep filter=role layer=12" …

The 60 triples of assets/demo/roles.tsv: in each `changed` has two arguments swapped or a modifier attached to
another word, `paraphrase` keeps the meaning. A metric is right where it scores the paraphrase higher.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import TextPair
from tools.signatures import print_signatures

ROLES = Path(__file__).parents[1] / "assets" / "demo" / "roles.tsv"


def main() -> None:
    """Print a Markdown row per metric."""
    path = Path(sys.argv[2]) if sys.argv[1:2] == ["--file"] else ROLES
    metrics = sys.argv[3:] if sys.argv[1:2] == ["--file"] else sys.argv[1:]
    rows = list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))
    groups = list(dict.fromkeys((row["lang"], row["kind"]) for row in rows))
    print(f"| metric | all, {len(rows)} | " + " | ".join(" ".join(group) for group in groups) + " |")
    print("|---" * (len(groups) + 2) + "|")
    backends, signed = load_backends(), {}
    for described in metrics:
        name, *options = described.split()
        request = Request(name, dict(option.split("=", 1) for option in options))
        right: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for lang in dict.fromkeys(row["lang"] for row in rows):
            own = [row for row in rows if row["lang"] == lang]
            pairs = [
                TextPair(reference=row["reference"], hypothesis=row[kind], lang=lang)
                for row in own
                for kind in ("changed", "paraphrase")
            ]
            results = [found[0] for found in score_pairs(pairs, [request], backends)]
            signed[f"{described}, {lang}"], scores = results[0].signature, [one.score for one in results]
            for row, changed, kept in zip(own, scores[::2], scores[1::2], strict=True):
                right[row["lang"], row["kind"]].append(kept > changed)
        total = sum(sum(one) for one in right.values())
        cells = [f"{sum(right[group])} / {len(right[group])}" for group in groups]
        print(f"| {described} | {total} ({total / len(rows):.0%}) | " + " | ".join(cells) + " |", flush=True)
    print_signatures(signed)


if __name__ == "__main__":
    main()
