"""Answers by fit: the piece of the hypothesis that stands where the reference's answer stands.

A candidate is judged by what is around it, not by whether it says the same: its vector beside the answer's,
its kind, its role in the sentence, and whether the word it belongs to is the partner of the answer's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.bertscore.matching import unit_rows
from core.metrics.mteqa.answer_spans import NAME, VALUE, Span
from core.metrics.structure.subtrees import word_vectors
from core.trees import Parse
from core.types import TokenVectors

SAME_KIND, SAME_LABEL, SAME_ROLE, SAME_GOVERNOR, ORDER = 0.3, 0.1, 0.1, 0.1, 0.1
"""What each agreement adds to the cosine of two spans; `ORDER` is taken off by relative distance."""
LEAST = 0.9
"""Below this sum there is no answer (unrelated spans of the same kind reach about .8)."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text ready for matching: its spans, their unit vectors (s, d), and its parse with unit words."""

    spans: tuple[Span, ...]
    vectors: NDArray[np.float32]
    words: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The span that fits best, None where none does well enough, and how well it fits."""

    span: Span | None
    fit: float


def side(spans: Sequence[Span], parse: Parse, tokens: TokenVectors) -> Side:
    """Vectors of spans: the mean over the words with their tokens' maximum."""
    words, found = word_vectors(parse, tokens)
    rows = [
        words[first:last][found[first:last]].mean(axis=0)
        if found[first:last].any()
        else np.zeros(words.shape[1], np.float32)
        for first, last in (span.words for span in spans)
    ]
    vectors = np.array(rows, np.float32).reshape(len(rows), words.shape[1])
    return Side(tuple(spans), unit_rows(vectors), unit_rows(words))


def answers(reference: Side, hypothesis: Side) -> list[Answer]:
    """For each span of the reference the best fitting one of the hypothesis, which is then taken."""
    if not (reference.spans and hypothesis.spans):
        return [Answer(span=None, fit=0.0) for _ in reference.spans]
    fit = fits(reference, hypothesis)
    found: list[Answer] = [Answer(span=None, fit=0.0)] * len(reference.spans)
    free = np.ones(len(hypothesis.spans), bool)
    for own in np.argsort(-fit.max(axis=1), kind="stable"):
        row = np.where(free, fit[own], -np.inf)
        best = int(row.argmax())
        if row[best] < LEAST:
            continue
        free[best] = False
        found[own] = Answer(span=hypothesis.spans[best], fit=float(row[best]))
    return found


def fits(reference: Side, hypothesis: Side) -> NDArray[np.float64]:
    """(r, h) how well each span of the hypothesis stands where each of the reference does."""
    fit = (reference.vectors @ hypothesis.vectors.T).astype(np.float64)
    partner = (reference.words @ hypothesis.words.T).argmax(axis=1) if len(hypothesis.words) else np.zeros(0)
    for i, one in enumerate(reference.spans):
        for j, other in enumerate(hypothesis.spans):
            fit[i, j] += SAME_KIND * _same_kind(one, other)
            fit[i, j] += SAME_LABEL * (one.label == other.label)
            fit[i, j] += SAME_ROLE * (one.role == other.role)
            if one.governor >= 0 and other.governor >= 0:
                fit[i, j] += SAME_GOVERNOR * (partner[one.governor] == other.governor)
            here = one.words[0] / max(len(reference.words), 1)
            there = other.words[0] / max(len(hypothesis.words), 1)
            fit[i, j] -= ORDER * abs(here - there)
    return fit


def _same_kind(one: Span, other: Span) -> float:
    """1 for the same kind; a name and a thing are near; a value is like no other kind."""
    if one.kind == other.kind:
        return 1.0
    if VALUE in (one.kind, other.kind):
        return 0.0
    return 0.7 if NAME in (one.kind, other.kind) else 0.5
