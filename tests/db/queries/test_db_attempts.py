"""The boards of the lessons: one attempt a person and category, ties, limits, classes, who removes what."""

from __future__ import annotations

import pytest
from sqlalchemy import text as sql

from core.errors import AccessError, InputError, RatingError
from db.engine import write_session
from db.permissions import OPERATOR, Viewer
from db.queries import add_member, enter_rater, withdraw
from db.queries.boards import (
    ALL,
    COPY,
    KEPT,
    NAME_LIMIT,
    SHOWN,
    TEXT_LIMIT,
    board,
    clear_board,
    remove_attempt,
    save_attempt,
)

CLASS = Viewer(open=True)


def put(engine, name, score, *, text=None, metric="chrf", lesson="fool-ja", viewer=CLASS, campaign=None):
    return save_attempt(
        engine,
        viewer,
        lesson=lesson,
        name=name,
        category=metric,
        text=f"{name}の悪い訳。" if text is None else text,
        scores={metric: score, "bleu": 1.5},
        campaign_id=campaign,
    )


def names(engine, *, lesson="fool-ja", metric="chrf", viewer=CLASS, campaign=None):
    return [one.name for one in board(engine, viewer, lesson, metric, campaign_id=campaign)]


def test_the_highest_score_comes_first_and_of_equal_ones_the_newest(engine):
    for name, score in (("Aki", 9.5), ("Ben", 10.25), ("Chi", 9.5), ("Dan", 100)):
        assert put(engine, name, score)
    assert names(engine) == ["Dan", "Ben", "Chi", "Aki"]  # by number, not by spelling


def test_what_was_given_comes_back_as_it_is(engine):
    put(engine, "  <b>Aki</b> ", 60.25, text="# 舟\n<i>*沖*</i> ")
    (one,) = board(engine, CLASS, "fool-ja", "chrf")
    assert (one.name, one.text) == ("<b>Aki</b>", "# 舟\n<i>*沖*</i> ")
    assert one.scores == {"chrf": 60.25, "bleu": 1.5}
    assert one.created_at.utcoffset().total_seconds() == 0


def test_each_lesson_and_metric_has_its_own_board_of_the_best_five(engine):
    for score in range(SHOWN + 2):
        put(engine, f"n{score}", score)
    put(engine, "other", 99, metric="subspace")
    put(engine, "English", 99, lesson="fool-en")
    assert names(engine) == ["n6", "n5", "n4", "n3", "n2"]
    assert names(engine, metric="subspace") == ["other"]
    assert names(engine, lesson="fool-en") == ["English"]


def test_blanks_width_and_punctuation_make_no_other_text(engine):
    assert put(engine, "Aki", 9, text="ＡＢＣ、悪い訳。")
    for same in ("ABC、悪い訳。   ", "abc悪い訳", "ABC 悪い訳！！"):
        assert not put(engine, "Ben", 9, text=same)
    assert put(engine, "Ben", 9, text="ABC、悪い訳だ。")
    assert names(engine) == ["Ben", "Aki"]


def test_a_person_has_one_attempt_in_each_category_the_newest(engine):
    assert put(engine, "Aki", 20)
    assert put(engine, "Aki ", 9, text="もっと悪い訳。")
    assert put(engine, "AKI", 5, text="さらに悪い訳。")
    (one,) = board(engine, CLASS, "fool-ja", "chrf")
    assert (one.name, one.text, one.scores["chrf"]) == ("AKI", "さらに悪い訳。", 5)
    assert put(engine, "Aki", 9, metric="bleu", text="別の訳。")
    assert (names(engine), names(engine, metric="bleu")) == (["AKI"], ["Aki"])


def test_who_came_by_a_link_stands_there_under_the_own_name(engine):
    emi = enter_rater(engine, "Emi")
    assert put(engine, "田中先生", 9, viewer=Viewer(role="rater", rater_id=emi.id))
    assert names(engine) == ["Emi"]


def test_texts_that_fooled_all_and_copies_have_the_newest_first(engine):
    for category in (ALL, COPY):
        for name in ("Aki", "Ben"):
            assert put(engine, name, 1.0, metric=category)
        assert names(engine, metric=category) == ["Ben", "Aki"]


