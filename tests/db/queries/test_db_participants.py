"""Participants whom a crowd platform sends through a class's link."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from core.errors import AccessError, InputError
from db.campaigns.export import read_bundle
from db.design import Design, without_codes
from db.engine import read_session
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, items_of, list_links, look, make_link, save_rating, withdraw
from db.queries.completion import completion
from db.queries.joining import join_from_platform, kept_parameters
from db.queries.manage import set_campaign, set_state
from db.queries.people import people_of

NAMES = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
ANA = {"PROLIFIC_PID": "ana1", "STUDY_ID": "s", "SESSION_ID": "one"}
ADDRESS = "https://app.prolific.com/submissions/complete?cc={code}&pid={PROLIFIC_PID}"


@pytest.fixture
def link(engine, campaign):
    """A class's link of a campaign that keeps Prolific's parameters."""
    design = Design(parameters=NAMES, code_passed="C 1", completion_address=ADDRESS)
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=design)
    set_state(engine, OPERATOR, campaign, "open")
    return make_link(engine, OPERATOR, role="rater", campaign_id=campaign, most=2).token


def change(engine, campaign, **given):
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(**given))


def test_a_participant_joins_without_a_name_and_what_the_platform_said_is_kept(engine, campaign, link):
    assert kept_parameters(engine, campaign) == NAMES
    visit, own = join_from_platform(engine, link, {**ANA, "utm": "x"})
    assert (visit.name, visit.part, look(engine, own).rater_id) == ("P1", "rater", visit.rater_id)
    (person,) = people_of(engine, OPERATOR, campaign)
    assert person.parameters == ANA


def test_who_comes_again_is_the_same_person_and_takes_no_place(engine, campaign, link):
    first, _ = join_from_platform(engine, link, ANA)
    again, own = join_from_platform(engine, link, ANA)
    assert again.rater_id == first.rater_id
    assert look(engine, own).rater_id == first.rater_id
    ben, _ = join_from_platform(engine, link, {"PROLIFIC_PID": "ben2"})
    assert (ben.name, ben.rater_id != first.rater_id) == ("P2", True)
    with pytest.raises(AccessError, match="as many people"):
        join_from_platform(engine, link, {"PROLIFIC_PID": "cai3"})
    assert join_from_platform(engine, link, ANA)[0].rater_id == first.rater_id


def test_another_session_under_the_same_id_does_not_get_the_persons_ratings(engine, campaign, link):
    join_from_platform(engine, link, ANA)
    with pytest.raises(AccessError, match="taken part already"):
        join_from_platform(engine, link, {**ANA, "SESSION_ID": "two"})
    with pytest.raises(AccessError, match="taken part already"):
        join_from_platform(engine, link, {"PROLIFIC_PID": "ana1", "SESSION_ID": "two"})


def test_an_id_alone_does_not_open_what_a_session_has_made(engine, campaign, link):
    join_from_platform(engine, link, ANA)
    with pytest.raises(AccessError, match="taken part already"):
        join_from_platform(engine, link, {"PROLIFIC_PID": "ana1"})


def test_eight_clicks_at_once_make_one_person(engine, campaign, link):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: join_from_platform(engine, link, ANA)[0].rater_id, range(8)))
    assert len(set(found)) == 1
    assert len(people_of(engine, OPERATOR, campaign)) == 1


def test_nobody_joins_without_an_id_nor_by_a_personal_link_nor_where_no_parameters_are_kept(
    engine, campaign, link
):
    with pytest.raises(InputError, match="PROLIFIC_PID is missing"):
        join_from_platform(engine, link, {"STUDY_ID": "s"})
    personal = make_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki").token
    with pytest.raises(AccessError):
        join_from_platform(engine, personal, ANA)
    change(engine, campaign)
    with pytest.raises(AccessError):
        join_from_platform(engine, link, ANA)
    assert kept_parameters(engine, campaign) == ()


def test_the_address_to_go_back_to_is_told_at_the_end_and_to_nobody_else(engine, campaign, link):
    visit, _ = join_from_platform(engine, link, ANA)
    viewer = Viewer(role="rater", rater_id=visit.rater_id)
    ensure_items(engine, campaign, visit.rater_id)
    assert completion(engine, viewer, campaign, visit.rater_id) is None
    for item in items_of(engine, campaign, visit.rater_id):
        save_rating(engine, item_id=item.id, rater_id=visit.rater_id, score=50)
    found = completion(engine, viewer, campaign, visit.rater_id)
    assert found.code == "C 1"
    assert found.address == "https://app.prolific.com/submissions/complete?cc=C%201&pid=ana1"
    with pytest.raises(AccessError):
        completion(engine, Viewer(role="rater", rater_id=visit.rater_id + 1), campaign, visit.rater_id)


def test_an_exported_file_has_neither_the_address_nor_an_id(engine, campaign, link):
    join_from_platform(engine, link, ANA)
    bundle = read_bundle(engine, campaign)
    told = repr(bundle)
    assert "ana1" not in told
    assert "submissions/complete" not in json.dumps(without_codes({"completion_address": ADDRESS}))


def test_a_person_who_withdraws_leaves_no_id(engine, campaign, link):
    visit, _ = join_from_platform(engine, link, ANA)
    withdraw(engine, Viewer(role="rater", rater_id=visit.rater_id), visit.rater_id)
    with read_session(engine) as session:
        assert session.scalar(text("SELECT count(*) FROM member WHERE participant IS NOT NULL")) == 0
    assert all(one.name is None or one.name == "–" for one in list_links(engine, OPERATOR, campaign))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"completion_address": ADDRESS, "parameters": NAMES}, "needs a completion code"),
        ({"completion_address": ADDRESS, "code_passed": "C"}, "PROLIFIC_PID"),
        ({"completion_address": "http://x.org", "code_passed": "C"}, "https"),
        ({"parameters": ("a b",)}, "cannot be a parameter"),
    ],
)
def test_choices_that_make_no_sense_are_refused(engine, campaign, given, said):
    with pytest.raises(InputError, match=said):
        change(engine, campaign, **given)
