"""Rating with a finger on a small screen: each item begins at its top, and nothing has the cursor."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import make_engine
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import enter_rater, items_of
from db.queries.manage import set_campaign

LONG = "彼は猫を見た。" * 60
SCORED = [*(pytest.param(name, marks=pytest.mark.slow) for name in ("adequacy", "da-sqm")), "esa"]
TOP = "document.querySelector('[data-testid=stMain]').scrollTop"
FOCUSED = "document.activeElement.tagName"
STICKY = "getComputedStyle(document.querySelector('.st-key-rating-bar').parentElement).position"
UP = "document.querySelector('[data-testid=stMain]').scrollTo(0, 0)"


@pytest.fixture
def phone(server, visitor, request):
    """The first item of a campaign of long texts on a phone: (page, campaign's number, engine)."""
    protocol = request.param
    name, engine = f"{request.node.name} on a phone"[-80:], make_engine(server.database)
    segments = tuple(SegmentRow("d", n, LONG, source="He saw a cat.") for n in range(3))
    outputs = tuple(OutputRow(("d", n), system, LONG) for n in range(3) for system in ("ash", "elm"))
    bundle = Bundle(name=name, langs=("en", "ja"), systems=(SystemRow("ash"), SystemRow("elm")),
                    segments=segments, outputs=outputs)  # fmt: skip
    number = load_bundle(engine, bundle, name).campaign_id
    set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=Design())
    page = visitor(phone=True)
    page.goto(f"{server.address}/rate")
    page.get_by_role("combobox", name="Campaign").tap()
    page.get_by_role("option", name=name).tap()
    page.get_by_label("Your name").fill("Tap")
    page.get_by_role("button", name="Start", exact=True).tap()
    page.get_by_role("button", name="start rating").tap()
    expect(page.get_by_text(re.compile("· 1(–2)? of 6"))).to_be_visible()
    yield page, number, engine
    engine.dispose()


def at_the_top(page):
    page.wait_for_function(f"{TOP} === 0 && {FOCUSED} === 'BODY'")
    page.wait_for_timeout(400)
    assert (page.evaluate(TOP), page.evaluate(FOCUSED)) == (0, "BODY")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def to_the_end_of_the_texts(page):
    page.locator(".st-key-rating-tools").scroll_into_view_if_needed()
    expect(page.locator("body.yk-read")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("phone", SCORED, indirect=True)
def test_an_item_begins_at_its_top_and_is_scored_after_its_texts(phone):
    page, number, engine = phone
    for place, score in enumerate((40, 70)):
        at_the_top(page)
        assert page.evaluate(STICKY) != "sticky"  # the texts come first
        field = page.locator("[data-stale=false]").get_by_test_id("stNumberInputField")
        expect(field).not_to_be_in_viewport()
        to_the_end_of_the_texts(page)
        page.evaluate(UP)
        expect(field).to_be_in_viewport()  # it stays in reach
        field.fill(str(score))
        page.get_by_role("button", name="Next").tap()
        expect(page.get_by_text(re.compile(f"· {place + 2} of 6"))).to_be_visible()
    at_the_top(page)
    stored = [item.score for item in items_of(engine, number, enter_rater(engine, "Tap").id)]
    assert stored[:3] == [40, 70, None]


@pytest.mark.slow
@pytest.mark.parametrize("phone", ["esa", "mqm"], indirect=True)
def test_an_error_is_marked_by_its_first_and_its_last_word(phone):
    page, number, engine = phone
    expect(page.get_by_text("Tap the first word of an error")).to_be_visible()
    expect(page.get_by_text("arrow keys and Shift")).not_to_be_visible()
    words = page.locator(".passage .text").first.locator("[data-unit]")
    words.nth(0).tap()
    words.nth(2).tap()
    expect(page.get_by_text("minor 1")).to_be_visible()
    words.nth(1).tap()  # a mark is opened, and stays
    words.nth(1).tap()
    page.get_by_role("button", name="major").tap()
    expect(page.get_by_text("major 1")).to_be_visible()
    (item, *_) = items_of(engine, number, enter_rater(engine, "Tap").id)
    assert item.spans == (MarkedSpan(0, 3, "major"),)
    to_the_end_of_the_texts(page)
    page.evaluate(UP)
    expect(page.get_by_role("button", name=re.compile("[Nn]ext$"))).to_be_in_viewport()


@pytest.mark.slow
@pytest.mark.parametrize("phone", ["side-by-side"], indirect=True)
def test_side_by_side_begins_at_its_top_with_every_new_screen(phone):
    page, number, engine = phone
    at_the_top(page)
    for letter, score in zip("AB", (30, 60), strict=True):
        page.get_by_label(f"Score of {letter}, 0–100").fill(str(score))
    page.get_by_role("button", name="Next").tap()
    expect(page.get_by_text(re.compile("· 3–4 of 6"))).to_be_visible()
    at_the_top(page)
    stored = [item.score for item in items_of(engine, number, enter_rater(engine, "Tap").id)]
    assert stored[:3] == [30, 60, None]
