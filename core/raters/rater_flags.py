"""The ledger: who falls under which declared rule, and what leaving people out does to the ranking."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.raters.assignment import TARGET
from core.raters.normalisation import SystemScore, system_scores
from core.raters.quality import RaterQuality
from core.raters.ratings import Method, Rating, columns, scale
from core.raters.rules import RuleName, Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A rater falls under a rule: the rater's value from n items, and the rule's threshold.

    value: mean |second - first| (`repeat`), p (`degraded`, 1 where all scores are the same), share of
    references above systems (`reference`), of fast items (`pace`), of the commonest score (`same-score`),
    the longest run (`same-run`), points in 100 items (`drift`, where the threshold holds for its size).
    """

    rater: str
    rule: RuleName
    value: float
    threshold: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Systems best first by n ratings, without some raters. Equal means come by name.

    swaps: pairs (now ahead, now behind) that stood the other way round with everyone. lost: systems that have
    no rating left.
    """

    without: tuple[str, ...]
    n: int
    systems: tuple[SystemScore, ...]
    swaps: tuple[tuple[str, str], ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the order is another one than with everyone."""
        return bool(self.swaps or self.lost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The ranking with everyone, without each of those in question, and without all; None without raters."""

    everyone: Ranking
    without_each: tuple[Ranking, ...]
    without_all: Ranking | None


def ledger(found: Sequence[RaterQuality], rules: Rules) -> tuple[Entry, ...]:
    """Every rater and rule, in the order of raters, then of rules."""
    return tuple(
        Entry(rater=one.rater, rule=rule, value=value, threshold=threshold, n=n)
        for one in found
        for rule, value, threshold, n in (*_of_checks(one, rules), *_of_habits(one, rules))
    )


def sensitivity(rows: Sequence[Rating], flagged: Collection[str], *, method: Method = "raw") -> Sensitivity:
    """System means over segments as `system_means` has them, of target items, by a normalisation.

    Raises OptionError for another method, InputError for a score that is not a number.
    """
    targets = [row for row in rows if row.kind == TARGET]
    names = tuple(sorted({row.system for row in targets}))
    place = {name: i for i, name in enumerate(names)}
    system = np.array([place[row.system] for row in targets], np.int64)
    table = columns([Rating(row.rater, row.segment, row.score) for row in targets])
    scaled = scale(table, method)  # each rater alone: leaving others out changes nothing of it

    def ranking(*without: str) -> Ranking:
        gone = np.array([rater in without for rater in table.raters], bool)
        kept = ~gone[table.rater[scaled.rows]] if len(gone) else np.zeros(0, bool)
        left, score = scaled.rows[kept], scaled.score[kept]
        systems = system_scores(table, system, names, rows=left, score=score)
        return Ranking(without=without, n=len(left), systems=systems)

    everyone, out = ranking(), sorted(set(flagged))
    return Sensitivity(
        everyone=everyone,
        without_each=tuple(_compared(ranking(name), everyone) for name in out),
        without_all=_compared(ranking(*out), everyone) if out else None,
    )


def _compared(one: Ranking, everyone: Ranking) -> Ranking:
    before = {score.system: i for i, score in enumerate(everyone.systems)}
    now = [score.system for score in one.systems]
    swaps = tuple((a, b) for a, b in itertools.combinations(now, 2) if before[a] > before[b])
    return replace(one, swaps=swaps, lost=tuple(name for name in before if name not in now))


Fall = tuple[RuleName, float, float, int]
"""Rule, value, threshold, n."""


def _of_checks(one: RaterQuality, rules: Rules) -> Iterator[Fall]:
    error, limit = one.repeat_error, rules.repeat_error
    if limit is not None and error.value is not None and error.n >= rules.repeat_n and error.value > limit:
        yield "repeat", error.value, limit, error.n
    degraded, limit = one.degraded, rules.degraded_p
    if limit is not None and degraded.n >= rules.degraded_n:
        p = 1.0 if degraded.missing == "no-variance" else degraded.p
        if p is not None and p > limit:
            yield "degraded", p, limit, degraded.n
    reference, limit = one.reference, rules.reference_share
    share, enough = reference.share, reference.n >= rules.reference_n
    if limit is not None and share is not None and enough and share < limit:
        yield "reference", share, limit, reference.n


def _of_habits(one: RaterQuality, rules: Rules) -> Iterator[Fall]:
    fast, same, drift = one.pace.fast, one.same, one.drift
    if fast.value is not None and fast.n >= rules.pace_n and fast.value >= rules.pace_share:
        yield "pace", fast.value, rules.pace_share, fast.n
    if same.share.value is not None and same.share.n >= rules.same_n:
        if rules.same_share is not None and same.share.value >= rules.same_share:
            yield "same-score", same.share.value, rules.same_share, same.share.n
        if rules.same_run is not None and same.run >= rules.same_run:
            yield "same-run", same.run, rules.same_run, same.share.n
    slope, limit = drift.slope, rules.drift_slope
    if limit is None or slope.value is None or drift.p is None or slope.n < rules.drift_n:
        return
    if abs(slope.value) >= limit and drift.p < rules.drift_p:
        yield "drift", slope.value, limit, slope.n
