"""The plan of a campaign: who rates which items, in which order, and how long it takes.

Raters join over time, so items are assigned when a rater joins: first those with the fewest raters. Seeds
fix everything: the same raters in the same order get the same items on every machine. Translations of one
segment are kept apart.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

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


TARGET, REPEAT, REFERENCE, DEGRADED = "target", "repeat", "reference", "degraded"
"""Kinds of item: a system's text judged for the first time; the rest are checks, and count in no mean."""
OFFICIAL = "ok"
"""The mark of a rating that counts; an import may bring others (`dup`, `incomplete`)."""
CHARACTERS_A_MINUTE = {
    "adequacy": 300,
    "da-sqm": 300,
    "esa": 150,
    "mqm": 75,
    "side-by-side": 300,
    "reading": 600,
    "chunks": 300,
}
"""Japanese characters of the translation that a rater gets through. `esa` is WMT25's .4 s a character; the
others are that, doubled or halved, until the campaign's own pace is known. `reading`: read and not judged."""
CHARACTERS_A_WORD = 2.0  # as WMT25 counts: Japanese and Chinese words are characters / 2
LETTERS_A_WORD = 6.0
WIDE = frozenset({"ja", "zh"})


@dataclass(frozen=True, slots=True)
class AssignmentUnit:
    """A translation that can be rated. position: in its document; characters: of the translation."""

    translation: int
    segment: int
    document: str
    system: int
    position: int
    characters: int


