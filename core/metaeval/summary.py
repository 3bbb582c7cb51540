"""Everything about how well the metrics of a table agree with people, as one value."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.metaeval.correlation import (
    Coefficient,
    Correlation,
    Grouping,
    Partial,
    correlate,
    partial_correlations,
)
from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import Contrast, Interval, contrast, intervals
from core.metaeval.systems import (
    Accuracy,
    KendallLike,
    SystemLevel,
    accuracy,
    kendall_like,
    system_level,
    system_permutation,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One metric with people: on segments, on pairs of systems of a segment, and on systems.

    in_segments, in_documents: means of Pearson's r within each segment and within each document. segment: the
    coefficient and grouping that were chosen.
    """

    metric: str
    in_segments: Correlation
    in_documents: Correlation
    segment: Correlation
    interval: Interval
    accuracy: Accuracy
    kendall_like: KendallLike
    systems: SystemLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What the figures rest on: counts of what people rated, and the mean and spread of their scores.

    sd: the sample standard deviation. None where there are too few scores.
    """

    translations: int
    segments: int
    documents: int
    mean: float | None
    sd: float | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetaSummary:
    """All metrics, in the table's order; every two of them, both ways round; partial correlations.

    system_permutation: p of PERM-BOTH over systems, by the first and the second metric.
    """

    coefficient: Coefficient
    grouping: Grouping
    basis: Basis
    metrics: Sequence[MetricSummary]
    contrasts: Sequence[Contrast]
    system_permutation: Mapping[tuple[str, str], float | None]
    partial: Partial


def basis(table: MetaTable) -> Basis:
    """Counts and spread of the translations that people rated."""
    rated = np.isfinite(table.people)
    people = table.people[rated]
    return Basis(
        translations=len(people),
        segments=len(np.unique(table.item[rated])),
        documents=len(np.unique(table.group[rated])),
        mean=float(people.mean()) if len(people) else None,
        sd=float(people.std(ddof=1)) if len(people) > 1 else None,
    )


def summarise(
    table: MetaTable,
    coefficient: Coefficient = "pearson",
    grouping: Grouping = "none",
    *,
    seed: int = 0,
) -> MetaSummary:
    """Raises OptionError for an unknown coefficient or grouping."""
    ends = {one.metric: one for one in intervals(table, seed=seed)}
    rows = [
        MetricSummary(
            metric=name,
            in_segments=correlate(table, name, grouping="item"),
            in_documents=correlate(table, name, grouping="document"),
            segment=correlate(table, name, coefficient, grouping),
            interval=ends[name],
            accuracy=accuracy(table, name),
            kendall_like=kendall_like(table, name),
            systems=system_level(table, name),
        )
        for name in table.metrics
    ]
    contrasts = [contrast(table, a, b, seed=seed) for a, b in itertools.permutations(table.metrics, 2)]
    return MetaSummary(
        coefficient=coefficient,
        grouping=grouping,
        basis=basis(table),
        metrics=rows,
        contrasts=contrasts,
        system_permutation={
            (a, b): system_permutation(table, a, b, seed=seed)
            for a, b in itertools.permutations(table.metrics, 2)
        },
        partial=partial_correlations(table),
    )
