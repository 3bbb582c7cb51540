from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest
from sqlalchemy import event

from core.errors import RatingError
from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, history, items_of, progress, save_rating
from db.queries.evaluation import judgements, rating_table, ratings_of_translation


@pytest.fixture
def rater(engine, campaign):
    rater = enter_rater(engine, "Aki")
    ensure_items(engine, campaign, rater.id)
    return rater


@pytest.fixture
def item(engine, campaign, rater):
    return items_of(engine, campaign, rater.id)[0]


def test_a_saved_rating_is_there_when_the_program_starts_again(engine, url, campaign, rater, item):
    stored = save_rating(engine, item_id=item.id, rater_id=rater.id, score=86, comment="良い", seconds=4.5)
    engine.dispose()
    again = make_engine(url)
    migrate(again)
    assert enter_rater(again, "aki") == rater
    assert ensure_items(again, campaign, rater.id) == 0
    resumed = items_of(again, campaign, rater.id)[0]
    assert (resumed.id, resumed.score, resumed.comment, resumed.revision) == (item.id, 86.0, "良い", 1)
    assert resumed.saved_at == stored.rated_at
    assert abs(stored.rated_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_score_zero_is_a_score_and_not_a_missing_one(engine, campaign, rater, item):
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=0)
    first, second = items_of(engine, campaign, rater.id)[:2]
    assert first.score == 0.0
    assert first.score is not None
    assert second.score is None
    assert progress(engine, campaign, rater.id).done == 1
    assert [row.score for row in rating_table(engine, OPERATOR, campaign)] == [0.0]


NOT_A_NUMBER = ["abc", "50", "", True, False, math.nan, [50], 5j]


@pytest.mark.parametrize("score", [101, -0.5, 100.0001, math.inf, -math.inf, 10**400, *NOT_A_NUMBER])
def test_what_is_not_a_number_from_0_to_100_is_refused_in_one_sentence(engine, rater, item, score):
    with pytest.raises(RatingError, match=r"^The score .* is not a number from 0 to 100; correct it\.$"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=score)
    assert history(engine, item.id, rater.id) == []


def test_minus_zero_is_stored_as_zero(engine, rater, item):
    assert str(save_rating(engine, item_id=item.id, rater_id=rater.id, score=-0.0).score) == "0.0"


@pytest.mark.parametrize("score", [0, 100, 33.25, np.float64(7), np.int64(7), Fraction(1, 2)])
def test_any_real_number_within_the_scale_is_stored(engine, rater, item, score):
    stored = save_rating(engine, item_id=item.id, rater_id=rater.id, score=score).score
    assert type(stored) is float
    assert stored == float(score)


def test_a_changed_mind_is_a_further_revision_and_the_last_one_holds(engine, campaign, rater, item):
    for score in (10, 20, 15):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=score)
    assert [(r.revision, r.score) for r in history(engine, item.id, rater.id)] == [(1, 10), (2, 20), (3, 15)]
    assert [row.score for row in rating_table(engine, OPERATOR, campaign)] == [15]


def test_saying_the_same_again_adds_nothing(engine, rater, item):
    first = save_rating(engine, item_id=item.id, rater_id=rater.id, score=10, comment="x", seconds=1)
    again = save_rating(engine, item_id=item.id, rater_id=rater.id, score=10.0, comment="x", seconds=9)
    assert again == first
    assert len(history(engine, item.id, rater.id)) == 1


def test_going_back_to_an_earlier_score_is_a_new_event(engine, rater, item):
    for score in (10, 20, 10):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=score)
    assert len(history(engine, item.id, rater.id)) == 3


def test_a_changed_comment_alone_is_a_new_revision(engine, rater, item):
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=10)
    assert save_rating(engine, item_id=item.id, rater_id=rater.id, score=10, comment="why").revision == 2


def test_a_skip_needs_a_reason_and_is_not_a_score(engine, campaign, rater, item):
    with pytest.raises(RatingError, match="neither a score nor a reason"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=None)
    with pytest.raises(RatingError, match="neither a score nor a reason"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=None, skipped_reason="  ")
    with pytest.raises(RatingError, match="both a score"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=5, skipped_reason="unsure")
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=None, skipped_reason="unsure")
    now = progress(engine, campaign, rater.id)
    assert (now.done, now.skipped, now.total) == (0, 1, 36)
    assert items_of(engine, campaign, rater.id)[0].skipped == "unsure"
    assert rating_table(engine, OPERATOR, campaign) == []


def test_scoring_a_skipped_item_ends_the_skip(engine, campaign, rater, item):
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=None, skipped_reason="unsure")
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=70)
    now = progress(engine, campaign, rater.id)
    assert (now.done, now.skipped) == (1, 0)


def test_nobody_can_rate_somebody_elses_item(engine, campaign, item):
    other = enter_rater(engine, "Bo")
    for item_id in (item.id, 10**6):
        with pytest.raises(RatingError, match="not among yours"):
            save_rating(engine, item_id=item_id, rater_id=other.id, score=5)
    assert history(engine, item.id, other.id) == []


@pytest.mark.parametrize("comment", ["x" * 10_001, "a\0b", "half \ud83d of a pair"])
def test_a_comment_that_cannot_be_stored_is_refused(engine, rater, item, comment):
    with pytest.raises(RatingError, match="The comment"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=5, comment=comment)


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf])
def test_an_impossible_duration_is_refused(engine, rater, item, seconds):
    with pytest.raises(RatingError, match="seconds"):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=5, seconds=seconds)


def test_two_tabs_of_one_rater_saving_one_item_lose_nothing(engine, url, rater, item):
    tabs = [make_engine(url), make_engine(url)]

    def save(score: int) -> int:
        return save_rating(tabs[score % 2], item_id=item.id, rater_id=rater.id, score=score).revision

    with ThreadPoolExecutor(4) as pool:
        revisions = sorted(pool.map(save, range(20)))
    assert revisions == list(range(1, 21))
    assert sorted(r.score for r in history(engine, item.id, rater.id)) == list(range(20))


def test_a_revision_number_that_another_tab_took_is_replaced_by_the_next_try(engine, rater, item):
    tries: list[str] = []

    def take_the_number_first(connection, cursor, statement, parameters, context, executemany):
        if statement.startswith("INSERT INTO rating"):
            tries.append(statement)
            if len(tries) == 1:
                cursor.execute(statement, parameters)

    event.listen(engine, "before_cursor_execute", take_the_number_first)
    assert save_rating(engine, item_id=item.id, rater_id=rater.id, score=5).revision == 1
    assert len(tries) == 2
    assert [r.score for r in history(engine, item.id, rater.id)] == [5]


def test_the_table_tells_who_gave_what_to_which_translation(engine, campaign, rater, item):
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=61, comment="ok", seconds=3)
    (row,) = rating_table(engine, OPERATOR, campaign)
    assert (row.rater, row.segment, row.document) == ("Aki", item.segment_id, item.document)
    assert (row.score, row.mark, row.seconds, row.computed) == (61, "ok", 3, False)
    assert row.characters == len(item.translation)
    place = judgements(engine, OPERATOR, campaign).places[row.item]
    assert (place.position, place.domain, place.is_reference) == (item.position, "literary", False)
    assert item.translation in (f"{row.system} says {place.position * 2 + int(row.document[-1])}", "")
    assert ratings_of_translation(engine, OPERATOR, row.item) == [row]
    assert ratings_of_translation(engine, OPERATOR, row.item + 1) == []
    assert ratings_of_translation(engine, OPERATOR, 999_999) == []
