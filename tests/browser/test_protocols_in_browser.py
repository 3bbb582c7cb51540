"""Rating by each protocol in a real browser: errors marked by keyboard, a score, and what is stored."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import make_engine, write_session
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.models import Segment, Translation
from db.permissions import OPERATOR
from db.queries import enter_rater, items_of, list_translations
from db.queries.manage import set_campaign
from db.queries.practice import add_practice

TEXTS = {"ash": "彼は三匹の猫を見た。", "elm": "彼は犬《いぬ》を見た。"}


@pytest.fixture
def campaign(server, request):
    """A campaign of one segment and two systems with this protocol: (name, number, engine)."""
    engine = make_engine(server.database)
    protocol = request.param
    name = f"{protocol}, {request.node.originalname[5:40]}"  # the server is the same for all tests
    segments = (SegmentRow("d", 0, "彼は二匹の猫を見た。", source="He saw two cats."),)
    outputs = tuple(OutputRow(("d", 0), system, text) for system, text in TEXTS.items())
    bundle = Bundle(name=name, langs=("en", "ja"), systems=tuple(map(SystemRow, TEXTS)), segments=segments,
                    outputs=outputs)  # fmt: skip
    number = load_bundle(engine, bundle, name).campaign_id
    set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=Design(source="always"))
    yield name, number, engine
    engine.dispose()


def start(page, server, campaign, rater):
    page.goto(f"{server.address}/rate")
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


@pytest.mark.slow
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
    expect(page.locator(".passage .text").first).to_be_focused()
    for pressed in ("ArrowRight", "1"):  # two keys from saving to a mark in the second word of the next text
        page.keyboard.press(pressed)
    expect(page.get_by_text(re.compile("minor 1 · major 0"))).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("campaign", ["adequacy"], indirect=True)
def test_a_band_shows_about_the_same_place_in_the_text_beside_it(server, visitor, campaign):
    name, number, engine = campaign
    with write_session(engine) as session:
        for segment in session.scalars(select(Segment).where(Segment.campaign_id == number)):
            segment.reference = "彼は猫を見た。" * 60
            for text in session.scalars(select(Translation).where(Translation.segment_id == segment.id)):
                text.text = segment.reference
    page = visitor()
    start(page, server, name, "Band")
    page.wait_for_function("document.body.classList.contains('yk-read')")  # the page listens
    left, right = (page.locator(f".st-key-text-{side}") for side in ("reference", "translation"))
    box = right.locator(".yk-novel").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 0.75 * box["height"])
    band = left.locator(".yk-place")
    expect(band).to_be_visible()
    expect(right.locator(".yk-place")).to_be_hidden()
    beside, shown = left.locator(".yk-novel").bounding_box(), band.bounding_box()
    middle = (shown["y"] + shown["height"] / 2 - beside["y"]) / beside["height"]
    assert abs(middle - 0.75) < 0.02
    page.mouse.move(5, 5)
    expect(band).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("campaign", ["esa"], indirect=True)
def test_practice_is_done_by_keyboard_alone_and_then_the_first_item_comes(server, visitor, campaign):
    name, number, engine = campaign
    text = next(one for one in list_translations(engine, number) if one.text == TEXTS["ash"])
    expected = Expected(low=30, high=50, start=0, end=1, severity="major")
    add_practice(
        engine, OPERATOR, number, translation_id=text.id, expected=expected, feedback_en="Three, not two."
    )
    page = visitor()
    page.goto(f"{server.address}/rate")
    page.get_by_role("combobox", name="Campaign").click()
    page.get_by_role("option", name=name).click()
    page.get_by_label("Your name").click()
    page.keyboard.type("Learner")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="start the practice").click()
    expect(page.locator(".passage .text").first).to_be_focused()
    page.keyboard.press("2")
    expect(page.get_by_text(re.compile("minor 0 · major 1"))).to_be_visible()
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("spinbutton")).to_be_focused()
    page.keyboard.type("40")
    expect(page.get_by_role("spinbutton")).to_have_value("40")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Three, not two.")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 1 right")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text(re.compile(r"· 1 of 2"))).to_be_visible()
    assert [item.revision for item in items_of(engine, number, enter_rater(engine, "Learner").id)] == [0, 0]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
