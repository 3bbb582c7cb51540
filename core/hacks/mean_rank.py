"""Several metrics as one: the mean rank of systems (ehiMetrick 2025), and ranks or z-scores of segments.

A single metric can be fooled; it is harder to fool several that are fooled by different things.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import OptionError

How = Literal["rank", "z"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A system's ranks, 1 for the best (equal scores share their mean rank), by metric, and their mean."""

    system: str
    ranks: Mapping[str, float]
    mean_rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Systems, the best mean rank first, equal ones by name.

    left_out: metrics under which a system has no score; they do not count. Empty without metrics.
    """

    systems: tuple[Standing, ...]
    metrics: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def mean_rank(
    scores: Mapping[str, Mapping[str, float | None]], *, lower_is_better: Sequence[str] = ()
) -> Standings:
    """Rank systems under each metric and average. scores: by metric, then by system; None for no score."""
    from scipy import stats

    systems = sorted({system for by_system in scores.values() for system in by_system})
    ranks: dict[str, dict[str, float]] = {}
    for metric, by_system in scores.items():
        values = [by_system.get(system) for system in systems]
        if all(value is not None and math.isfinite(value) for value in values):
            signed = np.array(values, np.float64) * (1 if metric in lower_is_better else -1)
            places = stats.rankdata(np.round(signed, 9), method="average")
            ranks[metric] = dict(zip(systems, places.tolist(), strict=True))
    left_out = tuple(metric for metric in scores if metric not in ranks)
    if not ranks:
        return Standings(systems=(), metrics=(), left_out=left_out)
    found = [
        Standing(
            system=system,
            ranks={metric: by_system[system] for metric, by_system in ranks.items()},
            mean_rank=math.fsum(by_system[system] for by_system in ranks.values()) / len(ranks),
        )
        for system in systems
    ]
    ordered = sorted(found, key=lambda one: (round(one.mean_rank, 9), one.system))
    return Standings(systems=tuple(ordered), metrics=tuple(ranks), left_out=left_out)


def without_each(
    scores: Mapping[str, Mapping[str, float | None]], *, lower_is_better: Sequence[str] = ()
) -> dict[str, Standings]:
    """The standings without one metric after the other; by the metric that is left out."""
    return {
        metric: mean_rank(
            {name: by_system for name, by_system in scores.items() if name != metric},
            lower_is_better=lower_is_better,
        )
        for metric in scores
        if len(scores) > 1
    }


def combine(
    scores: Mapping[str, Sequence[float | None]], how: How = "rank", *, lower_is_better: Sequence[str] = ()
) -> list[float | None]:
    """One number for each of n segments from their scores under several metrics; higher is better.

    rank: the mean of (rank - 1) / (n - 1), in 0..1, equal scores sharing their mean rank. z: the mean of
    (x - mean) / sd (ddof = 1). A segment without a score under one of the metrics has None and takes no part;
    so do metrics without variance. Raises OptionError for another way.
    """
    if how not in ("rank", "z"):
        raise OptionError("Segments are combined by rank or z, not by {how}.", how=how)
    columns = {metric: np.array(values, np.float64) for metric, values in scores.items()}
    size = max((len(one) for one in columns.values()), default=0)
    whole = np.ones(size, bool)
    for column in columns.values():
        whole &= np.isfinite(column)
    used = [
        _standardised(column[whole] * (-1 if metric in lower_is_better else 1), how)
        for metric, column in columns.items()
        if whole.sum() > 1 and np.ptp(column[whole]) > 0
    ]
    found: list[float | None] = [None] * size
    if used:
        means = np.mean(used, axis=0)
        for place, value in zip(np.flatnonzero(whole).tolist(), means.tolist(), strict=True):
            found[place] = value
    return found


def _standardised(values: NDArray[np.float64], how: How) -> NDArray[np.float64]:
    from scipy import stats

    if how == "z":
        return np.asarray((values - values.mean()) / values.std(ddof=1), np.float64)
    return np.asarray((stats.rankdata(values) - 1) / (len(values) - 1), np.float64)
