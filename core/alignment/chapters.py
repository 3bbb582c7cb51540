"""Which chapters of two books belong together, in any order, some of them missing or divided otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.alignment.sides import TokenSide

_ROWS = 512
_SHARE = 0.5
"""Of the smaller chapter's sure pairs, how many must lie in the other chapter."""
_RATIO = 1.15
"""How much more alike than the second best a sure pair is."""


@dataclass(frozen=True, slots=True)
class ChapterGroup:
    """Chapters, numbered from 0, that hold the same text; one side is empty where there is no partner."""

    left: tuple[int, ...]
    right: tuple[int, ...]


def match_chapters(
    left: TokenSide, right: TokenSide, chapters: tuple[Sequence[int], Sequence[int]]
) -> list[ChapterGroup]:
    """Groups in the order of the left book, those without a left chapter last.

    chapters: the chapter of each sentence, of both sides. Pairs of sentences that are each other's best in
    the whole books vote for their chapters. Chapters without votes between matched neighbours go together.
    Where nothing can be told, all chapters are one group.
    """
    of_left, of_right = np.asarray(chapters[0]), np.asarray(chapters[1])
    n, m = int(of_left.max()) + 1, int(of_right.max()) + 1
    if n == 1 and m == 1:
        return [ChapterGroup((0,), (0,))]
    votes = np.zeros((n, m))
    for one, other in zip(*_mutual(left, right), strict=True):
        votes[of_left[one], of_right[other]] += 1
    fewer = np.minimum(votes.sum(axis=1)[:, None], votes.sum(axis=0)[None, :])
    edges = (votes >= 2) & (votes >= _SHARE * np.maximum(fewer, 1))
    groups = _components(edges)
    if not any(group.left and group.right for group in groups):
        return [ChapterGroup(tuple(range(n)), tuple(range(m)))]
    return _gaps_joined(groups)


def _mutual(left: TokenSide, right: TokenSide) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The sentences that are each other's best and clearly better than the second best."""
    n, m = len(left), len(right)
    best_right, sure = np.zeros(n, np.int64), np.zeros(n, bool)
    column_best, column_row = np.full(m, -2.0, np.float32), np.zeros(m, np.int64)
    for first in range(0, n, _ROWS):
        cosines = left.means[first : first + _ROWS] @ right.means.T
        rows = np.arange(len(cosines))
        best = cosines.argmax(axis=1)
        top = cosines[rows, best]
        best_right[first : first + len(rows)] = best
        better = cosines.max(axis=0) > column_best
        column_row[better] = first + cosines.argmax(axis=0)[better]
        column_best = np.maximum(column_best, cosines.max(axis=0))
        cosines[rows, best] = -2.0
        second = np.maximum(cosines.max(axis=1), 0) if m > 1 else np.zeros(len(rows))
        sure[first : first + len(rows)] = top > _RATIO * second
    mutual = sure & (column_row[best_right] == np.arange(n))
    return np.flatnonzero(mutual), best_right[mutual]


def _components(edges: NDArray[np.bool_]) -> list[ChapterGroup]:
    """Connected chapters; those without an edge alone."""
    from scipy.sparse.csgraph import connected_components

    n, m = edges.shape
    graph = np.zeros((n + m, n + m), bool)
    graph[:n, n:] = edges
    count, labels = connected_components(graph, directed=False)
    groups = []
    for label in range(count):
        places = np.flatnonzero(labels == label)
        groups.append(
            ChapterGroup(tuple(places[places < n].tolist()), tuple((places[places >= n] - n).tolist()))
        )
    return _ordered(groups)


def _ordered(groups: Sequence[ChapterGroup]) -> list[ChapterGroup]:
    """By left chapters, then those that have none."""
    return sorted(groups, key=lambda group: (not group.left, group.left or group.right))


def _gaps_joined(groups: Sequence[ChapterGroup]) -> list[ChapterGroup]:
    """Chapters without a partner that lie at the same place between matched neighbours are one group."""
    matched = [group for group in groups if group.left and group.right]
    alone_left = {one for group in groups if not group.right for one in group.left}
    alone_right = {one for group in groups if not group.left for one in group.right}
    edge = ChapterGroup((-1,), (-1,))
    last = ChapterGroup(
        (max((one for group in groups for one in group.left), default=0) + 1,),
        (max((one for group in groups for one in group.right), default=0) + 1,),
    )
    joined: list[ChapterGroup] = []
    for before, after in pairwise([edge, *matched, last]):
        between_left = tuple(one for one in range(before.left[-1] + 1, after.left[0]) if one in alone_left)
        between_right = tuple(
            one for one in range(before.right[-1] + 1, after.right[0]) if one in alone_right
        )
        if between_left and between_right:
            joined.append(ChapterGroup(between_left, between_right))
            alone_left -= set(between_left)
            alone_right -= set(between_right)
    single = [ChapterGroup((one,), ()) for one in alone_left] + [
        ChapterGroup((), (one,)) for one in alone_right
    ]
    return _ordered([*matched, *joined, *single])
