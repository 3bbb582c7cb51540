"""What readers of a study read, marked and answered, out of the database and into it, for whole campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from db.engine import read_session
from db.formats.bundle import AnswerRow, Bundle, ChunkRow, HighlightRow, Key, PageVisitRow, ReadingRow
from db.models import (
    Campaign,
    ChunkPair,
    Highlight,
    PageVisit,
    Reading,
    ReadingAnswer,
    Segment,
    System,
    now,
)
from db.names import rater_key
from db.queries.rater_names import rater_names
from db.queries.sealed import hidden_names


class ReadingRows(NamedTuple):
    """What readers gave, by kind."""

    readings: tuple[ReadingRow, ...]
    chunks: tuple[ChunkRow, ...]
    visits: tuple[PageVisitRow, ...]
    highlights: tuple[HighlightRow, ...]
    answers: tuple[AnswerRow, ...]


NOTHING_READ = ReadingRows((), (), (), (), ())


def readings_in(engine: Engine, campaign_id: int) -> ReadingRows:
    """All of it, reader by reader, each kind in the order in which it was stored."""
    with read_session(engine) as session:
        names, hidden = rater_names(session, campaign_id), hidden_names(session, campaign_id)
        keys = _keys(session, campaign_id)
        query = (
            select(Reading, System.name)
            .join(System, System.id == Reading.system_id)
            .where(Reading.campaign_id == campaign_id)
            .order_by(Reading.rater_id, Reading.place)
        )
        rows, whose = [], {}
        for reading, system in session.execute(query):
            whose[reading.id] = names[reading.rater_id], hidden.get(system, system)
            reached = None if reading.segment_id is None else keys[reading.segment_id]
            times = reading.started_at, reading.finished_at
            rows.append(ReadingRow(*whose[reading.id], reading.place, reached, reading.start, *times))
        chunks, places = _chunks_in(session, campaign_id, whose, keys)
        visits = tuple(
            PageVisitRow(
                *whose[one.reading_id],
                keys[one.first_segment_id],
                one.start,
                keys[one.last_segment_id],
                one.end,
                one.active,
                one.away,
                one.created_at,
                places.get(one.chunk_pair_id),
            )
            for one in session.scalars(
                select(PageVisit).where(PageVisit.reading_id.in_(whose)).order_by(PageVisit.id)
            )
        )
        marks = tuple(
            HighlightRow(
                *whose[one.reading_id],
                keys[one.segment_id],
                one.start,
                one.end,
                one.kind,
                one.reason,
                one.made_at,
                one.removed_at,
                places.get(one.chunk_pair_id),
            )
            for one in session.scalars(
                select(Highlight).where(Highlight.reading_id.in_(whose)).order_by(Highlight.id)
            )
        )
        answers = _answers_in(session, campaign_id, names, whose, places)
    return ReadingRows(tuple(rows), chunks, visits, marks, answers)


def _answers_in(
    session: Session,
    campaign_id: int,
    names: Mapping[int, str],
    whose: Mapping[int, tuple[str, str]],
    places: Mapping[int | None, int],
) -> tuple[AnswerRow, ...]:
    told = select(ReadingAnswer).where(ReadingAnswer.campaign_id == campaign_id)
    return tuple(
        AnswerRow(
            *((names[one.rater_id], "") if one.reading_id is None else whose[one.reading_id]),
            one.question,
            one.value["answer"],
            one.created_at,
            places.get(one.chunk_pair_id),
        )
        for one in session.scalars(told.order_by(ReadingAnswer.id))
    )


def _chunks_in(
    session: Session, campaign_id: int, whose: Mapping[int, tuple[str, str]], keys: Mapping[int, Key]
) -> tuple[tuple[ChunkRow, ...], dict[int | None, int]]:
    """The chunks, and the place of each by its id. whose: reader and system of each reading."""
    query = select(ChunkPair).where(ChunkPair.campaign_id == campaign_id)
    rows: list[ChunkRow] = []
    places: dict[int | None, int] = {}
    for one in session.scalars(query.order_by(ChunkPair.rater_id, ChunkPair.place)):
        places[one.id] = one.place
        rater, left = whose[one.left_id]
        ends = keys[one.first_segment_id], keys[one.last_segment_id]
        sides = left, whose[one.right_id][1]
        rows.append(ChunkRow(rater, one.place, *ends, *sides, one.started_at, one.finished_at))
    return tuple(rows), places


def _keys(session: Session, campaign_id: int) -> dict[int, Key]:
    query = select(Segment.id, Segment.document, Segment.position).where(Segment.campaign_id == campaign_id)
    return {row.id: (row.document, row.position) for row in session.execute(query)}


def add_readings(session: Session, bundle: Bundle, campaign: Campaign, raters: Mapping[str, int]) -> None:
    """Store all of it for a campaign whose texts are stored. raters: ids by key.

    What has no time in the file has that of the import.
    """
    segments = {key: number for number, key in _keys(session, campaign.id).items()}
    named = select(System.name, System.id).where(System.campaign_id == campaign.id)
    systems = dict(session.execute(named).all())
    ids: dict[tuple[str, str], int] = {}
    for row in bundle.readings:
        reading = Reading(
            campaign_id=campaign.id,
            rater_id=raters[rater_key(row.rater)],
            system_id=systems[row.system],
            place=row.place,
            segment_id=None if row.reached is None else segments[row.reached],
            start=row.start,
            started_at=row.started_at,
            finished_at=row.finished_at,
        )
        session.add(reading)
        session.flush()
        ids[rater_key(row.rater), row.system] = reading.id
    pairs = _add_chunks(session, bundle, campaign, raters, ids, segments)
    _add_told(session, bundle, ids, segments, pairs)
    for answer in bundle.answers:
        session.add(
            ReadingAnswer(
                campaign_id=campaign.id,
                rater_id=raters[rater_key(answer.rater)],
                reading_id=ids[rater_key(answer.rater), answer.system] if answer.system else None,
                question=answer.question,
                value={"answer": answer.value},
                created_at=answer.answered_at or now(),
                chunk_pair_id=_pair(pairs, answer),
            )
        )


Pairs = Mapping[tuple[str, int], int]
"""The ids of chunks, by the reader's key and the place."""


