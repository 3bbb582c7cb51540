"""What a close reading says: preferences in chunks, by chunk and reader, sides, agreement, whole, metrics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.raters.reading.highlights import MarkRate, ReaderMean, mean_over_readers
from core.raters.reading.preferences import (
    FEW_READERS,
    LENGTH,
    ReaderChoice,
    ShareEstimate,
    share_of,
)
from core.stats.bootstrap import MIN_UNITS, percentiles, resamples
from core.stats.estimate import Estimate, absent


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkChoice:
    """What one reader said of one chunk.

    chunk: its place in the book, from 0. left, right: the versions that stood there. preferred: None for no
    difference. margin: by how much, 1 to 3, None where nothing is preferred. seconds: active, on the chunk.
    """

    reader: str
    book: str
    chunk: int
    left: str
    right: str
    preferred: str | None
    margin: int | None = None
    why: str = ""
    seconds: float = 0.0

    @property
    def pair(self) -> tuple[str, str]:
        """Both versions, by name."""
        first, second = sorted((self.left, self.right))
        return first, second

    @property
    def unit(self) -> tuple[str, int, tuple[str, str]]:
        """What other readers may have compared as well: the chunk in these two versions."""
        return self.book, self.chunk, self.pair


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosePreference:
    """Two versions: in how many chunks `first` was preferred to `second`, of those where one was.

    share: over all readers' choices together; its interval takes them as independent, which the choices of
    one reader are not. readers: the mean over readers of each reader's own share, with Student's interval.
    ties: choices without a difference. margins: by 1 to 3, how many said so.
    """

    first: str
    second: str
    share: ShareEstimate
    readers: ReaderMean
    ties: int
    margins: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPreference:
    """The same of a reader, or of a chunk. of: the reader or the book. chunk: from 0, None of a reader."""

    of: str
    chunk: int | None
    first: str
    second: str
    share: ShareEstimate
    ties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkAgreement:
    """Whether readers made the same choice in the same chunk.

    alpha: Krippendorff's for nominal data, where a choice is a version or no difference; its interval is the
    bootstrap's over chunks. Its n is the number of chunks that two readers or more compared. same: the
    share of every two readers of a chunk who chose the same, with the bootstrap's interval over chunks; its n
    is the number of such twos. chance: what it would be if choices were drawn from all of them.
    """

    readers: int
    alpha: Estimate
    same: Estimate
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPick:
    """How often a metric's better version of a chunk is the one that a reader preferred there.

    share: over all choices; `share.low`, `share.high` and `share.p` take choices as independent. low, high:
    the bootstrap's over chunks, in each of which a metric has one pick for all readers. over_length: the
    share less that of the longer version, on the same choices, with the bootstrap's interval. even: choices
    in chunks where both versions have the same score. missing: those for which a score is missing.
    """

    metric: str
    share: ShareEstimate
    low: float | None
    high: float | None
    over_length: Estimate
    even: int
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseFindings:
    """All figures of a close reading.

    readers: who has compared a chunk. finished: who has compared all of theirs. choices: how many there are.
    few: whether fewer than `FEW_READERS` have finished. with_whole: of the readers who preferred one version
    as a whole, and one in more chunks than the other, how many it is the same for. kept: the mean over
    readers of the share of their chunks in which they preferred what they prefer as a whole. marks:
    highlights by version. minutes: active minutes a chunk, over readers.
    """

    readers: int
    finished: int
    choices: int
    few: bool
    preferences: tuple[ClosePreference, ...]
    by_chunk: tuple[PartPreference, ...]
    by_reader: tuple[PartPreference, ...]
    left: ShareEstimate
    agreement: ChunkAgreement
    with_whole: ShareEstimate
    kept: ReaderMean
    metrics: tuple[ChunkPick, ...]
    marks: tuple[MarkRate, ...]
    minutes: ReaderMean


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseData:
    """What the figures are computed from. finished: who has compared all chunks.

    whole: what readers said of the versions as a whole. scores: by metric, of each version of each chunk of
    each book, higher is better. marks: as `mark_rates` gives them, of the chunks.
    """

    choices: tuple[ChunkChoice, ...]
    finished: int
    whole: tuple[ReaderChoice, ...] = ()
    scores: Mapping[str, Mapping[tuple[str, int, str], float]]
    marks: tuple[MarkRate, ...] = ()


def close_findings(data: CloseData, *, seed: int = 0) -> CloseFindings:
    """Compute all figures. seed: of the bootstrap."""
    choices = data.choices
    with_whole, kept = chunks_with_whole(choices, data.whole)
    return CloseFindings(
        readers=len({one.reader for one in choices}),
        finished=data.finished,
        choices=len(choices),
        few=data.finished < FEW_READERS,
        preferences=close_preferences(choices),
        by_chunk=part_preferences(choices, lambda one: (one.book, one.chunk)),
        by_reader=part_preferences(choices, lambda one: (one.reader, None)),
        left=left_over_right(choices),
        agreement=chunk_agreement(choices, seed=seed),
        with_whole=with_whole,
        kept=kept,
        metrics=chunk_picks(choices, data.scores, seed=seed),
        marks=data.marks,
        minutes=_minutes(choices),
    )


def close_preferences(choices: Sequence[ChunkChoice]) -> tuple[ClosePreference, ...]:
    """Every two versions that were compared, by name."""
    found = []
    for first, second in sorted({one.pair for one in choices}):
        own = [one for one in choices if one.pair == (first, second)]
        decided = [one for one in own if one.preferred is not None]
        by_reader: dict[str, list[bool]] = {}
        for one in decided:
            by_reader.setdefault(one.reader, []).append(one.preferred == first)
        found.append(
            ClosePreference(
                first=first,
                second=second,
                share=share_of(sum(one.preferred == first for one in decided), len(decided)),
                readers=mean_over_readers([sum(x) / len(x) for x in by_reader.values()]),
                ties=len(own) - len(decided),
                margins=Counter(one.margin for one in decided if one.margin is not None),
            )
        )
    return tuple(found)


def part_preferences(
    choices: Sequence[ChunkChoice], part: Callable[[ChunkChoice], tuple[str, int | None]]
) -> tuple[PartPreference, ...]:
    """The preferences of each part, such as a reader, with the exact interval and test of each."""
    groups: dict[tuple[str, int | None, tuple[str, str]], list[ChunkChoice]] = {}
    for one in choices:
        groups.setdefault((*part(one), one.pair), []).append(one)
    found = []
    for (of, chunk, (first, second)), own in sorted(groups.items(), key=lambda row: _order(*row[0])):
        decided = [one for one in own if one.preferred is not None]
        share = share_of(sum(one.preferred == first for one in decided), len(decided))
        ties = len(own) - len(decided)
        found.append(PartPreference(of=of, chunk=chunk, first=first, second=second, share=share, ties=ties))
    return tuple(found)


def _order(of: str, chunk: int | None, pair: tuple[str, str]) -> tuple[str, int, tuple[str, str]]:
    return of, -1 if chunk is None else chunk, pair


def left_over_right(choices: Sequence[ChunkChoice]) -> ShareEstimate:
    """Of those where one version was preferred, in how many it was on the left."""
    decided = [one for one in choices if one.preferred is not None]
    return share_of(sum(one.preferred == one.left for one in decided), len(decided))


def chunk_agreement(choices: Sequence[ChunkChoice], *, seed: int = 0) -> ChunkAgreement:
    """Agreement of readers on the same chunk in the same two versions."""
    units: dict[object, list[str | None]] = {}
    for one in choices:
        units.setdefault(one.unit, []).append(one.preferred)
    shared = [own for own in units.values() if len(own) > 1]
    readers = len({one.reader for one in choices})
    twos = [[first == second for first, second in combinations(own, 2)] for own in shared]
    alpha = nominal_alpha(shared, seed=seed) if readers > 1 else absent("one-rater", 0)
    return ChunkAgreement(readers=readers, alpha=alpha, same=_alike(twos, seed), chance=_chance_alike(shared))


def _alike(twos: Sequence[Sequence[bool]], seed: int) -> Estimate:
    """The share that is true of all, with an interval over the units in which they lie."""
    hits, n = (np.array([float(count(own)) for own in twos]) for count in (sum, len))
    if not twos:
        return absent("no-shared-items", 0)
    value = Estimate(value=float(hits.sum() / n.sum()), n=int(n.sum()))
    if len(twos) < MIN_UNITS:
        return value
    drawn = [_ratios(batch, hits, n) for batch in resamples(len(twos), seed=seed)]
    low, high = percentiles(np.concatenate(drawn))
    return replace(value, low=low, high=high)


def _chance_alike(shared: Sequence[Sequence[str | None]]) -> float:
    """The chance that two choices drawn from all of them are the same; .5 for none."""
    counts = Counter(choice for own in shared for choice in own)
    n = sum(counts.values())
    return sum(count * (count - 1) for count in counts.values()) / (n * (n - 1)) if n > 1 else 0.5


def nominal_alpha(units: Sequence[Sequence[str | None]], *, seed: int = 0) -> Estimate:
    """Krippendorff's alpha for nominal data (Krippendorff 2011), with the bootstrap's interval over units.

    units: the choices of each unit, of which each has two or more. alpha = 1 - (n - 1) Σ_u d_u / D, where
    d_u = Σ_{c≠k} n_uc n_uk / (m_u - 1), D = Σ_{c≠k} n_c n_k, and n = Σ m_u. Missing: `no-shared-items` for no
    units, `no-variance` where all choices are the same.
    """
    if not units:
        return absent("no-shared-items", 0)
    kinds = sorted({repr(choice) for own in units for choice in own})
    counts = np.array([[sum(repr(x) == kind for x in own) for kind in kinds] for own in units], np.float64)
    value = _alphas(counts, np.ones((1, len(units))))[0]
    if not math.isfinite(value):
        return absent("no-variance", len(units))
    if len(units) < MIN_UNITS:
        return Estimate(value=float(value), n=len(units))
    drawn = [_alphas(counts, batch.astype(np.float64)) for batch in resamples(len(units), seed=seed)]
    low, high = percentiles(np.concatenate(drawn))
    return Estimate(value=float(value), n=len(units), low=low, high=high)


def _alphas(counts: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(units, kinds) counts and (batch, units) weights to (batch,) alphas; NaN where nothing varies."""
    m = counts.sum(axis=1)
    differ = (m**2 - (counts**2).sum(axis=1)) / (m - 1)
    totals = weights @ counts
    n = totals.sum(axis=1)
    expected = n**2 - (totals**2).sum(axis=1)
    known = expected > 0
    ratio = np.full(len(n), np.nan)
    np.divide((n - 1) * (weights @ differ), expected, out=ratio, where=known)
    return np.asarray(1 - ratio, np.float64)


