"""A second look at a damaged text that a rater did not score below its original, once for each check.

The corrected scores are further revisions. The statistic of damaged texts counts what was said first
(`db/queries/evaluation.py`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, Row, select
from sqlalchemy.orm import Session

from core.raters.assignment import DEGRADED, TARGET
from db.design import from_json
from db.engine import read_session, write_session
from db.models import Campaign, Event, Item, RatingEvent, is_latest
from db.queries.rating import score_of

SECOND_TRY = "second-try"
"""The kind of event; its details hold the id of the damaged item."""


def give_second_try(engine: Engine, *, item_id: int, rater_id: int) -> tuple[int, int] | None:
    """After a judgement of this item: the two items that the rater is to read again, in their order.

    It is None where the campaign gives no second try, the item belongs to no pair of a damaged text and its
    original, one of the two has no score, the scores fit, or the second try of this pair was given before.
    """
    with read_session(engine) as session:
        campaign_id, pair = _pair(session, item_id, rater_id)
        if not pair or _was_given(session, rater_id, pair[DEGRADED].id):
            return None
    with write_session(engine) as session:
        if _was_given(session, rater_id, pair[DEGRADED].id):  # another tab was first
            return None
        details = {"item": pair[DEGRADED].id}
        session.add(Event(kind=SECOND_TRY, campaign_id=campaign_id, rater_id=rater_id, details=details))
    first, second = sorted(pair.values(), key=lambda row: row.place)
    return first.id, second.id


def _pair(session: Session, item_id: int, rater_id: int) -> tuple[int, dict[str, Row[Any]]]:
    """A damaged text and its original by kind, where their scores do not fit; else nothing."""
    query = (
        select(Item.campaign_id, Item.translation_id, Item.kind, Campaign.design)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .where(Item.id == item_id, Item.rater_id == rater_id)
    )
    here = session.execute(query).one_or_none()
    if here is None or here.kind not in (TARGET, DEGRADED):
        return 0, {}
    design = from_json(here.design)
    if not design.second_try:
        return 0, {}
    both = (
        select(Item.id, Item.place, Item.kind, RatingEvent.score, RatingEvent.spans)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.rater_id == rater_id, Item.translation_id == here.translation_id)
        .where(Item.kind.in_((TARGET, DEGRADED)), RatingEvent.skipped_reason.is_(None), is_latest())
    )
    found = {row.kind: row for row in session.execute(both)}
    scores = {kind: score_of(row.score, row.spans, design) for kind, row in found.items()}
    if len(found) < 2 or scores[DEGRADED] < scores[TARGET]:
        return 0, {}
    return here.campaign_id, found


def _was_given(session: Session, rater_id: int, degraded: int) -> bool:
    events = select(Event.details).where(Event.kind == SECOND_TRY, Event.rater_id == rater_id)
    return any(details.get("item") == degraded for details in session.scalars(events))
