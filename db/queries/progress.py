"""How far everybody is: for the organiser, without a score of anybody."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from db.engine import reading
from db.models import Item, Member, Rater, Rating, Translation
from db.people_records import PersonRecord
from db.permissions import Viewer
from db.queries.latest import is_latest

BREAK_SECONDS = 300.0
"""What is longer than this is a pause and no time on the task."""


def people_of(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PersonRecord]:
    """Everybody with items or a part in a campaign: how far, how fast, last seen. No scores."""
    viewer.must_see_scores()
    with reading(engine) as session:
        parts = dict(
            session.execute(
                select(Member.rater_id, Member.part).where(Member.campaign_id == campaign_id)
            ).all()
        )
        items = dict(
            session.execute(
                select(Item.rater_id, func.count())
                .where(Item.campaign_id == campaign_id)
                .group_by(Item.rater_id)
            ).all()
        )
        saved = _saved(session, campaign_id)
        people = session.scalars(select(Rater).where(Rater.id.in_({*parts, *items})).order_by(Rater.id)).all()
        return [_person(rater, parts, items, saved.get(rater.id, [])) for rater in people]


def _person(
    rater: Rater, parts: Mapping[int, str], items: Mapping[int, int], saved: list[Any]
) -> PersonRecord:
    times = [row.seconds for row in saved if row.seconds is not None and 0 < row.seconds <= BREAK_SECONDS]
    letters = sum(row.length for row in saved if row.seconds is not None and 0 < row.seconds <= BREAK_SECONDS)
    last = max((row.created_at for row in saved), default=None)
    seen = [instant for instant in (last, rater.seen_at) if instant is not None]
    return PersonRecord(
        rater_id=rater.id,
        name=rater.name,
        part=parts.get(rater.id, "rater"),
        native_language=rater.native_language,
        level=rater.level,
        done=sum(row.skipped_reason is None for row in saved),
        skipped=sum(row.skipped_reason is not None for row in saved),
        total=items.get(rater.id, 0),
        median_seconds=median(times) if times else None,
        characters_a_minute=60 * letters / sum(times) if times else None,
        seen_at=max(seen, default=None),
    )


def _saved(session: Session, campaign_id: int) -> dict[int, list[Any]]:
    query = (
        select(
            Item.rater_id,
            Rating.seconds,
            Rating.skipped_reason,
            Rating.created_at,
            func.length(Translation.text).label("length"),
        )
        .join(Item, Item.id == Rating.item_id)
        .join(Translation, Translation.id == Item.translation_id)
        .where(Item.campaign_id == campaign_id, is_latest())
    )
    found: dict[int, list[Any]] = {}
    for row in session.execute(query):
        found.setdefault(row.rater_id, []).append(row)
    return found
