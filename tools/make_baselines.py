"""Measure what unrelated texts score under BERTScore, per language and layer: assets/baselines.json.

    python tools/make_baselines.py [--encoder embedded]

The texts are the fixtures of the tests (real novels and Wikipedia); each reference meets the translations
of other segments, by four fixed shifts of the list. Kept per layer: the number of pairs, the mean P, R and F
(what `rescale=yes` subtracts), and the range that holds 95 % of the F scores.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.figures import read_pairs
from core.backends.registry import load_backends
from core.metrics.bertscore.baseline import BASELINES
from core.scoring import Request, score_pairs
from core.types import TextPair

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures"
SHIFTS = (7, 61, 131, 211)
TEXTS = 250


def random_pairs(lang: str) -> list[TextPair]:
    """Every reference with the translations of four other segments."""
    pairs = read_pairs(FIXTURES / f"pairs_{lang}.tsv")[:TEXTS]
    return [
        TextPair(reference=pair.reference, hypothesis=pairs[(i + shift) % len(pairs)].hypothesis, lang=lang)
        for shift in SHIFTS
        for i, pair in enumerate(pairs)
    ]


def measure(encoder: str, lang: str, layer: int) -> dict[str, float]:
    """One entry of the table."""
    rows = score_pairs(
        random_pairs(lang), [Request("bertscore", {"encoder": encoder, "layer": str(layer)})], BACKENDS
    )
    parts = [[row[0].parts[name] for name in ("precision", "recall", "f1")] for row in rows]
    precision, recall, f1 = np.mean(parts, axis=0)
    low, high = np.quantile([f for _, _, f in parts], [0.025, 0.975])
    figures = {"precision": precision, "recall": recall, "f1": f1, "low": low, "high": high}
    return {"pairs": len(parts)} | {name: round(float(value), 6) for name, value in figures.items()}


def main() -> None:
    """Measure, and write the entry of this encoder; others stay."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", default="embedded")
    name = parser.parse_args().encoder
    encoder = BACKENDS.encoder(name)
    table = json.loads(BASELINES.read_text("utf-8")) if BASELINES.exists() else {}
    table[encoder.fingerprint] = {
        lang: {str(layer): measure(name, lang, layer) for layer in range(encoder.layers + 1)}
        for lang in ("ja", "en")
    }
    BASELINES.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    print(
        json.dumps(
            {lang: layers[str(encoder.default_layer)] for lang, layers in table[encoder.fingerprint].items()}
        )
    )


BACKENDS = load_backends()

if __name__ == "__main__":
    main()
