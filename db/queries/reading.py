"""A reader in a reading study: the versions they read, the text, and what they mark, reach and answer.

Every highlight is stored when it is made. Nothing is overwritten but the place that was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError, RatingError, Wording
from core.raters.reading.choices import (
    HUMAN,
    MARGIN,
    MARGINS,
    NO_DIFFERENCE,
    PREFERRED,
    SURE,
    SURENESS,
    WHY,
    ReadingChoices,
    check_answer,
)
from core.raters.reading.told import EndReached, MarkMade, MarkRemoved, PageRead, PlaceReached, Told
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    Highlight,
    PageVisit,
    Reading,
    ReadingAnswer,
    Segment,
    Translation,
    now,
)
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.rating import check_text
from db.queries.versions import excerpt_ids, versions_in
from db.records import HighlightRecord, PassageRecord, ReadingRecord


def readings_of(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> list[ReadingRecord]:
    """The reader's versions in their order. Raises AccessError for another person."""
    viewer.must_be(rater_id)
    answered = select(ReadingAnswer.id).where(ReadingAnswer.reading_id == Reading.id).exists()
    query = (
        select(
            Reading.id,
            Reading.place,
            Reading.segment_id,
            Reading.start,
            Reading.started_at,
            Reading.finished_at,
            answered.label("answered"),
        )
        .where(Reading.campaign_id == campaign_id, Reading.rater_id == rater_id)
        .order_by(Reading.place)
    )
    with read_session(engine) as session:
        return [ReadingRecord(**row) for row in session.execute(query).mappings()]


def opens_at(readings: Sequence[ReadingRecord], place: int, choices: ReadingChoices) -> datetime | None:
    """When a version may be begun; None for at once."""
    before = readings[place - 1].finished_at if place else None
    if before is None or not choices.pause_hours or readings[place].started_at is not None:
        return None
    return before + timedelta(hours=choices.pause_hours)


