"""People in campaigns: raters, members, profiles, progress, and withdrawal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError, RatingError
from core.raters.pace import pace
from core.raters.protocols import READING
from db.engine import read_session, write_session
from db.models import (
    Account,
    Adjudication,
    Attempt,
    Campaign,
    CheckText,
    ChunkPair,
    DocumentRating,
    Draft,
    Event,
    Guess,
    Highlight,
    Item,
    ItemCheck,
    Link,
    Member,
    PageVisit,
    PracticeAnswer,
    PracticeRun,
    Prefill,
    Rater,
    RatingEvent,
    Reading,
    ReadingAnswer,
    Translation,
    is_latest,
    now,
)
from db.names import check_rater_name, rater_key
from db.permissions import PARTS, Viewer
from db.queries.coding import forget_coding
from db.queries.rater_names import rater_names
from db.queries.second_try import SECOND_TRY
from db.records import PersonRecord, ProfileRecord, RaterRecord

FIELD_LIMIT = 80
WITHDRAWAL = "withdrawal"


def campaigns_of(engine: Engine, rater_id: int) -> set[int]:
    """The campaigns that a person takes part in."""
    with read_session(engine) as session:
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
        raise InputError(
            "There is no part “{part:.20}”; choose one of {parts}.", part=part, parts=", ".join(PARTS)
        )
    with write_session(engine) as session:
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
    with read_session(engine) as session:
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
        raise InputError(
            "A field of the profile has more than {limit} characters; shorten it.",
            limit=FIELD_LIMIT,
        )
    with write_session(engine) as session:
        rater = _person(session, rater_id)
        rater.native_language, rater.level = native_language.strip(), level.strip()
        rater.consented_at = (rater.consented_at or now()) if consent else None


def withdraw(engine: Engine, viewer: Viewer, rater_id: int) -> int:
    """Erase all that a person gave: ratings, drafts, practice, readings, profile, name, links.

    Gives how many ratings. What stays is a row without a name and an event that says when, and how much was
    erased.
    """
    if not viewer.manages:
        viewer.must_be(rater_id)
    own = select(Item.id).where(Item.rater_id == rater_id)
    with write_session(engine) as session:
        rater = _person(session, rater_id)
        count = session.scalar(select(func.count()).where(RatingEvent.item_id.in_(own))) or 0
        rater.name, rater.key = "–", f"#withdrawn-{rater.id}"
        rater.native_language = rater.level = rater.student_number = ""
        rater.consented_at, rater.withdrawn_at = None, now()
        session.flush()  # from here on the database lets the ratings go
        for told in (RatingEvent.item_id, Draft.item_id, ItemCheck.item_id, Guess.item_id):
            session.execute(delete(told.class_).where(told.in_(own)))
        runs = select(PracticeRun.id).where(PracticeRun.rater_id == rater_id)
        session.execute(delete(PracticeAnswer).where(PracticeAnswer.run_id.in_(runs)))
        read = select(Reading.id).where(Reading.rater_id == rater_id)
        for of_reading in (Highlight.reading_id, PageVisit.reading_id):
            session.execute(delete(of_reading.class_).where(of_reading.in_(read)))
        for theirs in (
            ReadingAnswer.rater_id,
            ChunkPair.rater_id,
            Reading.rater_id,
            PracticeRun.rater_id,
            Item.rater_id,
            Account.rater_id,
            Member.rater_id,
            Attempt.rater_id,
            Prefill.rater_id,
            DocumentRating.rater_id,
            Adjudication.rater_id,
        ):
            session.execute(delete(theirs.class_).where(theirs == rater_id))
        forget_coding(session, rater_id)
        session.execute(delete(Event).where(Event.kind == SECOND_TRY, Event.rater_id == rater_id))
        session.execute(
            update(Link)
            .where(Link.rater_id == rater_id)
            .values(revoked_at=func.coalesce(Link.revoked_at, now()))
        )
        session.add(Event(kind=WITHDRAWAL, rater_id=rater_id, details={"ratings": count}))
        return count


def _person(session: Session, rater_id: int) -> Rater:
    rater = session.get(Rater, rater_id)
    if rater is None or rater.withdrawn_at is not None:
        raise InputError("There is no such person any more; reload the page.")
    return rater


def people_of(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PersonRecord]:
    """Everybody with items, versions or a part in a campaign: how far, how fast, last seen. No scores."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        members = {
            one.rater_id: one
            for one in session.scalars(select(Member).where(Member.campaign_id == campaign_id))
        }
        items = dict(
            session.execute(
                select(Item.rater_id, func.count())
                .where(Item.campaign_id == campaign_id)
                .group_by(Item.rater_id)
            ).all()
        )
        read = _read(session, campaign_id)
        items |= {rater: items.get(rater, 0) + total for rater, (_, total) in read.items()}
        saved, names = _saved(session, campaign_id), rater_names(session, campaign_id)
        people = session.scalars(
            select(Rater).where(Rater.id.in_({*members, *items})).order_by(Rater.id)
        ).all()
        found = [
            _person_record(rater, names[rater.id], members.get(rater.id), items, saved.get(rater.id, []))
            for rater in people
        ]
        return [replace(one, done=one.done + read.get(one.rater_id, (0, 0))[0]) for one in found]


