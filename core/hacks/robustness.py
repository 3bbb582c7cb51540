"""What a run of the lab found: paper D's tables 9 and 10, and how each metric can be fooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.hacks import find_edit
from core.hacks.mean_rank import Standings, mean_rank, without_each
from core.hacks.variants import Made, Variant
from core.metrics import find_metric

EQUAL = 1e-9
"""Scores that differ by less are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A variant under a metric. score: of the whole (see `pool`), None without any; n: segments with a score.

    difference: from the same system as it is, None for that itself.
    """

    score: float | None
    n: int
    difference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakness:
    """One edit under one metric, over the n segments that it changed and that have both scores.

    breaks: whether the edit breaks the meaning, None where that depends. rose, fell: the share whose score
    went up and down; mean: the mean difference. fooled: the share that went the wrong way: up where the edit
    breaks the meaning, down where it keeps it; None where that depends.
    """

    edit: str
    metric: str
    n: int
    breaks: bool | None
    rose: float | None = None
    fell: float | None = None
    mean: float | None = None
    fooled: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabTable:
    """variants × metrics, as far as the run came.

    scores: by metric, (segments, variants) float64, NaN where there is no score. pooled: by metric, one score
    for each variant; parts: likewise its parts, such as precision and recall. made: the texts. signatures:
    by metric.
    """

    variants: tuple[Variant, ...]
    metrics: tuple[str, ...]
    signatures: Mapping[str, str]
    scores: Mapping[str, NDArray[np.float64]]
    pooled: Mapping[str, tuple[float | None, ...]]
    parts: Mapping[str, tuple[Mapping[str, float], ...]]
    made: Sequence[Sequence[Made]]

    def part(self, variant: Variant, metric: str, name: str) -> float | None:
        """A part of the score of the whole, such as subspace's `recall`; None where it has none."""
        return self.parts[metric][self.variants.index(variant)].get(name)

    def cell(self, variant: Variant, metric: str) -> Cell:
        """A cell of table 9."""
        place = self.variants.index(variant)
        score = self.pooled[metric][place]
        n = int(np.isfinite(self.scores[metric][:, place]).sum())
        if not variant.edits:
            return Cell(score=score, n=n)
        plain = self.pooled[metric][self._plain(variant)]
        difference = None if score is None or plain is None else score - plain
        return Cell(score=score, n=n, difference=difference)

    def standings(self) -> Standings:
        """Table 10: every variant's rank under each metric, and the mean rank."""
        return mean_rank(self._by_name(), lower_is_better=self._lower())

    def without_each_metric(self) -> dict[str, Standings]:
        """Table 10 without one metric after the other."""
        return without_each(self._by_name(), lower_is_better=self._lower())

    def changed(self, variant: Variant) -> int:
        """How many segments an edit changed."""
        place = self.variants.index(variant)
        return sum(row[place].skipped is None for row in self.made) if variant.edits else 0

    def weaknesses(self) -> tuple[Weakness, ...]:
        """How often each edit moves each metric the wrong way; edits of all victims together."""
        edits = dict.fromkeys(variant.edits for variant in self.variants if variant.edits)
        return tuple(self._weakness(edit, metric) for metric in self.metrics for edit in edits)

    def _weakness(self, edits: tuple[str, ...], metric: str) -> Weakness:
        sign = 1.0 if find_metric(metric).higher_is_better else -1.0
        found: list[NDArray[np.float64]] = []
        for place, variant in enumerate(self.variants):
            if variant.edits == edits:
                changed = np.array([row[place].skipped is None for row in self.made], bool)
                scores = self.scores[metric]
                found.append(sign * (scores[:, place] - scores[:, self._plain(variant)])[changed])
        moved = np.concatenate(found)
        moved = moved[np.isfinite(moved)]
        none = Weakness(edit="+".join(edits), metric=metric, n=len(moved), breaks=_breaks_meaning(edits))
        if not len(moved):
            return none
        rose, fell = float((moved > EQUAL).mean()), float((moved < -EQUAL).mean())
        fooled = None if none.breaks is None else rose if none.breaks else fell
        return replace(none, rose=rose, fell=fell, mean=float(moved.mean()), fooled=fooled)

    def _plain(self, variant: Variant) -> int:
        return self.variants.index(Variant(system=variant.system))

    def _by_name(self) -> dict[str, dict[str, float | None]]:
        names = [variant.name for variant in self.variants]
        return {metric: dict(zip(names, self.pooled[metric], strict=True)) for metric in self.metrics}

    def _lower(self) -> list[str]:
        return [metric for metric in self.metrics if not find_metric(metric).higher_is_better]


def _breaks_meaning(edits: Sequence[str]) -> bool | None:
    """Of edits one on the other: one that breaks the meaning breaks it; what depends, depends."""
    kinds = [find_edit(name).breaks_meaning for name in edits]
    return True if True in kinds else None if None in kinds else False