def chunks_with_whole(
    choices: Sequence[ChunkChoice], whole: Sequence[ReaderChoice]
) -> tuple[ShareEstimate, ReaderMean]:
    """Whether what a reader prefers in chunks goes with what they prefer as a whole, book by book.

    The first: of readers who preferred a version as a whole and one version in most of their decided chunks,
    how many preferred the same one; the chance is one over the versions that they read, in the mean. The
    second: over readers, the share of decided chunks with the version preferred as a whole in which it won.
    """
    same, n, chances = 0, 0, []
    shares: dict[str, list[float]] = {}
    for one in whole:
        if one.preferred is None:
            continue
        mine = [row for row in choices if (row.reader, row.book) == (one.reader, one.book)]
        wins = Counter(row.preferred for row in mine if row.preferred is not None)
        with_it = [row for row in mine if row.preferred is not None and one.preferred in row.pair]
        if with_it:
            share = sum(row.preferred == one.preferred for row in with_it) / len(with_it)
            shares.setdefault(one.reader, []).append(share)
        best = [version for version, count in wins.items() if count == max(wins.values())]
        if len(best) == 1:
            same, n = same + (best[0] == one.preferred), n + 1
            chances.append(1 / len(one.order))
    chance = math.fsum(chances) / n if n else 0.5
    kept = mean_over_readers([math.fsum(own) / len(own) for own in shares.values()], least=0.0)
    return share_of(same, n, chance=chance), kept


