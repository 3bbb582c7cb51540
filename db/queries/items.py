"""What a rater is shown, in which order, and how far the rater is."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Engine, Select, and_, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError
from core.human.order import GAP, shuffled
from db.engine import reading, writing
from db.models import Campaign, Item, Rater, Rating, Segment, System, Translation
from db.queries.latest import is_latest
from db.queries.rating import TARGET
from db.records import ItemRecord, Progress


def ensure_items(engine: Engine, campaign_id: int, rater_id: int) -> int:
    """Give the rater an item for each system's translation that has none; returns how many were added.

    The order depends on the campaign's seed and the rater's key alone. Later translations are appended.
    Empty translations are items too: they must be judged. Raises InputError for an unknown campaign or rater.
    """
    with reading(engine) as session:
        if session.execute(_unassigned(campaign_id, rater_id).limit(1)).first() is None:
            _seed(session, campaign_id, rater_id)
            return 0
    try:
        return _append_items(engine, campaign_id, rater_id)
    except IntegrityError:  # where writers do not queue, another tab may have been first
        return _append_items(engine, campaign_id, rater_id)


def items_of(engine: Engine, campaign_id: int, rater_id: int) -> list[ItemRecord]:
    """The rater's items in their order, each with the rating that holds. They do not tell the system."""
    query = (
        select(
            Item.id,
            Item.place,
            Segment.document,
            Segment.position,
            Translation.segment_id,
            Segment.source,
            Segment.reference,
            Translation.text.label("translation"),
            Campaign.target_lang.label("lang"),
            Rating.score,
            Rating.skipped_reason.label("skipped"),
            func.coalesce(Rating.comment, "").label("comment"),
            func.coalesce(Rating.revision, 0).label("revision"),
            Rating.created_at.label("saved_at"),
        )
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .outerjoin(Rating, and_(Rating.item_id == Item.id, is_latest()))
        .where(*_belongs(campaign_id, rater_id))
        .order_by(Item.place)
    )
    with reading(engine) as session:
        return [ItemRecord(**row) for row in session.execute(query).mappings()]


def progress(engine: Engine, campaign_id: int, rater_id: int) -> Progress:
    """How many of the rater's items are scored and skipped, and how many there are."""
    query = (
        select(
            func.count(Rating.score).label("done"),
            func.count(Rating.skipped_reason).label("skipped"),
            func.count(Item.id).label("total"),
        )
        .select_from(Item)
        .outerjoin(Rating, and_(Rating.item_id == Item.id, is_latest()))
        .where(*_belongs(campaign_id, rater_id))
    )
    with reading(engine) as session:
        return Progress(**session.execute(query).mappings().one())


def _belongs(campaign_id: int, rater_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Item.campaign_id == campaign_id, Item.rater_id == rater_id


def _unassigned(campaign_id: int, rater_id: int) -> Select[int, int]:
    """Translations of systems (not of the reference) that this rater has no item for: (id, segment id)."""
    has_item = (
        select(Item.id)
        .where(Item.translation_id == Translation.id, Item.rater_id == rater_id, Item.kind == TARGET)
        .exists()
    )
    return (
        select(Translation.id, Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(System.campaign_id == campaign_id, System.is_reference.is_(False), ~has_item)
    )


def _append_items(engine: Engine, campaign_id: int, rater_id: int) -> int:
    with writing(engine) as session:
        new = [(row.id, row.segment_id) for row in session.execute(_unassigned(campaign_id, rater_id))]
        if not new:
            return 0
        start, recent = _last_shown(session, campaign_id, rater_id)
        seed = _seed(session, campaign_id, rater_id)
        ordered = shuffled(new, seed=f"{seed}:{start}" if start else seed, recent=recent)
        rows = [
            {
                "campaign_id": campaign_id,
                "rater_id": rater_id,
                "translation_id": translation,
                "place": start + offset,
            }
            for offset, translation in enumerate(ordered)
        ]
        session.execute(insert(Item), rows)
        return len(rows)


def _last_shown(session: Session, campaign_id: int, rater_id: int) -> tuple[int, list[int]]:
    """The next free place, and the segments of the rater's last items, oldest first."""
    query = (
        select(Item.place, Translation.segment_id)
        .join(Translation, Translation.id == Item.translation_id)
        .where(*_belongs(campaign_id, rater_id))
        .order_by(Item.place.desc())
        .limit(GAP)
    )
    last = session.execute(query).all()
    return (last[0].place + 1 if last else 0), [row.segment_id for row in reversed(last)]


def _seed(session: Session, campaign_id: int, rater_id: int) -> str:
    """What fixes the rater's order: the campaign's seed and the rater's key."""
    seed = session.scalar(select(Campaign.seed).where(Campaign.id == campaign_id))
    if seed is None:
        raise InputError(f"There is no campaign number {campaign_id}; choose one from the list.")
    key = session.scalar(select(Rater.key).where(Rater.id == rater_id))
    if key is None:
        raise InputError(f"There is no rater number {rater_id}; enter your name again.")
    return f"{seed}:{key}"
