"""The bench of the hack lab: one run in which every text is read once, and the same without sharing."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Sequence
from typing import Any

from core.backends import Backends
from core.backends.encoder.transformer import EMBEDDED
from core.backends.registry import load_backends
from core.hacks.robustness import Lab, LabSegment, LabTable, run_lab, texts_of, variants
from core.scoring import Request, score_pairs
from core.types import TextPair

SEGMENTS = 200
ALONE = 10  # segments that are also scored without sharing
SYSTEM = "translation"
HACKS = (
    "maru-7", "tail-8", "professional", "professional-ja", "reference-twice", "repeat", "full-width",
    "random-tokens", "shuffle", "drop-last-sentence", "flip-negation", "swap-names",
)  # fmt: skip
METRICS = ("bertscore", "bertscore-reading", "subspace", "structure-dep", "mteqa", "sentence-cosine")


def lab_figures(pairs: Sequence[TextPair]) -> dict[str, Any]:
    """Seconds for SEGMENTS segments × HACKS × METRICS in one run, with what was remembered, and without.

    cache_share: of all token vectors that the metrics work on, the share that no model had to make again.
    few: the same on the first ALONE segments alone; alone: these again, each hack under each metric in a run
    of its own, with empty memories but loaded models; speedup: the one over the other, measured one right
    after the other, for the load of a machine changes. load: of the machine, before and after.
    """
    chosen = [pair for pair in pairs if pair.lang == "ja"][:SEGMENTS]
    segments = [
        LabSegment(reference=pair.reference, source=None, lang=pair.lang, outputs={SYSTEM: pair.hypothesis})
        for pair in chosen
    ]
    backends = load_backends()
    before = os.getloadavg()[0]
    _run(segments[:1], backends)  # loads the models
    shared = backends.without_cache()
    tokens = shared.encoder(EMBEDDED).tokens_run
    started = time.perf_counter()
    found = _run(segments, shared)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ran = shared.encoder(EMBEDDED).tokens_run - tokens
    share = 1 - ran / _tokens_worked_on(segments, found, shared)
    del shared
    return {
        "lab_segments": len(segments),
        "lab_hacks": len(HACKS),
        "lab_metrics": len(METRICS),
        "lab_texts": texts_of(found.made) + len({segment.reference for segment in segments}),
        "lab_s": round(seconds, 1),
        "lab_cache_share": round(share, 3),
        "lab_peak_mib": round(peak),
        **_against_alone(segments, backends),
        "lab_load": [round(before, 1), round(os.getloadavg()[0], 1)],
    }


def _against_alone(segments: Sequence[LabSegment], backends: Backends) -> dict[str, Any]:
    few = segments[:ALONE]
    started = time.perf_counter()
    made = _run(few, backends.without_cache())
    together = time.perf_counter() - started
    alone = _seconds_alone(few, made, backends)
    return {
        "lab_few_segments": len(few),
        "lab_few_s": round(together, 1),
        "lab_alone_s": round(alone, 1),
        "lab_alone_all_s": round(alone * len(segments) / len(few)),
        "lab_speedup": round(alone / together, 2),
    }


def _run(segments: Sequence[LabSegment], backends: Backends) -> LabTable:
    rows = variants((SYSTEM,), (SYSTEM,), HACKS)
    return run_lab(segments, Lab(variants=rows, requests=tuple(map(Request, METRICS))), backends)


def _tokens_worked_on(segments: Sequence[LabSegment], found: LabTable, backends: Backends) -> int:
    """Of both texts of every pair under every metric; what mteqa reads besides, its answers, is left out."""
    wanted = [text for row, segment in zip(found.made, segments, strict=True)
              for one in row for text in (segment.reference, one.text)]  # fmt: skip
    return len(METRICS) * sum(len(ids) for ids in backends.encoder(EMBEDDED).ids(wanted))


def _seconds_alone(segments: Sequence[LabSegment], made: LabTable, backends: Backends) -> float:
    """The texts are there already: making them costs nothing here."""
    seconds = 0.0
    for place in range(len(made.variants)):
        pairs = [
            TextPair(reference=segment.reference, hypothesis=row[place].text, lang=segment.lang)
            for segment, row in zip(segments, made.made, strict=True)
        ]
        for metric in METRICS:
            fresh = backends.without_cache()
            started = time.perf_counter()
            for _ in score_pairs(pairs, [Request(metric)], fresh):
                pass
            seconds += time.perf_counter() - started
    return seconds
