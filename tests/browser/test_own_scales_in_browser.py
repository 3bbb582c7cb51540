"""Own scales and own severities in a real browser: by touch on a phone, and by the keyboard in Japanese."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.sync_api import expect

from core.raters.own_errors import errors_from_json
from core.raters.own_scales import OwnScale, ScaleAnchor
from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import make_engine
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import enter_rater, history, items_of
from db.queries.manage import set_campaign
from tests.support.axe import violations

pytestmark = pytest.mark.slow

FLUENCY = OwnScale(
    name="fluency",
    en="Fluency",
    ja="自然さ",
    low=1,
    high=5,
    anchors=(
        ScaleAnchor(value=1, en="reads like a machine’s draft", ja="機械の下書きのように読める"),
        ScaleAnchor(value=5, en="reads like a novel", ja="小説として自然に読める"),
    ),
)
VOICE = OwnScale(name="voice", en="Voice", ja="文体", low=0, high=100, step=5)
OWN = errors_from_json(
    {
        "categories": [{"name": "accuracy/omission", "en": "Left out", "ja": "訳し落とし"}],
        "severities": [
            {"name": "slip", "en": "Slip", "ja": "小さな傷", "weight": 0.5},
            {"name": "wound", "en": "Wound", "ja": "傷", "weight": 4},
        ],
    }
)
TEXT = "彼は猫を見た。"


@pytest.fixture
def campaign(server, request):
    """A campaign of two segments with this protocol and both scales: (name, number, engine)."""
    engine, protocol = make_engine(server.database), request.param
    name = f"Scales {protocol} {secrets.token_hex(3)}"  # the server is the same if it is tried again
    segments = tuple(SegmentRow("d", n, TEXT, source="He saw a cat.") for n in range(2))
    outputs = tuple(OutputRow(one.key, "ash", TEXT) for one in segments)
    bundle = Bundle(
        name=name, langs=("en", "ja"), systems=(SystemRow("ash"),), segments=segments, outputs=outputs
    )
    number = load_bundle(engine, bundle, name).campaign_id
    design = Design(scales=(FLUENCY, VOICE), errors=OWN)
    set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=design)
    yield name, number, engine
    engine.dispose()


def said(engine, number, name):
    """The revisions of the rater's first item, as (score, scales, spans)."""
    rater = enter_rater(engine, name).id
    (first, _) = items_of(engine, number, rater)
    return [(one.score, dict(one.scales), one.spans) for one in history(engine, first.id, rater)]


def still(page):
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()


def by_touch(page, server, name):
    """Into the campaign with a finger."""
    page.goto(f"{server.address}/rate")
    page.get_by_role("combobox", name="Campaign").tap()
    page.get_by_role("option", name=name).tap()
    page.get_by_label("Your name").fill("Thumb")
    page.get_by_role("button", name="Start", exact=True).tap()
    page.get_by_role("button", name="start rating").tap()
    expect(page.get_by_text(re.compile("· 1 of 2"))).to_be_visible()


@pytest.mark.parametrize("campaign", ["adequacy"], indirect=True)
def test_on_a_phone_scales_are_answered_by_touch_and_a_missing_one_is_said(server, visitor, campaign):
    name, number, engine = campaign
    page = visitor(phone=True)
    by_touch(page, server, name)
    best = page.get_by_role("radiogroup", name="Fluency").get_by_text("5 reads like a novel")
    best.scroll_into_view_if_needed()
    box = best.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390  # the anchor is read whole
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    score = page.locator("[class*=st-key-score-]").get_by_test_id("stNumberInputField")
    score.fill("80")
    score.blur()
    still(page)
    best.tap()
    expect(page.get_by_text("Not stored yet. Still to be answered: Voice.")).to_be_visible()
    assert violations(page) == []
    page.locator("[class*=st-key-next-] button").tap()
    expect(
        page.get_by_text("Not answered yet: Voice; answer, or skip the item with a reason.")
    ).to_be_visible()
    assert said(engine, number, "Thumb") == []
    by_touch(page, server, name)  # the draft is there
    expect(page.get_by_role("radiogroup", name="Fluency").get_by_role("radio").nth(4)).to_be_checked()
    expect(page.locator("[class*=st-key-score-]").get_by_test_id("stNumberInputField")).to_have_value("80")
    voice = page.get_by_label("Voice", exact=True)
    voice.fill("35")
    voice.blur()
    still(page)
    page.locator("[class*=st-key-next-] button").tap()
    expect(page.get_by_text(re.compile("· 2 of 2"))).to_be_visible()
    assert said(engine, number, "Thumb") == [(80, {"fluency": 5, "voice": 35}, None)]


def in_japanese(page, server, name):
    """Into the campaign, as a visitor whose browser prefers Japanese."""
    page.goto(f"{server.address}/rate")
    page.get_by_role("combobox").first.click()
    page.get_by_role("option", name=name).click()
    page.locator(".st-key-rater-name input").click()
    page.keyboard.type("Kagi")
    page.keyboard.press("Enter")
    page.locator(".st-key-begin button").click()


def category(page):
    """The chosen error gets the one category that there is."""
    page.wait_for_timeout(800)  # until the click was told and the page is drawn for it
    still(page)
    page.get_by_role("combobox", name="選んだ誤りの種類").click()
    page.get_by_role("option", name="訳し落とし").click()
    still(page)


def answered_by_keyboard(page):
    """The second place of the first scale, a number on the other, and on."""
    page.get_by_role("radiogroup", name="自然さ").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    still(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radiogroup", name="自然さ").get_by_role("radio").nth(1)).to_be_checked()
    still(page)
    page.keyboard.press("Tab")
    expect(page.get_by_label("文体", exact=True)).to_be_focused()
    page.keyboard.type("95")
    page.keyboard.press("Enter")
    still(page)
    for _ in range(6):  # past the comment and the ways back, to the button
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[class*=st-key-next-]') !== null"):
            break
    page.keyboard.press("Enter")


@pytest.mark.parametrize("campaign", ["mqm"], indirect=True)
def test_own_severities_and_scales_are_given_by_the_keyboard_in_japanese(server, visitor, campaign):
    name, number, engine = campaign
    page = visitor(lang="ja-JP")
    in_japanese(page, server, name)
    text = page.locator(".passage .text").first
    expect(text).to_be_focused()
    for pressed in ("Home", "2"):  # a wound at the first word
        page.keyboard.press(pressed)
    expect(page.get_by_text(re.compile("小さな傷 0 · 傷 1"))).to_be_visible()
    expect(page.locator(".passage .marked").first).to_have_attribute("data-severity", "major")
    page.keyboard.press("1")  # the chosen one is lighter than that
    expect(page.get_by_text(re.compile("このキャンペーンの重みによる誤りの点 [−-]0.5"))).to_be_visible()
    page.keyboard.press("m")  # and something is missing
    expect(page.get_by_text(re.compile("小さな傷 2 · 傷 0"))).to_be_visible()
    still(page)
    category(page)  # of what is missing, which is chosen now
    page.locator(".passage .marked").first.click()
    category(page)
    answered_by_keyboard(page)
    expect(page.get_by_text(re.compile("2 件中 2 件目"))).to_be_visible()
    slip = MarkedSpan(0, 1, "slip", "accuracy/omission")
    missing = MarkedSpan(0, 0, "slip", "accuracy/omission", missing=True)
    assert said(engine, number, "Kagi") == [(None, {"fluency": 2, "voice": 95}, (slip, missing))]
