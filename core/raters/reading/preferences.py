"""Which version readers preferred: shares with exact intervals, strengths, order, guesses, metrics' picks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FEW_READERS = 10
"""With fewer readers every figure comes with a warning."""

CHANCE = 0.5

LENGTH = "length"
"""The name under which the longer version stands among the metrics."""

_Z = 1.959963984540054  # of the middle 95 % of the normal distribution
_STEPS = 100
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderChoice:
    """What one reader said at the end of one excerpt.

    order: the versions in the order of reading, by name. preferred: None for no difference. margin: by how
    much, 1 to 3, None where nothing is preferred. guess: the version taken to be the human translation, None
    where nothing was guessed. sure: of the guess, 1 to 4.
    """

    reader: str
    book: str
    order: tuple[str, ...]
    preferred: str | None
    margin: int | None = None
    guess: str | None = None
    sure: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareEstimate:
    """hits of n, with the exact 95 % interval of Clopper and Pearson (1934).

    p: two-sided, of the exact binomial test against `chance`. value, low, high and p are None for n = 0.
    """

    hits: int
    n: int
    chance: float = CHANCE
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def share_of(hits: int, n: int, *, chance: float = CHANCE) -> ShareEstimate:
    """The share of hits among n, 0 to 1, with its interval and test. Loads scipy on first use."""
    if n == 0:
        return ShareEstimate(hits=0, n=0, chance=chance)
    from scipy import stats

    test = stats.binomtest(hits, n, chance)
    ends = test.proportion_ci(0.95, method="exact")
    return ShareEstimate(
        hits=hits,
        n=n,
        chance=chance,
        value=hits / n,
        low=float(ends.low),
        high=float(ends.high),
        p=float(test.pvalue),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPreference:
    """Two versions that readers read both: how many of those who preferred one of the two took the first.

    ties: readers who saw no difference. margins: by 1 to 3, how many said so, of either version.
    """

    first: str
    second: str
    share: ShareEstimate
    ties: int
    margins: Mapping[int, int]


def pair_preferences(choices: Sequence[ReaderChoice]) -> tuple[PairPreference, ...]:
    """Every two versions that one reader read, by name; the others lose against the preferred one."""
    names = sorted({version for one in choices for version in one.order})
    found = []
    for first, second in combinations(names, 2):
        both = [one for one in choices if first in one.order and second in one.order]
        decided = [one for one in both if one.preferred in (first, second)]
        if both:
            found.append(
                PairPreference(
                    first=first,
                    second=second,
                    share=share_of(sum(one.preferred == first for one in decided), len(decided)),
                    ties=sum(one.preferred is None for one in both),
                    margins=Counter(one.margin for one in decided if one.margin is not None),
                )
            )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """A version's log-strength less the mean of all, with a 95 % interval; None where the model has none."""

    version: str
    wins: int
    comparisons: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthModel:
    """The model of Bradley and Terry (1952), with an effect of order (Davidson and Beaver 1977).

    The log-odds that a reader prefers version i to version j are strength i less strength j, plus `first`
    where i was read before j, less `first` where it was read after it. Intervals are Wald's. missing:
    `few-choices` (fewer than three preferences) or `one-sided` (a version, or a place, always or never won,
    so that there is no estimate of greatest likelihood).
    """

    strengths: tuple[Strength, ...]
    n: int
    first: float | None = None
    first_low: float | None = None
    first_high: float | None = None
    missing: Literal["few-choices", "one-sided"] | None = None


def strength_model(choices: Sequence[ReaderChoice]) -> StrengthModel:
    """Fit the model to all preferences; those without a difference are left out."""
    games = [
        (one.preferred, other, one)
        for one in choices
        if one.preferred is not None
        for other in one.order
        if other != one.preferred
    ]
    names = sorted({version for one in choices for version in one.order})
    counted = [
        Strength(
            version=name,
            wins=sum(winner == name for winner, _, _ in games),
            comparisons=sum(name in (winner, loser) for winner, loser, _ in games),
        )
        for name in names
    ]
    if len(games) < 3:
        return StrengthModel(strengths=tuple(counted), n=len(games), missing="few-choices")
    design = np.zeros((len(games), len(names)))
    for row, (winner, loser, _) in enumerate(games):
        design[row, names.index(winner)] = 1.0
        design[row, names.index(loser)] = -1.0
    sides = np.array([1.0 if one.order.index(w) < one.order.index(lost) else -1.0 for w, lost, one in games])
    fitted = _fit(np.column_stack([_contrasts(design), sides]))
    if fitted is None:
        return StrengthModel(strengths=tuple(counted), n=len(games), missing="one-sided")
    beta, covariance = fitted
    centre = _back(len(names))
    values, spread = centre @ beta[:-1], centre @ covariance[:-1, :-1] @ centre.T
    errors = np.sqrt(np.maximum(np.diag(spread), 0.0))
    first, first_error = float(beta[-1]), math.sqrt(covariance[-1, -1])
    return StrengthModel(
        strengths=tuple(
            Strength(
                version=one.version,
                wins=one.wins,
                comparisons=one.comparisons,
                value=float(value),
                low=float(value - _Z * error),
                high=float(value + _Z * error),
            )
            for one, value, error in zip(counted, values, errors, strict=True)
        ),
        n=len(games),
        first=first,
        first_low=first - _Z * first_error,
        first_high=first + _Z * first_error,
    )


