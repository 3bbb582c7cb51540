"""A reader in a reading study: the versions they read, the text, and what they mark, reach and answer.

Every highlight is stored when it is made. Nothing is overwritten but the place that was reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Engine, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError, RatingError, Wording
from core.raters.protocols import CHUNKS
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
from core.raters.reading.chunks import cut_parts
from core.raters.reading.excerpt import length_of
from core.raters.reading.told import EndReached, MarkMade, MarkRemoved, PageRead, PlaceReached, Told
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    ChunkPair,
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
from db.queries.rows import records
from db.queries.versions import excerpt_ids, versions_in
from db.records import HighlightRecord, PartRecord, PassageRecord, ReadingRecord


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
        return records(session, ReadingRecord, query)


def opens_at(readings: Sequence[ReadingRecord], place: int, choices: ReadingChoices) -> datetime | None:
    """When a version may be begun; None for at once."""
    before = readings[place - 1].finished_at if place else None
    if before is None or not choices.pause_hours or readings[place].started_at is not None:
        return None
    return before + timedelta(hours=choices.pause_hours)


def close_opens_at(compared: datetime | None, choices: ReadingChoices) -> datetime | None:
    """When the close reading may be begun; None for at once. compared: when the versions were compared."""
    if compared is None or not choices.pause_hours:
        return None
    return compared + timedelta(hours=choices.pause_hours)


def text_of(engine: Engine, viewer: Viewer, reading_id: int, rater_id: int) -> list[PassageRecord]:
    """The excerpt in the version of a reading; segments without a text are left out.

    Raises AccessError for another person, RatingError for another person's version.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        reading = own_in(session, reading_id, rater_id)
        return passages_in(session, campaign_in(session, reading.campaign_id), reading.system_id)


