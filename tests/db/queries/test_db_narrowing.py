"""The next item where it matters: chosen when a rater goes on, out of a share that stays whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.errors import InputError
from core.raters.assignment import GAP
from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import make_engine, migrate, read_session
from db.models import Item, System, Translation
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, save_rating, withdraw
from db.queries.manage import set_campaign, set_check_texts, set_state
from db.queries.narrowing import bring_forward
from db.queries.rating import save_draft
from tests.support.db_bundles import small_bundle

WHERE_IT_MATTERS = Design(order="ranking")
POINTS = {"ash": 71, "beech": 70, "cedar": 5}
"""Two systems that are close, and one that is far off."""


def choose(engine, campaign, design=WHERE_IT_MATTERS, protocol="adequacy", name="Small"):
    set_campaign(engine, OPERATOR, campaign, name=name, protocol=protocol, design=design)
    set_state(engine, OPERATOR, campaign, "open")


def joined(engine, campaign, name):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    return rater


def systems_of(engine, campaign):
    """The system of each item, for the test alone: a rater is never told."""
    query = select(Item.id, System.name).join(Translation, Translation.id == Item.translation_id).join(System)
    with read_session(engine) as session:
        return dict(session.execute(query.where(Item.campaign_id == campaign)).all())


def rate(engine, campaign, rater, most=36):
    """Rate so many items one after the other, as the page does it; gives the systems in this order."""
    systems, seen = systems_of(engine, campaign), []
    for place in range(most):
        item = items_of(engine, campaign, rater)[place]
        seen.append(systems[item.id])
        points = POINTS[seen[-1]] + (7 * item.position + 3 * len(seen[-1])) % 11
        save_rating(engine, item_id=item.id, rater_id=rater, score=points)
        bring_forward(engine, campaign, rater, place + 1)
    return seen


def shares(engine, campaign, rater):
    items = items_of(engine, campaign, rater)
    assert [item.place for item in items] == list(range(len(items)))
    return sorted(item.id for item in items)


def test_a_share_stays_whole_and_every_item_is_rated_once(engine, campaign):
    choose(engine, campaign)
    rater = joined(engine, campaign, "Aki")
    before, dealt = shares(engine, campaign, rater), [one.id for one in items_of(engine, campaign, rater)]
    rate(engine, campaign, rater)
    assert shares(engine, campaign, rater) == before
    after = items_of(engine, campaign, rater)
    assert all(item.revision == 1 for item in after)
    assert [item.id for item in after] != dealt
    segments = [item.segment_id for item in after]
    crowded = [n for n, one in enumerate(segments) if one in segments[max(0, n - GAP) : n]]
    assert all(n > 24 for n in crowded)  # only where few items are left to choose from


def test_systems_that_are_close_come_before_the_one_that_is_far_off(engine):
    campaign = load_bundle(engine, small_bundle(segments=60), "Large").campaign_id
    choose(engine, campaign, name="Large")
    seen = rate(engine, campaign, joined(engine, campaign, "Aki"), most=60)
    assert seen[20:].count("cedar") <= 7  # of 40: a third of the quarter that is dealt at random makes 3


@pytest.mark.slow
def test_the_same_ratings_give_the_same_order_in_another_database(engine, campaign, tmp_path):
    elsewhere = make_engine(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    migrate(elsewhere)
    enter_rater(elsewhere, "somebody first")  # so that ids differ
    there = load_bundle(elsewhere, small_bundle(), "Small").campaign_id
    orders = []
    for base, number in ((engine, campaign), (elsewhere, there)):
        choose(base, number)
        rater = joined(base, number, "Aki")
        rate(base, number, rater)
        items = items_of(base, number, rater)
        orders.append([(item.document, item.position, item.translation) for item in items])
    assert orders[0] == orders[1]


def test_what_was_chosen_stays_when_the_rater_comes_again(engine, campaign):
    choose(engine, campaign)
    rater = joined(engine, campaign, "Aki")
    rate(engine, campaign, rater, most=10)
    chosen = [item.id for item in items_of(engine, campaign, rater)]
    assert ensure_items(engine, campaign, rater) == 0
    assert [item.id for item in items_of(engine, campaign, rater)] == chosen


def test_what_was_judged_or_marked_keeps_its_place(engine, campaign):
    choose(engine, campaign, protocol="esa")
    rater = joined(engine, campaign, "Aki")
    items = items_of(engine, campaign, rater)
    save_rating(engine, item_id=items[3].id, rater_id=rater, score=50)
    save_draft(engine, item_id=items[5].id, rater_id=rater, spans=[MarkedSpan(0, 1, "minor")])
    for place in (3, 5, 36, 99):
        assert not bring_forward(engine, campaign, rater, place)
    for place in (0, 1, 2, 4, 6, 7):
        bring_forward(engine, campaign, rater, place)
    after = items_of(engine, campaign, rater)
    assert (after[3].id, after[5].id) == (items[3].id, items[5].id)


@pytest.mark.parametrize("order", ["spread", "documents"])
def test_no_other_order_is_touched(engine, campaign, order):
    choose(engine, campaign, Design(order=order))
    rater = joined(engine, campaign, "Aki")
    dealt = [item.id for item in items_of(engine, campaign, rater)]
    assert not any(bring_forward(engine, campaign, rater, place) for place in range(36))
    assert [item.id for item in items_of(engine, campaign, rater)] == dealt


def test_side_by_side_has_no_single_item_to_bring_forward(engine, campaign):
    with pytest.raises(
        InputError, match=r"^Side by side shows all systems of a segment, so there is no single"
    ):
        choose(engine, campaign, protocol="side-by-side")


def test_a_changed_score_counts_and_the_one_before_does_not(engine, campaign):
    choose(engine, campaign)
    first, second = joined(engine, campaign, "Aki"), joined(engine, campaign, "Bo")
    rate(engine, campaign, first)
    for item in items_of(engine, campaign, first):  # cedar is no longer far off: ash is
        name = systems_of(engine, campaign)[item.id]
        points = {"ash": 5, "beech": 70, "cedar": 71}[name] + len(item.translation) % 5
        save_rating(engine, item_id=item.id, rater_id=first, score=points)
    systems = systems_of(engine, campaign)
    seen = []
    for place in range(10):
        bring_forward(engine, campaign, second, place)
        item = items_of(engine, campaign, second)[place]
        seen.append(systems[item.id])
        points = {"ash": 5, "beech": 70, "cedar": 71}[systems[item.id]]
        save_rating(engine, item_id=item.id, rater_id=second, score=points)
    assert seen.count("ash") <= 2


@pytest.mark.slow
def test_who_withdraws_is_forgotten_and_who_joins_is_known(engine, campaign, tmp_path):
    elsewhere = make_engine(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    migrate(elsewhere)
    there = load_bundle(elsewhere, small_bundle(), "Small").campaign_id
    choose(engine, campaign)
    choose(elsewhere, there)
    first = joined(engine, campaign, "Aki")
    rate(engine, campaign, first, most=12)
    withdraw(engine, OPERATOR, first)
    orders = []
    for base, number in ((engine, campaign), (elsewhere, there)):  # where nobody was before
        rate(base, number, joined(base, number, "Bo"), most=12)
        rater = joined(base, number, "Chika")
        rate(base, number, rater, most=12)
        orders.append([item.translation for item in items_of(base, number, rater)])
    assert orders[0] == orders[1]


def test_checks_stay_where_they_are_behind_their_originals(engine, campaign):
    design = replace(WHERE_IT_MATTERS, repeats=0.1, references=0.1, degraded=0.1, distance=4)
    choose(engine, campaign, design)
    with read_session(engine) as session:
        texts = session.execute(select(Translation.id).where(Translation.text != "")).scalars().all()
    set_check_texts(engine, OPERATOR, campaign, [(one, "splice", "×") for one in texts])
    rater = joined(engine, campaign, "Aki")
    query = select(Item.place, Item.translation_id).where(Item.rater_id == rater, Item.kind != "target")
    with read_session(engine) as session:
        checks = session.execute(query.order_by(Item.place)).all()
    for place in range(len(items_of(engine, campaign, rater))):
        item = items_of(engine, campaign, rater)[place]
        save_rating(engine, item_id=item.id, rater_id=rater, score=50 + place % 7)
        bring_forward(engine, campaign, rater, place + 1)
    with read_session(engine) as session:
        assert session.execute(query.order_by(Item.place)).all() == checks
        where = select(Item.translation_id, Item.place).where(Item.rater_id == rater)
        originals = dict(session.execute(where.where(Item.kind == "target")).all())
        repeats = session.execute(where.where(Item.kind == "repeat")).all()
    assert len(repeats) == 4
    assert all(originals[translation] < place for translation, place in repeats)


@pytest.mark.slow
def test_two_raters_at_once_each_rate_their_whole_share(url, engine, campaign):
    choose(engine, campaign)
    raters = [joined(engine, campaign, name) for name in ("Aki", "Bo")]
    before = [shares(engine, campaign, rater) for rater in raters]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda rater: rate(make_engine(url), campaign, rater), raters))
    assert [shares(engine, campaign, rater) for rater in raters] == before
    for rater in raters:
        assert all(item.revision == 1 for item in items_of(engine, campaign, rater))


def test_two_windows_of_one_rater_choose_one_item(url, engine, campaign):
    choose(engine, campaign)
    rater = joined(engine, campaign, "Aki")
    rate(engine, campaign, rater, most=6)
    tabs = [make_engine(url) for _ in range(4)]
    before = shares(engine, campaign, rater)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda tab: bring_forward(tab, campaign, rater, 9), tabs))
    assert shares(engine, campaign, rater) == before
