"""Measure BERTScore of unrelated texts, per language and layer: assets/baselines.json.

    python -m tools.make_baselines [--encoder embedded]

The texts are the test fixtures (novels and Wikipedia). Each reference meets the translations of other
segments, by four fixed shifts of the list. Stored per layer: the number of pairs, the mean P, R and F
(`rescale=yes` subtracts them), and the range with 95 % of the F scores.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import typer

from benchmarks.figures import read_pairs
from core.backends import Backends
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


def measure(backends: Backends, encoder: str, lang: str, layer: int) -> dict[str, float]:
    """The figures of one layer."""
    request = Request("bertscore", {"encoder": encoder, "layer": str(layer)})
    rows = score_pairs(random_pairs(lang), [request], backends)
    parts = [[row[0].parts[name] for name in ("precision", "recall", "f1")] for row in rows]
    precision, recall, f1 = np.mean(parts, axis=0)
    low, high = np.quantile([f for _, _, f in parts], [0.025, 0.975])
    figures = {"precision": precision, "recall": recall, "f1": f1, "low": low, "high": high}
    return {"pairs": len(parts)} | {name: round(float(value), 6) for name, value in figures.items()}


def main(encoder: str = "embedded") -> None:
    """Measure BERTScore of unrelated texts and write the encoder's entry; other entries stay."""
    backends = load_backends()
    found = backends.encoder(encoder)
    table = json.loads(BASELINES.read_text("utf-8")) if BASELINES.exists() else {}
    table[found.fingerprint] = {
        lang: {str(layer): measure(backends, encoder, lang, layer) for layer in range(found.layers + 1)}
        for lang in ("ja", "en")
    }
    BASELINES.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    own = table[found.fingerprint].items()
    print(json.dumps({lang: layers[str(found.default_layer)] for lang, layers in own}))


if __name__ == "__main__":
    typer.run(main)
