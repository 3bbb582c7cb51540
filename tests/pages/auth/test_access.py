"""The doors of the pages: by address, by session state, by link, by password; and how a session ends."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from db.campaigns.demos import seed_demo
from db.engine import migrate, write_session
from db.models import RatingEvent
from db.permissions import OPERATOR, Viewer
from db.queries import (
    add_account,
    items_of,
    list_campaigns,
    list_links,
    look,
    new_link,
    revoke_link,
    save_profile,
)
from db.records import RaterRecord

SCORED_PAGES = ["pages/evaluate/agreement/page.py", "pages/debug/pair/page.py"]
PASSWORD = "correct horse battery"


def a_rater(engine, campaign, name="Aki", *, known=True):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name=name)
    person = look(engine, token).rater_id
    if known:
        viewer = Viewer(role="rater", rater_id=person)
        save_profile(engine, viewer, person, native_language="ja", level="", consent=True)
    return token, person


def begin(at):
    if any(button.key == "begin" for button in at.button):
        at.button(key="begin").click().run()
    assert not at.exception
    return at


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_stranger_is_asked_who_they_are_and_sees_nothing(closed, visit, html_of, lang):
    at = visit(lang=lang)
    assert at.header[-1].value == {"en": "Who are you?", "ja": "どなたですか"}[lang]
    assert not at.number_input
    assert "mikami" not in html_of(at)


@pytest.mark.parametrize("page", SCORED_PAGES)
def test_neither_a_stranger_nor_a_rater_sees_a_page_with_scores(closed, visit, engine, html_of, page):
    for token in (None, a_rater(engine, closed)[0]):
        at = visit(token)
        at.switch_page(page).run()
        assert not at.exception
        assert at.error[0].value.startswith("You do not have access")
        assert not at.selectbox
        assert not at.get("plotly_chart")


@pytest.mark.parametrize("page", SCORED_PAGES)
def test_an_organiser_and_a_teacher_see_them(closed, visit, engine, page, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    for role in ("organiser", "teacher"):
        at = visit(new_link(engine, OPERATOR, role=role, name=role))
        at.switch_page(page).run()
        assert not at.exception
        assert not at.error
        assert at.selectbox


def test_a_rater_comes_by_link_and_goes_on_where_they_stopped_on_another_device(closed, visit, engine):
    token, person = a_rater(engine, closed)
    at = begin(visit(token))
    at.number_input[0].set_value(70).run()
    assert items_of(engine, closed, person)[0].score == 70
    other = begin(visit(token))
    assert other.number_input[0].key == f"score-{items_of(engine, closed, person)[1].id}"
    assert "k" not in other.query_params
    assert other.query_params["as"]


def test_a_raters_link_makes_a_rater_before_any_organiser_has_come(visit, engine):
    migrate(engine)
    seed_demo(engine)
    campaign = list_campaigns(engine)[0].id
    token, person = a_rater(engine, campaign)
    at = begin(visit(token))
    at.number_input[0].set_value(70).run()
    assert items_of(engine, campaign, person)[0].score == 70
    at.switch_page(SCORED_PAGES[0]).run()
    assert at.error[0].value.startswith("You do not have access")


def test_a_rater_has_only_their_own_campaign_even_with_a_forged_session(closed, visit, engine, html_of):
    token, _ = a_rater(engine, closed)
    other = next(one.id for one in list_campaigns(engine) if one.id != closed)
    at = begin(visit(token))
    at.session_state["rating-campaign"] = other
    at.run()
    assert not at.exception
    assert "Holmes" in html_of(at)
    assert "Wikipedia" not in html_of(at)


def test_a_forged_name_in_the_session_changes_nothing(closed, visit, engine):
    _, ben = a_rater(engine, closed, "Ben")
    token, aki = a_rater(engine, closed, "Aki")
    at = begin(visit(token))
    at.session_state["rater"] = RaterRecord(id=ben, name="Ben", imported=False)
    at.run()
    at.number_input[0].set_value(70).run()
    assert items_of(engine, closed, aki)[0].score == 70
    assert {item.score for item in items_of(engine, closed, ben)} <= {None}


def test_a_link_that_is_revoked_ends_the_session_with_the_next_click(closed, visit, engine):
    token, _ = a_rater(engine, closed)
    at = begin(visit(token))
    (link,) = [one for one in list_links(engine, OPERATOR) if one.name == "Aki"]
    revoke_link(engine, OPERATOR, link.id)
    at.run()
    assert at.header[-1].value == "Who are you?"
    assert "not valid" in at.error[0].value
    assert "k" not in at.query_params


@pytest.mark.parametrize("token", ["x", "猫", "0" * 500])
def test_a_guessed_link_is_refused(closed, visit, token):
    at = visit(token)
    assert "not valid" in at.error[0].value
    assert at.header[-1].value == "Who are you?"


def test_a_class_joins_by_one_link_under_names_of_their_own(closed, visit, engine):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=closed, part="student")
    at = visit(token)
    at.text_input(key="door-name").set_value("Fox")
    at.button(key="join").click().run()
    assert not at.exception
    own = at.session_state["visit-token"]
    assert own != token
    assert look(engine, own).name == "Fox"
    assert "k" not in at.query_params
    assert at.header[0].value == "About you"


def test_consent_comes_before_the_first_item(closed, visit, engine):
    token, _ = a_rater(engine, closed, known=False)
    at = visit(token)
    assert not at.number_input
    at.selectbox(key="profile-language").set_value("ja")
    at.checkbox(key="profile-consent").check()
    at.button(key="profile-save").click().run()
    assert not at.exception
    assert begin(at).number_input


def test_who_withdraws_is_out_and_erased(closed, visit, engine):
    token, _ = a_rater(engine, closed)
    at = begin(visit(token))
    at.number_input[0].set_value(71.5).run()
    at.checkbox(key="withdraw-sure").check().run()
    at.button(key="withdraw").click().run()
    assert not at.exception
    assert at.header[-1].value == "Who are you?"
    with write_session(engine) as session:
        assert session.query(RatingEvent).filter(RatingEvent.score == 71.5).count() == 0


def test_a_password_lets_in_and_a_wrong_one_does_not(closed, visit, engine):
    add_account(engine, OPERATOR, login="mina", password=PASSWORD, role="teacher")
    at = visit()
    for password, inside in (("wrong password", False), (PASSWORD, True)):
        at.text_input(key="door-login").set_value("Mina")
        at.text_input(key="door-password").set_value(password)
        at.button(key="enter").click().run()
        assert not at.exception
        assert bool(at.error) is not inside
    at.switch_page("pages/evaluate/agreement/page.py").run()
    assert not at.error


def test_nothing_is_stored_in_a_campaign_that_was_closed_meanwhile(closed, visit, engine):
    token, person = a_rater(engine, closed)
    at = begin(visit(token))
    with write_session(engine) as session:
        session.execute(text("UPDATE campaign SET state = 'closed'"))
    at.number_input[0].set_value(70).run()
    assert not at.exception
    assert at.error
    assert items_of(engine, closed, person)[0].score is None


def test_the_open_demo_is_for_this_machine_only(visit, monkeypatch):
    monkeypatch.setattr("pages.auth.session.address", lambda: "203.0.113.9")
    at = visit()
    assert at.header[-1].value == "Who are you?"
    at.switch_page("pages/evaluate/agreement/page.py").run()
    assert at.error[0].value.startswith("You do not have access")


LOCAL = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}


@pytest.mark.parametrize(
    "sent",
    [
        {"Host": "evil.example:8501", "Origin": "http://evil.example:8501"},
        {"Host": "localhost.evil.example:8501"},
        {"Host": "["},
        {},
        LOCAL | {"Origin": "http://localhost:9999"},
        LOCAL | {"Origin": "null"},
        LOCAL | {"X-Forwarded-For": "127.0.0.1"},
        LOCAL | {"x-forwarded-host": "localhost"},
        LOCAL | {"Forwarded": "for=127.0.0.1"},
    ],
)
def test_the_open_demo_is_closed_to_foreign_names_other_apps_and_proxies(visit, monkeypatch, sent):
    monkeypatch.setattr("pages.auth.session.headers", lambda: sent)
    assert visit().header[-1].value == "Who are you?"


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "localhost"])
def test_the_open_demo_is_open_by_every_name_of_this_machine(visit, monkeypatch, host):
    monkeypatch.setattr("pages.auth.session.headers", lambda: {"Host": host, "Origin": f"http://{host}"})
    assert visit().header[-1].value != "Who are you?"
