"""What is not stored is said, stays on the screen, and is never passed by."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.text.locale import words
from db.design import Design
from db.engine import write_session
from db.models import Campaign, now
from db.permissions import OPERATOR
from db.queries import enter_rater, history, items_of, list_campaigns, save_rating
from db.queries.manage import set_campaign
from tests.support.widgets import button


@pytest.fixture
def holmes(engine):
    return next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))


@pytest.fixture
def desk(start, enter, engine, holmes):
    """The first item of the demo under a protocol, in a language."""

    def opened(name="Aki", protocol="adequacy", lang="en"):
        set_campaign(engine, OPERATOR, holmes, name="Holmes", protocol=protocol, design=Design())
        return enter(start(lang), name, holmes)

    return opened


def items(engine, holmes, name="Aki"):
    return items_of(engine, holmes, enter_rater(engine, name).id)


def said(at):
    return [one.value.replace("\\", "") for one in at.error]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("typed", [101, -5])
def test_a_number_that_is_no_score_stays_with_its_sentence_and_next_does_not_pass_it(
    desk, engine, holmes, lang, typed
):
    at = desk(lang=lang)
    at.number_input[0].set_value(typed).run()
    sentence = words(lang)["rate.out_of_range"].format(value=typed)
    for _ in range(2):
        assert said(at) == [sentence]
        assert at.number_input[0].value == typed
        assert items(engine, holmes)[0].revision == 0
        button(at, "next").click().run()
    at.number_input[0].set_value(55).run()
    assert said(at) == []
    button(at, "next").click().run()
    assert items(engine, holmes)[0].score == 55


def test_a_second_click_of_a_double_click_meets_no_other_item(desk, engine, holmes):
    at = desk(protocol="mqm")
    before = button(at, "next")
    before.click().run()
    assert [one.revision for one in items(engine, holmes)[:2]] == [1, 0]
    assert before.key not in {one.key for one in at.button}  # the second click has no button any more


@pytest.mark.parametrize("answer", ["keep", "other"])
def test_a_first_score_from_1_to_6_is_asked_about_where_sqm_is_known(desk, engine, holmes, answer):
    at = desk(protocol="da-sqm")
    at.number_input[0].set_value(5).run()
    assert items(engine, holmes)[0].revision == 0
    button(at, f"scale-{answer}").click().run()
    assert items(engine, holmes)[0].score == {"keep": 5, "other": 83}[answer]
    button(at, "next").click().run()
    at.number_input[0].set_value(6).run()  # asked once only
    assert items(engine, holmes)[1].score == 6


@pytest.mark.parametrize("value", [0, 7, 50, 5.5])
def test_other_first_scores_are_stored_at_once(desk, engine, holmes, value):
    at = desk(protocol="da-sqm")
    at.number_input[0].set_value(value).run()
    assert items(engine, holmes)[0].score == value


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_score_given_in_another_window_is_told_and_not_overwritten(desk, engine, holmes, lang):
    at = desk(lang=lang)
    rater, item = enter_rater(engine, "Aki").id, items(engine, holmes)[0]
    save_rating(engine, item_id=item.id, rater_id=rater, score=33)
    at.number_input[0].set_value(77).run()
    assert said(at)[0].startswith(
        {
            "en": "This item was judged in another window in the meantime: 33. Your 77 is not stored.",
            "ja": "この項目は、その間に別のウィンドウで採点されました（33）。77 は保存されていません。",
        }[lang]
    )
    assert items(engine, holmes)[0].score == 33
    at.number_input[0].set_value(78).run()  # seen, and meant
    assert [one.score for one in history(engine, item.id, rater)] == [33, 78]


def test_ones_own_changes_one_after_the_other_are_no_other_window(desk, engine, holmes):
    at = desk()
    for score in (10, 20, 30):
        at.number_input[0].set_value(score).run()
        assert said(at) == []
    rater = enter_rater(engine, "Aki").id
    assert [one.score for one in history(engine, items(engine, holmes)[0].id, rater)] == [10, 20, 30]


@pytest.mark.parametrize("change", [{"state": "closed"}, {"deadline": now() - timedelta(days=1)}])
def test_a_closed_campaign_says_so_and_takes_nothing(desk, engine, holmes, change):
    at = desk()
    at.number_input[0].set_value(10).run()
    with write_session(engine) as session:
        for field, value in change.items():
            setattr(session.get_one(Campaign, holmes), field, value)
    at.run()
    assert at.info[0].value == words("en")["rate.closed"]
    assert at.number_input[0].disabled
    assert not button(at, "next").disabled  # one may look
