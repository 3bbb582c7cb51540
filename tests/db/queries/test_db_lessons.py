"""Lessons that a teacher saved: they come back whole, and what is too long or unknown is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import AccessError, InputError, RatingError
from db.permissions import OPERATOR, Viewer
from db.queries.lessons import STATE_LIMIT, WORDS_LIMIT, list_lessons, remove_lesson, save_lesson
from db.records import LessonRecord

LESSON = LessonRecord(
    id=0,
    title="<b>橋</b>の上",
    page="hacks",
    state={"reference": "斎藤さん。", "translation": "尾崎さん。", "edits": ["maru-7"], "seed": 3},
    question="# なぜ？",
    remark="",
    lang="ja",
)


def test_a_lesson_comes_back_as_it_was_saved_the_newest_first(engine):
    first = save_lesson(engine, OPERATOR, LESSON)
    second = save_lesson(engine, OPERATOR, replace(LESSON, title=" Two ", page="pair"))
    newest, oldest = list_lessons(engine)
    assert oldest == replace(LESSON, id=first)
    assert (newest.id, newest.title, newest.page) == (second, "Two", "pair")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"title": "  "}, "title is blank"),
        ({"page": "manage"}, "no lesson about the page manage"),
        ({"question": "x" * (WORDS_LIMIT + 1)}, "2001 characters and 2000 are allowed"),
        ({"remark": "a\0"}, "cannot be stored"),
        (
            {"state": dict.fromkeys("abc", "x" * (STATE_LIMIT // 3 + 1))},
            "20001 characters and 20000 are allowed",
        ),
        ({"state": {"reference": {"deep": 1}}}, r"something unknown \(reference\)"),
        ({"state": {"edits": ["a\0"]}}, "cannot be stored"),
    ],
)
def test_what_is_too_long_or_unknown_is_refused(engine, given, message):
    with pytest.raises((InputError, RatingError), match=message):
        save_lesson(engine, OPERATOR, replace(LESSON, **given))
    assert list_lessons(engine) == []


def test_students_save_and_remove_nothing(engine):
    number = save_lesson(engine, OPERATOR, LESSON)
    student = Viewer(role="rater", rater_id=1)
    with pytest.raises(AccessError):
        save_lesson(engine, student, LESSON)
    with pytest.raises(AccessError):
        remove_lesson(engine, student, number)
    remove_lesson(engine, OPERATOR, number)
    remove_lesson(engine, OPERATOR, number)
    assert list_lessons(engine) == []