def text_of(engine: Engine, viewer: Viewer, reading_id: int, rater_id: int) -> list[PassageRecord]:
    """The excerpt in the version of a reading; segments without a text are left out.

    Raises AccessError for another person, RatingError for another person's version.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        reading = _own(session, reading_id, rater_id)
        return _passages(session, campaign_in(session, reading.campaign_id), reading.system_id)


def preview_of(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PassageRecord]:
    """The excerpt in the first version, as a reader would see it; empty without versions.

    Raises AccessError for a viewer who does not manage.
    """
    viewer.must_manage()
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        versions = versions_in(session, campaign)
        return _passages(session, campaign, versions[0][0]) if versions else []


def _passages(session: Session, campaign: Campaign, system_id: int) -> list[PassageRecord]:
    query = (
        select(Segment.id, Segment.document, Translation.text)
        .join(Translation, Translation.segment_id == Segment.id)
        .where(Segment.campaign_id == campaign.id, Translation.system_id == system_id)
    )
    rows = {row.id: row for row in session.execute(query)}
    documents: dict[str, int] = {}
    return [
        PassageRecord(
            segment_id=one,
            document=documents.setdefault(rows[one].document, len(documents)),
            text=rows[one].text,
        )
        for one in excerpt_ids(session, campaign)
        if one in rows and rows[one].text.strip()
    ]


def highlights_of(engine: Engine, viewer: Viewer, reading_id: int, rater_id: int) -> list[HighlightRecord]:
    """The highlights of a version that hold, oldest first. Raises AccessError for another person."""
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        _own(session, reading_id, rater_id)
        return highlights_in(session, [reading_id]).get(reading_id, [])


def highlights_in(session: Session, readings: Sequence[int]) -> dict[int, list[HighlightRecord]]:
    """The highlights that hold, by reading, oldest first."""
    query = (
        select(
            Highlight.reading_id,
            Highlight.mark,
            Highlight.segment_id,
            Highlight.start,
            Highlight.end,
            Highlight.kind,
            Highlight.reason,
        )
        .where(Highlight.reading_id.in_(readings), Highlight.removed_at.is_(None))
        .order_by(Highlight.id)
    )
    found: dict[int, list[HighlightRecord]] = {}
    for row in session.execute(query).mappings():
        values = dict(row)
        found.setdefault(values.pop("reading_id"), []).append(HighlightRecord(**values))
    return found


def store_told(engine: Engine, viewer: Viewer, reading_id: int, rater_id: int, told: Sequence[Told]) -> None:
    """Store what the screen tells, in one transaction; what is stored already is passed over.

    Raises AccessError for another person; RatingError for another person's version, a closed campaign, and
    what does not lie in the text, and then nothing is stored.
    """
    viewer.must_be(rater_id)
    try:
        _store(engine, reading_id, rater_id, told)
    except IntegrityError:  # another tab told the same at the same time
        _store(engine, reading_id, rater_id, told)


def _store(engine: Engine, reading_id: int, rater_id: int, told: Sequence[Told]) -> None:
    with write_session(engine) as session:
        reading = _own(session, reading_id, rater_id)
        _must_be_open(session, reading.campaign_id)
        lengths = _lengths(session, reading, told)
        stored = _stored(session, reading_id, told)
        reading.started_at = reading.started_at or now()
        for one in told:
            if one.mark in stored:
                continue
            if isinstance(one, MarkRemoved):
                same = (Highlight.reading_id == reading_id, Highlight.mark == one.removed)
                session.execute(
                    update(Highlight).where(*same, Highlight.removed_at.is_(None)).values(removed_at=now())
                )
            elif isinstance(one, PlaceReached):
                if one.segment in lengths:
                    reading.segment_id, reading.start = one.segment, one.start
            elif isinstance(one, EndReached):
                reading.finished_at = reading.finished_at or now()
            else:
                session.add(_row(reading_id, one, lengths))
                session.flush()
                stored.add(one.mark)


def _row(reading_id: int, one: MarkMade | PageRead, lengths: Mapping[int, int]) -> Highlight | PageVisit:
    if isinstance(one, MarkMade):
        if one.end > lengths.get(one.segment, -1):
            raise RatingError("A highlight does not lie in the text; reload the page.")
        return Highlight(
            reading_id=reading_id,
            mark=one.mark,
            segment_id=one.segment,
            start=one.start,
            end=one.end,
            kind=one.kind,
            reason=check_text(one.reason, Wording("reason")),
            made_at=now(),
        )
    if one.segment not in lengths or one.last not in lengths:
        raise RatingError("A page does not lie in the text; reload the page.")
    return PageVisit(
        reading_id=reading_id,
        mark=one.mark,
        first_segment_id=one.segment,
        start=one.start,
        last_segment_id=one.last,
        end=one.end,
        active=one.active,
        away=one.away,
    )


def _stored(session: Session, reading_id: int, told: Sequence[Told]) -> set[str]:
    """The numbers among these that are stored already."""
    marks = [one.mark for one in told if isinstance(one, MarkMade | PageRead)]
    return {
        mark
        for table in (Highlight, PageVisit)
        for mark in session.scalars(
            select(table.mark).where(table.reading_id == reading_id, table.mark.in_(marks))
        )
    }


def _lengths(session: Session, reading: Reading, told: Sequence[Told]) -> dict[int, int]:
    """Code points of the version's text of each segment that something is told of."""
    named = {one.segment for one in told if isinstance(one, MarkMade | PlaceReached | PageRead)}
    named |= {one.last for one in told if isinstance(one, PageRead)}
    query = select(Translation.segment_id, func.length(Translation.text)).where(
        Translation.segment_id.in_(named), Translation.system_id == reading.system_id
    )
    return dict(session.execute(query).all())


def _own(session: Session, reading_id: int, rater_id: int) -> Reading:
    reading = session.get(Reading, reading_id)
    if reading is None or reading.rater_id != rater_id:
        raise RatingError("This version is not among yours, so nothing was stored; reload the page.")
    return reading


def _must_be_open(session: Session, campaign_id: int) -> Campaign:
    campaign = campaign_in(session, campaign_id)
    if campaign.state != "open" or (campaign.deadline is not None and campaign.deadline < now()):
        raise RatingError("The campaign is closed, so nothing more is stored; ask the organiser.")
    return campaign


