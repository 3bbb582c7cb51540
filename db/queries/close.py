"""A reader in the close reading of a study: their chunks, both texts of each, what they mark and prefer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError, RatingError
from core.raters.reading.choices import MARGIN, PREFERRED, WHY, ReadingChoices
from core.raters.reading.told import Sided
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import Campaign, ChunkPair, Highlight, Reading, ReadingAnswer, now
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.reading import (
    add_answers,
    held_in,
    must_be_open,
    parts_in,
    passages_in,
    preference_of,
    store_of_version,
)
from db.queries.reading_plan import chunks_in
from db.queries.versions import versions_in
from db.records import ChunkRecord, HighlightRecord, PassageRecord


def chunks_of(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> list[ChunkRecord]:
    """The reader's chunks in the order of the text; none without close reading.

    Raises AccessError for another person.
    """
    viewer.must_be(rater_id)
    query = (
        select(ChunkPair)
        .where(ChunkPair.campaign_id == campaign_id, ChunkPair.rater_id == rater_id)
        .order_by(ChunkPair.place)
    )
    with read_session(engine) as session:
        answers = answers_in(session, ChunkPair.campaign_id == campaign_id, ChunkPair.rater_id == rater_id)
        return [
            ChunkRecord(
                id=one.id,
                place=one.place,
                first=one.first_segment_id,
                last=one.last_segment_id,
                started_at=one.started_at,
                finished_at=one.finished_at,
                answers=answers.get(one.id, {}),
            )
            for one in session.scalars(query)
        ]


def answers_in(session: Session, *which: ColumnElement[bool]) -> dict[int, dict[str, Any]]:
    """The answers that hold on chunks, by chunk and question."""
    query = select(ReadingAnswer).join(ChunkPair, ChunkPair.id == ReadingAnswer.chunk_pair_id).where(*which)
    found: dict[int, dict[str, Any]] = {}
    for one in session.scalars(query.order_by(ReadingAnswer.id)):
        if one.chunk_pair_id is not None:
            found.setdefault(one.chunk_pair_id, {})[one.question] = one.value["answer"]
    return found


Both = tuple[list[PassageRecord], list[PassageRecord]]
"""What stands left and right."""


def chunk_texts(engine: Engine, viewer: Viewer, pair_id: int, rater_id: int) -> Both:
    """The chunk in both versions, without segments that have no text; a version may have none.

    Raises AccessError for another person, RatingError for another person's chunk.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        pair = _own(session, pair_id, rater_id)
        left, right = (_side(session, pair, side) for side in (0, 1))
        return _within(left, pair), _within(right, pair)


