"""Lessons that a teacher made from a state of the lens or the hack lab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, select

from core.errors import InputError, Wording
from db.engine import read_session, write_session
from db.models import SavedLesson
from db.names import check_label
from db.permissions import Viewer
from db.queries.rating import check_text
from db.records import LessonRecord

PAGES = ("pair", "hacks")
WORDS_LIMIT = 2000
"""Characters of a question or a remark."""
STATE_LIMIT = 20_000
"""Characters of all texts and parts of a state."""


def save_lesson(engine: Engine, viewer: Viewer, lesson: LessonRecord) -> int:
    """Store a lesson, whose own id is not looked at; gives the new id. Only for teachers and organisers.

    Raises InputError for a title that is blank or too long, for a page that keeps no states, for words or
    a state that are too long, and RatingError for text that cannot be stored.
    """
    viewer.must_see_scores()
    checked(lesson)
    with write_session(engine) as session:
        row = SavedLesson(
            title=lesson.title.strip(),
            page=lesson.page,
            state=dict(lesson.state),
            question=lesson.question,
            remark=lesson.remark,
            lang=lesson.lang,
            rater_id=viewer.rater_id,
        )
        session.add(row)
        session.flush()
        return row.id


def checked(lesson: LessonRecord) -> None:
    """Raise InputError for a lesson that cannot be stored, see `save_lesson`."""
    check_label(lesson.title.strip(), Wording("title"))
    if lesson.page not in PAGES:
        raise InputError("There is no lesson about the page {page}.", page=lesson.page)
    for words in (lesson.question, lesson.remark):
        check_text(words, Wording("lesson"))
        if len(words) > WORDS_LIMIT:
            raise InputError(
                "A question or remark has {n} characters and {limit} are allowed; shorten it.",
                n=len(words),
                limit=WORDS_LIMIT,
            )
    size = _size(lesson.state)
    if size > STATE_LIMIT:
        raise InputError(
            "The texts of the lesson have {n} characters and {limit} are allowed; shorten them.",
            n=size,
            limit=STATE_LIMIT,
        )


def _size(state: Mapping[str, Any]) -> int:
    found = 0
    for name, value in state.items():
        for text in value if isinstance(value, list) else [value]:
            if not isinstance(text, str | int | bool | None):
                raise InputError("The lesson holds something unknown ({name}).", name=name)
            check_text(str(text), Wording("lesson"))
            found += len(str(text))
    return found


def list_lessons(engine: Engine) -> list[LessonRecord]:
    """All saved lessons, the newest first."""
    with read_session(engine) as session:
        rows = session.scalars(select(SavedLesson).order_by(SavedLesson.id.desc()))
        return [
            LessonRecord(
                id=one.id,
                title=one.title,
                page=one.page,
                state=dict(one.state),
                question=one.question,
                remark=one.remark,
                lang=one.lang,
            )
            for one in rows
        ]


def remove_lesson(engine: Engine, viewer: Viewer, lesson_id: int) -> None:
    """Delete a saved lesson; nothing happens where it is gone. Only for teachers and organisers."""
    viewer.must_see_scores()
    with write_session(engine) as session:
        one = session.get(SavedLesson, lesson_id)
        if one is not None:
            session.delete(one)
