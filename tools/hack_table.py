"""Paper D's tables 9 and 10 on real outputs, under metrics that run without a download.

    python tools/hack_table.py DATA/wmt24-enja --default Gemini-1.5-Pro --short IOL-Research --segments 382

Rows: both systems as they are, then each edit of the shorter one, as in the paper. BLEU and chrF are of the
whole set (summed counts), the others means. Prints Markdown: scores, some of their parts (tables 4 and 5),
ranks with the mean rank, the mean rank without one metric after the other, and how often an edit moved a
metric the wrong way.
"""

from __future__ import annotations

import argparse
import csv
import random
import resource
import time
from pathlib import Path

from core.backends.registry import load_backends
from core.hacks import EDITS
from core.hacks.robustness import Lab, LabSegment, LabTable, run_lab, texts_of, variants
from core.scoring import Request
from core.text.files import read_text, split_lines

SEED = 20261128
METRICS = (
    "bleu",
    "chrf",
    "bertscore",
    "bertscore-reading",
    "subspace",
    "structure-dep",
    "mteqa",
    "sentence-cosine",
)
PARTS = (
    ("bleu", "precision_1"),
    ("bleu", "brevity_penalty"),
    ("chrf", "precision"),
    ("chrf", "recall"),
    ("bertscore", "precision"),
    ("bertscore", "recall"),
    ("subspace", "precision"),
    ("subspace", "recall"),
)


def rows_of(path: Path) -> list[dict[str, str]]:
    """A table with a header."""
    return list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))


def read_segments(folder: Path, systems: tuple[str, ...], count: int) -> list[LabSegment]:
    """So many segments, drawn with the seed, in the order of the file."""
    outputs = {row["seg_id"]: row for row in rows_of(folder / "outputs.tsv.gz")}
    segments = rows_of(folder / "segments.tsv.gz")
    drawn = set(random.Random(SEED).sample(range(len(segments)), min(count, len(segments))))
    return [
        LabSegment(
            reference=row["refA"],
            source=row["src"],
            lang="ja",
            outputs={system: outputs[row["seg_id"]][system] for system in systems},
        )
        for place, row in enumerate(segments)
        if place in drawn
    ]


def table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def scores(found: LabTable) -> str:
    """Table 9: every variant under every metric, and how many segments an edit changed."""
    rows = []
    for variant in found.variants:
        cells = [found.cell(variant, metric) for metric in found.metrics]
        shown = [
            "–" if one.score is None else f"{one.score:.{2 if abs(one.score) > 1 else 3}f}" for one in cells
        ]
        rows.append([variant.name, str(found.changed(variant)) if variant.edits else "", *shown])
    return table(["variant", "changed", *found.metrics], rows)


def parts(found: LabTable) -> str:
    """Tables 4 and 5: what lies behind the scores, BLEU's penalty for brevity, precisions and recalls."""
    wanted = [one for one in PARTS if one[0] in found.metrics]
    rows = []
    for variant in found.variants:
        values = [found.part(variant, *one) for one in wanted]
        shown = ["–" if one is None else f"{one:.{2 if abs(one) > 1 else 3}f}" for one in values]
        rows.append([variant.name, *shown])
    return table(["variant", *(" ".join(one) for one in wanted)], rows)


def ranks(found: LabTable) -> str:
    """Table 10: ranks, the mean rank, and the lowest and highest mean rank without one of the metrics."""
    standings = found.standings()
    without = [
        {row.system: row.mean_rank for row in one.systems} for one in found.without_each_metric().values()
    ]
    rows = [
        [
            row.system,
            *(f"{row.ranks[metric]:g}" for metric in standings.metrics),
            f"{row.mean_rank:.2f}",
            between([one[row.system] for one in without]),
        ]
        for row in standings.systems
    ]
    return table(["variant", *standings.metrics, "mean rank", "without one metric"], rows)


def between(values: list[float]) -> str:
    """The lowest and the highest; nothing to say of none."""
    return f"{min(values):.2f} … {max(values):.2f}" if values else "–"


def weaknesses(found: LabTable) -> str:
    """How often each edit moves each metric the wrong way, in per cent of the segments that it changed."""
    by_edit: dict[str, list[str]] = {}
    for one in found.weaknesses():
        n = str(one.n)
        share = "–" if one.fooled is None else f"{100 * one.fooled:.0f}"
        by_edit.setdefault(one.edit, [n]).append(share)
    return table(["edit", "n", *found.metrics], [[edit, *cells] for edit, cells in by_edit.items()])


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--default", required=True)
    parser.add_argument("--short", required=True)
    parser.add_argument("--segments", type=int, default=200)
    parser.add_argument("--edits", default=",".join(EDITS), help="all by default")
    parser.add_argument("--metrics", default=",".join(METRICS))
    arguments = parser.parse_args()
    systems = (arguments.default, arguments.short)
    segments = read_segments(arguments.data, systems, arguments.segments)
    rows = variants(systems, (arguments.short,), arguments.edits.split(","))
    backends = load_backends()
    started = time.perf_counter()
    requests = tuple(Request(name) for name in arguments.metrics.split(","))
    found = run_lab(segments, Lab(variants=rows, requests=requests, seed=SEED), backends)
    seconds = time.perf_counter() - started
    print(scores(found))
    print(parts(found))
    print(ranks(found))
    print(weaknesses(found))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pairs = len(segments) * len(rows) * len(found.metrics)
    print(
        f"{pairs:,} scores of {texts_of(found.made):,} distinct texts in {seconds:.0f} s, peak {peak:.0f} MiB"
    )
    for metric, signed in found.signatures.items():
        print(f"- {metric}: `{signed}`")


if __name__ == "__main__":
    main()