def chunk_picks(
    choices: Sequence[ChunkChoice],
    scores: Mapping[str, Mapping[tuple[str, int, str], float]],
    *,
    seed: int = 0,
) -> tuple[ChunkPick, ...]:
    """Each metric against readers' choices; `LENGTH` among the scores is what it is measured against."""
    decided = [one for one in choices if one.preferred is not None]
    outcomes = {metric: [_outcome(one, own) for one in decided] for metric, own in scores.items()}
    units = sorted({(one.book, one.chunk) for one in decided})
    place = {unit: number for number, unit in enumerate(units)}
    at = np.array([place[one.book, one.chunk] for one in decided], np.int64)
    found = []
    for metric, own in outcomes.items():
        known = [value for value in own if value is not None]
        differ = [value for value in known if value != 0]
        low, high = _interval([value or 0 for value in own], at, len(units), seed)
        found.append(
            ChunkPick(
                metric=metric,
                share=share_of(sum(value > 0 for value in differ), len(differ)),
                low=low,
                high=high,
                over_length=_over_length(own, outcomes.get(LENGTH), at, len(units), seed),
                even=len(known) - len(differ),
                missing=len(own) - len(known),
            )
        )
    return tuple(found)


def _outcome(one: ChunkChoice, scores: Mapping[tuple[str, int, str], float]) -> int | None:
    """1 where the preferred version has the better score, -1 where the other one has, 0 for neither."""
    left, right = (scores.get((one.book, one.chunk, side)) for side in (one.left, one.right))
    if left is None or right is None:
        return None
    sign = (left > right) - (left < right)
    return sign if one.preferred == one.left else -sign


