"""The way through two texts: probabilities are those of all ways, counted one by one."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.path import find_path


def ways(n, m, shapes):
    """All ways from (0, 0) to (n, m) as lists of (row, column, shape)."""
    if n == 0 and m == 0:
        return [[]]
    found = []
    for a, b in [(1, 0), (0, 1), *shapes]:
        if a <= n and b <= m:
            found += [[*way, (n - a, m - b, (a, b))] for way in ways(n - a, m - b, shapes)]
    return found


@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 10**6), st.sampled_from([0.5, 1.0, 2.0]))
def test_probabilities_are_shares_of_all_ways(n, m, seed, temperature):
    gap = -0.7
    draw = np.random.default_rng(seed)
    shapes = [(a, b) for a in (1, 2) for b in (1, 2) if a <= n and b <= m]
    values = {shape: draw.normal(size=(n - shape[0] + 1, m - shape[1] + 1)) for shape in shapes}
    every = ways(n, m, shapes)

    def worth(way):
        beads = [shape in values for _, _, shape in way]
        gaps = sum(before and not here for before, here in pairwise([True, *beads]))
        return gap * gaps + sum(values[shape][row, column] for row, column, shape in way if shape in values)

    weights = [math.exp(worth(way) / temperature) for way in every]
    steps = find_path(values, (n, m), gap=gap, temperature=temperature)
    assert [(one.left, one.right, one.shape) for one in steps] in every
    for one in steps:
        through = [(one.left, one.right, one.shape) in way for way in every]
        expected = sum(w for w, there in zip(weights, through, strict=True) if there) / sum(weights)
        assert one.probability == pytest.approx(expected, abs=1e-9)
        end = one.left + one.shape[0], one.right + one.shape[1]
        cut = [any((row + a, column + b) == end for row, column, (a, b) in way) for way in every]
        expected = sum(w for w, there in zip(weights, cut, strict=True) if there) / sum(weights)
        assert one.edge == pytest.approx(expected, abs=1e-9)


def test_a_sentence_that_fits_nowhere_is_left_out():
    values = {(1, 1): np.array([[9.0, -9.0], [-9.0, -9.0], [-9.0, 9.0]])}
    steps = find_path(values, (3, 2), gap=0.0, temperature=1.0)
    assert [(one.left, one.right, one.shape) for one in steps] == [
        (0, 0, (1, 1)),
        (1, 1, (1, 0)),
        (2, 1, (1, 1)),
    ]
    assert all(one.probability > 0.999 for one in steps)
