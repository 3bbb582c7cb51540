"""Features of a translation: every number and flag of every metric, and the lengths of the two texts.

The order is fixed: metrics in the order of `METRICS`, others after them by name; for each its score
(`bertscore`), its other parts by name (`bertscore.precision`) and its flags by name (`bertscore#windowed`,
1 or 0); then lengths as natural logarithms of code points (`text.reference`, `text.hypothesis`,
`text.ratio`) and the flags that all metrics share (`text#empty-hypothesis`, …).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import CalibrationError
from core.metrics import METRICS
from core.signature import differences
from core.types import Result

Floats = NDArray[np.float64]
Lengths = Sequence[tuple[int, int]]
"""Code points of reference and hypothesis of each translation."""

TEXT = "text"
LENGTHS = ("text.reference", "text.hypothesis", "text.ratio")
TEXT_FLAGS = ("empty-reference", "empty-hypothesis", "copied-source")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FeatureTable:
    """n translations with p features. values: (n, p) float64, NaN where there is none.

    signatures: by metric, what made its scores. empty: metrics that were asked for and have no score at all.
    """

    names: tuple[str, ...]
    values: Floats
    signatures: Mapping[str, str]
    empty: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics behind the features, in their order."""
        return tuple(self.signatures)

    def score(self, metric: str) -> Floats:
        """(n,) a metric's own score, NaN where it has none."""
        return np.asarray(self.values[:, self.names.index(metric)])


def group_of(name: str) -> str:
    """The metric that a feature comes from, or `text`."""
    return name.split("#")[0].split(".")[0]


def groups_of(names: Sequence[str]) -> dict[str, list[int]]:
    """Which columns belong to each metric, and to the texts."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(group_of(name), []).append(place)
    return found


def features_of(rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None = None) -> FeatureTable:
    """Every feature that these results have: a mapping from metric to result for each translation.

    Raises CalibrationError where a metric's results have two signatures, and where no metric has a score.
    """
    signatures, scored = _signatures(rows)
    metrics = [name for name in signatures if name in scored]
    if not metrics:
        raise CalibrationError(
            "No metric has a score of any of these translations; score them first.", "unscored"
        )
    names = [name for metric in metrics for name in _names(metric, rows)]
    if lengths is not None:
        names.extend(LENGTHS)
    flags = {flag for results in rows for result in results.values() for flag in result.flags}
    names.extend(f"{TEXT}#{flag}" for flag in TEXT_FLAGS if flag in flags)
    return FeatureTable(
        names=tuple(names),
        values=values_of(names, rows, lengths),
        signatures={metric: signatures[metric] for metric in metrics},
        empty=tuple(name for name in signatures if name not in scored),
    )


def values_of(
    names: Sequence[str], rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None
) -> Floats:
    """(n, p) float64: these features of each translation, NaN for what it has not."""
    found = np.full((len(rows), len(names)), np.nan)
    for column, name in enumerate(names):
        if name in LENGTHS:
            if lengths is not None:
                found[:, column] = _lengths(name, lengths)
            continue
        for row, results in enumerate(rows):
            found[row, column] = _value(name, results)
    return found


def _signatures(rows: Sequence[Mapping[str, Result[Any]]]) -> tuple[dict[str, str], set[str]]:
    """By metric its signature, in the order of features; and the metrics that have a score somewhere."""
    found: dict[str, str] = {}
    scored: set[str] = set()
    for results in rows:
        for metric, result in results.items():
            differ = differences(found.setdefault(metric, result.signature), result.signature)
            if differ:
                raise CalibrationError(
                    "The scores of {metric} have two signatures ({difference}); score all "
                    "translations with the same settings.",
                    "signatures",
                    metric=metric,
                    difference="; ".join(differ),
                )
            if result.score is not None:
                scored.add(metric)
    known = [name for name in METRICS if name in found]
    others = sorted(found.keys() - METRICS.keys())
    return {name: found[name] for name in (*known, *others)}, scored


def _names(metric: str, rows: Sequence[Mapping[str, Result[Any]]]) -> list[str]:
    headline = METRICS[metric].headline if metric in METRICS else "score"
    results = [one[metric] for one in rows if metric in one]
    parts = {name for result in results for name in result.parts if name != headline}
    flags = {flag for result in results for flag in result.flags if flag not in TEXT_FLAGS}
    return [
        metric,
        *(f"{metric}.{name}" for name in sorted(parts)),
        *(f"{metric}#{flag}" for flag in sorted(flags)),
    ]


def _value(name: str, results: Mapping[str, Result[Any]]) -> float:
    metric, hash_, flag = name.partition("#")
    if metric == TEXT:
        return float(any(flag in one.flags for one in results.values())) if results else float("nan")
    result = results.get(metric if hash_ else group_of(name))
    if result is None:
        return float("nan")
    if hash_:
        return float(flag in result.flags)
    value = result.score if name == result.metric else result.parts.get(name.partition(".")[2])
    return float("nan") if value is None else float(value)


def _lengths(name: str, lengths: Lengths) -> Floats:
    reference, hypothesis = np.log1p(np.array(lengths, np.float64).reshape(-1, 2)).T
    by_name = {LENGTHS[0]: reference, LENGTHS[1]: hypothesis, LENGTHS[2]: hypothesis - reference}
    return np.asarray(by_name[name])