def _interval(
    own: Sequence[int], at: NDArray[np.int64], units: int, seed: int
) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the share of 1 among those that are not 0, over resamples of chunks."""
    if units < MIN_UNITS:
        return None, None
    outcome = np.array(own)
    hits, n = (np.bincount(at, part, units).astype(np.float64) for part in (outcome > 0, outcome != 0))
    return percentiles(np.concatenate([_ratios(batch, hits, n) for batch in resamples(units, seed=seed)]))


def _ratios(
    weights: NDArray[np.uint8], above: NDArray[np.float64], below: NDArray[np.float64]
) -> NDArray[np.float64]:
    drawn = weights.astype(np.float64)
    total = drawn @ below
    ratio = np.full(len(drawn), np.nan)
    np.divide(drawn @ above, total, out=ratio, where=total > 0)
    return ratio


def _over_length(
    own: Sequence[int | None],
    length: Sequence[int | None] | None,
    at: NDArray[np.int64],
    units: int,
    seed: int,
) -> Estimate:
    """The share less that of the longer version, on the choices for which both differ."""
    if length is None:
        return absent("few-items", 0)
    both = [place for place, (x, y) in enumerate(zip(own, length, strict=True)) if x and y]
    if not both:
        return absent("few-items", 0)
    gain = np.array([((own[one] or 0) > 0) - ((length[one] or 0) > 0) for one in both], np.float64)
    value = float(gain.mean())
    if units < MIN_UNITS:
        return Estimate(value=value, n=len(both))
    above, below = (
        np.bincount(at[both], part, units).astype(np.float64) for part in (gain, np.ones(len(both)))
    )
    low, high = percentiles(
        np.concatenate([_ratios(batch, above, below) for batch in resamples(units, seed=seed)])
    )
    return Estimate(value=value, n=len(both), low=low, high=high)


def _minutes(choices: Sequence[ChunkChoice]) -> ReaderMean:
    by_reader: dict[str, list[float]] = {}
    for one in choices:
        if one.seconds > 0:
            by_reader.setdefault(one.reader, []).append(one.seconds / 60)
    return mean_over_readers([math.fsum(x) / len(x) for x in by_reader.values()], least=0.0)


def close_rows(found: CloseFindings) -> Iterator[dict[str, Any]]:
    """One row a figure, with keys of `FIGURE_COLUMNS`; what a figure has none of is left out."""
    for one in found.preferences:
        about = {"of": one.first, "and": one.second}
        yield {"figure": "chunks_preferred", **_shares(one.share), **about}
        yield {"figure": "chunks_preferred_by_reader", **asdict(one.readers), **about}
        yield {
            "figure": "chunks_no_difference",
            "n": one.share.n + one.ties,
            "hits": one.ties,
            **about,
        }
        for margin, count in sorted(one.margins.items()):
            yield {"figure": f"chunks_margin_{margin}", "n": one.share.n, "hits": count, **about}
    for part in (*found.by_reader, *found.by_chunk):
        of = part.of if part.chunk is None else f"{part.of} · {part.chunk + 1}"
        name = "chunks_of_reader" if part.chunk is None else "chunk_preferred"
        yield {"figure": name, **_shares(part.share), "of": of, "and": f"{part.first} > {part.second}"}
    yield {"figure": "left_side", **_shares(found.left)}
    alpha = found.agreement.alpha
    yield {"figure": "chunk_readers", "value": found.agreement.readers, "n": found.agreement.readers}
    yield {"figure": "chunk_alpha", **asdict(alpha)}
    alike = {**asdict(found.agreement.same), "chance": found.agreement.chance}
    yield {"figure": "chunk_same", **alike}
    yield {"figure": "chunks_as_whole", **_shares(found.with_whole)}
    yield {"figure": "chunks_with_preferred", **asdict(found.kept)}
    for pick in found.metrics:
        yield {"figure": "chunk_metric_picks", **_shares(pick.share), "of": pick.metric}
        bounds = {"low": pick.low, "high": pick.high, "value": pick.share.value, "n": pick.share.n}
        yield {"figure": "chunk_metric_picks_over_chunks", **bounds, "of": pick.metric}
        if pick.metric != LENGTH:
            yield {
                "figure": "chunk_metric_over_length",
                **asdict(pick.over_length),
                "of": pick.metric,
            }
    for rate in found.marks:
        row = {**asdict(rate.rate), "of": rate.version, "and": rate.kind, "hits": rate.count}
        yield {"figure": "chunk_highlights_per_1000", **row}
    yield {"figure": "minutes_a_chunk", **asdict(found.minutes)}


def _shares(share: ShareEstimate) -> dict[str, Any]:
    return {"missing": None if share.n else "none", **asdict(share)}
