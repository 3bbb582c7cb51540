"""`python -m benchmarks.engines`: BERTScore of the bundled pairs under each engine and number format.

A row for each: tokens the model read per second of the processor, and the largest and the mean difference of
F from torch in float32. Each is measured in turn, in one process, after one pair that loads it.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.figures import BUNDLED, read_pairs
from core.backends import Backends, Compute
from core.backends.encoder.transformer import EMBEDDED
from core.backends.registry import load_backends
from core.cli.console import table
from core.scoring import Request, score_pairs
from core.types import TextPair

EXACT = ("torch", "float32")
OTHERS = (("openvino", "float32"), ("torch", "bfloat16"), ("openvino", "bfloat16"))


def measured(
    pairs: list[TextPair], engine: str, precision: str, backends: Backends
) -> tuple[float, np.ndarray]:
    """Tokens per second of the processor, and F of each pair."""
    request = Request("bertscore", {"engine": engine, "precision": precision})
    list(score_pairs([TextPair(reference="a", hypothesis="b")], [request], backends))
    encoder = backends.encoder_by(EMBEDDED, Compute(engine=engine, precision=precision))
    before, started = encoder.tokens_run, time.process_time()
    scores = [row[0].score or 0.0 for row in score_pairs(pairs, [request], backends)]
    seconds = time.process_time() - started
    return (encoder.tokens_run - before) / seconds, np.array(scores)


def main() -> None:
    """Measure and write the table."""
    paths = [BUNDLED / "pairs_ja.tsv", BUNDLED / "pairs_en.tsv"]
    pairs = [pair for path in paths for pair in read_pairs(path)]
    backends = load_backends()
    speed, exact = measured(pairs, *EXACT, backends)
    rows = [
        ("engine", "format", "tokens/s", "ratio", "largest", "mean"),
        (*EXACT, f"{speed:.0f}", "1", "0", "0"),
    ]
    for engine, precision in OTHERS:
        fast, scores = measured(pairs, engine, precision, backends)
        moved = np.abs(scores - exact)
        told = f"{fast:.0f}", f"{fast / speed:.2f}", f"{moved.max():.1e}", f"{moved.mean():.1e}"
        rows.append((engine, precision, *told))
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main()
