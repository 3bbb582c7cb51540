"""Permutation tests: sign flips of paired differences, and swaps of two metrics' scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import Floats, pearson, standardised

PERMUTATIONS = 1000
FLIPS = 9999
EXACT_UP_TO = 13
"""With so few segments all 2^n flips are tried: they are fewer than 9,999."""

_CELLS = 1_000_000  # signs in memory at a time, or bytes of eight
_BLOCK = 4_000_000  # swaps in memory at a time
_MANY = 4
_ROUNDING = 1e-12


def flip_test(differences: NDArray[np.float64], *, seed: int) -> float:
    """Two-sided p, in 0..1, of (n,) differences with n > 0, by their sum.

    p = (1 + flips whose sum is at least as far from 0) / 10,000 for 9,999 random flips; up to n = 13, the
    share of all flips.
    """
    return flip_tests([differences], seed=seed)[0]


def flip_tests(differences: Sequence[NDArray[np.float64]], *, seed: int) -> tuple[float, ...]:
    """`flip_test` of each; those with about as many differences are flipped together, by the same signs."""
    by_size: dict[int, list[int]] = {}
    for place, one in enumerate(differences):
        by_size.setdefault(_blocks(len(one)), []).append(place)
    found = dict.fromkeys(range(len(differences)), 1.0)
    for blocks, places in by_size.items():
        many = [place for place in places if len(differences[place]) > EXACT_UP_TO]
        table = np.zeros((len(many), 8 * blocks))
        for row, place in zip(table, many, strict=True):
            row[: len(differences[place])] = differences[place]
        for place, sums in zip(many, _random_sums(table, seed) if many else (), strict=True):
            found[place] = (1 + _extreme(differences[place], sums)) / (1 + FLIPS)
        for place in set(places) - set(many):
            one = differences[place]
            found[place] = _extreme(one, _signs(len(one)) @ one) / 2 ** len(one)
    return tuple(found.values())


def _extreme(differences: NDArray[np.float64], sums: NDArray[np.float64]) -> int:
    """How many sums are at least as far from 0 as that of the differences, but for rounding."""
    least = abs(float(differences.sum())) - _ROUNDING * float(np.abs(differences).sum())
    return int((np.abs(sums) >= least).sum())


def _blocks(n: int) -> int:
    return -(-n // 8)


def _signs(n: int) -> NDArray[np.float64]:
    """(2^n, n): every choice of n signs, ±1."""
    bits = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return 1 - 2 * bits.astype(np.float64)


def _random_sums(table: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """(tests, FLIPS) sums of each row, (8 blocks,), under random signs. A random byte is eight signs."""
    blocks = table.shape[1] // 8
    rng = np.random.default_rng(seed)
    batch = max(1, _CELLS // blocks)
    found = []
    for start in range(0, FLIPS, batch):
        drawn = rng.integers(0, 256, (min(batch, FLIPS - start), blocks), np.uint8)
        found.append(_by_byte(table, drawn) if len(table) < _MANY else _by_sign(table, drawn))
    return np.concatenate(found, axis=1)


def _by_byte(table: NDArray[np.float64], drawn: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(tests, flips) sums under the signs drawn, (flips, blocks): a block has 256."""
    sums = table.reshape(len(table), -1, 8) @ _signs(8).T
    places = np.arange(drawn.shape[1])
    return np.stack([one[places, drawn].sum(axis=1) for one in sums])


