"""Classes: students, an expert panel, and scores that stay hidden until their release."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError
from core.raters.assignment import TARGET
from core.raters.grading import panel_means
from db.engine import read_session, write_session
from db.models import Campaign, Event, Item, Member, Rater, RatingEvent, is_latest, now
from db.permissions import Viewer
from db.records import StudentRecord

NOT_RELEASED = "The panel's scores are not released yet; ask your teacher."


def release(engine: Engine, viewer: Viewer, campaign_id: int, *, released: bool) -> None:
    """Let a class see the panel's scores, or take them back. Only for teachers and organisers."""
    viewer.must_see_scores()
    with write_session(engine) as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None:
            raise InputError(
                "There is no campaign number {campaign_id}; choose one from the list.",
                campaign_id=campaign_id,
            )
        campaign.released_at = (campaign.released_at or now()) if released else None
        kind = "panel-released" if released else "panel-hidden"
        session.add(Event(kind=kind, campaign_id=campaign_id, rater_id=viewer.rater_id))


def students(engine: Engine, viewer: Viewer, campaign_id: int) -> list[StudentRecord]:
    """Every student with their scores, by translation. Only for teachers and organisers."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        people = session.execute(
            select(Rater.id, Rater.name)
            .join(Member, Member.rater_id == Rater.id)
            .where(Member.campaign_id == campaign_id, Member.part == "student")
            .order_by(Rater.name, Rater.id)
        ).all()
        scores = _scores(session, campaign_id, [row.id for row in people])
        return [
            StudentRecord(rater_id=row.id, name=row.name, scores=scores.get(row.id, {})) for row in people
        ]


def panel(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[int, float]:
    """The panel's mean by translation. For a student only once it is released, and only of the own class."""
    with read_session(engine) as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None:
            raise InputError(
                "There is no campaign number {campaign_id}; choose one from the list.",
                campaign_id=campaign_id,
            )
        if not viewer.sees_scores:
            part = session.scalar(
                select(Member.part).where(
                    Member.campaign_id == campaign_id, Member.rater_id == viewer.rater_id
                )
            )
            if part is None:
                viewer.must_see_scores()
            if campaign.released_at is None:
                raise AccessError(NOT_RELEASED)
        experts = session.scalars(
            select(Member.rater_id).where(Member.campaign_id == campaign_id, Member.part == "panel")
        ).all()
        return panel_means(list(_scores(session, campaign_id, experts).values()))


def own_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> StudentRecord:
    """The visitor's own scores. Raises AccessError for a visitor of whom nothing is known."""
    if viewer.rater_id is None:
        raise AccessError(NOT_RELEASED)
    with read_session(engine) as session:
        scores = _scores(session, campaign_id, [viewer.rater_id])
        name = session.scalar(select(Rater.name).where(Rater.id == viewer.rater_id)) or ""
        return StudentRecord(rater_id=viewer.rater_id, name=name, scores=scores.get(viewer.rater_id, {}))


def _scores(session: Session, campaign_id: int, raters: Iterable[int]) -> dict[int, dict[int, float]]:
    """The scores that hold, by rater and translation; checks and skips are left out."""
    query = (
        select(Item.rater_id, Item.translation_id, RatingEvent.score)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.rater_id.in_(list(raters)), Item.kind == TARGET)
        .where(RatingEvent.score.is_not(None), is_latest())
        .order_by(Item.place)
    )
    found: dict[int, dict[int, float]] = {}
    for row in session.execute(query):
        found.setdefault(row.rater_id, {})[row.translation_id] = row.score
    return found
