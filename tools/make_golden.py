"""Write tests/golden/scores.json anew: real pairs under every metric, with the signatures that made them.

    python tools/make_golden.py

Run it only when a change of numbers is meant, and say so in the CHANGELOG.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.figures import read_pairs
from core.backends.registry import load_backends
from core.metrics import METRICS
from core.scoring import Request, score_pairs

TESTS = Path(__file__).parents[1] / "tests"
PAIRS = 8

NAMES = [name for name, spec in METRICS.items() if "judge" not in spec.needs]


def main() -> None:
    """Score the first pairs of each language."""
    backends = load_backends()
    golden = []
    for lang in ("ja", "en"):
        pairs = read_pairs(TESTS / "fixtures" / f"pairs_{lang}.tsv")[:PAIRS]
        for number, row in enumerate(score_pairs(pairs, [Request(name) for name in NAMES], backends)):
            golden += [
                {
                    "lang": lang,
                    "pair": number,
                    "metric": result.metric,
                    "signature": result.signature,
                    "parts": {name: round(value, 7) for name, value in result.parts.items()},
                }
                for result in row
            ]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in golden)
    (TESTS / "golden" / "scores.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