def _contrasts(design: NDArray[np.float64]) -> NDArray[np.float64]:
    """(games, versions) of ±1 to (games, versions - 1): the strengths sum to 0."""
    return np.asarray(design @ _back(design.shape[1]), np.float64)


def _back(versions: int) -> NDArray[np.float64]:
    """(versions, versions - 1): free parameters to strengths that sum to 0."""
    return np.vstack([np.eye(versions - 1), -np.ones((1, versions - 1))])


def _fit(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Logistic regression in which every row won: estimates and their covariance; None without a maximum."""
    beta = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(rows @ beta)))
        information = (rows * (p * (1 - p))[:, None]).T @ rows
        if np.linalg.cond(information) > 1e10 or np.abs(beta).max(initial=0.0) > 15:
            return None
        step = np.linalg.solve(information, rows.T @ (1 - p))
        beta = beta + step
        if np.abs(step).max() < _CLOSE:
            return beta, np.asarray(np.linalg.inv(information), np.float64)
    return None


def read_first(choices: Sequence[ReaderChoice]) -> ShareEstimate:
    """Of those who preferred a version, how many preferred the one that they read first."""
    decided = [one for one in choices if one.preferred is not None]
    return share_of(
        sum(one.preferred == one.order[0] for one in decided), len(decided), chance=_even(decided)
    )


def guessed_right(choices: Sequence[ReaderChoice], human: Mapping[str, str]) -> ShareEstimate:
    """Of those who guessed and read the human translation, how many found it. human: its version, by book."""
    told = [one for one in choices if one.guess is not None and human.get(one.book) in one.order]
    return share_of(sum(one.guess == human[one.book] for one in told), len(told), chance=_even(told))


def prefers_guess(choices: Sequence[ReaderChoice]) -> ShareEstimate:
    """Of those who preferred a version and guessed, how many preferred what they took to be human."""
    told = [one for one in choices if one.preferred is not None and one.guess is not None]
    return share_of(sum(one.preferred == one.guess for one in told), len(told), chance=_even(told))


def _even(choices: Iterable[ReaderChoice]) -> float:
    """The share that chance alone would give: the mean of one over the versions that a reader read."""
    shares = [1 / len(one.order) for one in choices]
    return math.fsum(shares) / len(shares) if shares else CHANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPick:
    """How often a metric's better version of an excerpt is the one that a reader preferred.

    even: readers' preferences between versions that have the same score, which are left out.
    missing: preferences for which a score is missing.
    """

    metric: str
    share: ShareEstimate
    even: int
    missing: int


def metric_picks(
    choices: Sequence[ReaderChoice], pooled: Mapping[str, Mapping[tuple[str, str], float]]
) -> tuple[MetricPick, ...]:
    """pooled: of each metric the score of an excerpt by (book, version), where higher is better.

    Each preferred version is compared with each other version of its reader.
    """
    games = [
        ((one.book, one.preferred), (one.book, other))
        for one in choices
        if one.preferred is not None
        for other in one.order
        if other != one.preferred
    ]
    found = []
    for metric, scores in pooled.items():
        known = [(scores[won], scores[lost]) for won, lost in games if won in scores and lost in scores]
        differ = [(won, lost) for won, lost in known if won != lost]
        found.append(
            MetricPick(
                metric=metric,
                share=share_of(sum(won > lost for won, lost in differ), len(differ)),
                even=len(known) - len(differ),
                missing=len(games) - len(known),
            )
        )
    return tuple(found)
