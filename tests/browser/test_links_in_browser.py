"""A visitor's link leaves the address, and the browser keeps it: no secret can be read off the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import first_link, list_campaigns, list_links, new_link, open_link, revoke_link
from tests.browser.conftest import running


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The address of an app with an organiser, and its database."""
    folder = tmp_path_factory.mktemp("links")
    database = f"sqlite:///{folder / 'links.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    seed_demo(engine, scores=False)
    open_link(engine, first_link(engine))
    with running("app.py", folder, YOMIKURABE_DB=database) as address:
        yield address, engine


def rater(engine, name):
    """A new rater's token, and the number of the link."""
    campaign = list_campaigns(engine)[0].id
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name=name)
    (number,) = [one.id for one in list_links(engine, OPERATOR) if one.name == name]
    return token, number


def come(page, address, who):
    page.goto(address)
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    page.wait_for_function(
        f"location.search.includes('as={who}') && document.cookie.includes('-link-{who}=')"
    )


def test_the_token_leaves_the_address_and_a_reload_stays_in(app, visitor):
    address, engine = app
    token, number = rater(engine, "Aki")
    page = visitor()
    come(page, f"{address}/?k={token}", number)
    assert token not in page.url
    page.reload()
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    assert token not in page.url
    page.goto(address)  # a bookmark without anything: the link that was used last
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    assert page.locator('meta[name="referrer"]').get_attribute("content") == "no-referrer"


@pytest.mark.slow
def test_two_tabs_can_belong_to_two_people_after_a_reload_too(app, visitor):
    address, engine = app
    (mei, mei_number), (ken, ken_number) = rater(engine, "Mei"), rater(engine, "Ken")
    first = visitor()
    second = first.context.new_page()
    come(first, f"{address}/?k={mei}", mei_number)
    come(second, f"{address}/?k={ken}", ken_number)
    revoke_link(engine, OPERATOR, ken_number)
    first.reload()  # though Ken's link was the last that this browser used
    expect(first.get_by_role("heading", name="About you")).to_be_visible()
    second.reload()
    expect(second.get_by_text("not valid").first).to_be_visible()


@pytest.mark.slow
def test_another_browser_does_not_come_in_by_the_number(app, visitor):
    address, engine = app
    token, number = rater(engine, "Yui")
    come(visitor(), f"{address}/?k={token}", number)
    other = visitor()
    other.goto(f"{address}/?as={number}")
    expect(other.get_by_text("open your link again")).to_be_visible()
    expect(other.get_by_role("heading", name="About you")).to_have_count(0)


@pytest.mark.slow
def test_a_link_that_ended_is_forgotten(app, visitor):
    address, engine = app
    token, number = rater(engine, "Sora")
    page = visitor()
    come(page, f"{address}/?k={token}", number)
    revoke_link(engine, OPERATOR, number)
    page.reload()
    expect(page.get_by_text("not valid").first).to_be_visible()
    expect(page.get_by_role("heading", name="About you")).to_have_count(0)
    page.goto(address)
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
