"""The order in which a rater sees the items: a fixed shuffle with one segment's translations kept apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from random import Random

GAP = 5
"""How many other items stand between two translations of one segment, where there are enough segments."""


def shuffled(items: Sequence[tuple[int, int]], *, seed: str, recent: Iterable[int] = ()) -> list[int]:
    """Order items, (translation id, segment id), by a shuffle that `seed` fixes; returns translation ids.

    `recent` are the segments that the rater saw last, oldest first. Input order does not matter.
    """
    pool = sorted(items)
    Random(seed).shuffle(pool)  # nosec B311  # an order that can be had again, no secret
    left = _Left(segment for _, segment in pool)
    gap = min(GAP, len(left.counts) - 1)
    shown = list(recent)
    ordered: list[int] = []
    while pool:
        translation, segment = pool.pop(_next(pool, shown, gap, left.urgent(gap)))
        ordered.append(translation)
        shown.append(segment)
        left.take(segment)
    return ordered


def _next(pool: Sequence[tuple[int, int]], shown: Sequence[int], gap: int, urgent: Collection[int]) -> int:
    """The index of the first item that may come now; the wished gap shrinks only when nothing fits."""
    blocked = set(shown[-gap:]) if gap > 0 else set()
    for index, (_, segment) in enumerate(pool if urgent else ()):
        if segment in urgent and segment not in blocked:
            return index
    for smaller in range(gap, 0, -1):
        blocked = set(shown[-smaller:])
        for index, (_, segment) in enumerate(pool):
            if segment not in blocked:
                return index
    return 0


class _Left:
    """How many items of each segment are still to come, and which segments have the most."""

    def __init__(self, segments: Iterable[int]) -> None:
        self.counts = Counter(segments)
        self.total = self.counts.total()
        self.most = max(self.counts.values(), default=0)
        self.having: defaultdict[int, set[int]] = defaultdict(set)
        for segment, count in self.counts.items():
            self.having[count].add(segment)

    def take(self, segment: int) -> None:
        count = self.counts[segment]
        self.counts[segment] -= 1
        self.total -= 1
        self.having[count].discard(segment)
        self.having[count - 1].add(segment)
        while self.most and not self.having[self.most]:
            self.most -= 1

    def urgent(self, gap: int) -> Collection[int]:
        """The fullest segments, if waiting would push them together at the end, else none.

        A segment with m items needs (m - 1)(gap + 1) + 1 places; c segments with m items need c - 1 more.
        """
        fullest = self.having[self.most]
        return fullest if (self.most - 1) * (gap + 1) + len(fullest) >= self.total else ()
