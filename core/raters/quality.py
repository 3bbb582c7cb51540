"""Can a rater's scores be relied on? Checks, pace, sameness and drift of each rater of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.raters.assignment import TARGET
from core.raters.checks import CheckTest, degraded_below_original, reference_above_systems, repeat_error
from core.raters.figures import Figure
from core.raters.habits import Drift, Others, Pace, Sameness, drift, pace, sameness
from core.raters.quality_rows import QualityRow, by_rater
from core.raters.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterQuality:
    """Everything that is known of one rater's n target ratings and `checks` check ratings.

    repeat_error: mean |second - first| in points. What cannot be had has a word why, never NaN.
    """

    rater: str
    n: int
    checks: int
    repeat_error: Figure
    degraded: CheckTest
    reference: CheckTest
    pace: Pace
    same: Sameness
    drift: Drift


def check_raters(rows: Sequence[QualityRow], rules: Rules) -> tuple[RaterQuality, ...]:
    """Each rater, by name. Of the rules only the floor of the pace enters here.

    Raises InputError for a score or a time that is no number, and for an unknown kind of item.
    """
    everyone = by_rater(rows)
    others = Others(everyone)
    return tuple(
        RaterQuality(
            rater=rater,
            n=sum(row.kind == TARGET for row in own),
            checks=sum(row.kind != TARGET for row in own),
            repeat_error=repeat_error(own),
            degraded=degraded_below_original(own),
            reference=reference_above_systems(own),
            pace=pace(own, rules.pace),
            same=sameness(own),
            drift=drift(own, others, raters=len(everyone)),
        )
        for rater, own in everyone.items()
    )
