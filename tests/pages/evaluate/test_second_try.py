"""A rater is led back once to two texts whose scores do not fit together."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.text.locale import words
from db.design import Design
from db.engine import read_session
from db.models import Item
from db.permissions import OPERATOR
from db.queries import enter_rater, history, items_of, list_campaigns, list_translations
from db.queries.manage import set_campaign, set_check_texts
from tests.support.widgets import button


@pytest.fixture
def led(start, enter, engine):
    """The desk with the first score given: (page, rater, the items in their order, places of the pair)."""

    def opened(lang="en"):
        campaign = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
        design = Design(degraded=0.01, second_try=True)
        set_campaign(engine, OPERATOR, campaign, name="Holmes", protocol="adequacy", design=design)
        texts = [one for one in list_translations(engine, campaign) if not one.is_reference]
        set_check_texts(engine, OPERATOR, campaign, [(one.id, "splice", "壊れた文") for one in texts])
        at = enter(start(lang), "Aki", campaign)
        rater = enter_rater(engine, "Aki").id
        with read_session(engine) as session:
            damaged = session.scalars(
                select(Item.translation_id).where(Item.rater_id == rater, Item.kind == "degraded")
            ).first()
            places = session.scalars(
                select(Item.place)
                .where(Item.rater_id == rater, Item.translation_id == damaged)
                .order_by(Item.place)
            ).all()
        return at, rater, items_of(engine, campaign, rater), places

    return opened


def go(at, place):
    at.selectbox(key="missing-place").set_value(place).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_both_texts_are_shown_once_more_and_then_the_rater_goes_on(led, engine, html_of, lang):
    at, rater, items, (first, second) = led(lang)
    asked = words(lang)["second.ask"]
    go(at, first).number_input[0].set_value(50).run()
    go(at, second).number_input[0].set_value(50).run()
    assert at.number_input[0].key == f"score-{items[first].id}"
    assert asked in html_of(at)
    at.number_input[0].set_value(70).run()
    button(at, "second-to").click().run()
    assert at.number_input[0].key == f"score-{items[second].id}"
    assert asked in html_of(at)
    at.number_input[0].set_value(20).run()
    button(at, "second-back").click().run()
    assert at.number_input[0].key == f"score-{items[second].id}"  # where the rater was led away
    assert asked not in html_of(at)
    assert [one.score for one in history(engine, items[first].id, rater)] == [50, 70]
    assert [one.score for one in history(engine, items[second].id, rater)] == [50, 20]
    at.number_input[0].set_value(99).run()
    assert asked not in html_of(at)


def test_next_leads_to_both_texts_and_then_to_where_it_would_have_led(led, html_of):
    at, _, items, (first, second) = led()
    go(at, first).number_input[0].set_value(50).run()
    go(at, second)
    at.number_input[0].set_value(50)
    button(at, "next").click().run()
    assert at.number_input[0].key == f"score-{items[first].id}"
    for place in (second, second + 1):
        button(at, "next").click().run()
        assert at.number_input[0].key == f"score-{items[place].id}"
    assert words("en")["second.ask"] not in html_of(at)
    go(at, first + 1)  # and nothing leads away from there any more
    assert at.number_input[0].key == f"score-{items[first + 1].id}"