def _by_sign(table: NDArray[np.float64], drawn: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The same as one product with all signs, which is faster for many tests."""
    step = max(1, _CELLS // table.shape[1])
    found = []
    for start in range(0, len(drawn), step):
        minus = np.unpackbits(drawn[start : start + step], axis=1, bitorder="little").astype(np.float64)
        found.append(table.sum(axis=1) - 2 * (minus @ table.T))
    return np.concatenate(found).T


def perm_both(people: Floats, first: Floats, second: Floats, *, seed: int = 0) -> float:
    """One-sided p by swapping the two metrics' z-scores at random (PERM-BOTH of Deutsch et al. 2021).

    p = (1 + permutations with a difference at least as large) / (1 + permutations).
    """
    h = standardised(people)
    x, y = standardised(first), standardised(second)
    observed = pearson(people, first) - pearson(people, second)
    n, rng, hits = len(h), np.random.default_rng(seed), 0
    block = max(1, _BLOCK // n)
    for start in range(0, PERMUTATIONS, block):
        swap = rng.random((min(block, PERMUTATIONS - start), n)) < 0.5
        hits += int((_mixed_r(swap, x, y, h) - _mixed_r(~swap, x, y, h) >= observed - 1e-12).sum())
    return (1 + hits) / (1 + PERMUTATIONS)


def perm_both_means(people: Floats, first: Floats, second: Floats, *, seed: int = 0) -> float:
    """PERM-BOTH on systems: one-sided p that the first metric's r with people over means is no larger.

    people: (k,) means of k systems that vary. first, second: (n, k) scores of n segments, NaN where there is
    none in either. All scores of a metric are standardised together; each score is swapped by itself. r is
    Pearson's over the systems' means.
    """
    known = np.isfinite(first)
    counts = np.maximum(known.sum(axis=0), 1)
    x, y = np.zeros(first.shape), np.zeros(second.shape)
    x[known], y[known] = standardised(first[known]), standardised(second[known])
    base, other = x.sum(axis=0) / counts, y.sum(axis=0) / counts
    gap = (y - x) / counts
    h = standardised(people)
    observed = _r_of_rows(base[None], h)[0] - _r_of_rows(other[None], h)[0]
    rng, hits = np.random.default_rng(seed), 0
    block = max(1, _BLOCK // max(gap.size, 1))
    for start in range(0, PERMUTATIONS, block):
        swap = rng.random((min(block, PERMUTATIONS - start), *gap.shape)) < 0.5
        moved = np.einsum("pnk,nk->pk", swap.astype(np.float64), gap)
        mixed = _r_of_rows(base + moved, h) - _r_of_rows(other - moved, h)
        hits += int((mixed >= observed - 1e-12).sum())
    return (1 + hits) / (1 + PERMUTATIONS)


def _r_of_rows(rows: Floats, h: Floats) -> Floats:
    """(p,) Pearson's r of each row of (p, k) with h, (k,); 0 for a row that does not vary."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).sum(axis=1) * (h @ h))
    return np.asarray(np.where(spread > 0, centred @ h / np.maximum(spread, 1e-300), 0.0), np.float64)


def _mixed_r(swap: NDArray[np.bool_], x: Floats, y: Floats, h: Floats) -> Floats:
    """(permutations,) r with people, h, of a column that is y where swapped and x elsewhere."""
    n = len(h)
    mask = swap.astype(np.float64)
    first, second, product = (
        mask @ (y - x) + x.sum(),
        mask @ (y * y - x * x) + (x * x).sum(),
        mask @ ((y - x) * h),
    )
    product += x @ h
    spread = second - first * first / n
    return np.asarray(product / np.sqrt(np.maximum(spread, 1e-300) * (h @ h)), np.float64)


def shares_ahead(differences: Floats, *, seed: int) -> Floats:
    """(tests,) one-sided p of (tests, n) differences: the share of sign flips with at least the observed sum.

    Every test sees the same 1,000 flips. No flip is added for the observed one, as in mt-metrics-eval.
    """
    observed, n = differences.sum(axis=1), differences.shape[1]
    rng = np.random.default_rng(seed)
    at_least = np.zeros(len(differences))
    block = max(1, _BLOCK // max(n, 1))
    for start in range(0, PERMUTATIONS, block):
        signs = rng.choice((-1.0, 1.0), (min(block, PERMUTATIONS - start), n))
        at_least += (signs @ differences.T >= observed - 1e-9).sum(axis=0)
    return np.asarray(at_least / PERMUTATIONS, np.float64)
