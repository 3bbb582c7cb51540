"""A rater's next item, where the design asks for the one that most narrows the order of the systems.

The rater's share is dealt out as ever. What is chosen is which of its open items comes next: two items of the
share change places, so that each item stays, and nothing that was seen moves. The ratings of a campaign are
kept in memory as sums, and a call reads only what was rated since the one before.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from sqlalchemy import Engine, Row, Select, func, null, select, update
from sqlalchemy.orm import Session

from core.raters.assignment import OFFICIAL, TARGET, Placed, may_come
from core.raters.narrowing import Candidates, Rated, Sums, SystemStanding, choose, standing
from core.raters.protocols import PROTOCOLS
from db.design import RANKING, Design, from_json
from db.engine import read_session, write_session
from db.models import Campaign, Draft, Event, Item, Rater, RatingEvent, Segment, System, Translation
from db.queries.campaigns import campaign_in
from db.queries.people import WITHDRAWAL
from db.queries.rating import score_of


def bring_forward(engine: Engine, campaign_id: int, rater_id: int, place: int) -> bool:
    """Put the open item that matters most at a place that was not shown yet; whether another came there.

    Nothing happens where the design deals out at random, and where the item at this place was judged, has a
    draft or is a check. What comes there keeps its distances (`may_come`). What is chosen follows from the
    campaign's seed, the rater and the ratings so far.
    """
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        design = from_json(campaign.design)
        if design.order != RANKING:
            return False
        seed = f"{campaign.seed}:{session.get_one(Rater, rater_id).key}:{place}"
        own = _own(session, campaign_id, rater_id)
        free = may_come(own, place, distance=design.distance)
        if len(free) < 2:
            return False
        known, now = _standing(engine, session, campaign, design)
    numbers = np.array([known.numbered(one.translation, one.segment, rater_id) for one in free])
    chosen = free[choose(now, Candidates(*numbers.T), seed=seed)]
    here = next(item for item in own if item.place == place)
    return chosen != here and _swap(engine, campaign_id, rater_id, chosen, here)


def _own(session: Session, campaign_id: int, rater_id: int, places: Sequence[int] = ()) -> list[Placed]:
    """The rater's items in their order: all, or those at these places."""
    rated = select(RatingEvent.id).where(RatingEvent.item_id == Item.id).exists()
    drafted = select(Draft.item_id).where(Draft.item_id == Item.id).exists()
    query = (
        select(Item.place, Item.translation_id, Translation.segment_id, Item.kind, rated | drafted)
        .join(Translation, Translation.id == Item.translation_id)
        .where(Item.campaign_id == campaign_id, Item.rater_id == rater_id)
        .order_by(Item.place)
    )
    if places:
        query = query.where(Item.place.in_(places))
    return [Placed(*row) for row in session.execute(query)]


def _swap(engine: Engine, campaign_id: int, rater_id: int, chosen: Placed, here: Placed) -> bool:
    """Let two open items change places; False where another window was first."""
    own = Item.campaign_id == campaign_id, Item.rater_id == rater_id
    with write_session(engine) as session:
        if _own(session, campaign_id, rater_id, (here.place, chosen.place)) != [here, chosen]:
            return False
        beyond = (session.scalar(select(func.max(Item.place)).where(*own)) or 0) + 1
        steps = ((here.place, beyond), (chosen.place, here.place), (beyond, chosen.place))
        for old, new in steps:  # no two items have the same place, not even for a moment
            session.execute(update(Item).where(*own, Item.place == old).values(place=new))
        return True


@dataclass(frozen=True, slots=True)
class _Known:
    """Numbers from 0 of a campaign's segments, systems and raters, by id; the system of each translation."""

    segments: dict[int, int]
    systems: dict[int, int]
    raters: dict[int, int]
    system_of: dict[int, int]

    @classmethod
    def read(cls, session: Session, campaign_id: int) -> _Known:
        queries = (
            select(Segment.id).where(Segment.campaign_id == campaign_id).order_by(Segment.id),
            select(System.id)
            .where(System.campaign_id == campaign_id, System.is_reference.is_(False))
            .order_by(System.id),
            select(Item.rater_id).where(Item.campaign_id == campaign_id).distinct().order_by(Item.rater_id),
        )
        numbers = [{key: n for n, key in enumerate(session.scalars(query))} for query in queries]
        texts = select(Translation.id, Translation.system_id).join(Segment)
        of = dict(session.execute(texts.where(Segment.campaign_id == campaign_id)).all())
        return cls(numbers[0], numbers[1], numbers[2], of)

    def numbered(self, translation: int, segment: int, rater: int) -> tuple[int, int, int]:
        return self.segments[segment], self.systems[self.system_of[translation]], self.raters[rater]


