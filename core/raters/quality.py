"""Reliability of single raters: check items, pace, repeated scores, and drift.

Check items are repeats, degraded texts and references; their scores are used as given.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np
from scipy import stats

from core.errors import InputError
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.pace import Pace, pace
from core.raters.pairs import MIN_SHARED
from core.raters.ratings import Rating
from core.raters.rules import Rules
from core.stats.correlation import is_flat
from core.stats.estimate import Estimate, Missing, absent

KINDS = (TARGET, REPEAT, REFERENCE, DEGRADED)


def by_rater(rows: Sequence[Rating]) -> dict[str, list[Rating]]:
    """Each rater's rows in the rater's order; raters by name. Raises InputError if not a number."""
    found: dict[str, list[Rating]] = {name: [] for name in sorted({row.rater for row in rows})}
    for row in rows:
        if not math.isfinite(row.score) or not math.isfinite(row.seconds or 0.0):
            raise InputError(
                "The score {score} or the time of {rater} for {item} is not a number; leave it out.",
                score=row.score,
                rater=row.rater,
                item=row.item,
            )
        if row.kind not in KINDS:
            raise InputError(
                "“{kind:.40}” is not a kind of item; known are {kinds}.",
                kind=row.kind,
                kinds=", ".join(KINDS),
            )
        found[row.rater].append(row)
    for own in found.values():
        own.sort(key=lambda row: row.place)
    return found


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


def repeat_error(rows: Sequence[Rating]) -> Estimate:
    """The mean |second - first| over a rater's n repeated items. Missing: `no-checks`, `no-shared-items`."""
    again = [row for row in rows if row.kind == REPEAT]
    first = _originals(rows, again)
    gaps = [abs(row.score - first[row.item]) for row in again if row.item in first]
    if not gaps:
        return absent("no-shared-items" if again else "no-checks", 0)
    return Estimate(value=fmean(gaps), n=len(gaps))


def degraded_below_original(rows: Sequence[Rating]) -> CheckTest:
    """Appraise's and WMT's test: degraded items against the same items undamaged, of one rater.

    Where raters may correct these scores, those that were given first count.
    """
    checks = [_first_said(row) for row in rows if row.kind == DEGRADED]
    first = _originals(map(_first_said, rows), checks)
    pairs = [(first[row.item], row.score) for row in checks if row.item in first]
    higher, lower = [high for high, _ in pairs], [low for _, low in pairs]
    return _test(higher, lower, pairs, n=len(pairs), against=len(pairs), any_checks=bool(checks))


def reference_above_systems(rows: Sequence[Rating]) -> CheckTest:
    """References against the systems' outputs for the same segments, of one rater."""
    checks = [row for row in rows if row.kind == REFERENCE]
    checked = {row.segment for row in checks}
    outputs: dict[Hashable, list[float]] = defaultdict(list)
    for row in rows if checked else ():
        if row.kind == TARGET and row.segment in checked:
            outputs[row.segment].append(row.score)
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


def _first_said(row: Rating) -> Rating:
    """The row with the score that was given first."""
    return row if row.first is None else row._replace(score=row.first)


def _originals(rows: Iterable[Rating], checks: Sequence[Rating]) -> dict[Hashable, float]:
    """A rater's score for each item that is no check and that these check; several count as their mean."""
    wanted = {row.item for row in checks}
    scores: dict[Hashable, list[float]] = defaultdict(list)
    if wanted:
        for row in rows:
            if row.kind == TARGET and row.item in wanted:
                scores[row.item].append(row.score)
    return {item: fmean(found) for item, found in scores.items()}


FEWEST_FOR_DRIFT = 20
"""Items below which a slope is not told."""

_SCALE = 100  # points, from the lowest to the highest score

PER = 100
"""Drift is given in points per this many items."""

