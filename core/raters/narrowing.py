"""Which translation to rate next, so that the order of the systems becomes certain soonest.

The model: a score is a system's mean, plus what its segment adds, plus what its rater adds, plus chance. A
segment's and a rater's parts are random with mean 0, so that systems are compared on the segments and by the
raters that they share (Henderson's mixed model equations; the segments are eliminated, so that what is left
to solve has a row for each system and rater). How much segments vary beside chance is estimated by restricted
maximum likelihood on a grid. All is normal, so two systems are in the wrong order with a known probability.

The rule: of the translations that may be next, take the one after whose rating the fewest pairs of systems
are expected to be in the wrong order. The expectation is over what the rating may say, so a pair that is
nearly equal now counts as well: one rating more may tell it apart.

What is chosen depends on scores, so the means are not free of it: a system that is far off by chance early on
gets few further ratings that would correct it. Both ends of the order come out a little too far apart until
most of the ratings are in. That is why a quarter of the items are taken as they were dealt; docs/results.md
shows how far off means are with it and without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, owens_t

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 32.0)
"""What is tried for the variance of chance over that of segments."""
SYSTEM_RIDGE = 0.01
"""Each system begins with a mean that is worth this many ratings: next to nothing, and a number."""
RATER_RIDGE = 0.25
"""The variance of chance over that of raters: raters differ twice as much as their single scores do."""
MOST = 64
"""So many translations are compared at most."""
AT_RANDOM = 0.25
"""The share of items that are taken as they were dealt, whatever the scores say."""
_SMALL = 1e-12


@dataclass(frozen=True, slots=True)
class Rated:
    """Ratings as columns, (n,) each: segments, systems and raters as numbers from 0, and scores."""

    segment: Integers
    system: Integers
    rater: Integers
    score: Floats


@dataclass(frozen=True, slots=True)
class Candidates:
    """Translations that may be rated next, and by whom: (n,) numbers of segments, systems and raters."""

    segment: Integers
    system: Integers
    rater: Integers


@dataclass(slots=True)
class Sums:
    """What the model needs of the ratings; one rating more is added at no cost.

    together: (systems + raters, systems + raters), how often two occur in one rating. counts: (segments,
    systems + raters), how often each occurs on a segment. totals, on_segment: sums of scores by system or
    rater, and by segment. ratings, squares, total: how many, the sum of squares, and of scores.
    """

    systems: int
    together: Floats
    counts: Floats
    totals: Floats
    on_segment: Floats
    ratings: int = 0
    squares: float = 0.0
    total: float = 0.0

    @classmethod
    def empty(cls, segments: int, systems: int, raters: int) -> Sums:
        """No ratings of so many segments, systems and raters."""
        p = systems + raters
        return cls(systems, np.zeros((p, p)), np.zeros((segments, p)), np.zeros(p), np.zeros(segments))

    def add(self, rated: Rated, times: int = 1) -> None:
        """Take ratings in; with times = -1 out again."""
        rater = rated.rater + self.systems
        score = rated.score * times
        for column in (rated.system, rater):
            np.add.at(self.totals, column, score)
            np.add.at(self.counts, (rated.segment, column), times)
            np.add.at(self.together, (column, column), times)
        np.add.at(self.together, (rated.system, rater), times)
        np.add.at(self.together, (rater, rated.system), times)
        np.add.at(self.on_segment, rated.segment, score)
        self.ratings += times * len(rated.score)
        self.squares += float(score @ rated.score)
        self.total += float(score.sum())


@dataclass(frozen=True, slots=True)
class SystemStanding:
    """What is known of the systems. means: (systems,), each beside what segments and raters add.

    chance: the variance of a score about its expectation. ratio: chance over the variance of segments.
    inverse: (systems + raters, systems + raters), the covariance over `chance`. counts, on_segment: the
    ratings of each segment, by system and rater, (segments, systems + raters), and in all, (segments,).
    """

    means: Floats
    chance: float
    ratio: float
    inverse: Floats
    counts: Floats
    on_segment: Floats

    def pairs(self) -> tuple[Integers, Integers]:
        """Every two systems, the first before the second."""
        first, second = np.triu_indices(len(self.means), 1)
        return first, second

    def differences(self) -> tuple[Floats, Floats]:
        """(pairs,) difference of the means, first less second, and its variance."""
        i, j = self.pairs()
        own = self.inverse.diagonal()
        spread = np.maximum(own[i] + own[j] - 2 * self.inverse[i, j], _SMALL) * self.chance
        return self.means[i] - self.means[j], spread

    def wrong(self) -> Floats:
        """(pairs,) the probability that the two are in the other order, up to 0.5."""
        difference, spread = self.differences()
        return np.asarray(ndtr(-np.abs(difference) / np.sqrt(spread)), np.float64)


def standing(sums: Sums, *, ratios: Sequence[float] | None = None) -> SystemStanding:
    """Fit the model to the ratings so far, which may be none. ratios: what is tried for its ratio."""
    fits = [_fit(sums, ratio) for ratio in ratios or RATIOS]
    return min(fits, key=lambda fit: round(fit[0], 9))[1]


def _fit(sums: Sums, ratio: float) -> tuple[float, SystemStanding]:
    """-2 log of the restricted likelihood, but for a constant, and what follows from this ratio."""
    centre = sums.total / sums.ratings if sums.ratings else 0.0
    number = sums.counts[:, : sums.systems].sum(axis=1)
    totals = sums.totals - centre * sums.together.diagonal()
    on_segment = sums.on_segment - centre * number
    squares = max(sums.squares - centre * sums.total, 0.0)
    weight = 1 / (number + ratio)
    normal = sums.together - (sums.counts.T * weight) @ sums.counts
    ridge = np.full(len(totals), RATER_RIDGE)
    ridge[: sums.systems] = SYSTEM_RIDGE
    normal[np.diag_indices_from(normal)] += ridge
    right = totals - sums.counts.T @ (weight * on_segment)
    inverse = np.linalg.inv(normal)
    effects = inverse @ right
    rest = max(squares - on_segment @ (weight * on_segment) - right @ effects, 0.0)
    usual = squares / sums.ratings if squares > 0 else 1.0  # worth one rating, as if it were all chance
    free = max(sums.ratings - sums.systems, 0) + 1
    chance = float(rest + usual) / free
    unlikely = free * np.log(chance) + np.log1p(number / ratio).sum() + np.linalg.slogdet(normal)[1]
    means = centre + effects[: sums.systems]
    return float(unlikely), SystemStanding(means, chance, ratio, inverse, sums.counts.copy(), number)


def gains(now: SystemStanding, candidates: Candidates) -> Floats:
    """(n,) by how much each candidate's rating lowers the expected number of pairs in the wrong order.

    Before the rating, the pair's difference d is normal with mean m and variance v. The rating moves its
    estimate, which is normal with mean m and variance q, and covaries with d by q. The pair will be in the
    wrong order where d and the estimate have different signs. With h = |m| / sqrt(v) and r² = q / v the
    probability is 2 T(h, a), a = sqrt(1 - r²) / r, with Owen's T (Owen, 1956), where it was Φ(-h). Owen's
    identity for T(h, a) + T(ah, 1 / a) gives the difference without loss of digits:
    2 T(ah, 1 / a) - Φ(-ah) (1 - 2 Φ(-h)).
    """
    rows = np.arange(len(candidates.segment))
    others = now.on_segment[candidates.segment] + now.ratio
    told = -now.counts[candidates.segment] / others[:, None]  # beside what the segment's ratings tell already
    told[rows, candidates.system] += 1
    told[rows, len(now.means) + candidates.rater] += 1
    moved = told @ now.inverse
    precision = others / (others + 1)
    shrink = precision / (1 + precision * (moved * told).sum(axis=1))
    i, j = now.pairs()
    difference, spread = now.differences()
    share = (moved[:, i] - moved[:, j]) ** 2 * shrink[:, None] * now.chance / spread
    share = np.clip(share, _SMALL, 1 - _SMALL)
    h = np.abs(difference) / np.sqrt(spread)
    a = np.sqrt((1 - share) / share)
    gain = 2 * owens_t(a * h, 1 / a) - ndtr(-a * h) * (1 - 2 * ndtr(-h))
    return np.asarray(np.maximum(gain, 0).sum(axis=1), np.float64)


def choose(now: SystemStanding, candidates: Candidates, *, seed: str, at_random: float = AT_RANDOM) -> int:
    """The index of the candidate that comes next, of those that may, in the order in which they were dealt.

    In `at_random` of all cases it is the first; else the one after whose rating the fewest pairs are expected
    to be in the wrong order. Of more than `MOST`, as many are drawn at random: so raters who come at the same
    time do not all get the same, and the time it takes is bounded. `seed` fixes everything. At least one
    candidate is needed.
    """
    random = Random(seed)  # nosec B311  # to be had again, no secret
    n = len(candidates.segment)
    if random.random() < at_random:  # nosec B311
        return 0
    drawn = random.sample(range(n), min(n, MOST))  # nosec B311
    kept = np.array(drawn, np.int64)
    own = Candidates(candidates.segment[kept], candidates.system[kept], candidates.rater[kept])
    gain = gains(now, own)
    return drawn[
        int(np.argmax(gain > gain.max() * (1 - 1e-6)))
    ]  # of equal ones the first: rounding decides none
