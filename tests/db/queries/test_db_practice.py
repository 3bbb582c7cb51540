"""Practice: chosen by the organiser, answered apart from the ratings, with a pass mark to be reached."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from core.errors import AccessError, InputError, RatingError
from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import read_session, write_session
from db.models import Campaign, PracticeAnswer, PracticeRun, now
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating, withdraw
from db.queries.evaluation import rating_table
from db.queries.manage import set_campaign
from db.queries.practice import (
    add_practice,
    practice_answers,
    practice_items,
    practice_tries,
    remove_practice,
    set_practice,
)
from db.queries.practising import answer_practice, practice_state, practise_again
from db.queries.rating import save_draft

RANGE = Expected(low=40, high=60)
RATER = Viewer(role="rater", rater_id=1)


@pytest.fixture
def items(engine, campaign):
    """Two practice items with a range from 40 to 60; gives their ids."""
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference]
    return [
        add_practice(engine, OPERATOR, campaign, translation_id=one.id, expected=RANGE, feedback_en="Look.")
        for one in texts[:2]
    ]


@pytest.fixture
def rater(engine, campaign):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    return rater


def answer(engine, rater, items, *scores):
    return [
        answer_practice(engine, practice_id=item, rater_id=rater, score=score).right
        for item, score in zip(items, scores, strict=False)
    ]


def rate(engine, campaign, rater):
    return save_rating(engine, item_id=items_of(engine, campaign, rater)[0].id, rater_id=rater, score=50)


def put(engine, campaign, **values):
    with write_session(engine) as session:
        for name, value in values.items():
            setattr(session.get(Campaign, campaign), name, value)


def test_items_are_shown_in_the_order_in_which_they_were_added(engine, campaign, items):
    first, second = practice_items(engine, campaign)
    assert [first.id, second.id] == items
    assert (first.expected, first.feedback_en, first.translation) == (RANGE, "Look.", "ash says 0")


def test_a_rater_changes_no_practice_and_reads_no_answers(engine, campaign, items):
    for ask in (
        lambda: add_practice(engine, RATER, campaign, translation_id=9, expected=RANGE),
        lambda: remove_practice(engine, RATER, campaign, items[0]),
        lambda: set_practice(engine, RATER, campaign, pass_mark=1, tries=None),
        lambda: practice_tries(engine, RATER, campaign),
        lambda: practice_answers(engine, RATER, campaign),
    ):
        with pytest.raises(AccessError):
            ask()
    assert len(practice_items(engine, campaign)) == 2


def test_one_translation_is_one_item_and_one_of_another_campaign_is_none(engine, campaign, items):
    (taken, *_) = practice_items(engine, campaign)
    for wrong, said in ((taken.translation_id, "already"), (10**6, "not one of")):
        with pytest.raises(InputError, match=said):
            add_practice(engine, OPERATOR, campaign, translation_id=wrong, expected=RANGE)


def test_the_practice_of_a_closed_campaign_stays_as_it_is(engine, campaign, items):
    put(engine, campaign, state="closed")
    for change in (
        lambda: remove_practice(engine, OPERATOR, campaign, items[0]),
        lambda: set_practice(engine, OPERATOR, campaign, pass_mark=1, tries=None),
    ):
        with pytest.raises(InputError, match="stays as it is"):
            change()
    assert len(practice_items(engine, campaign)) == 2


def test_a_pass_mark_above_the_number_of_items_is_refused(engine, campaign, items):
    for mark in (0, 3):
        with pytest.raises(InputError, match="pass mark"):
            set_practice(engine, OPERATOR, campaign, pass_mark=mark, tries=None)


def test_answers_are_stored_apart_and_enter_no_table_and_no_export(engine, campaign, items, rater):
    assert answer(engine, rater, items, 50, 90) == [True, False]
    assert rating_table(engine, OPERATOR, campaign) == []
    assert read_bundle(engine, campaign, history=True).ratings == ()
    rows = practice_answers(engine, OPERATOR, campaign)
    assert [(row.rater, row.number, row.system, row.score, row.errors, row.right) for row in rows] == [
        ("Aki", 1, "ash", 50, None, True),
        ("Aki", 1, "beech", 90, None, False),
    ]
    (run,) = practice_tries(engine, OPERATOR, campaign)
    assert (run.right, run.total, run.passed, run.finished_at is not None) == (1, 2, True, True)


def test_the_first_answer_to_an_item_counts_also_for_a_second_click(engine, campaign, items, rater):
    answer(engine, rater, items, 90)
    assert answer(engine, rater, items, 50) == [False]
    state = practice_state(engine, campaign, rater)
    assert (state.replies[items[0]].score, state.finished, state.due) == (90, False, True)


def test_answers_come_from_raters_with_items_in_an_open_campaign_only(engine, campaign, items, rater):
    stranger = enter_rater(engine, "Ben").id
    with pytest.raises(RatingError, match="not yours"):
        answer(engine, stranger, items, 50)
    for closed in (
        {"state": "closed"},
        {"state": "draft"},
        {"state": "open", "deadline": now() - timedelta(1)},
    ):
        put(engine, campaign, **closed)
        with pytest.raises(RatingError, match="closed"):
            answer(engine, rater, items, 50)
    with pytest.raises(RatingError, match="not there any more"):
        answer(engine, rater, [10**6], 50)
    with read_session(engine) as session:
        assert session.scalar(select(func.count()).select_from(PracticeAnswer)) == 0


@pytest.mark.parametrize(
    ("protocol", "score", "spans"),
    [
        ("adequacy", None, ()),
        ("adequacy", 101, ()),
        ("adequacy", 50, (MarkedSpan(0, 1, "minor"),)),
        ("mqm", 50, ()),
        ("esa", 50, (MarkedSpan(0, 10_000, "minor"),)),
    ],
)
def test_an_answer_has_the_form_of_the_protocol(engine, campaign, items, rater, protocol, score, spans):
    put(engine, campaign, protocol=protocol)
    with pytest.raises(RatingError):
        answer_practice(engine, practice_id=items[0], rater_id=rater, score=score, spans=spans)


def test_marks_are_judged_and_kept(engine, campaign, rater):
    put(engine, campaign, protocol="esa")
    text = next(one for one in list_translations(engine, campaign) if one.text == "beech says 0")
    item = add_practice(
        engine,
        OPERATOR,
        campaign,
        translation_id=text.id,
        expected=Expected(start=6, end=10, severity="major"),
    )
    spans = (MarkedSpan(6, 8, "major"),)
    reply = answer_practice(engine, practice_id=item, rater_id=rater, score=3, spans=spans)
    assert (reply.right, reply.spans) == (True, spans)


def test_below_the_pass_mark_nothing_is_rated_or_drafted_and_at_it_everything(engine, campaign, items, rater):
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=None)
    first = items_of(engine, campaign, rater)[0].id
    for save in (
        lambda: rate(engine, campaign, rater),
        lambda: save_draft(engine, item_id=first, rater_id=rater, spans=(), comment="x"),
    ):
        with pytest.raises(RatingError, match="Practice comes first"):
            save()
    answer(engine, rater, items, 50, 90)
    with pytest.raises(RatingError, match="Practice comes first"):
        rate(engine, campaign, rater)
    practise_again(engine, campaign_id=campaign, rater_id=rater)
    answer(engine, rater, items, 40, 60)
    state = practice_state(engine, campaign, rater)
    assert (state.run, state.right, state.total, state.passed, state.due) == (2, 2, 2, True, False)
    assert rate(engine, campaign, rater).score == 50


def test_practice_without_a_pass_mark_is_due_once_and_hinders_no_rating(engine, campaign, items, rater):
    assert practice_state(engine, campaign, rater).due
    rate(engine, campaign, rater)
    assert not practice_state(engine, campaign, rater).due  # who has begun is not held up
    other = enter_rater(engine, "Ben").id
    ensure_items(engine, campaign, other)
    answer(engine, other, items, 0, 0)
    assert not practice_state(engine, campaign, other).due


def test_there_are_as_many_tries_as_the_organiser_says(engine, campaign, items, rater):
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=2)
    for _ in range(2):
        answer(engine, rater, items, 0, 0)
        again = practice_state(engine, campaign, rater).again
        if again:
            practise_again(engine, campaign_id=campaign, rater_id=rater)
            practise_again(engine, campaign_id=campaign, rater_id=rater)  # a second click
    assert not again
    with pytest.raises(RatingError, match="cannot be repeated"):
        practise_again(engine, campaign_id=campaign, rater_id=rater)
    with pytest.raises(RatingError, match="not passed"):
        rate(engine, campaign, rater)
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=3)
    assert practice_state(engine, campaign, rater).again


def test_who_has_passed_stays_so_when_items_are_added_or_the_mark_goes_up(engine, campaign, items, rater):
    answer(engine, rater, items, 50, 0)
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=None)
    assert rate(engine, campaign, rater).revision == 1
    late = enter_rater(engine, "Ben").id
    ensure_items(engine, campaign, late)
    answer(engine, late, items, 50, 0)
    with pytest.raises(RatingError):
        rate(engine, campaign, late)
    set_practice(engine, OPERATOR, campaign, pass_mark=1, tries=None)  # and a lower one lets in
    assert rate(engine, campaign, late).revision == 1


def test_a_removed_item_takes_its_answers_along_and_may_end_a_try(engine, campaign, items, rater):
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=None)
    answer(engine, rater, items, 50)
    remove_practice(engine, OPERATOR, campaign, items[1])
    state = practice_state(engine, campaign, rater)
    assert (state.items, state.needed, state.finished, state.passed) == (1, 1, True, True)
    remove_practice(engine, OPERATOR, campaign, items[0])
    assert practice_answers(engine, OPERATOR, campaign) == []
    assert rate(engine, campaign, rater).score == 50


def test_withdrawal_erases_practice(engine, campaign, items, rater):
    answer(engine, rater, items, 50, 50)
    withdraw(engine, OPERATOR, rater)
    with read_session(engine) as session:
        assert [
            session.scalar(select(func.count()).select_from(one)) for one in (PracticeRun, PracticeAnswer)
        ] == [
            0,
            0,
        ]
    assert practice_tries(engine, OPERATOR, campaign) == []


def test_the_pass_mark_may_change_when_people_have_items_and_the_protocol_may_not(
    engine, campaign, items, rater
):
    choices = {"name": "Small", "protocol": "adequacy"}
    set_campaign(engine, OPERATOR, campaign, design=Design(practice_pass=1), **choices)
    with pytest.raises(InputError, match="People have items"):
        set_campaign(engine, OPERATOR, campaign, design=Design(), name="Small", protocol="esa")


def test_a_history_takes_the_items_to_another_database_and_leaves_the_answers(engine, campaign, items, rater):
    set_practice(engine, OPERATOR, campaign, pass_mark=2, tries=3)
    answer(engine, rater, items, 50, 50)
    copy = load_bundle(engine, read_bundle(engine, campaign, history=True), "Copy").campaign_id
    mine, theirs = practice_items(engine, campaign), practice_items(engine, copy)
    told = [(one.document, one.position, one.translation, one.expected, one.feedback_en) for one in mine]
    assert [
        (one.document, one.position, one.translation, one.expected, one.feedback_en) for one in theirs
    ] == told
    assert practice_tries(engine, OPERATOR, copy) == []
    assert read_bundle(engine, campaign).practice == ()
