"""A statistic with its interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Missing = Literal[
    "one-rater",  # fewer than two raters
    "no-shared-items",  # no item that those concerned have all scored
    "few-items",  # too few of them for a figure
    "no-variance",  # all scores are the same
    "no-difference",  # two systems whose scores do not differ
    "too-many",  # more raters and items than a model can be fitted to in good time
    "no-fit",  # the model did not converge
    "no-checks",  # no check items of this kind
    "no-times",  # without times, or without lengths of texts
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value from n items with its 95 % interval. value: None only with a reason in `missing`."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    missing: Missing | None = None

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval lies above 0; False without an interval."""
        return self.low is not None and self.low > 0


def absent(missing: Missing, n: int) -> Estimate:
    """No value from these n items, for this reason."""
    return Estimate(value=None, n=n, missing=missing)
