"""What the raters of a campaign are called: two people of one name are told apart by a number."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.models import (
    Adjudication,
    CommentCoder,
    DocumentRating,
    Item,
    Member,
    Rater,
    Reading,
    Segment,
    System,
    Translation,
)
from db.names import distinct_names


def rater_names(session: Session, campaign_id: int) -> dict[int, str]:
    """A name for each person of a campaign, by id; no two have the same.

    The person who came first keeps the name; the next of that name is called `Aki (2)`.
    """
    systems = select(System.id).where(System.campaign_id == campaign_id)
    decided = (
        select(Adjudication.rater_id)
        .join(Translation, Translation.id == Adjudication.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    people = (
        select(Item.rater_id).where(Item.campaign_id == campaign_id),
        select(Reading.rater_id).where(Reading.campaign_id == campaign_id),
        select(Member.rater_id).where(Member.campaign_id == campaign_id),
        select(CommentCoder.rater_id).where(CommentCoder.campaign_id == campaign_id),
        select(DocumentRating.rater_id).where(DocumentRating.system_id.in_(systems)),
        decided.where(Adjudication.rater_id.is_not(None)),
    )
    ids = {number for query in people for number in session.scalars(query.distinct())}
    rows = session.execute(select(Rater.id, Rater.name).where(Rater.id.in_(ids)).order_by(Rater.id))
    return distinct_names({row.id: row.name for row in rows})
