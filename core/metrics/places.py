"""A trace as numbers on the characters of the translation: how much a metric finds wrong at each place.

Every metric with such evidence has a function of its trace and the translation, `Metric.evidence`; what they
share is here. The numbers rank the characters of texts under one metric; they are no probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Token

Floats = NDArray[np.float64]


def on_characters(characters: int, pieces: Iterable[tuple[int, int, float]]) -> Floats:
    """(characters,) the largest value of the pieces that cover each character, 0 where none does.

    pieces: start and end, half-open code points, and a value.
    """
    found = np.full(characters, -np.inf)
    for start, end, value in pieces:
        np.maximum(found[start:end], value, out=found[start:end])
    return np.where(np.isfinite(found), found, 0.0)


def lost_by_tokens(tokens: Sequence[Token], weights: Floats, kept: Floats, characters: int) -> Floats:
    """(characters,) what each token loses: 1 - kept, times its weight over the mean weight.

    weights, kept: (tokens,), special tokens weigh 0. The mean over the tokens is 1 - precision.
    """
    lost = relative(tokens, weights) * (1 - kept)
    pieces = zip(tokens, lost.tolist(), strict=True)
    return on_characters(characters, ((one.start, one.end, value) for one, value in pieces))


def relative(tokens: Sequence[Token], weights: Floats) -> Floats:
    """(tokens,) each weight over the mean of the tokens that are not special; 1 where all weigh 0."""
    total = weights.sum()
    if total == 0:
        return np.ones(len(tokens))
    return np.asarray(weights * sum(not one.special for one in tokens) / total, np.float64)


def unmatched(tokens: Sequence[str], references: Sequence[Sequence[str]], highest: int) -> Floats:
    """(orders, tokens) of the n-grams that cover a token the share that no reference has, orders 1 and up.

    An n-gram matches as often as the reference that has it most often, the first ones in the text. Orders
    that are longer than the text are left out.
    """
    orders = range(1, min(highest, len(tokens)) + 1)
    found = np.zeros((len(orders), len(tokens)))
    for row, order in zip(found, orders, strict=True):
        left: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            left |= Counter(_grams(reference, order))
        covering = np.zeros(len(tokens))
        for start, gram in enumerate(_grams(tokens, order)):
            row[start : start + order] += left[gram] <= 0
            covering[start : start + order] += 1
            left[gram] -= 1
        row /= covering
    return found


def _grams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)]


def word_pieces(words: Sequence[str], values: Sequence[float], text: str) -> list[tuple[int, int, float]]:
    """Each word's place in the text with its value, in order; a word that is not there is left out.

    Letter case counts only where the text has the word so.
    """
    lower = text.lower()
    hay = text if len(lower) != len(text) or all(word in text for word in words) else lower
    pieces, at = [], 0
    for word, value in zip(words, values, strict=True):
        start = hay.find(word, at)
        if start >= 0:
            at = start + len(word)
            pieces.append((start, at, value))
    return pieces
