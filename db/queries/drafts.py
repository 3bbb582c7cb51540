"""What a rater has marked and not saved yet, kept on the server; and what stands round an item."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, and_, select
from sqlalchemy.orm import Session

from core.errors import RatingError
from core.raters.protocols import MarkedSpan, spans_from_json, spans_to_json
from db.engine import read_session, write_session
from db.models import Draft, Item, RatingEvent, Segment, Translation
from db.queries.latest import is_latest
from db.queries.rating import check_fits, check_text, protocol_of
from db.records import NeighbourRecord


def save_draft(
    engine: Engine,
    *,
    item_id: int,
    rater_id: int,
    spans: Sequence[MarkedSpan],
    comment: str | None = None,
) -> None:
    """Keep marked spans and a comment until they are saved as a rating; the last draft holds.

    comment: None leaves the one that is there.

    Raises RatingError for somebody else's item, a closed campaign, and spans or a text that cannot be.
    """
    if comment is not None:
        check_text(comment, "comment")
    with write_session(engine) as session:
        check_fits(session, item_id, protocol_of(session, item_id, rater_id), spans, scored=False)
        draft = session.get(Draft, item_id)
        if draft is None:
            draft = Draft(item_id=item_id, comment="")
            session.add(draft)
        draft.spans = spans_to_json(spans)
        if comment is not None:
            draft.comment = comment


def stored_spans(engine: Engine, *, item_id: int, rater_id: int) -> tuple[MarkedSpan, ...]:
    """What is marked in an item: the draft, else what was last saved; empty for somebody else's item."""
    query = (
        select(Draft.spans.label("draft"), RatingEvent.spans.label("saved"))
        .select_from(Item)
        .outerjoin(Draft, Draft.item_id == Item.id)
        .outerjoin(RatingEvent, and_(RatingEvent.item_id == Item.id, is_latest()))
        .where(Item.id == item_id, Item.rater_id == rater_id)
    )
    with read_session(engine) as session:
        row = session.execute(query).one_or_none()
    kept = None if row is None else row.saved if row.draft is None else row.draft
    return () if kept is None else spans_from_json(kept)


def neighbours(
    engine: Engine, *, item_id: int, rater_id: int, before: int, after: int
) -> tuple[list[NeighbourRecord], list[NeighbourRecord]]:
    """The segments of the same document before and after an item, in this system's translation.

    Raises RatingError for somebody else's item.
    """
    with read_session(engine) as session:
        here = session.execute(
            select(Segment.campaign_id, Segment.document, Segment.position, Translation.system_id)
            .join(Translation, Translation.segment_id == Segment.id)
            .join(Item, Item.translation_id == Translation.id)
            .where(Item.id == item_id, Item.rater_id == rater_id)
        ).one_or_none()
        if here is None:
            raise RatingError("This item is not among yours; reload the page.")
        campaign, document, position, system = here
        places = range(position - before, position), range(position + 1, position + after + 1)
        around = [_texts(session, campaign, document, system, one) for one in places]
        return around[0], around[1]


def _texts(
    session: Session, campaign: int, document: str, system: int, places: range
) -> list[NeighbourRecord]:
    query = (
        select(Segment.position, Segment.source, Segment.reference, Translation.text.label("translation"))
        .join(Translation, Translation.segment_id == Segment.id)
        .where(
            Segment.campaign_id == campaign,
            Segment.document == document,
            Translation.system_id == system,
            Segment.position.in_(places),
        )
        .order_by(Segment.position)
    )
    return [NeighbourRecord(**row) for row in session.execute(query).mappings()]
