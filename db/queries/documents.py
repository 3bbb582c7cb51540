"""Scores for whole documents, beside those of their segments. A changed score is a further revision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, Select, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from core.errors import UnavailableError
from db.engine import read_session, write_session
from db.models import DocumentRating, Item, Segment, System, Translation, now
from db.permissions import Viewer
from db.queries.rater_names import rater_names
from db.queries.rating import check_score, protocol_of
from db.queries.sealed import hidden_names


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentScore:
    """A rater's score, 0 to 100, for a document in a system's translation."""

    rater: str
    document: str
    system: str
    score: float
    rated_at: datetime


def save_document_score(engine: Engine, *, item_id: int, rater_id: int, score: float) -> None:
    """Store a score for the document of an item, in the translation of the item's system.

    The same score again stores nothing. Raises RatingError for another rater's item, a closed campaign and a
    score outside 0 to 100, UnavailableError if storing fails.
    """
    value = check_score(score, None, marked=False)
    for _ in range(2):  # another tab of the same person may take the revision's number first
        try:
            with write_session(engine) as session:
                protocol_of(session, item_id, rater_id)
                document, system = session.execute(_place(item_id)).one()
                same = (
                    DocumentRating.rater_id == rater_id,
                    DocumentRating.system_id == system,
                    DocumentRating.document == document,
                )
                query = select(DocumentRating.revision, DocumentRating.score).where(*same)
                latest = session.execute(query.order_by(DocumentRating.revision.desc()).limit(1)).first()
                if latest is not None and latest.score == value:
                    return
                row = {"rater_id": rater_id, "system_id": system, "document": document, "score": value}
                revision = 1 if latest is None else latest.revision + 1
                session.execute(insert(DocumentRating).values(**row, revision=revision, created_at=now()))
                return
        except IntegrityError:
            continue
    raise UnavailableError("The score of the document could not be stored; try again.")


def document_score_of(engine: Engine, *, item_id: int, rater_id: int) -> float | None:
    """The rater's last score for the document of an item; None without one, and for another rater's item."""
    query = (
        select(DocumentRating.score)
        .join(Segment, Segment.document == DocumentRating.document)
        .join(Translation, Translation.segment_id == Segment.id)
        .join(Item, Item.translation_id == Translation.id)
        .where(Item.id == item_id, Item.rater_id == rater_id, DocumentRating.rater_id == rater_id)
        .where(DocumentRating.system_id == Translation.system_id)
        .order_by(DocumentRating.revision.desc())
        .limit(1)
    )
    with read_session(engine) as session:
        return session.scalar(query)


def document_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> list[DocumentScore]:
    """The scores of a campaign's documents that hold, rater by rater.

    Systems whose names are sealed have the names of the seal. Raises AccessError for a viewer who may not see
    scores.
    """
    viewer.must_see_scores()
    other = aliased(DocumentRating)
    last = (
        select(func.max(other.revision))
        .where(
            other.rater_id == DocumentRating.rater_id,
            other.system_id == DocumentRating.system_id,
            other.document == DocumentRating.document,
        )
        .scalar_subquery()
    )
    query = (
        select(
            DocumentRating.rater_id,
            DocumentRating.document,
            System.name.label("system"),
            DocumentRating.score,
            DocumentRating.created_at,
        )
        .join(System, System.id == DocumentRating.system_id)
        .where(System.campaign_id == campaign_id, DocumentRating.revision == last)
        .order_by(DocumentRating.rater_id, DocumentRating.document, System.id)
    )
    with read_session(engine) as session:
        hidden, names = hidden_names(session, campaign_id), rater_names(session, campaign_id)
        return [
            DocumentScore(
                rater=names[row.rater_id],
                document=row.document,
                system=hidden.get(row.system, row.system),
                score=row.score,
                rated_at=row.created_at,
            )
            for row in session.execute(query)
        ]


def _place(item_id: int) -> Select[str, int]:
    return (
        select(Segment.document, Translation.system_id)
        .join(Translation, Translation.segment_id == Segment.id)
        .join(Item, Item.translation_id == Translation.id)
        .where(Item.id == item_id)
    )