def part_of(engine: Engine, viewer: Viewer, reading_id: int, rater_id: int) -> PartRecord:
    """What the browser holds: the part in which the reader is, or the whole, as the study has it.

    Raises as `text_of`.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        reading = own_in(session, reading_id, rater_id)
        campaign = campaign_in(session, reading.campaign_id)
        return _part(campaign, passages_in(session, campaign, reading.system_id), reading.segment_id)


def _part(campaign: Campaign, passages: list[PassageRecord], reached: int | None) -> PartRecord:
    """The part that holds a segment, the first one for None."""
    parts = parts_in(campaign, passages)
    if len(parts) < 2:
        return PartRecord(passages=passages)
    at = next((n for n, own in enumerate(parts) if reached in {one.segment_id for one in own}), 0)
    return PartRecord(
        passages=parts[at],
        number=at + 1,
        of=len(parts),
        before=parts[at - 1][-1].segment_id if at else None,
        after=parts[at + 1][0].segment_id if at + 1 < len(parts) else None,
    )


def parts_in(campaign: Campaign, passages: list[PassageRecord]) -> list[list[PassageRecord]]:
    """The parts in which a version is sent to the browser; one where the study sends it as a whole."""
    if not passages or not reading_of(from_json(campaign.design)).by_part:
        return [passages]
    lang = campaign.target_lang
    lengths = [length_of(one.text, lang) for one in passages]
    cuts = cut_parts(lengths, [one.document for one in passages], lang)
    return [passages[first:end] for first, end in cuts]


def preview_of(engine: Engine, viewer: Viewer, campaign_id: int) -> PartRecord:
    """What a reader would see first, in the first version; nothing without versions.

    Raises AccessError for a viewer who does not manage.
    """
    viewer.must_manage()
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        versions = versions_in(session, campaign)
        return _part(campaign, passages_in(session, campaign, versions[0][0]) if versions else [], None)


def passages_in(session: Session, campaign: Campaign, system_id: int) -> list[PassageRecord]:
    """The excerpt in one version; segments without a text are left out."""
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
        own_in(session, reading_id, rater_id)
        return highlights_in(session, [reading_id]).get(reading_id, [])


def highlights_in(session: Session, readings: Sequence[int]) -> dict[int, list[HighlightRecord]]:
    """The highlights of versions read as a whole that hold, by reading, oldest first."""
    whole = (Highlight.reading_id.in_(readings), Highlight.chunk_pair_id.is_(None))
    found: dict[int, list[HighlightRecord]] = {}
    for reading, _, one in held_in(session, *whole):
        found.setdefault(reading, []).append(one)
    return found


def held_in(
    session: Session, *which: ColumnElement[bool]
) -> Iterator[tuple[int, int | None, HighlightRecord]]:
    """The highlights that hold, oldest first, each with its reading and the chunk of a close reading."""
    query = (
        select(
            Highlight.reading_id,
            Highlight.chunk_pair_id,
            Highlight.mark,
            Highlight.segment_id,
            Highlight.start,
            Highlight.end,
            Highlight.kind,
            Highlight.reason,
        )
        .where(*which, Highlight.removed_at.is_(None))
        .order_by(Highlight.id)
    )
    for row in session.execute(query).mappings():
        values = dict(row)
        yield values.pop("reading_id"), values.pop("chunk_pair_id"), HighlightRecord(**values)


def newest_reading(engine: Engine, campaign_id: int) -> tuple[int, int, int]:
    """How many highlights were made and taken away, and versions read and chunks compared.

    While all stay, so do marks.
    """
    made = (
        select(func.count(Highlight.id), func.count(Highlight.removed_at))
        .join(Reading, Reading.id == Highlight.reading_id)
        .where(Reading.campaign_id == campaign_id)
    )
    read = select(func.count(Reading.finished_at)).where(Reading.campaign_id == campaign_id)
    compared = select(func.count(ChunkPair.finished_at)).where(ChunkPair.campaign_id == campaign_id)
    with read_session(engine) as session:
        highlights, removed = session.execute(made).one()
        done = (session.scalar(read) or 0) + (session.scalar(compared) or 0)
        return highlights, removed, done


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
        reading = own_in(session, reading_id, rater_id)
        must_be_open(session, reading.campaign_id)
        reading.started_at = reading.started_at or now()
        for one in told:
            if isinstance(one, PlaceReached):
                if one.segment in lengths_in(session, reading, [one]):
                    reading.segment_id, reading.start = one.segment, one.start
            elif isinstance(one, EndReached):
                reading.finished_at = reading.finished_at or now()
        store_of_version(session, reading, told)


def store_of_version(
    session: Session, reading: Reading, told: Sequence[Told], *, chunk_pair: int | None = None
) -> None:
    """Store marks and times of one version, in the order in which they are told; each once.

    chunk_pair: the chunk of a close reading in which they were made. Raises RatingError for what does not lie
    in the text.
    """
    lengths = lengths_in(session, reading, told)
    stored = _stored(session, reading.id, told)
    for one in told:
        if one.mark in stored:
            continue
        if isinstance(one, MarkRemoved):
            same = (Highlight.reading_id == reading.id, Highlight.mark == one.removed)
            session.execute(
                update(Highlight).where(*same, Highlight.removed_at.is_(None)).values(removed_at=now())
            )
        elif isinstance(one, MarkMade | PageRead):
            row = _row(reading.id, one, lengths)
            row.chunk_pair_id = chunk_pair
            session.add(row)
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


def lengths_in(session: Session, reading: Reading, told: Sequence[Told]) -> dict[int, int]:
    """Code points of the version's text of each segment that something is told of."""
    named = {one.segment for one in told if isinstance(one, MarkMade | PlaceReached | PageRead)}
    named |= {one.last for one in told if isinstance(one, PageRead)}
    query = select(Translation.segment_id, func.length(Translation.text)).where(
        Translation.segment_id.in_(named), Translation.system_id == reading.system_id
    )
    return dict(session.execute(query).all())


def own_in(session: Session, reading_id: int, rater_id: int) -> Reading:
    """A version of this reader. Raises RatingError for another person's."""
    reading = session.get(Reading, reading_id)
    if reading is None or reading.rater_id != rater_id:
        raise RatingError("This version is not among yours, so nothing was stored; reload the page.")
    return reading