def save_version_answers(
    engine: Engine, viewer: Viewer, reading_id: int, rater_id: int, values: Mapping[str, object]
) -> None:
    """Store the answers to the organiser's questions after a version, all of them or none.

    Raises InputError for an answer that is missing or does not fit, RatingError as `store_told`.
    """
    viewer.must_be(rater_id)
    with write_session(engine) as session:
        reading = _own(session, reading_id, rater_id)
        campaign = _must_be_open(session, reading.campaign_id)
        if reading.finished_at is None:
            raise RatingError("The version is not read to its end yet; go back to the text.")
        questions = reading_of(from_json(campaign.design)).questions
        answers = {one.name: check_answer(one, values.get(one.name)) for one in questions}
        _add(session, reading.campaign_id, rater_id, reading_id, answers)


def save_final_answers(
    engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int, values: Mapping[str, object]
) -> None:
    """Store the preference, by how much, why, and the guess, all of them or none.

    values: by the names of `AT_THE_END`; `preferred` and `human` are places in the reader's order, the first
    may be `NO_DIFFERENCE` where the study allows it. Raises InputError and RatingError as
    `save_version_answers`, RatingError where a version is not read yet.
    """
    viewer.must_be(rater_id)
    with write_session(engine) as session:
        campaign = _must_be_open(session, campaign_id)
        choices = reading_of(from_json(campaign.design))
        own = select(Reading).where(Reading.campaign_id == campaign_id, Reading.rater_id == rater_id)
        readings = session.scalars(own).all()
        if not readings or any(one.finished_at is None for one in readings):
            raise RatingError("Not all versions are read yet; go back to the text.")
        _add(session, campaign_id, rater_id, None, _final(values, len(readings), choices))


def _final(values: Mapping[str, object], versions: int, choices: ReadingChoices) -> dict[str, Any]:
    none_allowed = (NO_DIFFERENCE,) if choices.no_difference else ()
    preferred = _among(values.get(PREFERRED), (*range(versions), *none_allowed))
    margin = None if preferred == NO_DIFFERENCE else _among(values.get(MARGIN), MARGINS)
    why = values.get(WHY) or ""
    return {
        PREFERRED: preferred,
        MARGIN: margin,
        WHY: check_text(why if isinstance(why, str) else "", Wording("reason")).strip() or None,
        HUMAN: _among(values.get(HUMAN), range(versions)),
        SURE: _among(values.get(SURE), SURENESS),
    }


def _among(value: object, allowed: Sequence[int]) -> int:
    if value is None:
        raise InputError("A question is not answered yet; answer it, then go on.")
    if type(value) is not int or value not in allowed:
        raise InputError("An answer does not fit its question; reload the page.")
    return value


def _add(
    session: Session, campaign_id: int, rater_id: int, reading_id: int | None, answers: Mapping[str, Any]
) -> None:
    """An answer of None is stored too: the question was seen. Texts are checked."""
    for name, value in answers.items():
        if isinstance(value, str):
            check_text(value, Wording("comment"))
        session.add(
            ReadingAnswer(
                campaign_id=campaign_id,
                rater_id=rater_id,
                reading_id=reading_id,
                question=name,
                value={"answer": value},
                created_at=now(),
            )
        )


def has_compared(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> bool:
    """Whether a reader has answered what is asked at the end. Raises AccessError for another person."""
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        return rater_id in finished_in(session, campaign_id)


def finished_in(session: Session, campaign_id: int) -> dict[int, datetime]:
    """When each reader who has finished a study answered its last questions first."""
    query = (
        select(ReadingAnswer.rater_id, func.min(ReadingAnswer.created_at))
        .where(ReadingAnswer.campaign_id == campaign_id, ReadingAnswer.reading_id.is_(None))
        .where(ReadingAnswer.question == PREFERRED)
        .group_by(ReadingAnswer.rater_id)
    )
    return dict(session.execute(query).all())
