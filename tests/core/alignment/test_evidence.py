"""What speaks for a bead, worked out token by token."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.alignment import evidence
from core.alignment.evidence import chances, gains
from core.alignment.sides import TokenSide


def side(*sentences, seed=0):
    """Sentences of random unit vectors, of the given numbers of tokens, with weights 1."""
    draw = np.random.default_rng(seed)
    vectors = draw.normal(size=(sum(sentences), 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    starts = np.concatenate([[0], np.cumsum(sentences)])
    ones = np.ones(sum(sentences), np.float32)
    means = np.stack([vectors[a:b].sum(axis=0) for a, b in pairwise(starts)])
    return TokenSide(vectors.astype(np.float16), starts, ones, means.astype(np.float32))


@pytest.mark.parametrize("at_once", [1, 3, 1024])
def test_a_gain_is_what_the_tokens_find_less_what_they_find_by_chance(monkeypatch, at_once):
    monkeypatch.setattr(evidence, "_TOKENS", at_once)
    left, right = side(3, 1, 4, 2), side(2, 5, 1, 3, 2, seed=1)
    by_chance = chances(left, right), chances(right, left)
    found = gains(left, right, by_chance, (1, 4), (0, 5))
    assert {shape: array.shape for shape, array in found.items()} == {
        (a, b): (4 - a, 6 - b) for a in (1, 2, 3) for b in (1, 2, 3, 4, 5)
    }
    a, b, i, j = 2, 3, 1, 1  # left sentences 2 and 3, right ones 1 to 3
    ours, theirs = left.tokens(2, 4), right.tokens(1, 4)
    cosines = ours @ theirs.T
    expected = cosines.max(axis=1).sum() + cosines.max(axis=0).sum()
    for chance, numbers, other in ((by_chance[0], (2, 3), theirs), (by_chance[1], (1, 2, 3), ours)):
        for number in numbers:
            expected -= chance.level[number] + chance.growth[number] * np.log(len(other))
    assert found[a, b][i, j] == pytest.approx(expected, abs=1e-4)


def test_chance_grows_with_the_number_of_tokens():
    left, right = side(*[5] * 40), side(*[6] * 40, seed=1)
    chance = chances(left, right)
    assert (chance.growth > 0).all()
    best = left.tokens(0, 1) @ right.tokens(0, 40).T
    one = np.mean([best[:, n * 6 : n * 6 + 6].max(axis=1).sum() for n in range(40)])
    assert chance.level[0] + chance.growth[0] * np.log(6) == pytest.approx(one, abs=0.35)


def test_without_sentences_there_are_no_beads():
    left, right = side(3, 1), side(2, 5, seed=1)
    by_chance = chances(left, right), chances(right, left)
    assert gains(left, right, by_chance, (1, 1), (0, 2)) == {}
