"""The boards of the lessons: bad translations that win, one of a person in each category, within a class."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Engine, delete, func, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError, Wording
from core.text.copying import normal
from db.engine import read_session, write_session
from db.models import Attempt, Event, Member, Rater, now
from db.names import check_label, rater_key
from db.permissions import NO_ACCESS, Viewer
from db.queries.rating import check_text
from db.records import AttemptRecord

NAME_LIMIT = 40
TEXT_LIMIT = 600
"""Characters."""
SHOWN = 5
"""Attempts on a board in each category."""
KEPT = 1000
"""Attempts of a lesson in a class; when they are reached the board must be cleared."""
ALL, COPY = "all", "copy"
"""Categories beside the metrics: a text that fooled all of them, and a copy, which wins nothing."""


def save_attempt(
    engine: Engine,
    viewer: Viewer,
    *,
    lesson: str,
    name: str,
    category: str,
    text: str,
    scores: Mapping[str, float],
    campaign_id: int | None = None,
) -> bool:
    """Put an attempt on a class's board, in place of the person's earlier one of that category.

    False where somebody's text in the category is the same, as `normal` compares them. A person who came by
    a link stands there under their own name, whatever `name` says. category: a metric, ALL or COPY.
    Raises AccessError for a visitor of whom nothing is known or of another class; InputError for a name or
    text that is blank, too long or cannot be stored, a metric without a score, and a board that is full.
    """
    check_text(text, Wording("translation"))
    if not text.strip() or len(text) > TEXT_LIMIT:
        raise InputError("The translation must have between 1 and {limit} characters.", limit=TEXT_LIMIT)
    if category not in (ALL, COPY) and not math.isfinite(scores.get(category, math.nan)):
        raise InputError("The attempt has no score under {metric}.", metric=category)
    with write_session(engine) as session:
        _must_belong(session, viewer, campaign_id)
        shown = _name(session, viewer, name)
        there = _of_class(lesson, campaign_id)
        known = list(session.scalars(select(Attempt).where(*there, Attempt.metric == category)))
        if any(normal(one.text) == normal(text) for one in known):
            return False
        mine = next((one for one in known if _is_same_person(one, viewer, shown)), None)
        if mine is not None:
            mine.name, mine.text, mine.scores, mine.created_at = shown, text, dict(scores), now()
            return True
        if (session.scalar(select(func.count()).where(*there)) or 0) >= KEPT:
            raise InputError("The board is full; ask your teacher to clear it.")
        session.add(
            Attempt(
                lesson=lesson,
                campaign_id=campaign_id,
                rater_id=viewer.rater_id,
                name=shown,
                metric=category,
                text=text,
                scores=dict(scores),
            )
        )
    return True


def board(
    engine: Engine, viewer: Viewer, lesson: str, category: str, *, campaign_id: int | None = None
) -> list[AttemptRecord]:
    """The SHOWN best attempts of a class under a metric, the highest score first; of equal ones the newest.

    Under ALL and COPY the newest come first. Raises AccessError for a visitor of whom nothing is known, and
    for one of another class: names stand there.
    """
    query = select(Attempt).where(*_of_class(lesson, campaign_id), Attempt.metric == category)
    if category not in (ALL, COPY):
        query = query.order_by(Attempt.scores[category].as_float().desc())
    query = query.order_by(Attempt.created_at.desc(), Attempt.id.desc()).limit(SHOWN)
    with read_session(engine) as session:
        _must_belong(session, viewer, campaign_id)
        return [
            AttemptRecord(
                id=one.id, name=one.name, text=one.text, scores=dict(one.scores), created_at=one.created_at
            )
            for one in session.scalars(query)
        ]


def remove_attempt(engine: Engine, viewer: Viewer, attempt_id: int) -> None:
    """Take one attempt off; nothing happens where it is gone. Only for teachers and organisers."""
    viewer.must_see_scores()
    with write_session(engine) as session:
        one = session.get(Attempt, attempt_id)
        if one is not None:
            details = {"lesson": one.lesson, "category": one.metric}
            session.add(
                Event(
                    kind="attempt-removed",
                    campaign_id=one.campaign_id,
                    rater_id=viewer.rater_id,
                    details=details,
                )
            )
            session.delete(one)


def clear_board(engine: Engine, viewer: Viewer, lesson: str, *, campaign_id: int | None = None) -> int:
    """Take all attempts of a lesson in a class off; gives how many. Only for teachers and organisers."""
    viewer.must_see_scores()
    there = _of_class(lesson, campaign_id)
    with write_session(engine) as session:
        count = session.scalar(select(func.count()).where(*there)) or 0
        session.execute(delete(Attempt).where(*there))
        details = {"lesson": lesson, "attempts": count}
        session.add(
            Event(kind="board-cleared", campaign_id=campaign_id, rater_id=viewer.rater_id, details=details)
        )
        return count


def belongs(viewer: Viewer) -> bool:
    """Whether a visitor may see boards and write on them: anybody who came by a link or a password."""
    return viewer.rates or viewer.sees_scores


def _of_class(lesson: str, campaign_id: int | None) -> tuple[ColumnElement[bool], ...]:
    own = Attempt.campaign_id.is_(None) if campaign_id is None else Attempt.campaign_id == campaign_id
    return (Attempt.lesson == lesson, own)


def _must_belong(session: Session, viewer: Viewer, campaign_id: int | None) -> None:
    if not belongs(viewer):
        raise AccessError(NO_ACCESS)
    if campaign_id is None or viewer.sees_scores:
        return
    member = select(Member.id).where(Member.campaign_id == campaign_id, Member.rater_id == viewer.rater_id)
    if session.scalar(member) is None:
        raise AccessError(NO_ACCESS)


def _name(session: Session, viewer: Viewer, typed: str) -> str:
    """The person's own name; what was typed where nobody came by a link."""
    if viewer.rater_id is not None:
        own = session.scalar(select(Rater.name).where(Rater.id == viewer.rater_id))
        if own:
            return own
    shown = check_label(typed.strip(), Wording("name"))
    if len(shown) > NAME_LIMIT:
        raise InputError(
            "The name has {n} characters and {limit} are allowed; shorten it.",
            n=len(shown),
            limit=NAME_LIMIT,
        )
    return shown


def _is_same_person(one: Attempt, viewer: Viewer, name: str) -> bool:
    if viewer.rater_id is not None or one.rater_id is not None:
        return one.rater_id == viewer.rater_id
    return rater_key(one.name) == rater_key(name)
