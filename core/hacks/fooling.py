"""When a bad translation fools one metric and no other."""

from __future__ import annotations

from collections.abc import Mapping

from core.hacks.robustness import EQUAL
from core.metrics import find_metric


def better_under(good: Mapping[str, float | None], bad: Mapping[str, float | None]) -> tuple[str, ...]:
    """The metrics under which the bad translation is ahead of the good one, in their order."""
    return tuple(name for name in good if _ahead(name, bad.get(name), good[name]))


def fooled_alone(good: Mapping[str, float | None], bad: Mapping[str, float | None]) -> str | None:
    """The one metric that puts the bad translation ahead while all others put it behind; else None.

    Equal scores, and a missing one, are neither ahead nor behind.
    """
    ahead = better_under(good, bad)
    behind = better_under(bad, good)
    return ahead[0] if len(ahead) == 1 and len(behind) == len(good) - 1 else None


def _ahead(metric: str, score: float | None, other: float | None) -> bool:
    if score is None or other is None:
        return False
    difference = score - other if find_metric(metric).higher_is_better else other - score
    return difference > EQUAL
