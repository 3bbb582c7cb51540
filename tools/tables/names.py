"""What the reading penalty reaches: names that were checked by hand, and the demo's changed names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.assets import ASSETS
from core.backends import Backends
from core.backends.registry import load_backends
from core.metrics.reading import ReadingTrace
from core.scoring import Request, score_pairs
from core.types import Result, TextPair
from tools.tables.inputs import CACHE_BYTES, Metrics, request_of, rows_by_segment, rows_of
from tools.tables.markdown import print_header, print_row

CHECKED = Path(__file__).parent / "names.ja.tsv"
"""Names of GiNZA in the Holmes demo and in 60 works of Aozora Bunko, without those that are none."""
DEMO = ASSETS / "demo" / "holmes-en-ja"
SYSTEMS = ("demo-names", "demo-literal")


def names(metrics: Metrics) -> None:
    """Print which share of name tokens counts as rare, and what changed names cost in the Holmes demo.

    Shares: of the tokens of checked names, in the demo and in Aozora's works, and of all other tokens of
    their sentences. Factors: the mean penalty on precision and on recall of the translation with changed
    names and of the faithful one.
    """
    backends = load_backends(cache_bytes=CACHE_BYTES)
    checked = rows_of(CHECKED)
    sentences = [
        TextPair(reference=row["sentence"], hypothesis=row["sentence"], lang="ja") for row in checked
    ]
    references, outputs = rows_of(DEMO / "segments.tsv"), rows_by_segment(DEMO / "outputs.tsv")
    print_header(
        ["setting", "names, Holmes", "names, Aozora", "other tokens", *(f"factors, {one}" for one in SYSTEMS)]
    )
    for described in metrics:
        request = request_of(described)
        traces = [_trace(row) for row in score_pairs(sentences, [request], backends)]
        cells = [f"{share:.3f}" for share in _shares(checked, traces)]
        for system in SYSTEMS:
            pairs = [
                TextPair(reference=row["refA"], hypothesis=outputs[row["seg_id"]][system], lang="ja")
                for row in references
            ]
            cells.append(_factors(pairs, request, backends))
        print_row(described, *cells)
    print(f"\n{len(checked)} names")


def _trace(row: Sequence[Result[Any]]) -> ReadingTrace:
    trace: ReadingTrace = row[0].trace
    return trace


def _shares(checked: Sequence[dict[str, str]], traces: Sequence[ReadingTrace]) -> tuple[float, float, float]:
    """Rare tokens: of names in the demo, of names in Aozora's works, and of all other tokens."""
    rare: dict[str, list[np.ndarray]] = {"holmes": [], "aozora": [], "": []}
    for row, trace in zip(checked, traces, strict=True):
        tokens = trace.base.reference.tokens
        own = np.array(
            [
                one.start < int(row["end"]) and int(row["start"]) < one.end and not one.special
                for one in tokens
            ]
        )
        plain = np.array([not one.special for one in tokens])
        rare[row["from"]].append(trace.reference.rare[own])
        rare[""].append(trace.reference.rare[plain & ~own])
    found = [float(np.concatenate(one).mean()) for one in rare.values()]
    return found[0], found[1], found[2]


def _factors(pairs: Sequence[TextPair], request: Request, backends: Backends) -> str:
    results = [row[0] for row in score_pairs(pairs, [request], backends)]
    both = (np.mean([one.parts[f"penalty_{part}"] for one in results]) for part in ("precision", "recall"))
    return " / ".join(f"{one:.3f}" for one in both)
