"""A visitor whom a crowd platform sends: in at once, the id out of the address, and back at the end."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.assets import ROOT
from core.text.locale import words
from db.design import Design
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, items_of, make_link, save_profile, save_rating
from db.queries.manage import set_campaign
from db.queries.people import people_of

SENT = {"PROLIFIC_PID": "ana1", "STUDY_ID": "s", "SESSION_ID": "one"}


@pytest.fixture
def link(closed, engine):
    design = Design(
        parameters=tuple(SENT),
        code_passed="C0DE",
        completion_address="https://app.prolific.com/submissions/complete?cc={code}",
    )
    set_campaign(engine, OPERATOR, closed, name="Holmes", protocol="adequacy", design=design)
    return make_link(engine, OPERATOR, role="rater", campaign_id=closed).token


@pytest.fixture
def come(database):
    def opened(token, lang="en", **given):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params["lang"], at.query_params["k"] = lang, token
        for name, value in given.items():
            at.query_params[name] = value
        at.run()
        assert not at.exception
        return at

    return opened


def participants(engine, campaign):
    return [one for one in people_of(engine, OPERATOR, campaign) if one.parameters]


def test_a_participant_is_asked_for_no_name_and_the_address_keeps_no_id(closed, link, come, engine):
    at = come(link, **SENT)
    assert not at.error
    assert not [one for one in at.text_input if one.key == "door-name"]
    assert not set(SENT) & set(at.query_params)
    (person,) = participants(engine, closed)
    assert (person.name, person.parameters) == ("P1", SENT)
    again = come(link, **SENT)
    assert not again.error
    assert len(participants(engine, closed)) == 1


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "open the study on the platform again"), ("ja", "募集サイトから")]
)
def test_without_an_id_the_page_says_to_open_the_study_again(link, come, lang, said):
    at = come(link, lang)
    assert [said in one.value for one in at.error] == [True]
    assert not [one for one in at.text_input if one.key == "door-name"]


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_at_the_end_a_button_leads_back(closed, link, come, engine, html_of, lang):
    come(link, **SENT)
    (person,) = participants(engine, closed)
    viewer = Viewer(role="rater", rater_id=person.rater_id)
    save_profile(engine, viewer, person.rater_id, native_language="ja", level="", consent=True)
    ensure_items(engine, closed, person.rater_id)
    for item in items_of(engine, closed, person.rater_id):
        save_rating(engine, item_id=item.id, rater_id=person.rater_id, score=50)
    at = come(link, lang, **SENT)
    (button,) = at.get("link_button")
    assert button.proto.url == "https://app.prolific.com/submissions/complete?cc=C0DE"
    assert button.proto.label == words(lang)["rate.go_back_button"]
    assert "C0DE" in [one.value for one in at.code]
    assert words(lang)["rate.code_else"] in html_of(at)