_TAIL = 0.975


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """Over all n items of the rater, checks too. share: of the commonest score, which is `score`.

    run: how many times in a row the rater gave one score, at most.
    """

    score: float
    share: Estimate
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDrift:
    """The mean residual over the n items of a document that others rated, too, in points."""

    document: str
    n: int
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Residuals (a score less the mean of the others' for that item) in the order of the rater's items.

    rho: Spearman's, of place and residual; p: two-sided. slope: points in 100 items by least squares, with
    its 95 % interval. documents: in the order in which the rater met them. Missing: `one-rater`,
    `no-shared-items`, `few-items` (n < 3), `no-variance` (all residuals are the same: there is no drift).
    """

    rho: Estimate
    p: float | None
    slope: Estimate
    documents: tuple[DocumentDrift, ...]

    @property
    def tells(self) -> bool:
        """Whether the slope says something: from enough items, its interval no wider than the scale."""
        low, high = self.slope.low, self.slope.high
        if low is None or high is None:
            return False
        return self.slope.n >= FEWEST_FOR_DRIFT and high - low <= _SCALE


def sameness(rows: Sequence[Rating]) -> Sameness:
    """Of one rater's rows, at least one, in the rater's order. Of scores equally common, the first given."""
    scores = [row.score for row in rows]
    score, count = Counter(scores).most_common(1)[0]
    run = max(len(list(same)) for _, same in itertools.groupby(scores))
    return Sameness(score=score, share=Estimate(value=count / len(scores), n=len(scores)), run=run)


class Others:
    """What the others say of each item: the mean of all target scores but one rater's own."""

    def __init__(self, by_rater: Mapping[str, Sequence[Rating]]) -> None:
        self.total: dict[Hashable, float] = {}
        self.count: Counter[Hashable] = Counter()
        for row in itertools.chain.from_iterable(by_rater.values()):
            if row.kind == TARGET:
                self.total[row.item] = self.total.get(row.item, 0.0) + row.score
                self.count[row.item] += 1

    def residuals(self, rows: Sequence[Rating]) -> list[tuple[int, Rating, float]]:
        """Index in the rater's order, row and residual, of the targets that another rater scored too."""
        total: dict[Hashable, float] = {}
        count: Counter[Hashable] = Counter()
        for row in rows:
            if row.kind == TARGET:
                total[row.item] = total.get(row.item, 0.0) + row.score
                count[row.item] += 1
        return [
            (index, row, row.score - (self.total[row.item] - total[row.item]) / others)
            for index, row in enumerate(rows)
            if row.kind == TARGET and (others := self.count[row.item] - count[row.item])
        ]


def drift(rows: Sequence[Rating], others: Others, *, raters: int) -> Drift:
    """The habits of a rater whose rows are in order."""
    found = others.residuals(rows)
    documents: dict[str, list[float]] = {}
    for _, row, residual in found:
        documents.setdefault(row.document, []).append(residual)
    by_document = tuple(
        DocumentDrift(document=name, n=len(own), residual=fmean(own)) for name, own in documents.items()
    )
    n = len(found)
    index = np.array([at for at, _, _ in found], np.float64)
    residuals = np.round([residual for _, _, residual in found], 9)  # rounding of means is no drift
    missing: Missing | None = None
    if n < MIN_SHARED:
        missing = "one-rater" if raters < 2 else "few-items" if n else "no-shared-items"
    elif is_flat(residuals):
        missing = "no-variance"
    if missing is not None:
        return Drift(rho=absent(missing, n), p=None, slope=absent(missing, n), documents=by_document)
    rank = stats.spearmanr(index, residuals)
    line = stats.linregress(index, residuals)
    slope, half = PER * float(line.slope), PER * float(line.stderr) * float(stats.t.ppf(_TAIL, n - 2))
    return Drift(
        rho=Estimate(value=float(rank.statistic), n=n),
        p=float(rank.pvalue),
        slope=Estimate(value=slope, n=n, low=slope - half, high=slope + half),
        documents=by_document,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterQuality:
    """Everything that is known of one rater's n target ratings and `checks` check ratings.

    repeat_error: mean |second - first| in points. What cannot be had has a word why, never NaN.
    """

    rater: str
    n: int
    checks: int
    repeat_error: Estimate
    degraded: CheckTest
    reference: CheckTest
    pace: Pace
    same: Sameness
    drift: Drift


def check_raters(rows: Sequence[Rating], rules: Rules) -> tuple[RaterQuality, ...]:
    """Each rater, by name. Of the rules only the floor of the pace enters here.

    Raises InputError for a score or a time that is not a number, and for an unknown kind of item.
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
