"""What a rater with a link is offered and told when everything is rated, and at the door."""

from __future__ import annotations

import pytest

from core.text.locale import words
from db.design import Design
from db.permissions import OPERATOR, Viewer
from db.queries import (
    add_member,
    ensure_items,
    items_of,
    list_campaigns,
    list_links,
    look,
    new_link,
    revoke_link,
    save_profile,
    save_rating,
)
from db.queries.manage import set_campaign
from db.records import CompletionRecord
from tests.pages.auth.test_access import a_rater


def codes_shown(at):
    """The texts to be copied, without the visitor's own link."""
    return [one.value for one in at.code if "?k=" not in one.value]


@pytest.fixture
def arrived(closed, visit, engine):
    """A person who comes by a link and has judged everything but `leave` items."""

    def opened(role="rater", leave=0, lang="en"):
        token = new_link(engine, OPERATOR, role=role, campaign_id=closed, name="Aki")
        person = look(engine, token).rater_id
        viewer = Viewer(role=role, rater_id=person)
        save_profile(engine, viewer, person, native_language="ja", level="", consent=True)
        ensure_items(engine, closed, person)
        items = items_of(engine, closed, person)
        for item in items[: len(items) - leave]:
            save_rating(engine, item_id=item.id, rater_id=person, score=50)
        at = visit(token, lang=lang)
        return at.switch_page("pages/evaluate/rate/page.py").run() if role == "teacher" else at

    return opened


def codes(engine, campaign, **given):
    set_campaign(engine, OPERATOR, campaign, name="Holmes", protocol="adequacy", design=Design(**given))


@pytest.mark.parametrize("role", ["rater", "teacher"])
def test_the_end_promises_only_what_this_person_may_do(arrived, html_of, role):
    at = arrived(role)
    page, sees = html_of(at), role == "teacher"
    assert words("en")["rate.next_look"] in page
    assert words("en")["rate.next_other"] not in page
    assert (words("en")["rate.next_agreement"] in page) is sees
    assert ("agreement" in {link.proto.page for link in at.get("page_link")}) is sees


def test_another_campaign_is_offered_to_a_person_who_has_another_one(closed, arrived, engine, html_of):
    at = arrived()
    assert "leave" not in {button.key for button in at.button}
    person = list_links(engine, OPERATOR, closed)[0].rater_id
    other = next(one.id for one in list_campaigns(engine) if one.id != closed)
    add_member(engine, OPERATOR, campaign_id=other, rater_id=person, part="rater")
    at.run()
    assert "leave" in {button.key for button in at.button}
    assert words("en")["rate.next_other"] in html_of(at)


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_completion_code_is_shown_at_the_end_to_be_copied(closed, arrived, engine, html_of, lang):
    codes(engine, closed, code_passed="C0DE-77", code_failed="NO-13")
    at = arrived(lang=lang)
    assert codes_shown(at) == ["C0DE-77"]
    text = words(lang)
    assert text["rate.code"] in html_of(at)
    assert text["rate.close_window"] in html_of(at)


@pytest.mark.slow
def test_no_code_is_shown_before_the_end_nor_in_a_campaign_without_codes(closed, arrived, engine, html_of):
    assert not codes_shown(arrived())
    codes(engine, closed, code_passed="C0DE-77")
    assert not codes_shown(arrived(leave=1))


def test_a_rater_without_a_code_is_told_to_ask_and_not_why(closed, arrived, engine, html_of, monkeypatch):
    codes(engine, closed, code_passed="C0DE-77")
    none = CompletionRecord(code="", address="")
    monkeypatch.setattr("pages.evaluate.rate.desk.completion", lambda *asked: none)
    at = arrived()
    assert not codes_shown(at)
    page = html_of(at)
    assert "Please contact the organiser" in page
    assert "check" not in page.partition("<style")[0].lower()


@pytest.mark.parametrize(("lang", "said"), [("en", "is not valid"), ("ja", "このリンクは")])
@pytest.mark.parametrize("ended", [True, False])
def test_a_wrong_link_and_one_that_has_ended_say_so_once(closed, visit, engine, lang, said, ended):
    token, _ = a_rater(engine, closed)
    if ended:
        revoke_link(engine, OPERATOR, list_links(engine, OPERATOR, closed)[0].id)
    else:
        token = f"{token}x"
    at = visit(token, lang=lang)
    assert [said in one.value for one in at.error] == [True]
    assert at.text_input(key="door-login") is not None
