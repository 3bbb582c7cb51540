"""The sign-flip test: were two systems equal, a difference would be as likely with either sign."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FLIPS = 9999
EXACT_UP_TO = 13
"""With so few segments all 2^n flips are tried: they are fewer than 9,999."""

_CELLS = 1_000_000  # bytes of signs held in memory at a time
_ROUNDING = 1e-12


def flip_test(differences: NDArray[np.float64], *, seed: int) -> float:
    """Two-sided p, in 0..1, of (n,) differences with n > 0, by their sum.

    p = (1 + flips whose sum is at least as far from 0) / 10,000 for 9,999 random flips; up to n = 13, the
    share of all flips.
    """
    least = abs(float(differences.sum())) - _ROUNDING * float(np.abs(differences).sum())
    if len(differences) <= EXACT_UP_TO:
        sums = _signs(len(differences)) @ differences
        return float((np.abs(sums) >= least).mean())
    extreme = int((np.abs(_random_sums(differences, seed)) >= least).sum())
    return (1 + extreme) / (1 + FLIPS)


def _signs(n: int) -> NDArray[np.float64]:
    """(2^n, n): every choice of n signs, ±1."""
    bits = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return 1 - 2 * bits.astype(np.float64)


def _random_sums(differences: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """(FLIPS,) sums under random signs. A random byte is eight signs; their 256 sums are worked out once."""
    blocks = np.pad(differences, (0, -len(differences) % 8)).reshape(-1, 8)
    by_byte = blocks @ _signs(8).T
    rng = np.random.default_rng(seed)
    batch = max(1, _CELLS // len(blocks))
    sums = np.zeros(FLIPS)
    for start in range(0, FLIPS, batch):
        part = sums[start : start + batch]
        drawn = rng.integers(0, 256, (len(part), len(blocks)), np.uint8)
        for sums_of_byte, column in zip(by_byte, np.ascontiguousarray(drawn.T), strict=True):
            part += sums_of_byte[column]
    return sums
