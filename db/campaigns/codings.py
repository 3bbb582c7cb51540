"""Comments coded by hand, out of the database and into it, for whole campaigns.

A comment is named by its rater, what it is part of, and its number among the rater's: ratings by place and
revision, highlights and answers in the order in which they were stored. That is the order of a history.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from db.engine import read_session
from db.formats.bundle import Bundle, CoderRow, CodingRow
from db.models import (
    CommentCode,
    CommentCoder,
    CommentCoding,
    Highlight,
    Item,
    RatingEvent,
    Reading,
    ReadingAnswer,
    now,
)
from db.names import rater_key
from db.queries.coding import ANSWER, HIGHLIGHT, RATING
from db.queries.rater_names import rater_names
from db.records import CodeRecord


class CodingRows(NamedTuple):
    """The code book, who codes, and what they gave."""

    codes: tuple[CodeRecord, ...]
    coders: tuple[CoderRow, ...]
    codings: tuple[CodingRow, ...]


NOTHING_CODED = CodingRows((), (), ())


def codings_in(engine: Engine, campaign_id: int) -> CodingRows:
    """All of it, each kind in the order in which it was stored."""
    with read_session(engine) as session:
        book, names = _book(session, campaign_id), rater_names(session, campaign_id)
        query = select(CommentCoder).where(CommentCoder.campaign_id == campaign_id)
        coders = tuple(
            CoderRow(names[one.rater_id], one.joined_at, one.finished_at)
            for one in session.scalars(query.order_by(CommentCoder.joined_at, CommentCoder.rater_id))
        )
        places = {
            (on, number): (names[rater], place)
            for (on, rater), own in _sources(session, campaign_id).items()
            for place, number in enumerate(own, start=1)
        }
        given = select(CommentCoding).where(CommentCoding.campaign_id == campaign_id)
        codings = tuple(
            CodingRow(
                names[one.coder_id],
                one.kind,
                *places[one.kind, one.source_id],
                tuple(code.name for code in book if code.id in one.codes),
                one.changed_at,
            )
            for one in session.scalars(given.order_by(CommentCoding.id))
        )
        codes = tuple(CodeRecord(name=one.name, label=one.label, meaning=one.meaning) for one in book)
    return CodingRows(codes, coders, codings)


def _book(session: Session, campaign_id: int) -> list[CommentCode]:
    query = select(CommentCode).where(CommentCode.campaign_id == campaign_id)
    return list(session.scalars(query.order_by(CommentCode.place, CommentCode.id)))


def _sources(session: Session, campaign_id: int) -> dict[tuple[str, int], list[int]]:
    """The ids of all that can be commented, by kind and rater, in the order of a history."""
    queries = {
        RATING: select(Item.rater_id, RatingEvent.id)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id)
        .order_by(Item.place, RatingEvent.revision),
        HIGHLIGHT: select(Reading.rater_id, Highlight.id)
        .join(Highlight, Highlight.reading_id == Reading.id)
        .where(Reading.campaign_id == campaign_id)
        .order_by(Highlight.id),
        ANSWER: select(ReadingAnswer.rater_id, ReadingAnswer.id)
        .where(ReadingAnswer.campaign_id == campaign_id)
        .order_by(ReadingAnswer.id),
    }
    found: dict[tuple[str, int], list[int]] = {}
    for on, query in queries.items():
        for rater, number in session.execute(query):
            found.setdefault((on, rater), []).append(number)
    return found


def add_codings(session: Session, bundle: Bundle, campaign_id: int, raters: Mapping[str, int]) -> None:
    """Store all of it for a campaign whose ratings and readings are stored. raters: ids by key.

    What has no time in the file has that of the import.
    """
    for place, code in enumerate(bundle.codes):
        about = {"name": code.name, "label": code.label, "meaning": code.meaning}
        session.add(CommentCode(campaign_id=campaign_id, place=place, **about))
    for coder in bundle.coders:
        times = {"joined_at": coder.joined_at or now(), "finished_at": coder.finished_at}
        session.add(CommentCoder(campaign_id=campaign_id, rater_id=raters[rater_key(coder.rater)], **times))
    session.flush()
    ids = {code.name: code.id for code in _book(session, campaign_id)}
    sources = _sources(session, campaign_id) if bundle.codings else {}
    for one in bundle.codings:
        author = raters[rater_key(one.rater)]
        session.add(
            CommentCoding(
                campaign_id=campaign_id,
                kind=one.on,
                source_id=sources[one.on, author][one.number - 1],
                author_id=author,
                coder_id=raters[rater_key(one.coder)],
                codes=sorted(ids[name] for name in one.codes),
                changed_at=one.coded_at or now(),
            )
        )
