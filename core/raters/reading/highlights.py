"""What readers marked and how they read: highlights by length, their overlap, and speed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

SHIFTS = 999
PER = 1000
"""Highlights are counted on so many words, or characters."""

Mask = NDArray[np.bool_]
"""(characters,): which characters of a version one reader marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVersion:
    """A version that one reader has read to its end.

    place: from 0, in the reader's order. length: of the text in words (for Chinese, Japanese and Korean in
    characters). characters: of the text without its readings, which the stretches count in. active, away:
    seconds. marks: of each kind the stretches marked, half-open, in characters of the whole text.
    """

    reader: str
    book: str
    version: str
    place: int
    length: int
    characters: int
    active: float
    away: float
    marks: Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderMean:
    """The mean over n readers with the 95 % interval of Student's t.

    value is None for n = 0, the interval for n < 2 and where the readers do not vary; `missing` says which.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    missing: Literal["none", "one-reader", "same"] | None = None


def mean_over_readers(values: Sequence[float], *, least: float | None = None) -> ReaderMean:
    """The mean of one value a reader. least: what no value can be below; the interval ends there."""
    n = len(values)
    if n == 0:
        return ReaderMean(n=0, missing="none")
    mean = math.fsum(values) / n
    if n == 1:
        return ReaderMean(n=1, value=mean, missing="one-reader")
    from scipy import stats

    error = float(np.std(values, ddof=1)) / math.sqrt(n)
    if error == 0:
        return ReaderMean(n=n, value=mean, missing="same")
    reach = float(stats.t.ppf(0.975, n - 1)) * error
    low = mean - reach if least is None else max(least, mean - reach)
    return ReaderMean(n=n, value=mean, low=low, high=mean + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRate:
    """Highlights of one kind in one version: how many, and per 1,000 words or characters and reader."""

    version: str
    kind: str
    count: int
    rate: ReaderMean


def mark_rates(read: Sequence[ReadVersion], kinds: Sequence[str]) -> tuple[MarkRate, ...]:
    """By version and kind. A reader of several books counts with the mean of them."""
    found = []
    for version in sorted({one.version for one in read}):
        for kind in kinds:
            own = [one for one in read if one.version == version and one.length]
            by_reader: dict[str, list[float]] = {}
            for one in own:
                by_reader.setdefault(one.reader, []).append(PER * len(one.marks.get(kind, ())) / one.length)
            found.append(
                MarkRate(
                    version=version,
                    kind=kind,
                    count=sum(len(one.marks.get(kind, ())) for one in own),
                    rate=mean_over_readers([math.fsum(x) / len(x) for x in by_reader.values()], least=0.0),
                )
            )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkOverlap:
    """Whether readers marked the same places of a version, beyond what the lengths of their marks give.

    dice: 2 |A and B| / (|A| + |B|) in characters, 0 to 1, the mean over pairs of readers with marks.
    expected, low, high: mean and middle 95 % of it where each reader's marks are shifted round the text by a
    random distance. p: one-sided, (1 + shifts with at least this overlap) / 1,000. All are None with fewer
    than two such readers.
    """

    book: str
    version: str
    kind: str
    readers: int
    pairs: int
    dice: float | None = None
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def mark_overlap(
    book: str, version: str, kind: str, masks: Sequence[Mask], *, seed: int, shifts: int = SHIFTS
) -> MarkOverlap:
    """The overlap of readers' marks. masks: one a reader, of one length; empty ones are left out."""
    marked = [mask for mask in masks if mask.any()]
    pairs = len(marked) * (len(marked) - 1) // 2
    if not pairs:
        return MarkOverlap(book=book, version=version, kind=kind, readers=len(marked), pairs=0)
    rng = np.random.default_rng(seed)
    length = len(marked[0])
    observed = _dice(marked)
    drawn = np.array(
        [
            _dice(
                [
                    np.roll(mask, int(by))
                    for mask, by in zip(marked, rng.integers(0, length, len(marked)), strict=True)
                ]
            )
            for _ in range(shifts)
        ]
    )
    low, high = np.quantile(drawn, (0.025, 0.975))
    return MarkOverlap(
        book=book,
        version=version,
        kind=kind,
        readers=len(marked),
        pairs=pairs,
        dice=observed,
        expected=float(drawn.mean()),
        low=float(low),
        high=float(high),
        p=(1 + int((drawn >= observed - 1e-12).sum())) / (1 + shifts),
    )


def _dice(masks: Sequence[Mask]) -> float:
    """The mean of Dice's coefficient over all pairs."""
    table = np.stack(masks).astype(np.float64)
    shared, sizes = table @ table.T, table.sum(axis=1)
    found = [2 * shared[i, j] / (sizes[i] + sizes[j]) for i, j in combinations(range(len(masks)), 2)]
    return math.fsum(found) / len(found)


def overlaps(read: Sequence[ReadVersion], kinds: Sequence[str], *, seed: int) -> tuple[MarkOverlap, ...]:
    """`mark_overlap` of every version of every book and kind."""
    texts = sorted({(one.book, one.version) for one in read})
    return tuple(
        mark_overlap(
            book,
            version,
            kind,
            [mask_of(one, kind) for one in read if (one.book, one.version) == (book, version)],
            seed=seed,
        )
        for book, version in texts
        for kind in kinds
    )


def mask_of(one: ReadVersion, kind: str) -> Mask:
    """(characters,): what a reader marked with one highlighter."""
    mask = np.zeros(one.characters, bool)
    for start, end in one.marks.get(kind, ()):
        mask[start:end] = True
    return mask


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSpeed:
    """Words (or characters) per active minute of a version, over readers. away: minutes away, their mean."""

    version: str
    speed: ReaderMean
    away: ReaderMean


def reading_speeds(read: Sequence[ReadVersion]) -> tuple[ReadingSpeed, ...]:
    """By version; readers without a known time are left out."""
    found = []
    for version in sorted({one.version for one in read}):
        timed = [one for one in read if one.version == version and one.active > 0]
        found.append(
            ReadingSpeed(
                version=version,
                speed=mean_over_readers([60 * one.length / one.active for one in timed], least=0.0),
                away=mean_over_readers([one.away / 60 for one in timed], least=0.0),
            )
        )
    return tuple(found)


STRIP_BINS = 60
"""Pieces of equal length into which a version is cut for its strip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkStrip:
    """Where a version was marked: of each kind and piece of the text the share of readers, 0 to 1.

    The share is the mean over the characters of the piece. readers: who has read the version.
    """

    version: str
    readers: int
    shares: Mapping[str, tuple[float, ...]]


def mark_strips(
    read: Sequence[ReadVersion], kinds: Sequence[str], *, bins: int = STRIP_BINS
) -> tuple[MarkStrip, ...]:
    """A strip for each version of one book. Raises ValueError for several books."""
    if len({one.book for one in read}) > 1:
        raise ValueError("a strip shows one book")
    found = []
    for version in sorted({one.version for one in read}):
        own = [one for one in read if one.version == version]
        shares = {}
        for kind in kinds:
            mean = np.mean([mask_of(one, kind) for one in own], axis=0)
            pieces = np.array_split(mean, min(bins, max(len(mean), 1)))
            shares[kind] = tuple(float(piece.mean()) if len(piece) else 0.0 for piece in pieces)
        found.append(MarkStrip(version=version, readers=len(own), shares=shares))
    return tuple(found)
