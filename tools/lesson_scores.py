"""Score the lessons' own texts and store the results with their traces in assets/lessons.

    PYTHONPATH=. python tools/lesson_scores.py

Run it after a change of these texts, of a metric's defaults, of a trace or of a signature (a minute).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

from core.backends.registry import load_backends
from core.metrics import find_metric
from core.types import Result, TextPair
from pages.learn.examples import asked
from pages.learn.stored import FILE, lines


def results() -> Iterator[tuple[TextPair, Result[Any]]]:
    """Every score that a lesson shows before its reader has changed anything, each once."""
    backends, seen = load_backends(), set()
    for one in asked():
        scorer = find_metric(one.metric).prepare(one.settings, backends, [one.pair])
        key = (one.metric, scorer.signature, one.pair)
        if key not in seen:
            seen.add(key)
            yield one.pair, scorer.score(one.pair)


def main() -> None:
    """Write the file; the same scores give the same bytes."""
    found = list(results())
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(gzip.compress(lines(found).encode("utf-8"), 9, mtime=0))
    print(f"{len(found)} results in {FILE.name}, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
