"""The score of many segments together: for BLEU and chrF from their summed counts, else the mean.

BLEU and chrF of a system are no means of sentence scores: matches and lengths are summed first (sacreBLEU).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from core.metrics.surface import BleuTrace, ChrfTrace, NgramCounts, bleu_of, chrf_of
from core.types import Result


class Pool(Protocol):
    """Takes one result after the other; `score` is None while there is none."""

    def add(self, result: Result[Any]) -> None:
        """Take a result; one without a score counts for nothing."""
        ...

    @property
    def score(self) -> float | None:
        """The score of all that was taken."""
        ...

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts of all that was taken, by name; empty while there is none."""
        ...


def pool_for(metric: str) -> Pool:
    """The way in which this metric's segments become one score."""
    return _Counts(metric) if metric in ("bleu", "chrf") else _Mean()


class _Mean:
    """A part is averaged over the segments that have it."""

    def __init__(self) -> None:
        self._scores: list[float] = []
        self._parts: dict[str, tuple[float, int]] = {}

    def add(self, result: Result[Any]) -> None:
        if result.score is not None:
            self._scores.append(result.score)
            for name, value in result.parts.items():
                total, count = self._parts.get(name, (0.0, 0))
                self._parts[name] = (total + value, count + 1)

    @property
    def score(self) -> float | None:
        return math.fsum(self._scores) / len(self._scores) if self._scores else None

    @property
    def parts(self) -> dict[str, float]:
        return {name: total / count for name, (total, count) in self._parts.items()}


class _Counts:
    def __init__(self, metric: str) -> None:
        self._metric = metric
        self._counts: list[NgramCounts] = []
        self._hypothesis = self._reference = 0

    def add(self, result: Result[Any]) -> None:
        trace = result.trace
        if not isinstance(trace, BleuTrace | ChrfTrace):
            return
        counts = trace.counts()
        self._counts = (
            [_sum(*both) for both in zip(self._counts, counts, strict=True)] if self._counts else counts
        )
        self._hypothesis += len(trace.hypothesis)
        self._reference += len(trace.reference)

    @property
    def score(self) -> float | None:
        return self.parts.get(self._metric)

    @property
    def parts(self) -> dict[str, float]:
        if not self._counts:
            return {}
        if self._metric == "chrf":
            return chrf_of(self._counts)
        return bleu_of(self._counts, self._hypothesis, self._reference)


def _sum(one: NgramCounts, other: NgramCounts) -> NgramCounts:
    return NgramCounts(
        order=one.order,
        hypothesis=one.hypothesis + other.hypothesis,
        reference=one.reference + other.reference,
        matched=one.matched + other.matched,
    )