def _read(session: Session, campaign_id: int) -> dict[int, tuple[int, int]]:
    """By rater, how many versions and chunks are read to their end, and how many there are to read."""
    found: dict[int, tuple[int, int]] = {}
    whole = session.get_one(Campaign, campaign_id).protocol == READING
    for table in (Reading, ChunkPair) if whole else (ChunkPair,):
        query = (
            select(table.rater_id, func.count(table.finished_at), func.count())
            .where(table.campaign_id == campaign_id)
            .group_by(table.rater_id)
        )
        for rater, finished, total in session.execute(query):
            before = found.get(rater, (0, 0))
            found[rater] = before[0] + finished, before[1] + total
    return found


def _person_record(
    rater: Rater, name: str, member: Member | None, items: Mapping[int, int], saved: list[Any]
) -> PersonRecord:
    scored = [row for row in saved if row.skipped_reason is None]
    own = pace(scored)
    last = max((row.created_at for row in saved), default=None)
    seen = [instant for instant in (last, rater.seen_at) if instant is not None]
    return PersonRecord(
        rater_id=rater.id,
        name=name,
        part="rater" if member is None else member.part,
        native_language=rater.native_language,
        level=rater.level,
        done=sum(row.skipped_reason is None for row in saved),
        skipped=sum(row.skipped_reason is not None for row in saved),
        total=items.get(rater.id, 0),
        median_seconds=own.seconds.value,
        characters_a_minute=own.a_minute.value,
        seen_at=max(seen, default=None),
        parameters={} if member is None else member.parameters,
    )


def _saved(session: Session, campaign_id: int) -> dict[int, list[Any]]:
    query = (
        select(
            Item.rater_id,
            RatingEvent.seconds,
            RatingEvent.skipped_reason,
            RatingEvent.created_at,
            func.length(func.coalesce(CheckText.text, Translation.text)).label("characters"),
        )
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Translation, Translation.id == Item.translation_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.campaign_id == campaign_id, is_latest())
    )
    found: dict[int, list[Any]] = {}
    for row in session.execute(query):
        found.setdefault(row.rater_id, []).append(row)
    return found


def enter_rater(engine: Engine, name: str) -> RaterRecord:
    """The rater of this name, made on the first visit; names that differ in case or width are one person.

    Raises RatingError for a name that cannot be one, or that belongs to imported scores.
    """
    shown = check_rater_name(name)
    rater = _find(engine, shown)
    if rater is None:
        try:
            with write_session(engine) as session:
                session.add(Rater(name=shown, key=rater_key(shown)))
        except IntegrityError:
            pass  # another tab came first: the name is there now
        rater = _find(engine, shown)
    if rater is None or rater.imported:
        raise RatingError("The name “{name}” belongs to imported scores; choose another name.", name=shown)
    return rater


def _find(engine: Engine, name: str) -> RaterRecord | None:
    query = select(Rater.id, Rater.name, Rater.imported).where(Rater.key == rater_key(name))
    with read_session(engine) as session:
        row = session.execute(query).mappings().one_or_none()
        return None if row is None else RaterRecord(**row)
