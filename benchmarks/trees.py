"""The bench of structure alignment: parsing and scoring 1,000 short pairs, and cost by length of sentence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from core.backends import Backends
from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.text.segmentation import sentence_starts
from core.types import TextPair

LENGTHS = (10, 25, 50, 100, 200, 400)
KINDS = {"dep": Request("structure-dep"), "con": Request("structure-con")}
TIMES = 3


def tree_figures(pairs: Sequence[TextPair]) -> dict[str, Any]:
    """Seconds for the pairs' first sentences, by what is done, and milliseconds by number of words."""
    short = [first_sentences(pair) for pair in pairs]
    texts = {(text, pair.lang) for pair in short for text in (pair.reference, pair.hypothesis)}
    backends = load_backends()
    list(score_pairs(short, [Request("bertscore")], backends))  # loads and encodes
    figures: dict[str, Any] = {"trees_pairs": len(short), "trees_distinct_texts": len(texts)}
    for kind, request in KINDS.items():
        constituents = kind == "con"
        parser = backends.parser("auto")
        for lang in dict.fromkeys(pair.lang for pair in short):  # loads the pipelines and heads
            parser.parse(["."], lang=lang, constituents=constituents)
        first, second = (_seconds(short, request, backends) for _ in range(2))
        figures |= {f"trees_{kind}_s": round(first, 2), f"trees_{kind}_warm_s": round(second, 2)}
    return figures | {"trees_ms_by_words": _by_length(pairs)}


def first_sentences(pair: TextPair) -> TextPair:
    """The first sentence of each side."""
    return TextPair(reference=_first(pair.reference), hypothesis=_first(pair.hypothesis), lang=pair.lang)


def _first(text: str) -> str:
    starts = sentence_starts(text)
    return text[: starts[1]].strip() if len(starts) > 1 else text


def _seconds(pairs: Sequence[TextPair], request: Request, backends: Backends) -> float:
    started = time.perf_counter()
    for _ in score_pairs(pairs, [request], backends):
        pass
    return time.perf_counter() - started


def _by_length(pairs: Sequence[TextPair]) -> dict[str, dict[str, float]]:
    """Milliseconds to align one English pair of that many words, once its vectors and trees are there."""
    words = " ".join(pair.reference for pair in pairs if pair.lang == "en").split()
    backends = load_backends()
    found: dict[str, dict[str, float]] = {kind: {} for kind in KINDS}
    for length in LENGTHS:
        sides = [" ".join(words[start : start + length]) for start in (0, 400)]
        pair = TextPair(reference=sides[0], hypothesis=sides[1], lang="en")
        for kind, request in KINDS.items():
            list(score_pairs([pair], [request], backends))
            best = min(_seconds([pair], request, backends) for _ in range(TIMES))
            found[kind][str(length)] = round(1000 * best, 1)
    return found
