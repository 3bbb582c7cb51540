"""A second look at a damaged text that was not scored below its original: when, once, and what counts."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.raters.assignment import DEGRADED, TARGET
from core.raters.protocols import MarkedSpan
from core.raters.quality import KINDS, degraded_below_original
from db.design import Design
from db.engine import read_session, write_session
from db.models import Event, Item
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, history, list_translations, save_rating, withdraw
from db.queries.evaluation import judgements, rating_table
from db.queries.manage import set_campaign, set_check_texts
from db.queries.second_try import SECOND_TRY, give_second_try


@pytest.fixture
def pair(engine, campaign):
    """A rater with a damaged text: (rater, the damaged item, its original), whichever comes first."""

    def made(protocol="adequacy", *, second_try=True):
        design = Design(degraded=0.03, second_try=second_try)
        set_campaign(engine, OPERATOR, campaign, name="Small", protocol=protocol, design=design)
        texts = [
            one for one in list_translations(engine, campaign) if not one.is_reference and len(one.text) > 4
        ]
        set_check_texts(engine, OPERATOR, campaign, [(one.id, "splice", "broken text") for one in texts])
        rater = enter_rater(engine, "Aki").id
        ensure_items(engine, campaign, rater)
        with read_session(engine) as session:
            ((damaged, translation),) = session.execute(
                select(Item.id, Item.translation_id).where(Item.rater_id == rater, Item.kind == DEGRADED)
            ).all()
            original = session.scalar(
                select(Item.id).where(Item.translation_id == translation, Item.kind == TARGET)
            )
        return rater, damaged, original

    return made


def say(engine, rater, item, score=None, **more):
    save_rating(engine, item_id=item, rater_id=rater, score=score, **more)
    return give_second_try(engine, item_id=item, rater_id=rater)


def events(engine):
    with read_session(engine) as session:
        return [
            (one.rater_id, one.details)
            for one in session.scalars(select(Event).where(Event.kind == SECOND_TRY))
        ]


@pytest.mark.parametrize(("damaged_score", "given"), [(49, False), (50, True), (80, True)])
@pytest.mark.parametrize("damaged_first", [True, False])
def test_it_is_given_after_the_second_of_two_scores_that_do_not_fit(
    engine, pair, damaged_score, given, damaged_first
):
    rater, damaged, original = pair()
    order = [(damaged, damaged_score), (original, 50)]
    first, second = order if damaged_first else order[::-1]
    assert say(engine, rater, *first) is None
    found = say(engine, rater, *second)
    assert (found is not None) is given
    assert set(found or ()) == ({damaged, original} if given else set())
    assert events(engine) == ([(rater, {"item": damaged})] if given else [])


def test_the_two_items_come_in_the_order_of_the_rater(engine, pair):
    rater, damaged, original = pair()
    with read_session(engine) as session:
        place = {item: session.get(Item, item).place for item in (damaged, original)}
    say(engine, rater, damaged, 50)
    assert say(engine, rater, original, 50) == tuple(sorted(place, key=place.__getitem__))


def test_it_is_given_once_for_each_check(engine, pair):
    rater, damaged, original = pair()
    say(engine, rater, original, 50)
    assert say(engine, rater, damaged, 60) is not None
    assert say(engine, rater, damaged, 70) is None
    assert len(events(engine)) == 1
    assert [one.score for one in history(engine, damaged, rater)] == [60, 70]


def test_a_campaign_without_it_a_skip_and_another_item_give_none(engine, campaign, pair):
    rater, damaged, original = pair(second_try=False)
    say(engine, rater, original, 50)
    assert say(engine, rater, damaged, 60) is None
    with write_session(engine) as session:
        session.get(Item, damaged).kind = "repeat"
    assert give_second_try(engine, item_id=damaged, rater_id=rater) is None
    assert give_second_try(engine, item_id=damaged, rater_id=rater + 1) is None
    assert events(engine) == []


def test_a_skipped_text_has_no_score_to_compare(engine, pair):
    rater, damaged, original = pair()
    say(engine, rater, original, 50)
    assert say(engine, rater, damaged, skipped_reason="unsure") is None
    assert say(engine, rater, damaged, 60) is not None


def test_for_mqm_the_score_is_computed_from_the_marked_errors(engine, pair):
    rater, damaged, original = pair("mqm")
    minor, major = MarkedSpan(0, 1, "minor"), MarkedSpan(1, 2, "major")
    say(engine, rater, original, spans=(minor,))
    assert say(engine, rater, damaged, spans=(minor, major)) is None  # -6 is below -1
    assert say(engine, rater, damaged, spans=()) is not None


def test_the_first_scores_count_for_the_damaged_texts_and_the_last_ones_for_the_means(engine, campaign, pair):
    rater, damaged, original = pair()
    for item, score in ((original, 50), (damaged, 60), (original, 70), (damaged, 10)):
        say(engine, rater, item, score)
    rows = rating_table(engine, OPERATOR, campaign, kinds=KINDS)
    assert {(row.kind, row.score, row.first) for row in rows} == {("target", 70, 50), ("degraded", 10, 60)}
    assert degraded_below_original(rows).share == 0
    assert [one.score for one in judgements(engine, OPERATOR, campaign).scores] == [70]


def test_without_a_second_try_the_scores_that_hold_count(engine, campaign, pair):
    rater, damaged, original = pair(second_try=False)
    for item, score in ((original, 50), (damaged, 60), (damaged, 10)):
        say(engine, rater, item, score)
    rows = rating_table(engine, OPERATOR, campaign, kinds=KINDS)
    assert {row.first for row in rows} == {None}
    assert degraded_below_original(rows).share == 1


def test_withdrawal_erases_that_it_was_given(engine, pair):
    rater, damaged, original = pair()
    say(engine, rater, original, 50)
    say(engine, rater, damaged, 60)
    withdraw(engine, OPERATOR, rater)
    assert events(engine) == []
