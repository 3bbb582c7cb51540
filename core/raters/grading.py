"""A student's scores beside an expert panel's, and a class's beside panel and metrics, item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from scipy.stats import rankdata

from core.raters.agreement import pairwise
from core.raters.ratings import Rating

MOST_GAPS = 5
FEWEST_FOR_INTERVAL = 10
"""Shared items from which an interval of r says anything: from six it reaches from −1 to 1."""
WORTH_A_WORD = 20.0
"""By how many points a class, and percentile points a metric, must differ from the panel to be mentioned."""
LEVELS = 3
"""A guess says in which third of the campaign's translations a metric puts one."""
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
    difference. r: Pearson's, None exactly when `missing` says why (`few-shared`, `no-variance`). low, high:
    its 95 % interval, from `FEWEST_FOR_INTERVAL` items on. gaps: the largest, widest first.
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
        low=agreed.low if len(shared) >= FEWEST_FOR_INTERVAL else None,
        high=agreed.high if len(shared) >= FEWEST_FOR_INTERVAL else None,
        missing=agreed.missing,
        gaps=tuple(gap for gap in widest[:MOST_GAPS] if gap.points),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassItem:
    """An item as a class, its panel and the metrics see it.

    scores: of the students, 0 to 100. panel: the panel's mean, or None. panel_rank: its percentile among the
    items that the panel rated. metrics: each metric's percentile, 0 to 100, among all translations.
    """

    item: int
    scores: tuple[float, ...]
    panel: float | None
    panel_rank: float | None
    metrics: Mapping[str, float]

    @property
    def mean(self) -> float | None:
        """The class's mean."""
        return fmean(self.scores) if self.scores else None

    @property
    def people_gap(self) -> float | None:
        """The class's mean less the panel's, in points: above 0 an error fooled people."""
        return None if self.panel is None or self.mean is None else self.mean - self.panel

    @property
    def metric_gaps(self) -> dict[str, float]:
        """Each metric's percentile less the panel's: above 0 an error fooled the metric."""
        rank = self.panel_rank
        return {} if rank is None else {name: value - rank for name, value in self.metrics.items()}

    @property
    def contradiction(self) -> float:
        """The widest of these gaps, in either direction; 0 without a panel."""
        gaps = [*self.metric_gaps.values(), *([] if self.people_gap is None else [self.people_gap])]
        return max(map(abs, gaps), default=0.0)


def class_items(
    students: Sequence[Mapping[int, float]],
    panel: Mapping[int, float],
    metrics: Mapping[str, Mapping[int, float]],
) -> list[ClassItem]:
    """Every item that a student or the panel rated, the widest contradiction first.

    students: their scores by item. metrics: by name, the score of every translation of the campaign, all of
    them with the same meaning of higher (see `core.metrics`).
    """
    ranks = {name: percentiles(scores) for name, scores in metrics.items()}
    of_panel = percentiles(panel)
    items = dict.fromkeys(item for scores in (*students, panel) for item in scores)
    found = [
        ClassItem(
            item=item,
            scores=tuple(scores[item] for scores in students if item in scores),
            panel=panel.get(item),
            panel_rank=of_panel.get(item),
            metrics={name: rank[item] for name, rank in ranks.items() if item in rank},
        )
        for item in items
    ]
    return sorted(found, key=lambda one: (-one.contradiction, one.item))


def percentiles(scores: Mapping[int, float]) -> dict[int, float]:
    """Each item's percentile, 0 to 100: the share of other items below it, equal ones counted half.

    50 for a single item.
    """
    if len(scores) < 2:
        return dict.fromkeys(scores, 50.0)
    ranks = rankdata(list(scores.values()))  # 1 to n; equal ones share their mean
    return {
        item: 100 * (float(rank) - 1) / (len(scores) - 1) for item, rank in zip(scores, ranks, strict=True)
    }


def level_of(percentile: float) -> int:
    """The third of a percentile: 0, 1 or 2."""
    return min(int(percentile * LEVELS / 100), LEVELS - 1)