def text_around(
    engine: Engine, viewer: Viewer, pair_id: int, rater_id: int, side: int
) -> list[PassageRecord]:
    """The excerpt in the version on one side, 0 for left.

    Where the browser is sent one part at a time, these are the parts that hold the chunk, and one before and
    after them. Raises as `chunk_texts`.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        pair = _own(session, pair_id, rater_id)
        parts = parts_in(campaign_in(session, pair.campaign_id), _side(session, pair, side))
        near = [n for n, part in enumerate(parts) if _within(part, pair)]
        around = parts[max(near[0] - 1, 0) : near[-1] + 2] if near else parts[:1]
        return [one for part in around for one in part]


def chunk_preview(engine: Engine, viewer: Viewer, campaign_id: int) -> Both:
    """The first chunk in the first two versions, as a reader would see it; empty without close reading.

    Raises AccessError for a viewer who does not manage.
    """
    viewer.must_manage()
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        chunks, versions = chunks_in(session, campaign), versions_in(session, campaign)
        if not chunks or len(versions) < 2:
            return [], []
        first, last = chunks[0]
        left, right = (
            [one for one in passages_in(session, campaign, system) if first <= one.segment_id <= last]
            for system, _ in versions[:2]
        )
        return left, right


def _side(session: Session, pair: ChunkPair, side: int) -> list[PassageRecord]:
    reading = session.get_one(Reading, pair.right_id if side else pair.left_id)
    return passages_in(session, campaign_in(session, pair.campaign_id), reading.system_id)


def _within(passages: Sequence[PassageRecord], pair: ChunkPair) -> list[PassageRecord]:
    return [one for one in passages if pair.first_segment_id <= one.segment_id <= pair.last_segment_id]


def chunk_highlights(
    engine: Engine, viewer: Viewer, pair_id: int, rater_id: int
) -> list[tuple[int, HighlightRecord]]:
    """The highlights in a chunk that hold, oldest first, each with its side. Raises as `chunk_texts`."""
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        pair = _own(session, pair_id, rater_id)
        rows = held_in(session, Highlight.chunk_pair_id == pair_id)
        return [(int(reading == pair.right_id), one) for reading, _, one in rows]


def store_close(engine: Engine, viewer: Viewer, pair_id: int, rater_id: int, told: Sequence[Sided]) -> None:
    """Store what the screen of a chunk tells, in one transaction; what is stored already is passed over.

    Raises AccessError for another person; RatingError for another person's chunk, a closed campaign, and what
    does not lie in the texts of the chunk, and then nothing is stored.
    """
    viewer.must_be(rater_id)
    try:
        _store(engine, pair_id, rater_id, told)
    except IntegrityError:  # another tab told the same at the same time
        _store(engine, pair_id, rater_id, told)


def _store(engine: Engine, pair_id: int, rater_id: int, told: Sequence[Sided]) -> None:
    with write_session(engine) as session:
        pair = _own(session, pair_id, rater_id)
        must_be_open(session, pair.campaign_id)
        pair.started_at = pair.started_at or now()
        if any(
            not pair.first_segment_id <= place <= pair.last_segment_id for one in told for place in one.places
        ):
            raise RatingError("A highlight does not lie in the text; reload the page.")
        for side, reading_id in enumerate((pair.left_id, pair.right_id)):
            own = [one.told for one in told if one.side in (side, None)]
            store_of_version(session, session.get_one(Reading, reading_id), own, chunk_pair=pair.id)


def save_preference(
    engine: Engine, viewer: Viewer, pair_id: int, rater_id: int, values: Mapping[str, object]
) -> None:
    """Store which side of a chunk is preferred, by how much and why, all of it or nothing.

    values: by `preferred` (0 left, 1 right, `NO_DIFFERENCE` where the study allows it), `margin` and `why`.
    Raises InputError for what is missing or does not fit, RatingError as `store_close`.
    """
    viewer.must_be(rater_id)
    with write_session(engine) as session:
        pair = _own(session, pair_id, rater_id)
        campaign = must_be_open(session, pair.campaign_id)
        _must_be_next(session, campaign, pair)
        preferred, margin, why = preference_of(values, 2, _choices(campaign))
        answers = {PREFERRED: preferred, MARGIN: margin, WHY: why}
        add_answers(session, pair.campaign_id, rater_id, None, answers, chunk_pair=pair.id)
        pair.started_at = pair.started_at or now()
        pair.finished_at = pair.finished_at or now()


def _choices(campaign: Campaign) -> ReadingChoices:
    return reading_of(from_json(campaign.design))


def _must_be_next(session: Session, campaign: Campaign, pair: ChunkPair) -> None:
    """Chunks are compared in the order of the text; earlier ones may be compared again."""
    before = select(ChunkPair.id).where(
        ChunkPair.campaign_id == campaign.id,
        ChunkPair.rater_id == pair.rater_id,
        ChunkPair.place < pair.place,
        ChunkPair.finished_at.is_(None),
    )
    if session.scalar(before.limit(1)) is not None:
        raise InputError("An earlier passage is not compared yet; reload the page.")


def _own(session: Session, pair_id: int, rater_id: int) -> ChunkPair:
    pair = session.get(ChunkPair, pair_id)
    if pair is None or pair.rater_id != rater_id:
        raise RatingError("This passage is not among yours, so nothing was stored; reload the page.")
    return pair
