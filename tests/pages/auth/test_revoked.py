"""Rights are looked up when the click arrives, not when the page was drawn."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from core.text.locale import words
from db.design import Design
from db.engine import read_session
from db.models import Account, Campaign, CheckText, Event, Link, Rater, RatingEvent
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    first_link,
    items_of,
    list_links,
    new_link,
    open_link,
    revoke_link,
    save_rating,
)
from db.queries.adjudication import decisions
from db.queries.manage import set_campaign
from db.queries.prefills import prefill_summary
from tests.pages.auth.test_access import a_rater, begin
from tests.support.widgets import button

MANAGE = "pages/evaluate/manage/page.py"
PASSWORD = "correct horse battery"


def revoke(engine, name):
    (link,) = [one for one in list_links(engine, OPERATOR) if one.name == name]
    revoke_link(engine, OPERATOR, link.id)


def stored(engine):
    """What an organiser's click could change, counted, and each campaign's state and name."""
    tables = (Account, Link, Rater, CheckText, Event, RatingEvent)
    with read_session(engine) as session:
        counts = [session.scalar(select(func.count()).select_from(table)) for table in tables]
        return counts, session.execute(select(Campaign.state, Campaign.name, Campaign.design)).all()


@pytest.fixture
def managing(closed, visit, engine):
    """The page *Manage campaigns* as Mallory, an organiser, sees it, with a tab open."""

    def opened(tab="design"):
        at = visit(new_link(engine, OPERATOR, role="organiser", name="Mallory"))
        at.switch_page(MANAGE).run()
        at.session_state["manage-tabs"] = words("en")[f"manage.tab.{tab}"]
        at.selectbox(key="campaign-manage").set_value(closed).run()
        assert not at.exception
        return at

    return opened


def make_an_account(at):
    at.text_input(key="account-login").set_value("mallory-back")
    at.text_input(key="account-password").set_value(PASSWORD)
    at.selectbox(key="account-role").set_value("organiser")
    at.button(key="account-make").click().run()


def press(key):
    return lambda at: at.button(key=key).click().run()


def save_the_design(at):
    (save,) = [one for one in at.button if str(one.key).startswith("design-") and one.key.endswith("-save")]
    save.click().run()


def make_a_link(at):
    at.text_input(key="link-name").set_value("Mallory again")
    at.button(key="link-make").click().run()


def make_links_for_a_list(at):
    at.text_area(key="link-names").set_value("Mallory\nMinnie")
    at.button(key="link-make").click().run()


def renew_what_was_not_opened(at):
    (renew,) = [one for one in at.button if str(one.key).startswith("links-unopened-")]
    renew.click().run()


CLICKS = {
    "an account": ("accounts", make_an_account),
    "a link": ("links", make_a_link),
    "links for a list": ("links", make_links_for_a_list),
    "a link again": ("links", press("link-renew")),
    "links again for all": ("links", renew_what_was_not_opened),
    "the end of a link": ("links", press("link-revoke")),
    "another state": ("design", press("state-closed")),
    "the design": ("design", save_the_design),
}


@pytest.mark.parametrize("what", CLICKS)
def test_a_revoked_organiser_changes_nothing_with_the_next_click(managing, closed, engine, what):
    tab, click = CLICKS[what]
    if "link" in what:
        new_link(engine, OPERATOR, role="rater", name="Aki", campaign_id=closed)
    at = managing(tab)
    if tab == "links":
        chosen = [list_links(engine, OPERATOR, closed)[0].id]
        at.multiselect(key="link-chosen").set_value(chosen).run()
        kind = "list" if what == "links for a list" else "person"
        at.segmented_control(key="link-kind").set_value(kind).run()
    revoke(engine, "Mallory")
    before = stored(engine)
    click(at)
    assert not at.exception
    assert stored(engine) == before
    assert "not valid" in at.error[0].value
    assert not at.selectbox


def test_a_revoked_organiser_makes_no_campaign(managing, engine):
    at = managing()
    tsv = "document\tposition\treference\tsystem\ttranslation\nneko\t0\t吾輩は猫である。\tash\t私は猫です。\n"
    at.file_uploader(key="upload-main").set_value(("neko.tsv", tsv.encode(), "text/plain")).run()
    revoke(engine, "Mallory")
    before = stored(engine)
    at.button(key="upload-make").click().run()
    assert not at.exception
    assert stored(engine) == before


def test_nobody_makes_an_account_in_a_form_that_was_drawn_while_the_database_was_open(start, engine):
    at = start("en", MANAGE)
    at.session_state["manage-tabs"] = words("en")["manage.tab.accounts"]
    at.run()
    open_link(engine, first_link(engine))
    before = stored(engine)
    make_an_account(at)
    assert not at.exception
    assert stored(engine) == before


def test_nobody_enters_by_name_when_the_database_was_closed_meanwhile(start, engine):
    at = start("en")
    open_link(engine, first_link(engine))
    before = stored(engine)
    at.text_input(key="rater-name").set_value("Passer-by")
    at.button(key="start").click().run()
    assert not at.exception
    assert stored(engine) == before


def test_a_revoked_rater_stores_no_score_within_the_desk(closed, visit, engine, within):
    token, _ = a_rater(engine, closed)
    at = within(begin(visit(token)))
    at.number_input[0].set_value(21).run()
    assert stored(engine)[0][-1] == (before := stored(engine)[0][-1])
    revoke(engine, "Aki")
    at.number_input[0].set_value(22).run()
    assert not at.exception
    assert stored(engine)[0][-1] == before
    assert at.header[-1].value == "Who are you?"
    assert "not valid" in at.error[0].value


def test_a_revoked_rater_keeps_no_comment_and_skips_nothing(closed, visit, engine, within):
    for name, act in (
        ("Aki", lambda at: at.text_input(key=comment_of(at)).set_value("hm").run()),
        ("Ben", lambda at: button(at, "skip-unsure").click().run()),
    ):
        at = begin(visit(a_rater(engine, closed, name)[0]))
        revoke(engine, name)
        before = stored(engine)
        act(at)
        assert not at.exception
        assert stored(engine) == before


def comment_of(at):
    return next(one.key for one in at.text_input if str(one.key).startswith("comment-"))


def test_a_revoked_rater_changes_no_profile(closed, visit, engine):
    at = visit(a_rater(engine, closed, known=False)[0])
    at.selectbox(key="profile-language").set_value("ja")
    at.checkbox(key="profile-consent").check()
    revoke(engine, "Aki")
    at.button(key="profile-save").click().run()
    assert not at.exception
    with read_session(engine) as session:
        assert session.scalar(select(func.count()).where(Rater.consented_at.is_not(None))) == 0


@pytest.fixture
def reading(closed, visit, engine):
    """The page *Agreement* as Tea, a teacher, sees it: one rating is there. A tab is open."""
    _, person = a_rater(engine, closed)
    ensure_items(engine, closed, person)
    item = items_of(engine, closed, person)[0]
    save_rating(engine, item_id=item.id, rater_id=person, score=50)

    def opened(tab):
        at = visit(new_link(engine, OPERATOR, role="teacher", name="Tea"))
        at.session_state["agreement-tabs"] = words("en")[f"agreement.tab.{tab}"]
        at.session_state["campaign-agreement"] = closed
        at.switch_page("pages/evaluate/agreement/page.py").run()
        assert not at.exception
        assert not at.error
        return at

    return opened


def test_a_revoked_teacher_is_shown_no_scores_when_a_fragment_is_redrawn(reading, engine, within):
    at = within(reading("agreement")).run()
    assert at.tabs
    revoke(engine, "Tea")
    at.run()
    assert not at.exception
    assert not at.tabs
    assert at.error


def test_a_revoked_teacher_makes_no_file(reading, engine, monkeypatch):
    at = reading("files")
    made = []
    monkeypatch.setattr("pages.evaluate.agreement.report.read_bundle", lambda *_, **__: made.append(1))
    revoke(engine, "Tea")
    at.button(key="takeaway-make").click().run()
    assert not at.exception
    assert made == []


@pytest.mark.slow
def test_a_revoked_organiser_decides_nothing(closed, visit, engine):
    for name, score in (("Aki", 40), ("Ben", 90)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, closed, rater)
        for item in items_of(engine, closed, rater):
            save_rating(engine, item_id=item.id, rater_id=rater, score=score)
    at = visit(new_link(engine, OPERATOR, role="organiser", name="Mallory"))
    at.switch_page("pages/evaluate/adjudicate.py").run()
    at.selectbox(key="campaign-adjudicate").set_value(closed).run()
    at.number_input[0].set_value(70).run()
    revoke(engine, "Mallory")
    button(at, "adjudicate-store").click().run()
    assert not at.exception
    assert decisions(engine, OPERATOR, closed) == []


def test_a_revoked_organiser_fills_in_no_marks(managing, closed, engine):
    set_campaign(engine, OPERATOR, closed, name="Neko", protocol="esa", design=Design())
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, closed, rater)
    save_rating(engine, item_id=items_of(engine, closed, rater)[0].id, rater_id=rater, score=40, spans=())
    at = managing("prefill")
    revoke(engine, "Mallory")
    button(at, "prefill-fill").click().run()
    assert not at.exception
    assert prefill_summary(engine, OPERATOR, closed) == []
