from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert

from core.errors import InputError, RatingError
from core.raters.assignment import GAP, shuffled
from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate, write_session
from db.models import System, Translation
from db.queries import ensure_items, enter_rater, items_of, list_segments, save_rating
from db.records import ItemRecord
from tests.support.db_bundles import small_bundle


def order(engine, campaign: int, name: str) -> list[str]:
    rater = enter_rater(engine, name)
    ensure_items(engine, campaign, rater.id)
    return [
        f"{item.document}/{item.position}/{item.translation}" for item in items_of(engine, campaign, rater.id)
    ]


def test_every_translation_of_a_system_becomes_one_item_the_empty_one_too(engine, campaign):
    rater = enter_rater(engine, "Aki")
    assert ensure_items(engine, campaign, rater.id) == 36
    items = items_of(engine, campaign, rater.id)
    assert [item.place for item in items] == list(range(36))
    assert Counter(item.segment_id for item in items) == {
        row.id: 3 for row in list_segments(engine, campaign)
    }
    assert sum(item.translation == "" for item in items) == 1
    assert all(item.translation != item.reference for item in items)
    assert {item.lang for item in items} == {"ja"}


def test_an_item_does_not_tell_the_system():
    assert not any("system" in field.name for field in fields(ItemRecord))


def test_the_same_seed_and_rater_give_the_same_order_everywhere(engine, campaign, tmp_path):
    elsewhere = make_engine(f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    migrate(elsewhere)
    enter_rater(elsewhere, "somebody first")  # so that ids differ
    there = load_bundle(elsewhere, small_bundle(), "Small").campaign_id
    assert order(engine, campaign, "Aki") == order(elsewhere, there, "ＡＫＩ ")


def test_two_raters_see_different_orders_of_the_same_items(engine, campaign):
    first, second = order(engine, campaign, "Aki"), order(engine, campaign, "Bo")
    assert first != second
    assert sorted(first) == sorted(second)


def test_another_seed_gives_another_order(engine, campaign):
    other = load_bundle(engine, small_bundle(), "Another name, so another seed").campaign_id
    assert order(engine, campaign, "Aki") != order(engine, other, "Aki")


def test_one_segment_does_not_come_back_within_the_next_items(engine, campaign):
    rater = enter_rater(engine, "Aki")
    ensure_items(engine, campaign, rater.id)
    segments = [item.segment_id for item in items_of(engine, campaign, rater.id)]
    assert all(segment not in segments[max(0, n - GAP) : n] for n, segment in enumerate(segments))


def test_asking_again_adds_nothing(engine, campaign):
    before = order(engine, campaign, "Aki")
    rater = enter_rater(engine, "Aki")
    assert ensure_items(engine, campaign, rater.id) == 0
    assert order(engine, campaign, "Aki") == before


def test_translations_that_came_later_are_appended(engine, campaign):
    before = order(engine, campaign, "Aki")
    with write_session(engine) as session:
        added = insert(System).values(campaign_id=campaign, name="late").returning(System.id)
        system = session.scalar(added)
        rows = [
            {"segment_id": row.id, "system_id": system, "text": "late"}
            for row in list_segments(engine, campaign)
        ]
        session.execute(insert(Translation), rows)
    rater = enter_rater(engine, "Aki")
    save_rating(engine, item_id=items_of(engine, campaign, rater.id)[0].id, rater_id=rater.id, score=5)
    assert ensure_items(engine, campaign, rater.id) == 12
    after = order(engine, campaign, "Aki")
    assert after[:36] == before
    assert all(entry.endswith("/late") for entry in after[36:])
    assert [item.place for item in items_of(engine, campaign, rater.id)] == list(range(48))


def test_many_tabs_opening_at_once_make_each_item_once(url, engine, campaign):
    rater = enter_rater(engine, "Aki")
    tabs = [make_engine(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda tab: ensure_items(tab, campaign, rater.id), tabs))
    assert sorted(added) == [0, 0, 0, 36]
    assert len(items_of(engine, campaign, rater.id)) == 36


def test_an_unknown_campaign_or_rater_is_named(engine, campaign):
    rater = enter_rater(engine, "Aki")
    with pytest.raises(InputError, match="no campaign number 99"):
        ensure_items(engine, 99, rater.id)
    with pytest.raises(InputError, match="no rater number 99"):
        ensure_items(engine, campaign, 99)


def test_names_that_differ_in_case_width_and_space_are_one_person(engine):
    first = enter_rater(engine, "  Ｍｉｎａ  Okubo ")
    assert first.name == "Ｍｉｎａ  Okubo"
    assert enter_rater(engine, "mina　okubo") == first
    assert enter_rater(engine, "MINA OKUBO").id == first.id
    assert enter_rater(engine, "Mina").id != first.id


@pytest.mark.parametrize(
    "name", ["", "   ", "　", "\u200d", "x" * 81, "a\nb", "a\tb", "a\0b", "a\u2028b", "a\u202eb", "\ud800"]
)
def test_a_name_that_cannot_be_one_is_refused(engine, name):
    with pytest.raises(RatingError, match=r"^The name [^.]*\.$"):
        enter_rater(engine, name)


@pytest.mark.parametrize("name", ["x" * 80, "吉田 𠮷男", "👩‍🏫", "=1+1", "<b>Aki</b>", "O'Brien; --"])
def test_any_other_name_is_taken_as_it_is(engine, name):
    assert enter_rater(engine, name).name == name


def test_many_tabs_entering_one_name_make_one_rater(url, engine):
    tabs = [make_engine(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert len({rater.id for rater in pool.map(lambda tab: enter_rater(tab, "Aki"), tabs)}) == 1


@given(
    counts=st.lists(st.integers(1, 6), min_size=1, max_size=12),
    seed=st.text(max_size=5),
)
def test_a_shuffle_keeps_every_item_once(counts, seed):
    items = [(segment * 10 + n, segment) for segment, count in enumerate(counts) for n in range(count)]
    assert sorted(shuffled(items, seed=seed)) == sorted(translation for translation, _ in items)
    assert shuffled(items, seed=seed) == shuffled(items[::-1], seed=seed)


@given(segments=st.integers(1, 14), systems=st.integers(1, 7), seed=st.integers(0, 999))
def test_equally_many_translations_of_each_segment_never_crowd(segments, systems, seed):
    items = [(segment * 10 + n, segment) for segment in range(segments) for n in range(systems)]
    shown = [translation // 10 for translation in shuffled(items, seed=f"{seed}")]
    gap = min(GAP, segments - 1)
    assert all(segment not in shown[max(0, n - gap) : n] for n, segment in enumerate(shown))


def test_what_was_shown_last_is_not_shown_next():
    items = [(segment, segment) for segment in range(20)]
    for seed in range(20):
        assert not {3, 4, 5} & set(shuffled(items, seed=f"{seed}", recent=[3, 4, 5])[:3])