@dataclass(slots=True)
class _Ratings:
    """The ratings of a campaign as the model takes them.

    state: `_state`, when they were first read. said: by item, the segment, system, rater and score that are
    among the sums. last: the newest event that was read.
    """

    known: _Known
    state: tuple[int, int]
    sums: Sums
    said: dict[int, tuple[int, int, int, float]] = field(default_factory=dict)
    last: int = 0

    @classmethod
    def none(cls, known: _Known, state: tuple[int, int]) -> _Ratings:
        sizes = len(known.segments), len(known.systems), len(known.raters)
        return cls(known, state, Sums.empty(*sizes))

    def take(self, rows: Iterable[Row[Any]], design: Design) -> None:
        """Take in events, oldest first: the last one of an item holds."""
        before: list[tuple[int, int, int, float]] = []
        changed: set[int] = set()
        for row in rows:
            if row.item not in changed and row.item in self.said:
                before.append(self.said[row.item])
            changed.add(row.item)
            self.said.pop(row.item, None)
            if row.skipped is None:
                score = score_of(row.score, row.spans, design)
                numbers = self.known.numbered(row.translation, row.segment, row.rater)
                self.said[row.item] = (*numbers, score)
            self.last = row.id
        self.sums.add(_columns(before), times=-1)
        self.sums.add(_columns([self.said[item] for item in changed if item in self.said]))


def _columns(rows: Sequence[tuple[int, int, int, float]]) -> Rated:
    table = np.array(rows, np.float64).reshape(-1, 4)
    numbers = table[:, :3].astype(np.int64)
    return Rated(numbers[:, 0], numbers[:, 1], numbers[:, 2], table[:, 3])


_KEPT: WeakKeyDictionary[Engine, dict[int, _Ratings]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def _standing(
    engine: Engine, session: Session, campaign: Campaign, design: Design
) -> tuple[_Known, SystemStanding]:
    """What is known of the systems in this look at the database.

    Events are only added, and writers queue, so that what is new has a higher number. Where people got items
    or somebody withdrew, everything is read again.
    """
    marks_only = not PROTOCOLS.get(campaign.protocol, PROTOCOLS["adequacy"]).scored
    state = _state(session, campaign.id)
    with _LOCK:
        kept = _KEPT.setdefault(engine, {})
        found = kept.pop(campaign.id, None)
        if found is None or found.state != state:
            found = _Ratings.none(_Known.read(session, campaign.id), state)
        query = _events(campaign.id, after=found.last, spans=marks_only)
        found.take(session.execute(query), design)
        kept[campaign.id] = found
        return found.known, standing(found.sums)


def _state(session: Session, campaign_id: int) -> tuple[int, int]:
    """What changes when items come or go: how many there are, and how many people have withdrawn."""
    items = select(func.count()).where(Item.campaign_id == campaign_id)
    gone = select(func.count()).where(Event.kind == WITHDRAWAL)
    return session.scalar(items) or 0, session.scalar(gone) or 0


def _events(campaign_id: int, *, after: int, spans: bool) -> Select[*tuple[Any, ...]]:
    """Ratings of translations, oldest first; without check items, and without those that do not count.

    after: the number of the last one that is known. spans: whether the score is made from marked errors.
    """
    campaign = Item.campaign_id if not after else Item.campaign_id + 0  # not by the index of all its items
    return (
        select(
            RatingEvent.id,
            Item.id.label("item"),
            Item.translation_id.label("translation"),
            Translation.segment_id.label("segment"),
            Item.rater_id.label("rater"),
            RatingEvent.score,
            (RatingEvent.spans if spans else null()).label("spans"),
            RatingEvent.skipped_reason.label("skipped"),
        )
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Translation, Translation.id == Item.translation_id)
        .where(RatingEvent.id > after, campaign == campaign_id)
        .where(Item.kind == TARGET, Item.mark == OFFICIAL)
        .order_by(RatingEvent.id)
    )
