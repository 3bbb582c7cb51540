"""A student's scores beside an expert panel's: bias, spread, agreement, and the largest gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from core.raters.agreement import pairwise
from core.raters.ratings import Rating

MOST_GAPS = 5
STUDENT, PANEL = "student", "panel"


@dataclass(frozen=True, slots=True)
class Gap:
    """An item on which the student and the panel lie apart, in points; below 0 the student is stricter."""

    item: int
    student: float
    panel: float

    @property
    def points(self) -> float:
        """The student's score less the panel's mean."""
        return self.student - self.panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """n items that the panel rated, too. bias: the mean difference in points, above 0 for a lenient student.

    spread: the standard deviation of the differences (ddof 1), None for one item. error: the mean absolute
    difference. r: Pearson's, with its 95 % interval; None exactly when `missing` says why (`few-shared`,
    `no-variance`). gaps: the largest, widest first.
    """

    n: int
    bias: float
    spread: float | None
    error: float
    r: float | None
    low: float | None
    high: float | None
    missing: str | None
    gaps: tuple[Gap, ...]


def panel_means(scores: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """The mean of the panel for each item that at least one of its members scored."""
    items = dict.fromkeys(item for one in scores for item in one)
    return {item: fmean(one[item] for one in scores if item in one) for item in items}


def grade(student: Mapping[int, float], panel: Mapping[int, float]) -> Grade | None:
    """A student beside the panel's means, on the items that both have; None where there are none."""
    shared = [item for item in student if item in panel]
    if not shared:
        return None
    gaps = [Gap(item, student[item], panel[item]) for item in shared]
    points = [gap.points for gap in gaps]
    rows = [
        Rating(name, item, scores[item])
        for name, scores in ((STUDENT, student), (PANEL, panel))
        for item in shared
    ]
    (agreed,) = pairwise(rows)
    widest = sorted(gaps, key=lambda gap: (-abs(gap.points), gap.item))
    return Grade(
        n=len(shared),
        bias=fmean(points),
        spread=stdev(points) if len(points) > 1 else None,
        error=fmean(abs(one) for one in points),
        r=agreed.r,
        low=agreed.low,
        high=agreed.high,
        missing=agreed.missing,
        gaps=tuple(gap for gap in widest[:MOST_GAPS] if gap.points),
    )
