"""Classes: students, an expert panel, scores that stay hidden until their release, and the lesson boards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError, Wording
from core.raters.assignment import TARGET
from core.raters.grading import panel_means
from db.engine import read_session, write_session
from db.models import Attempt, Campaign, Event, Item, Member, Rater, RatingEvent, is_latest, now
from db.names import check_label
from db.permissions import NO_ACCESS, Viewer
from db.queries.rating import check_text
from db.records import AttemptRecord, StudentRecord

NAME_LIMIT = 40
TEXT_LIMIT = 600
"""Characters."""
SHOWN = 5
"""Attempts on a board under each metric."""
KEPT = 1000
"""Attempts of a lesson; when they are reached the board must be cleared."""


def save_attempt(
    engine: Engine,
    viewer: Viewer,
    *,
    lesson: str,
    name: str,
    metric: str,
    text: str,
    scores: Mapping[str, float],
) -> bool:
    """Put an attempt on the board; False where the same text stands there already under this name and metric.

    Raises AccessError for a visitor of whom nothing is known, InputError for a name or text that is blank,
    too long or cannot be stored, for a metric without a score, and for a board that is full.
    """
    _must_belong(viewer)
    shown = check_label(name.strip(), Wording("name"))
    if len(shown) > NAME_LIMIT:
        raise InputError(
            "The name has {n} characters and {limit} are allowed; shorten it.",
            n=len(shown),
            limit=NAME_LIMIT,
        )
    check_text(text, Wording("translation"))
    if not text.strip() or len(text) > TEXT_LIMIT:
        raise InputError("The translation must have between 1 and {limit} characters.", limit=TEXT_LIMIT)
    if not math.isfinite(scores.get(metric, math.nan)):
        raise InputError("The attempt has no score under {metric}.", metric=metric)
    with write_session(engine) as session:
        if _same(session, lesson, shown, metric, text):
            return False
        if (session.scalar(select(func.count()).where(Attempt.lesson == lesson)) or 0) >= KEPT:
            raise InputError("The board is full; ask your teacher to clear it.")
        session.add(
            Attempt(
                lesson=lesson,
                rater_id=viewer.rater_id,
                name=shown,
                metric=metric,
                text=text,
                scores=dict(scores),
            )
        )
    return True


def board(engine: Engine, viewer: Viewer, lesson: str, metric: str) -> list[AttemptRecord]:
    """The SHOWN best attempts under a metric, the highest score first; of equal ones the newest.

    Raises AccessError for a visitor of whom nothing is known: names stand there.
    """
    _must_belong(viewer)
    query = (
        select(Attempt)
        .where(Attempt.lesson == lesson, Attempt.metric == metric)
        .order_by(Attempt.scores[metric].as_float().desc(), Attempt.created_at.desc(), Attempt.id.desc())
        .limit(SHOWN)
    )
    with read_session(engine) as session:
        return [
            AttemptRecord(name=one.name, text=one.text, scores=dict(one.scores), created_at=one.created_at)
            for one in session.scalars(query)
        ]


def clear_board(engine: Engine, viewer: Viewer, lesson: str) -> int:
    """Take all attempts of a lesson off; gives how many. Only for teachers and organisers."""
    viewer.must_see_scores()
    with write_session(engine) as session:
        count = session.scalar(select(func.count()).where(Attempt.lesson == lesson)) or 0
        session.execute(delete(Attempt).where(Attempt.lesson == lesson))
        details = {"lesson": lesson, "attempts": count}
        session.add(Event(kind="board-cleared", rater_id=viewer.rater_id, details=details))
        return count


def belongs(viewer: Viewer) -> bool:
    """Whether a visitor may see boards and write on them: anybody who came by a link or a password."""
    return viewer.rates or viewer.sees_scores


def _must_belong(viewer: Viewer) -> None:
    if not belongs(viewer):
        raise AccessError(NO_ACCESS)


def _same(session: Session, lesson: str, name: str, metric: str, text: str) -> bool:
    query = select(Attempt.id).where(
        Attempt.lesson == lesson, Attempt.name == name, Attempt.metric == metric, Attempt.text == text
    )
    return session.scalars(query.limit(1)).first() is not None


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