@dataclass(frozen=True, slots=True)
class Planned:
    """An item to be. kind: `target`, `repeat`, `reference` or `degraded`."""

    translation: int
    kind: str = TARGET


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What can be mixed in for a rater: shares of the items, and the texts there are.

    references: the reference's translation by segment. degraded: translations with a damaged text.
    distance: other items between an item and its check, at least, where there are enough.
    """

    repeats: float = 0.0
    references: float = 0.0
    degraded: float = 0.0
    distance: int = 10
    reference_of: Mapping[int, int]
    damaged: frozenset[int]


def share(
    units: Sequence[AssignmentUnit],
    taken: Mapping[int, int],
    *,
    per_item: int,
    raters: int,
    seed: str,
    documents: bool = False,
    together: bool = False,
) -> list[AssignmentUnit]:
    """What the next rater gets: about units x per_item / raters, of what the fewest people have.

    taken: how many people have each translation already; what `per_item` have is not given again. documents:
    whole documents of one system only. together: all systems of a segment. May be empty: then everything has
    its raters.
    """
    wanted = math.ceil(len(units) * per_item / raters)
    groups: dict[object, list[AssignmentUnit]] = defaultdict(list)
    for unit in units:
        if taken.get(unit.translation, 0) < per_item:
            kin = (
                unit.segment if together else (unit.document, unit.system) if documents else unit.translation
            )
            groups[kin].append(unit)
    order = sorted(groups.values(), key=lambda group: group[0].translation)
    Random(f"{seed}:share").shuffle(order)  # nosec B311  # as in order.py
    order.sort(key=lambda group: max(taken.get(unit.translation, 0) for unit in group))
    chosen: list[AssignmentUnit] = []
    for group in order:
        if len(chosen) >= wanted:
            break
        chosen += group
    return chosen


def arrange(
    units: Sequence[AssignmentUnit], *, seed: str, documents: bool = False, together: bool = False
) -> list[list[AssignmentUnit]]:
    """The order in which a rater sees them, in blocks that belong together.

    A block is one translation, or with documents one system's version of a document in reading order; what
    belongs to the same segment or document is kept apart. together: a block is a segment with all systems,
    which are shuffled for each rater; with documents segments are read in order.
    """
    if together:
        return _segments(units, Random(f"{seed}:screens"), documents=documents)  # nosec B311  # a seed
    blocks: dict[int, list[AssignmentUnit]] = {}
    kin: dict[str, int] = {}
    if not documents:
        by_id = {unit.translation: unit for unit in units}
        pairs = [(unit.translation, unit.segment) for unit in units]
        return [[by_id[one]] for one in shuffled(pairs, seed=seed)]
    for unit in sorted(units, key=lambda one: (one.document, one.system, one.position)):
        first = next((key for key, block in blocks.items() if _same(block[0], unit)), unit.translation)
        blocks.setdefault(first, []).append(unit)
        kin.setdefault(unit.document, len(kin))
    pairs = [(first, kin[block[0].document]) for first, block in blocks.items()]
    return [blocks[first] for first in shuffled(pairs, seed=seed)]


def with_checks(
    blocks: Sequence[Sequence[AssignmentUnit]], checks: Checks, *, seed: str, together: bool = False
) -> list[Planned]:
    """The rater's items in order, with check items between blocks, at their distance from the original.

    together: blocks are the screens of side by side; a check then stands among the other translations of its
    segment, so that its screen looks like any other.
    """
    random = Random(f"{seed}:checks")  # nosec B311  # as in order.py
    row = [[Planned(unit.translation) for unit in block] for block in blocks]
    units = [unit for block in blocks for unit in block]
    if together:
        for screen, kin in _check_screens(blocks, checks, random):
            _put(row, screen, kin, checks.distance, random)
        return [planned for block in row for planned in block]
    segment_of = {unit.translation: unit.segment for unit in units}
    reference_for = {reference: segment for segment, reference in checks.reference_of.items()}
    for kind, wished in _wished(units, checks, random, count=len(units)):
        for translation in wished:
            if kind == REFERENCE:  # it is kept away from every translation of its segment
                kin = {one for one, segment in segment_of.items() if segment == reference_for[translation]}
            else:
                kin = {translation}
            _put(row, [Planned(translation, kind)], kin, checks.distance, random)
    return [planned for block in row for planned in block]


@dataclass(frozen=True, slots=True)
class Placed:
    """An item where it stands. place: from 0; touched: judged, or marked or written on."""

    place: int
    translation: int
    segment: int
    kind: str = TARGET
    touched: bool = False


def may_come(items: Sequence[Placed], place: int, *, distance: int) -> list[Placed]:
    """The open items of a rater at a place or behind it that may stand there, if the item there takes theirs.

    items: all of them. The item that is there may be among them; none may come where it was touched or is a
    check. What comes keeps `GAP` to the translations of its segment that were shown last, and both keep
    `distance` to their check items, and stay before their repetitions.
    """
    here = next((item for item in items if item.place == place), None)
    if here is None or here.touched or here.kind != TARGET:
        return []
    recent = {item.segment for item in items if place - GAP <= item.place < place}
    checks: dict[tuple[str, int], list[Placed]] = defaultdict(list)
    for item in items:
        if item.kind != TARGET:
            kin = ("segment", item.segment) if item.kind == REFERENCE else ("text", item.translation)
            checks[kin].append(item)

    def fits(item: Placed, to: int) -> bool:
        kin = checks.get(("segment", item.segment), []) + checks.get(("text", item.translation), [])
        return all(
            abs(check.place - to) > distance and (check.kind != REPEAT or to < check.place) for check in kin
        )

    return [
        item
        for item in items
        if item.place >= place and item.kind == TARGET and not item.touched and item.segment not in recent
        if item is here or (fits(item, place) and fits(here, item.place))
    ]


def minutes(characters: int, *, protocol: str, lang: str, pace: float | None = None) -> float:
    """Minutes that a number of characters takes. pace: characters a minute, if it is known."""
    a_minute = pace or CHARACTERS_A_MINUTE[protocol]
    if pace is None and lang not in WIDE:
        a_minute *= LETTERS_A_WORD / CHARACTERS_A_WORD
    return characters / a_minute


PAUSE_SECONDS = 300.0
"""What is longer than this is a pause and no time on the task."""

FEWEST_TIMES = 5
"""Items after which a rater's own pace says more than the plan."""


def minutes_left(lengths: Sequence[int], seconds: Sequence[float], *, protocol: str, lang: str) -> float:
    """Minutes that a rater still needs for items of these lengths, in characters.

    seconds: how long the rater took for each item so far, without pauses. Their median counts from
    `FEWEST_TIMES` on; before that the plan's characters a minute, as `minutes`.
    """
    if len(seconds) >= FEWEST_TIMES:
        return len(lengths) * median(seconds) / 60
    return minutes(sum(lengths), protocol=protocol, lang=lang)


