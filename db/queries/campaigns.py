"""Campaigns, and the texts in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, Select, func, or_, select
from sqlalchemy.orm import Session

from core.errors import InputError, Wording
from core.raters.protocols import CHUNKS
from db.engine import read_session
from db.models import Campaign, ChunkPair, Item, RatingEvent, Reading, Segment, System, Translation, is_latest
from db.queries.rows import records
from db.queries.sealed import hidden_names
from db.records import CampaignRecord, CampaignSummary, SegmentRecord, SystemRecord, TranslationRecord


def list_campaigns(engine: Engine) -> list[CampaignSummary]:
    """All campaigns with their sizes, in the order in which they came.

    A version that was read counts as a rating, and where chunks alone are compared, a chunk.
    """
    segments = select(func.count()).where(Segment.campaign_id == Campaign.id)
    systems = select(func.count()).where(System.campaign_id == Campaign.id, System.is_reference.is_(False))
    says_something = or_(RatingEvent.score.is_not(None), RatingEvent.spans.is_not(None))
    rated = (
        select(
            Item.campaign_id,
            func.count().label("ratings"),
            func.count(Item.rater_id.distinct()).label("raters"),
        )
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(says_something, is_latest())
        .group_by(Item.campaign_id)
        .subquery()
    )
    read = select(func.count()).where(Reading.campaign_id == Campaign.id, Reading.finished_at.is_not(None))
    readers = read.with_only_columns(func.count(Reading.rater_id.distinct()))
    done = (ChunkPair.campaign_id == Campaign.id, ChunkPair.finished_at.is_not(None))
    alone = select(func.count()).where(*done, Campaign.protocol == CHUNKS)
    comparers = alone.with_only_columns(func.count(ChunkPair.rater_id.distinct()))
    people, given = (
        func.coalesce(column, 0)
        + whole.correlate(Campaign).scalar_subquery()
        + close.correlate(Campaign).scalar_subquery()
        for column, whole, close in ((rated.c.raters, readers, comparers), (rated.c.ratings, read, alone))
    )
    columns = (
        Campaign.id,
        Campaign.name,
        Campaign.name_ja,
        Campaign.source_lang,
        Campaign.target_lang,
        Campaign.demo,
        Campaign.state,
        Campaign.protocol,
        segments.correlate(Campaign).scalar_subquery().label("n_segments"),
        systems.correlate(Campaign).scalar_subquery().label("n_systems"),
        people.label("n_raters"),
        given.label("n_ratings"),
    )
    query = select(*columns).outerjoin(rated, rated.c.campaign_id == Campaign.id).order_by(Campaign.id)
    with read_session(engine) as session:
        return records(session, CampaignSummary, query)


def get_campaign(engine: Engine, campaign_id: int) -> CampaignRecord:
    """One campaign. Raises InputError when there is none of this id."""
    with read_session(engine) as session:
        return _record(campaign_in(session, campaign_id))


def campaign_in(session: Session, campaign_id: int) -> Campaign:
    """The row of a campaign. Raises InputError when there is none of this id."""
    campaign = session.get(Campaign, campaign_id)
    if campaign is None:
        raise InputError(
            "There is no campaign number {campaign_id}; choose one from the list.", campaign_id=campaign_id
        )
    return campaign


def find_campaign(engine: Engine, name: str) -> CampaignRecord:
    """One campaign by its name. Raises InputError, which lists the names there are."""
    with read_session(engine) as session:
        campaign = session.scalar(select(Campaign).where(Campaign.name == name))
        if campaign is None:
            names = ", ".join(
                f"“{other}”" for other in session.scalars(select(Campaign.name).order_by(Campaign.id))
            )
            raise InputError(
                "There is no campaign “{name}”; there are: {names}.",
                name=name,
                names=names or Wording("none yet"),
            )
        return _record(campaign)


def list_segments(engine: Engine, campaign_id: int) -> list[SegmentRecord]:
    """The segments of a campaign: documents in the order of the import, positions ascending."""
    query = (
        select(
            Segment.id,
            Segment.document,
            Segment.position,
            Segment.external_id,
            Segment.domain,
            Segment.source,
            Segment.reference,
        )
        .where(Segment.campaign_id == campaign_id)
        .order_by(Segment.id)
    )
    with read_session(engine) as session:
        return records(session, SegmentRecord, query)


def list_systems(engine: Engine, campaign_id: int) -> list[SystemRecord]:
    """The systems of a campaign, the rated reference among them, in the order of the import.

    Where the names are sealed, the names they have until then, in the order of those.
    """
    query = (
        select(System.id, System.name, System.label_en, System.label_ja, System.is_reference)
        .where(System.campaign_id == campaign_id)
        .order_by(System.id)
    )
    with read_session(engine) as session:
        found = records(session, SystemRecord, query)
        hidden = hidden_names(session, campaign_id)
    if not hidden:
        return found
    called = (
        replace(one, name=hidden[one.name], label_en=None, label_ja=None) if one.name in hidden else one
        for one in found
    )
    return sorted(called, key=lambda one: (one.is_reference, len(one.name), one.name))


def get_translation(engine: Engine, segment_id: int, system_id: int) -> TranslationRecord | None:
    """A system's translation of a segment, or None when it gave none."""
    query = _translations().where(Translation.segment_id == segment_id, Translation.system_id == system_id)
    with read_session(engine) as session:
        row = session.execute(query).mappings().one_or_none()
        if row is None:
            return None
        found = TranslationRecord(**row)
        campaign_id = session.scalar(select(Segment.campaign_id).where(Segment.id == segment_id))
        return _called([found], hidden_names(session, campaign_id or 0))[0]


