"""Sealed names: hidden from everybody while people rate, shown after, and a promise that can be checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from core.errors import InputError
from db.campaigns.export import read_bundle
from db.design import Design
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    get_translation,
    items_of,
    list_systems,
    list_translations,
    save_rating,
)
from db.queries.evaluation import rating_table, ratings_of_translation
from db.queries.manage import set_campaign, set_state
from db.queries.sealed import draw, from_json, letters, seal_of, to_json

NAMES = {"ash", "beech", "cedar", "refA"}
DRAWN = {"System A", "System B", "System C"}
SEALED = DRAWN | {"refA"}


@pytest.fixture
def sealed(engine, campaign):
    """An open campaign with sealed names and one rating of each translation."""
    set_state(engine, OPERATOR, campaign, "draft")
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(sealed=True))
    assert {one.name for one in list_systems(engine, campaign)} == NAMES
    set_state(engine, OPERATOR, campaign, "open")
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    for item in items_of(engine, campaign, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50)
    return campaign


def seen(engine, campaign):
    """Every name of a system that a page or a file can come by."""
    translations = list_translations(engine, campaign)
    one = translations[0]
    bundle = read_bundle(engine, campaign)
    return {
        "systems": {one.name for one in list_systems(engine, campaign)},
        "translations": {one.system for one in translations},
        "ratings": {row.system for row in rating_table(engine, OPERATOR, campaign)},
        "of one": {row.system for row in ratings_of_translation(engine, OPERATOR, one.id)},
        "one": {get_translation(engine, one.segment_id, one.system_id).system},
        "file": {row.system for row in (*bundle.outputs, *bundle.ratings)},
    }


def test_no_name_is_told_while_people_rate_and_all_are_told_after(engine, sealed):
    for where, names in seen(engine, sealed).items():
        assert names <= SEALED, where
    order = [one.name for one in list_systems(engine, sealed)]
    assert order == ["System A", "System B", "System C", "refA"]
    set_state(engine, OPERATOR, sealed, "closed")
    for where, names in seen(engine, sealed).items():
        assert names <= NAMES, where


def test_one_system_has_one_sealed_name_everywhere(engine, sealed):
    before = {one.id: one.system for one in list_translations(engine, sealed)}
    rated = {row.item: row.system for row in rating_table(engine, OPERATOR, sealed)}
    assert rated.items() <= before.items()
    set_state(engine, OPERATOR, sealed, "closed")
    _, seal = seal_of(engine, sealed)
    after = {one.id: one.system for one in list_translations(engine, sealed)}
    assert {key: seal.names.get(name, name) for key, name in after.items()} == before


def test_the_commitment_is_known_at_once_and_what_it_is_made_of_after_closing(engine, sealed):
    commitment, hidden = seal_of(engine, sealed)
    assert hidden is None
    set_state(engine, OPERATOR, sealed, "closed")
    again, seal = seal_of(engine, sealed)
    text = json.dumps({"names": dict(seal.names), "nonce": seal.nonce}, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == commitment == again


def test_an_opened_seal_cannot_be_put_back(engine, sealed):
    set_state(engine, OPERATOR, sealed, "draft")
    assert {one.name for one in list_systems(engine, sealed)} == SEALED
    set_state(engine, OPERATOR, sealed, "open")
    set_state(engine, OPERATOR, sealed, "closed")
    with pytest.raises(InputError, match="seal was opened"):
        set_state(engine, OPERATOR, sealed, "open")


def test_a_sealed_campaign_stays_sealed_whatever_is_chosen_later(engine, sealed):
    with pytest.raises(InputError, match="names are sealed"):
        set_campaign(engine, OPERATOR, sealed, name="Small", protocol="adequacy", design=Design())


def test_names_that_were_swapped_afterwards_break_the_seal():
    seal = draw(["ash", "beech"])
    assert from_json(to_json(seal)) == seal
    swapped = {"ash": seal.names["beech"], "beech": seal.names["ash"]}
    forged = replace(seal, names=swapped)
    with pytest.raises(InputError, match="does not fit"):
        from_json({**to_json(forged), "commitment": seal.commitment})


def test_the_lot_is_fair_and_gives_each_system_its_own_name():
    first = {draw(["ash", "beech", "cedar"]).names["ash"] for _ in range(200)}
    assert first == DRAWN
    assert [letters(place) for place in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]