def _pair(pairs: Pairs, row: PageVisitRow | HighlightRow | AnswerRow) -> int | None:
    return None if row.chunk is None else pairs[rater_key(row.rater), row.chunk]


def _add_chunks(
    session: Session,
    bundle: Bundle,
    campaign: Campaign,
    raters: Mapping[str, int],
    ids: Mapping[tuple[str, str], int],
    segments: Mapping[Key, int],
) -> dict[tuple[str, int], int]:
    found = {}
    for row in bundle.chunks:
        key = rater_key(row.rater)
        pair = ChunkPair(
            campaign_id=campaign.id,
            rater_id=raters[key],
            place=row.place,
            first_segment_id=segments[row.first],
            last_segment_id=segments[row.last],
            left_id=ids[key, row.left],
            right_id=ids[key, row.right],
            started_at=row.started_at,
            finished_at=row.finished_at,
        )
        session.add(pair)
        session.flush()
        found[key, row.place] = pair.id
    return found


def _add_told(
    session: Session,
    bundle: Bundle,
    ids: Mapping[tuple[str, str], int],
    segments: Mapping[Key, int],
    pairs: Pairs,
) -> None:
    for number, visit in enumerate(bundle.visits):
        session.add(
            PageVisit(
                reading_id=ids[rater_key(visit.rater), visit.system],
                mark=f"file-{number}",
                first_segment_id=segments[visit.first],
                start=visit.start,
                last_segment_id=segments[visit.last],
                end=visit.end,
                active=visit.active,
                away=visit.away,
                created_at=visit.visited_at or now(),
                chunk_pair_id=_pair(pairs, visit),
            )
        )
    for number, one in enumerate(bundle.highlights):
        session.add(
            Highlight(
                reading_id=ids[rater_key(one.rater), one.system],
                mark=f"file-{number}",
                segment_id=segments[one.key],
                start=one.start,
                end=one.end,
                kind=one.kind,
                reason=one.reason,
                made_at=one.made_at or now(),
                removed_at=one.removed_at,
                chunk_pair_id=_pair(pairs, one),
            )
        )
