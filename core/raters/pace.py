"""How fast a rater works. Nothing heavy is loaded for it: the page *Rate* needs it, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Protocol

from core.raters.assignment import PAUSE_SECONDS
from core.stats.estimate import Estimate, absent


class Timed(Protocol):
    """An item that was judged. seconds: None without a measurement. characters: of its text, 0 if unknown."""

    @property
    def seconds(self) -> float | None: ...  # noqa: D102
    @property
    def characters(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """seconds: the median time of an item. a_minute: the median of characters a minute. Both without pauses.

    fast: the share of items faster than the floor; an item that took no time at all is. Missing: `no-times`.
    """

    seconds: Estimate
    a_minute: Estimate
    fast: Estimate


def pace(rows: Sequence[Timed], floor: float | None = None) -> Pace:
    """Of one rater. floor: characters a minute that are faster than reading; None for no floor."""
    timed = [row for row in rows if row.seconds is not None and row.seconds >= 0]
    times = [row.seconds or 0.0 for row in timed]
    sized = [(row.seconds or 0.0, row.characters) for row in timed if row.characters > 0]
    rates = [60 * characters / seconds for seconds, characters in sized if 0 < seconds <= PAUSE_SECONDS]
    fast = [60 * characters > floor * seconds for seconds, characters in sized] if floor is not None else []
    return Pace(
        seconds=_or_no_times([seconds for seconds in times if seconds <= PAUSE_SECONDS], median),
        a_minute=_or_no_times(rates, median),
        fast=_or_no_times([float(one) for one in fast], fmean),
    )


def _or_no_times(values: Sequence[float], middle: Callable[[Sequence[float]], float]) -> Estimate:
    return Estimate(value=middle(values), n=len(values)) if values else absent("no-times", 0)