def find_translation(
    engine: Engine, campaign_id: int, external_id: str, system: str
) -> TranslationRecord | None:
    """The translation of a segment, by the segment's external id and the system's name, or None."""
    query = _translations().where(
        Segment.campaign_id == campaign_id, Segment.external_id == external_id, System.name == system
    )
    with read_session(engine) as session:
        found = records(session, TranslationRecord, query.limit(1))
        return next(iter(_called(found, hidden_names(session, campaign_id))), None)


def list_translations(engine: Engine, campaign_id: int) -> list[TranslationRecord]:
    """All translations of a campaign, segment by segment, within one in the order of the systems.

    Where the names are sealed, the order is that of the names they have until then.
    """
    query = _translations().where(Segment.campaign_id == campaign_id).order_by(Segment.id, System.id)
    with read_session(engine) as session:
        found = records(session, TranslationRecord, query)
        return _called(found, hidden_names(session, campaign_id))


def translations_of_segment(engine: Engine, segment_id: int) -> list[TranslationRecord]:
    """All translations of a segment, in the order of `list_translations`."""
    query = _translations().where(Segment.id == segment_id).order_by(System.id)
    with read_session(engine) as session:
        found = records(session, TranslationRecord, query)
        campaign_id = session.scalar(select(Segment.campaign_id).where(Segment.id == segment_id))
        return _called(found, hidden_names(session, campaign_id or 0))


def translations_of(engine: Engine, campaign_id: int, ids: Sequence[int]) -> list[TranslationRecord]:
    """Some translations of a campaign, by their ids."""
    query = _translations().where(Segment.campaign_id == campaign_id, Translation.id.in_(ids))
    with read_session(engine) as session:
        found = records(session, TranslationRecord, query)
        return _called(found, hidden_names(session, campaign_id))


def _called(found: list[TranslationRecord], hidden: Mapping[str, str]) -> list[TranslationRecord]:
    """The same with the names that may be shown."""
    if not hidden:
        return found
    called = [replace(one, system=hidden.get(one.system, one.system)) for one in found]
    return sorted(called, key=lambda one: (one.segment_id, one.is_reference, len(one.system), one.system))


def _translations() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Translation.id,
            Translation.segment_id,
            Translation.system_id,
            System.name.label("system"),
            System.is_reference,
            Segment.document,
            Segment.position,
            Segment.source,
            Segment.reference,
            Translation.text,
        )
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
    )


def _record(campaign: Campaign) -> CampaignRecord:
    return CampaignRecord(**{name: getattr(campaign, name) for name in CampaignRecord.__slots__})
