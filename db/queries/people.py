"""People in campaigns: who takes part, what they say of themselves, and how they leave."""

from __future__ import annotations

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import InputError
from db.engine import reading, writing
from db.models import Account, Attempt, Draft, Event, Item, ItemCheck, Link, Member, Rater, Rating, now
from db.people_records import ProfileRecord
from db.permissions import PARTS, Viewer

FIELD_LIMIT = 80


def campaigns_of(engine: Engine, rater_id: int) -> set[int]:
    """The campaigns that a person takes part in."""
    with reading(engine) as session:
        return set(session.scalars(select(Member.campaign_id).where(Member.rater_id == rater_id)))


def may_rate(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> bool:
    """Whether this visitor may rate as this person in this campaign."""
    if viewer.open:
        return True
    return viewer.rater_id == rater_id and campaign_id in campaigns_of(engine, rater_id)


def add_member(engine: Engine, viewer: Viewer, *, campaign_id: int, rater_id: int, part: str) -> None:
    """Let a person take part, or change their part. Raises AccessError or InputError."""
    viewer.must_manage()
    if part not in PARTS:
        raise InputError(f"There is no part “{part:.20}”; choose one of {', '.join(PARTS)}.")
    with writing(engine) as session:
        member = session.scalar(
            select(Member).where(Member.campaign_id == campaign_id, Member.rater_id == rater_id)
        )
        if member is None:
            session.add(Member(campaign_id=campaign_id, rater_id=rater_id, part=part))
        else:
            member.part = part


def profile(engine: Engine, viewer: Viewer, rater_id: int) -> ProfileRecord:
    """What a person said of themselves; for that person and for organisers."""
    if not viewer.manages:
        viewer.must_be(rater_id)
    with reading(engine) as session:
        rater = _person(session, rater_id)
        return ProfileRecord(
            rater_id=rater.id,
            name=rater.name,
            native_language=rater.native_language,
            level=rater.level,
            consented_at=rater.consented_at,
        )


def save_profile(
    engine: Engine, viewer: Viewer, rater_id: int, *, native_language: str, level: str, consent: bool
) -> None:
    """Store what a person says of themselves. Consent keeps the instant at which it was first given."""
    viewer.must_be(rater_id)
    if len(native_language) > FIELD_LIMIT or len(level) > FIELD_LIMIT:
        raise InputError(f"A field of the profile has more than {FIELD_LIMIT} characters; shorten it.")
    with writing(engine) as session:
        rater = _person(session, rater_id)
        rater.native_language, rater.level = native_language.strip(), level.strip()
        rater.consented_at = (rater.consented_at or now()) if consent else None


def withdraw(engine: Engine, viewer: Viewer, rater_id: int) -> int:
    """Erase everything a person gave: ratings, drafts, profile, name, ways in. Gives how many ratings.

    What stays is a row without a name and an event that says when, and how much was erased.
    """
    if not viewer.manages:
        viewer.must_be(rater_id)
    own = select(Item.id).where(Item.rater_id == rater_id)
    with writing(engine) as session:
        rater = _person(session, rater_id)
        count = session.scalar(select(func.count()).where(Rating.item_id.in_(own))) or 0
        rater.name, rater.key = "–", f"#withdrawn-{rater.id}"
        rater.native_language = rater.level = ""
        rater.consented_at, rater.withdrawn_at = None, now()
        session.flush()  # from here on the database lets the ratings go
        for told in (Rating.item_id, Draft.item_id, ItemCheck.item_id):
            session.execute(delete(told.class_).where(told.in_(own)))
        for theirs in (Item.rater_id, Account.rater_id, Member.rater_id, Attempt.rater_id):
            session.execute(delete(theirs.class_).where(theirs == rater_id))
        session.execute(
            update(Link)
            .where(Link.rater_id == rater_id)
            .values(revoked_at=func.coalesce(Link.revoked_at, now()))
        )
        session.add(Event(kind="withdrawal", rater_id=rater_id, details={"ratings": count}))
        return count


def _person(session: Session, rater_id: int) -> Rater:
    rater = session.get(Rater, rater_id)
    if rater is None or rater.withdrawn_at is not None:
        raise InputError("There is no such person any more; reload the page.")
    return rater