def must_be_open(session: Session, campaign_id: int) -> Campaign:
    """The campaign. Raises RatingError where it is closed, or its deadline is over."""
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
        reading = own_in(session, reading_id, rater_id)
        campaign = must_be_open(session, reading.campaign_id)
        if reading.finished_at is None:
            raise RatingError("The version is not read to its end yet; go back to the text.")
        questions = reading_of(from_json(campaign.design)).questions
        answers = {one.name: check_answer(one, values.get(one.name)) for one in questions}
        add_answers(session, reading.campaign_id, rater_id, reading_id, answers)


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
        campaign = must_be_open(session, campaign_id)
        choices = reading_of(from_json(campaign.design))
        own = select(Reading).where(Reading.campaign_id == campaign_id, Reading.rater_id == rater_id)
        readings = session.scalars(own).all()
        if not readings or any(one.finished_at is None for one in readings):
            raise RatingError("Not all versions are read yet; go back to the text.")
        add_answers(session, campaign_id, rater_id, None, _final(values, len(readings), choices))


def preference_of(
    values: Mapping[str, object], versions: int, choices: ReadingChoices
) -> tuple[int, int | None, str | None]:
    """Which of so many versions is preferred, by how much, and why. Raises InputError for what is missing."""
    none_allowed = (NO_DIFFERENCE,) if choices.no_difference else ()
    preferred = among(values.get(PREFERRED), (*range(versions), *none_allowed))
    margin = None if preferred == NO_DIFFERENCE else among(values.get(MARGIN), MARGINS)
    why = values.get(WHY) or ""
    said = check_text(why if isinstance(why, str) else "", Wording("reason")).strip() or None
    return preferred, margin, said


def _final(values: Mapping[str, object], versions: int, choices: ReadingChoices) -> dict[str, Any]:
    preferred, margin, why = preference_of(values, versions, choices)
    return {
        PREFERRED: preferred,
        MARGIN: margin,
        WHY: why,
        HUMAN: among(values.get(HUMAN), range(versions)) if choices.guess else None,
        SURE: among(values.get(SURE), SURENESS) if choices.guess else None,
    }


def among(value: object, allowed: Sequence[int]) -> int:
    """The answer. Raises InputError for none, and for one that is not allowed."""
    if value is None:
        raise InputError("A question is not answered yet; answer it, then go on.")
    if type(value) is not int or value not in allowed:
        raise InputError("An answer does not fit its question; reload the page.")
    return value


def add_answers(
    session: Session,
    campaign_id: int,
    rater_id: int,
    reading_id: int | None,
    answers: Mapping[str, Any],
    *,
    chunk_pair: int | None = None,
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
                chunk_pair_id=chunk_pair,
            )
        )


def compared_at(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> datetime | None:
    """When a reader answered what is asked once all versions are read; None before.

    Raises AccessError for another person.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        return _compared(session, campaign_id).get(rater_id)


def finished_in(session: Session, campaign_id: int) -> dict[int, datetime]:
    """When each reader who has finished a study did: the last questions are answered, all chunks compared."""
    whole = _compared(session, campaign_id)
    query = (
        select(ChunkPair.rater_id, func.max(ChunkPair.finished_at))
        .where(ChunkPair.campaign_id == campaign_id)
        .group_by(ChunkPair.rater_id)
    )
    all_done = query.having(func.count() == func.count(ChunkPair.finished_at))
    close = {rater: at for rater, at in session.execute(all_done) if at is not None}
    if campaign_in(session, campaign_id).protocol == CHUNKS:
        return close
    asked = set(session.scalars(query.with_only_columns(ChunkPair.rater_id)))
    both = {rater: max(at, whole[rater]) for rater, at in close.items() if rater in whole}
    return both | {rater: at for rater, at in whole.items() if rater not in asked}


def _compared(session: Session, campaign_id: int) -> dict[int, datetime]:
    """When each reader who has compared the versions as a whole did so first."""
    at_the_end = (ReadingAnswer.reading_id.is_(None), ReadingAnswer.chunk_pair_id.is_(None))
    query = (
        select(ReadingAnswer.rater_id, func.min(ReadingAnswer.created_at))
        .where(ReadingAnswer.campaign_id == campaign_id, *at_the_end)
        .where(ReadingAnswer.question == PREFERRED)
        .group_by(ReadingAnswer.rater_id)
    )
    return dict(session.execute(query).all())
