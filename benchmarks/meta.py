"""The bench of meta-evaluation: 100 metrics with 500,000 segment scores each."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from core.metaeval.correlation import COEFFICIENTS, correlate, partial_correlations
from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import intervals

METRICS, SEGMENTS, SYSTEMS, A_DOCUMENT = 100, 25_000, 20, 25
SEED = 20261128


def meta_figures(*, metrics: int = METRICS, segments: int = SEGMENTS) -> dict[str, Any]:
    """CPU seconds for each coefficient of all metrics with people, all intervals and partial correlations."""
    table = drawn_table(metrics, segments)
    figures: dict[str, Any] = {"meta_metrics": metrics, "meta_scores_each": len(table.people)}
    for coefficient in COEFFICIENTS:
        started = time.process_time()
        for name in table.metrics:
            correlate(table, name, coefficient)
        figures[f"meta_{coefficient}_cpu_s"] = round(time.process_time() - started, 2)
    for name, measured in (("intervals", intervals), ("partial", partial_correlations)):
        started = time.process_time()
        measured(table)
        figures[f"meta_{name}_cpu_s"] = round(time.process_time() - started, 2)
    return figures


def drawn_table(metrics: int, segments: int) -> MetaTable:
    """People's scores from a normal distribution, and each metric the same with as much noise."""
    rng, size = np.random.default_rng(SEED), segments * SYSTEMS
    people, item = rng.normal(size=size), np.repeat(np.arange(segments), SYSTEMS)
    return MetaTable(
        people=people,
        metrics={f"metric-{one}": people + rng.normal(size=size) for one in range(metrics)},
        item=item,
        system=np.tile(np.arange(SYSTEMS), segments),
        items=[str(one) for one in range(segments)],
        systems=[str(one) for one in range(SYSTEMS)],
        group=item // A_DOCUMENT,
    )
