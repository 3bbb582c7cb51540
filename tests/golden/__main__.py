"""Write the stored results again: scores under every metric and option, and the output of every command.

    python -m tests.golden

scores.json: real pairs under every metric, with their signatures. options.json: short pairs under every
option of every metric. commands: the output and files of the commands. Run it only for an intended change;
read the diff, and describe the change in the CHANGELOG.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import read_pairs
from core.backends import Backends
from core.backends.registry import load_backends
from core.metrics import METRICS
from core.scoring import Request, score_pairs
from tests.golden import commands, every_option

TESTS = Path(__file__).parents[1]
PAIRS = 8

NAMES = [name for name, spec in METRICS.items() if "judge" not in spec.needs]


def main() -> None:
    """Write all stored results."""
    commands.write_all()
    backends = load_backends()
    write_scores(backends)
    every_option.write_entries(backends)


def write_scores(backends: Backends) -> None:
    """Score the first pairs of each language."""
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
    every_option.store(TESTS / "golden" / "scores.json", golden, "lang", "pair", "metric")


if __name__ == "__main__":
    main()