def _segments(
    units: Sequence[AssignmentUnit], random: Random, *, documents: bool
) -> list[list[AssignmentUnit]]:
    """A block for each segment; documents shuffled and read in order, or segments shuffled."""
    blocks: dict[int, list[AssignmentUnit]] = defaultdict(list)
    for unit in sorted(units, key=lambda one: one.translation):
        blocks[unit.segment].append(unit)
    for block in blocks.values():
        random.shuffle(block)
    names = sorted({unit.document for unit in units})
    random.shuffle(names)
    rows = list(blocks.values())
    random.shuffle(rows)
    if documents:
        rows.sort(key=lambda block: (names.index(block[0].document), block[0].position))
    return rows


def _same(one: AssignmentUnit, other: AssignmentUnit) -> bool:
    return (one.document, one.system) == (other.document, other.system)


def _wished(
    units: Sequence[AssignmentUnit], checks: Checks, random: Random, *, count: int
) -> list[tuple[str, list[int]]]:
    """Which translations come as which check, as many as the shares of `count` say or as there are."""
    segments = list(dict.fromkeys(unit.segment for unit in units))
    wanted = round(checks.repeats * count)
    early = units[: max(len(units) - checks.distance, wanted)]  # behind the last ones is no room
    offers = {
        REPEAT: (checks.repeats, [unit.translation for unit in early]),
        REFERENCE: (
            checks.references,
            [checks.reference_of[segment] for segment in segments if segment in checks.reference_of],
        ),
        DEGRADED: (
            checks.degraded,
            [unit.translation for unit in units if unit.translation in checks.damaged],
        ),
    }
    return [
        (kind, random.sample(offered, min(round(part * count), len(offered))))  # nosec B311  # as in order.py
        for kind, (part, offered) in offers.items()
    ]


def _check_screens(
    blocks: Sequence[Sequence[AssignmentUnit]], checks: Checks, random: Random
) -> Iterator[tuple[list[Planned], set[int]]]:
    """Screens with a check each, and the translations that each is kept away from.

    A damaged text or a reference takes the place of one translation of its segment, whose others come again;
    these count as repeats. A segment comes again once at most.
    """
    units = [unit for block in blocks for unit in block]
    room = math.ceil(checks.distance / max(len(block) for block in blocks)) if blocks else 0
    early = [unit for block in blocks[: max(len(blocks) - room, 1)][: len(blocks) - 1] for unit in block]
    screen_of = {unit.translation: [one.translation for one in block] for block in blocks for unit in block}
    first_of = {unit.segment: unit.translation for unit in units}
    segments = {reference: segment for segment, reference in checks.reference_of.items()}
    wished = dict(_wished(early, checks, random, count=len(units)))
    still, used = len(wished[REPEAT]), set[int]()
    for kind in (DEGRADED, REFERENCE, REPEAT):
        for translation in wished[kind]:
            stand_in = first_of[segments[translation]] if kind == REFERENCE else translation
            own = screen_of[stand_in]
            if used & set(own) or (kind == REPEAT and still <= 0):
                continue
            used.update(own)
            replaced = random.choice(own) if kind == REFERENCE else translation  # nosec B311  # as in order.py
            again = [Planned(one, REPEAT) for one in own if one != replaced or kind == REPEAT]
            screen = again if kind == REPEAT else [*again, Planned(translation, kind)]
            random.shuffle(screen)
            still -= len(again)
            yield screen, set(own)


def _put(
    row: list[list[Planned]], block: list[Planned], kin: set[int], distance: int, random: Random
) -> None:
    """Insert a block with a check: behind the originals where one is repeated, else anywhere far enough.

    kin: the translations that it is kept away from.
    """
    behind = any(one.kind == REPEAT for one in block)
    starts = [0]
    for shown in row:
        starts.append(starts[-1] + len(shown))
    places = [
        start + at
        for start, shown in zip(starts, row, strict=False)
        for at, one in enumerate(shown)
        if one.translation in kin
    ]
    last = places[-1] if places else None
    gaps = range(1, len(row) + 1) if behind else range(len(row) + 1)
    open_gaps = [gap for gap in gaps if last is None or starts[gap] > last or not behind]
    far = [gap for gap in open_gaps if all(_between(starts[gap], place) >= distance for place in places)]
    best = far or [max(open_gaps, key=lambda gap: min(_between(starts[gap], place) for place in places))]
    row.insert(random.choice(best), block)  # nosec B311  # as in order.py


def _between(gap: int, place: int) -> int:
    """How many items stand between a gap (before item `gap`) and the item at `place`."""
    return gap - place - 1 if gap > place else place - gap
