"""Rating by each protocol in a real browser: errors marked by keyboard, a score, and what is stored."""

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

TEXTS = {"ash": "彼は三匹の猫を見た。", "elm": "彼は犬《いぬ》を見た。"}


@pytest.fixture
def campaign(server, request):
    """A campaign of one segment and two systems with this protocol: (name, number, engine)."""
    engine = make_engine(server.database)
    protocol = request.param
    name = f"By {protocol}"
    segments = (SegmentRow("d", 0, "彼は二匹の猫を見た。", source="He saw two cats."),)
    outputs = tuple(OutputRow(("d", 0), system, text) for system, text in TEXTS.items())
    bundle = Bundle(name=name, langs=("en", "ja"), systems=tuple(map(SystemRow, TEXTS)), segments=segments,
                    outputs=outputs)  # fmt: skip
    number = load_bundle(engine, bundle, name).campaign_id
    set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=Design(source="always"))
    yield name, number, engine
    engine.dispose()


def start(page, server, campaign, rater):
    page.goto(server.address)
    page.get_by_role("combobox", name="Campaign").click()
    page.get_by_role("option", name=campaign).click()
    page.get_by_label("Your name").click()
    page.keyboard.type(rater)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="start rating").click()
    expect(page.get_by_text(re.compile(r"· 1(–2)? of 2"))).to_be_visible()


def mark_first_word(page, key):
    text = page.locator(".passage .text").first
    text.focus()
    for pressed in ("Home", key):
        page.keyboard.press(pressed)


@pytest.mark.parametrize("campaign", ["esa"], indirect=True)
def test_esa_errors_are_marked_then_scored_and_stored_together(server, visitor, campaign):
    name, number, engine = campaign
    page = visitor()
    start(page, server, name, "Esa")
    mark_first_word(page, "2")
    expect(page.get_by_text(re.compile("minor 0 · major 1"))).to_be_visible()
    rater = enter_rater(engine, "Esa").id
    (first, _) = items_of(engine, number, rater)
    assert first.spans == (MarkedSpan(0, 1, "major"),)  # a draft, before any score
    assert first.revision == 0
    page.locator("[data-stale=false]").get_by_test_id("stNumberInputField").click()
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"· 2 of 2"))).to_be_visible()
    (first, _) = items_of(engine, number, rater)
    assert (first.score, first.spans, first.revision) == (40, (MarkedSpan(0, 1, "major"),), 1)


@pytest.mark.parametrize("campaign", ["mqm"], indirect=True)
def test_mqm_wants_a_category_for_each_error_and_no_score(server, visitor, campaign):
    name, number, engine = campaign
    page = visitor()
    start(page, server, name, "Mqm")
    mark_first_word(page, "1")
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("1 error has no category yet")).to_be_visible()
    page.get_by_role("combobox", name="Category of the chosen error").click()
    page.get_by_role("option", name="Accuracy: mistranslation").click()
    expect(page.get_by_text("MQM −1.0")).to_be_visible()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text(re.compile(r"· 2 of 2"))).to_be_visible()
    page.get_by_role("button", name="Save and next").click()  # nothing is wrong with the second
    expect(page.get_by_text("You have finished")).to_be_visible()
    first, second = items_of(engine, number, enter_rater(engine, "Mqm").id)
    assert first.spans == (MarkedSpan(0, 1, "minor", "accuracy/mistranslation"),)
    assert (second.spans, second.score, second.revision) == ((), None, 1)


@pytest.mark.parametrize("campaign", ["side-by-side"], indirect=True)
def test_side_by_side_gives_the_rest_the_same_score_with_one_button(server, visitor, campaign):
    name, number, engine = campaign
    page = visitor()
    start(page, server, name, "Side")
    expect(page.get_by_text("Translation A")).to_be_visible()
    expect(page.locator("ruby rt", has_text="いぬ")).to_be_visible()
    page.get_by_label("Score of A, 0–100").click()
    page.keyboard.type("70")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"saved \d\d:\d\d"))).to_be_visible()
    page.get_by_role("button", name="The same score for the rest").click()
    expect(page.get_by_label("Score of B, 0–100")).to_have_value("70")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("You have finished")).to_be_visible()
    assert [item.score for item in items_of(engine, number, enter_rater(engine, "Side").id)] == [70, 70]


@pytest.mark.parametrize("campaign", ["da-sqm"], indirect=True)
def test_a_question_mark_shows_the_keys_but_not_while_somebody_writes(server, visitor, campaign):
    name, *_ = campaign
    page = visitor()
    start(page, server, name, "Keys")
    expect(page.get_by_text("100 Perfect")).to_be_visible()
    comment = page.locator("[data-stale=false]").get_by_role("textbox", name="Comment (optional)")
    comment.click()
    page.keyboard.type("why?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("[data-stale=false]").get_by_test_id("stNumberInputField").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("type the score")).to_be_visible()
