"""Kendall-like τ on contrast pairs: how often a metric scores the good translation above the bad one.

    python tools/contrast_table.py DATA/hwtsc/hwtsc_challenge.tsv.gz:en -- bleu bertscore mteqa
    python tools/contrast_table.py assets/demo/contrast.ja.tsv:ja -- bleu bertscore mteqa

The file has the columns `ref`, `good`, `bad` and `phenomenon`. τ = (concordant - discordant) / (concordant +
discordant) as in paper E; behind it the pairs: good above bad, bad above good, equal (or no score). Phenomena
that differ only in what stands in brackets, such as Number(…), are also shown together.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.backends.registry import load_backends
from core.hacks.robustness import contrast_texts, judged
from core.metaeval.contrast_sets import ALL, Counts, phenomena, read_contrast_set
from core.metrics import find_metric
from tools.signatures import print_signatures


def main() -> None:
    """Print a Markdown table with a column per metric."""
    cut = sys.argv.index("--")
    path, lang = sys.argv[1].rsplit(":", 1)
    pairs = read_contrast_set(Path(path))
    backends, texts = load_backends(cache_bytes=3 << 30), contrast_texts(pairs, lang)
    metrics = {}
    for described in sys.argv[cut + 1 :]:
        name, *options = described.split()
        given = dict(option.split("=", 1) for option in options)
        metrics[described] = find_metric(name).prepare(given, backends, texts)
    print("| phenomenon | " + " | ".join(metrics) + " |")
    print("|---" * (len(metrics) + 1) + "|")
    for row in phenomena(judged(pairs, metrics, lang=lang)):
        name = "all" if row.name == ALL else row.name
        print(f"| {name}, {row.n} | " + " | ".join(map(cell, row.counts.values())) + " |")
    print_signatures({described: one.signature for described, one in metrics.items()})


def cell(one: Counts) -> str:
    """The measure, or – without a pair that is told apart, and the counts."""
    tau = "–" if one.tau is None else f"{one.tau:.3f}"
    return f"{tau} ({one.right} / {one.wrong} / {one.equal + one.missing})"


if __name__ == "__main__":
    main()
