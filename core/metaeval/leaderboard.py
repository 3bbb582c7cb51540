"""Systems under people and metrics side by side, and the translations on which the two disagree most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.metaeval.correlation import MIN_POINTS
from core.metaeval.evaluation import PEOPLE, Evaluation, Floats, known

RESAMPLES = 1000
MIN_SEGMENTS = 5
_BLOCK = 4_000_000  # weights held in memory at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A system's mean over the n segments that have a score, and a 95 % interval over segments, from 5 on."""

    mean: float | None
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMeans:
    """A system with its means: by column, people and metrics."""

    system: str
    means: Mapping[str, Mean]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A translation, by its row, and the share of all translations that people and the metric put below it.

    people, metric: in 0..1, ties by half. gap: metric less people, in -1..1.
    """

    row: int
    people: float
    metric: float

    @property
    def gap(self) -> float:
        """How far the metric stands above people."""
        return self.metric - self.people


def system_board(evaluation: Evaluation, *, seed: int = 0) -> list[SystemMeans]:
    """Every system that has a row, by people's mean where there is one, best first; else by name.

    Segments are drawn 1,000 times, as many as there are, the same for all systems and columns.
    """
    present = np.unique(evaluation.system).tolist()
    segments, item = np.unique(evaluation.segment, return_inverse=True)
    drawn = list(_draws(len(segments), seed)) if len(segments) >= MIN_SEGMENTS else []
    rows = []
    for place in present:
        own = evaluation.system == place
        means = {
            name: _mean(evaluation.column(name)[own], item[own], len(segments), drawn)
            for name in evaluation.columns
        }
        rows.append(SystemMeans(system=evaluation.systems[place], means=means))
    return sorted(rows, key=_order)


def disagreements(
    evaluation: Evaluation, metric: str, *, count: int = 10
) -> tuple[list[Disagreement], list[Disagreement]]:
    """Where the metric stands furthest above people, and furthest below; the worst first, `count` at most.

    Both are ranked among the translations that both scored; empty where fewer than three were.
    """
    people, scores = evaluation.upwards(PEOPLE), evaluation.upwards(metric)
    rows = np.flatnonzero(known(people, scores))
    if len(rows) < MIN_POINTS:
        return [], []
    below = [(stats.rankdata(one[rows]) - 1) / (len(rows) - 1) for one in (people, scores)]
    gaps = np.round(below[1] - below[0], 9)
    order = np.lexsort((rows, -gaps)).tolist()  # equal gaps in the order of rows
    found = [
        Disagreement(row=int(rows[one]), people=float(below[0][one]), metric=float(below[1][one]))
        for one in order
    ]
    above = [one for one in found[:count] if one.gap > 0]
    under = [one for one in found[::-1][:count] if one.gap < 0]
    return above, under


def _mean(values: Floats, item: np.ndarray, segments: int, drawn: Sequence[Floats]) -> Mean:
    there = np.isfinite(values)
    n = int(there.sum())
    if not n:
        return Mean(mean=None, n=0)
    mean = float(values[there].mean())
    if n < MIN_SEGMENTS or not drawn:
        return Mean(mean=mean, n=n)
    sums = np.stack(
        [np.bincount(item[there], one, segments) for one in (values[there] - mean, np.ones(n))], 1
    )
    total, counts = np.concatenate([weights @ sums for weights in drawn]).T
    low, high = np.quantile(mean + total[counts > 0] / counts[counts > 0], (0.025, 0.975)).tolist()
    return Mean(mean=mean, n=n, low=low, high=high)


def _draws(segments: int, seed: int) -> Iterator[Floats]:
    """How often each segment is drawn: (some, segments) at a time, RESAMPLES rows in all."""
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK // segments)
    for start in range(0, RESAMPLES, block):
        count = min(block, RESAMPLES - start)
        yield rng.multinomial(segments, np.full(segments, 1 / segments), count).astype(np.float64)


def _order(row: SystemMeans) -> tuple[float, str]:
    mean = row.means[PEOPLE].mean
    return (np.inf if mean is None else -round(mean, 9), row.system)