def test_each_class_has_its_own_board_that_others_cannot_see(campaign, engine):
    inside = enter_rater(engine, "Aki").id
    outside = enter_rater(engine, "Ben").id
    add_member(engine, OPERATOR, campaign_id=campaign, rater_id=inside, part="student")
    student = Viewer(role="rater", rater_id=inside)
    assert put(engine, "Aki", 9, viewer=student, campaign=campaign)
    assert names(engine, viewer=student, campaign=campaign) == ["Aki"]
    assert names(engine) == []
    other = Viewer(role="rater", rater_id=outside)
    for attempted in (
        lambda: names(engine, viewer=other, campaign=campaign),
        lambda: put(engine, "Ben", 9, viewer=other, campaign=campaign),
    ):
        with pytest.raises(AccessError):
            attempted()
    put(engine, "Aki", 9, viewer=student)
    assert clear_board(engine, OPERATOR, "fool-ja") == 1
    assert names(engine, campaign=campaign) == ["Aki"]


def test_a_teacher_removes_a_single_attempt_and_a_student_none(engine):
    student = Viewer(role="rater", rater_id=enter_rater(engine, "Aki").id)
    put(engine, "Aki", 9, viewer=student)
    put(engine, "Ben", 8)
    first, second = board(engine, CLASS, "fool-ja", "chrf")
    with pytest.raises(AccessError):
        remove_attempt(engine, student, first.id)
    remove_attempt(engine, Viewer(role="teacher", rater_id=student.rater_id), first.id)
    remove_attempt(engine, OPERATOR, first.id)  # it is gone: nothing happens
    assert names(engine) == [second.name] == ["Ben"]
    with write_session(engine) as session:
        assert session.execute(sql("SELECT kind FROM event")).scalars().all() == ["attempt-removed"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": " "}, "The name is blank"),
        ({"name": "a\nb"}, "line break"),
        ({"name": "x" * (NAME_LIMIT + 1)}, f"41 characters and {NAME_LIMIT} are allowed"),
        ({"text": " \n"}, f"between 1 and {TEXT_LIMIT} characters"),
        ({"text": "x" * (TEXT_LIMIT + 1)}, f"between 1 and {TEXT_LIMIT} characters"),
        ({"text": "a\0b"}, "cannot be stored"),
        ({"text": "a\ud800b"}, "cannot be stored"),
        ({"score": float("nan")}, "no score under chrf"),
    ],
)
def test_what_is_too_long_or_nothing_is_refused(engine, given, message):
    with pytest.raises((InputError, RatingError), match=message):
        put(engine, **({"name": "Aki", "score": 1.0} | given))
    assert names(engine) == []


def test_the_longest_name_and_text_fit(engine):
    assert put(engine, "名" * NAME_LIMIT, 1, text="訳" * TEXT_LIMIT)


def test_a_board_does_not_grow_without_end(engine, monkeypatch):
    monkeypatch.setattr("db.queries.boards.KEPT", 3)
    for number in range(3):
        put(engine, f"n{number}", number)
    with pytest.raises(InputError, match="The board is full"):
        put(engine, "late", 9)
    assert put(engine, "elsewhere", 9, lesson="fool-en")
    assert KEPT == 1000


def test_a_stranger_sees_and_writes_nothing(engine):
    put(engine, "Aki", 9)
    for attempted in (
        lambda: board(engine, Viewer(), "fool-ja", "chrf"),
        lambda: put(engine, "Eve", 9, viewer=Viewer()),
    ):
        with pytest.raises(AccessError):
            attempted()
    assert names(engine) == ["Aki"]


def test_only_a_teacher_or_organiser_clears_a_board_and_that_is_noted(engine):
    student = Viewer(role="rater", rater_id=enter_rater(engine, "Aki").id)
    put(engine, "Aki", 9, viewer=student)
    put(engine, "Ben", 9)
    put(engine, "English", 9, lesson="fool-en")
    with pytest.raises(AccessError):
        clear_board(engine, student, "fool-ja")
    assert clear_board(engine, Viewer(role="teacher", rater_id=student.rater_id), "fool-ja") == 2
    assert (names(engine), names(engine, lesson="fool-en")) == ([], ["English"])
    with write_session(engine) as session:
        assert session.execute(sql("SELECT kind FROM event")).scalars().all() == ["board-cleared"]


def test_who_withdraws_takes_their_attempts_along(engine):
    aki = enter_rater(engine, "Aki").id
    put(engine, "whatever Aki typed", 9, viewer=Viewer(role="rater", rater_id=aki))
    put(engine, "Ben", 8)
    withdraw(engine, OPERATOR, aki)
    assert names(engine) == ["Ben"]
