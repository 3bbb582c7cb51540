"""The rating page where the next item is chosen while one rates: forward, back, and after a reload."""

from dataclasses import replace

from db.design import from_json
from db.permissions import OPERATOR
from db.queries import enter_rater, get_campaign, items_of, list_campaigns
from db.queries.manage import set_campaign
from tests.support.widgets import button


def ranked(engine):
    """The demo, dealt out by what matters; its number."""
    number = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    campaign = get_campaign(engine, number)
    design = replace(from_json(campaign.design), order="ranking")
    set_campaign(engine, OPERATOR, number, name=campaign.name, protocol=campaign.protocol, design=design)
    return number


def score_field(at):
    (field,) = at.number_input
    return field


def shown(at):
    return int(score_field(at).key.removeprefix("score-"))


def test_items_are_brought_forward_and_what_was_seen_stays(start, enter, engine):
    number = ranked(engine)
    at = enter(start(), "Aki")
    rater = enter_rater(engine, "Aki").id
    dealt = [item.id for item in items_of(engine, number, rater)]
    seen = []
    for place in range(12):
        seen.append(shown(at))
        score_field(at).set_value(40 + 7 * place % 50).run()
        button(at, "next").click().run()
        assert not at.exception
    assert seen[0] == dealt[0]
    assert seen != dealt[:12]
    assert [item.id for item in items_of(engine, number, rater)][:12] == seen
    chosen = shown(at)
    assert chosen not in seen

    button(at, "previous").click().run()
    assert shown(at) == seen[-1]
    score_field(at).set_value(99).run()
    button(at, "next").click().run()
    assert shown(at) == chosen

    again = enter(start(), "Aki")
    assert shown(again) == chosen
    assert sorted(item.id for item in items_of(engine, number, rater)) == sorted(dealt)


def test_an_item_that_was_passed_over_stays_where_it_is(start, enter, engine):
    number = ranked(engine)
    at = enter(start(), "Aki")
    first = shown(at)
    button(at, "next").click().run()
    passed = shown(at)
    button(at, "previous").click().run()
    assert shown(at) == first
    score_field(at).set_value(70).run()
    button(at, "next").click().run()
    assert shown(at) == passed
    rater = enter_rater(engine, "Aki").id
    assert [item.id for item in items_of(engine, number, rater)][:2] == [first, passed]
