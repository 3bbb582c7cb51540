"""How far each token of a text lies in the spans of another text: whole, or window by window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.span import Span, coordinates, lengths, span_of
from core.text.languages import sentence_starts
from core.types import TokenVectors

WINDOWS = ("text", "sentence")
NEAREST = 3
"""So many tokens name a direction."""
COVERING = 5
"""So many directions are kept as evidence for each token."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanWindow:
    """A stretch of a text and the span of its tokens.

    first, last: half-open places of its tokens; special tokens that help to span belong to every window.
    rank: directions of the span. singular: (k,) of those left by `energy`, descending. nearest: (k, 3) places
    of the tokens that lie nearest to each direction, -1 where there are fewer.
    """

    first: int
    last: int
    rank: int
    singular: NDArray[np.float64]
    nearest: NDArray[np.int64]

    @property
    def kept(self) -> int:
        """How many directions `energy` left."""
        return len(self.singular)


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The spans of one text, and the unit vectors that each is made of."""

    windows: tuple[SpanWindow, ...]
    spans: tuple[Span, ...]
    spanning: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Inclusion:
    """n tokens in the spans of another text, special ones included.

    membership: (n,) in [0, 1], in the window that holds the token best; window: (n,) which one, -1 without
    any. directions, covered: (n, 5) the directions of that window that cover most of the token, and which
    share of the unit vector (the squared coordinate); -1 and 0 where there are fewer.
    """

    membership: NDArray[np.float64]
    window: NDArray[np.int64]
    directions: NDArray[np.int64]
    covered: NDArray[np.float64]


def unit_vectors(text: TokenVectors) -> NDArray[np.float64]:
    """(n, d) float64 vectors of length 1 (a vector of length 0 stays 0)."""
    return text.vectors.astype(np.float64) / np.where(text.lengths == 0, 1, text.lengths)[:, None]


def spans_of(text: str, encoded: TokenVectors, *, window: str, specials: str, energy: float) -> Spans:
    """Span every window of a text; `specials` is `include` or `exclude`."""
    units = unit_vectors(encoded)
    everywhere = np.flatnonzero(encoded.special) if specials == "include" else np.array([], np.int64)
    stretches = _stretches(text, encoded) if window == "sentence" else [_whole(encoded)]
    windows, spans, spanning = [], [], []
    for first, last in stretches:
        inner = np.arange(first, last)
        places = np.sort(np.concatenate([inner[~encoded.special[first:last]], everywhere]))
        vectors = units[places]
        span = span_of(vectors, energy)
        near = _nearest(vectors, span)
        named = np.where(near < 0, -1, np.append(places, 0)[near])
        windows.append(SpanWindow(first, last, span.rank, span.singular, named.astype(np.int64)))
        spans.append(span)
        spanning.append(vectors)
    return Spans(tuple(windows), tuple(spans), tuple(spanning))


def inclusion(tokens: TokenVectors, other: Spans) -> Inclusion:
    """How far each token lies in the best window of the other text."""
    units = unit_vectors(tokens)
    along = [
        coordinates(units, vectors, span) for vectors, span in zip(other.spanning, other.spans, strict=True)
    ]
    inside = np.array([lengths(one) for one in along]).reshape(len(along), len(units))
    best = inside.argmax(axis=0)
    directions = np.full((len(units), COVERING), -1, np.int64)
    covered = np.zeros((len(units), COVERING))
    for place in range(len(units)):
        share = along[best[place]][place] ** 2
        top = np.argsort(-share, kind="stable")[:COVERING]
        directions[place, : len(top)], covered[place, : len(top)] = top, share[top]
    return Inclusion(inside[best, np.arange(len(units))], best.astype(np.int64), directions, covered)


def _whole(encoded: TokenVectors) -> tuple[int, int]:
    return 0, len(encoded.ids)


def _stretches(text: str, encoded: TokenVectors) -> list[tuple[int, int]]:
    """Half-open places of the tokens that begin in each sentence; sentences without a token are left out."""
    starts = sentence_starts(text)
    sentence = np.searchsorted(starts, [token.start for token in encoded.tokens], "right")
    own = [place for place in range(len(encoded.ids)) if not encoded.special[place]]
    found: list[tuple[int, int]] = []
    for place in own:
        if found and sentence[found[-1][0]] == sentence[place]:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found or [_whole(encoded)]


def _nearest(vectors: NDArray[np.float64], span: Span) -> NDArray[np.int64]:
    """(k, 3) which of the m vectors lie nearest to each direction, by absolute cosine."""
    cosine = np.abs(coordinates(vectors, vectors, span))
    found = np.full((cosine.shape[1], NEAREST), -1, np.int64)
    top = np.argsort(-cosine, axis=0, kind="stable")[:NEAREST].T
    found[:, : top.shape[1]] = top
    return found


def ranks(windows: Sequence[SpanWindow]) -> tuple[int, int]:
    """The largest rank among the windows, and the largest number of directions kept."""
    return max((one.rank for one in windows), default=0), max((one.kept for one in windows), default=0)
