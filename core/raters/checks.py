"""One rater and the check items: repeats, degraded texts, references. Scores are raw, as they were given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np
from scipy import stats

from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.figures import Figure, Missing, absent
from core.raters.pairs import MIN_SHARED
from core.raters.quality_rows import QualityRow

_EXACT_UP_TO = 8  # as scipy's method="auto" chooses

Test = Literal["mann-whitney-exact", "mann-whitney-asymptotic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTest:
    """Whether a rater tells check items from what they are compared with.

    n: check items that can be compared. against: scores they are compared with. share: of the pairs of a
    check item and its counterpart, those the right way round; equal scores count half. p: one-sided, by the
    Mann–Whitney `test` between the n and the others, small for a rater who can tell.
    p and test are None exactly when `missing` says why: `no-checks`, `no-shared-items` (checks, but none of
    their counterparts was rated), `few-items` (n < 3), `no-variance` (all scores are the same). share is None
    where n is 0.
    """

    n: int
    against: int
    share: float | None = None
    p: float | None = None
    test: Test | None = None
    missing: Missing | None = None


def repeat_error(rows: Sequence[QualityRow]) -> Figure:
    """The mean |second - first| over a rater's n repeated items. Missing: `no-checks`, `no-shared-items`."""
    first = _originals(rows)
    again = [row for row in rows if row.kind == REPEAT]
    gaps = [abs(row.score - first[row.item]) for row in again if row.item in first]
    if not gaps:
        return absent("no-shared-items" if again else "no-checks", 0)
    return Figure(value=fmean(gaps), n=len(gaps))


def degraded_below_original(rows: Sequence[QualityRow]) -> CheckTest:
    """Appraise's and WMT's test: degraded items against the same items undamaged, of one rater."""
    first = _originals(rows)
    checks = [row for row in rows if row.kind == DEGRADED]
    pairs = [(first[row.item], row.score) for row in checks if row.item in first]
    higher, lower = [high for high, _ in pairs], [low for _, low in pairs]
    return _test(higher, lower, pairs, n=len(pairs), against=len(pairs), any_checks=bool(checks))


def reference_above_systems(rows: Sequence[QualityRow]) -> CheckTest:
    """References against the systems' outputs for the same segments, of one rater."""
    outputs: dict[Hashable, list[float]] = defaultdict(list)
    for row in rows:
        if row.kind == TARGET:
            outputs[row.segment].append(row.score)
    checks = [row for row in rows if row.kind == REFERENCE]
    compared = [row for row in checks if row.segment in outputs]
    pairs = [(row.score, other) for row in compared for other in outputs[row.segment]]
    below = [
        other for segment in dict.fromkeys(row.segment for row in compared) for other in outputs[segment]
    ]
    higher = [row.score for row in compared]
    return _test(higher, below, pairs, n=len(compared), against=len(below), any_checks=bool(checks))


def _test(
    higher: Sequence[float],
    lower: Sequence[float],
    pairs: Sequence[tuple[float, float]],
    *,
    n: int,
    against: int,
    any_checks: bool,
) -> CheckTest:
    """One-sided: are `higher` above `lower`? pairs: (what should be higher, what should be lower)."""
    if not n:
        return CheckTest(n=0, against=0, missing="no-shared-items" if any_checks else "no-checks")
    share = fmean(1.0 if high > low else 0.5 if high == low else 0.0 for high, low in pairs)
    together = np.concatenate([higher, lower])
    missing: Missing | None = "few-items" if n < MIN_SHARED else None
    if missing is None and np.ptp(together) == 0:
        missing = "no-variance"
    if missing is not None:
        return CheckTest(n=n, against=against, share=share, missing=missing)
    ties = len(np.unique(together)) < len(together)
    exact = not ties and min(len(higher), len(lower)) <= _EXACT_UP_TO
    found = stats.mannwhitneyu(
        higher, lower, alternative="greater", method="exact" if exact else "asymptotic"
    )
    test: Test = "mann-whitney-exact" if exact else "mann-whitney-asymptotic"
    return CheckTest(n=n, against=against, share=share, p=float(found.pvalue), test=test)


def _originals(rows: Sequence[QualityRow]) -> dict[Hashable, float]:
    """A rater's score for each item that is no check; several count as their mean."""
    scores: dict[Hashable, list[float]] = defaultdict(list)
    for row in rows:
        if row.kind == TARGET:
            scores[row.item].append(row.score)
    return {item: fmean(found) for item, found in scores.items()}
