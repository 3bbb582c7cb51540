"""Every rating screen by axe-core: both themes, three widths, both languages. No violation of our own.

YOMIKURABE_PICTURES names a folder for a picture of each screen.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import DOCUMENT, DOCUMENTS, Design
from db.engine import make_engine
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    items_of,
    list_campaigns,
    list_translations,
    save_rating,
)
from db.queries.manage import set_campaign
from db.queries.prefills import set_prefills
from tests.support.axe import violations

pytestmark = pytest.mark.slow

TEXT = (
    "「吾輩《わがはい》は猫である。名前はまだ無い。」と彼は言い、暗い部屋の隅で泣いていた事だけは覚えている。"
)
SCREENS = {
    "adequacy": ("adequacy", Design(source="always", post_edit=True)),
    "da-sqm": ("da-sqm", Design()),
    "esa": ("esa", Design(before=1, after=1)),
    "mqm": ("mqm", Design(source="always")),
    "side-by-side": ("side-by-side", Design()),
    "document": ("esa", Design(order=DOCUMENTS, layout=DOCUMENT)),
}


@pytest.fixture(scope="module")
def campaigns(server):
    """A campaign for each screen, with marks filled in where errors are marked; name by screen."""
    engine = make_engine(server.database)
    names = {}
    for screen, (protocol, design) in SCREENS.items():
        names[screen] = name = f"Axe {screen}"
        source = "I am a cat. I have no name yet."
        segments = tuple(SegmentRow("neko", n, TEXT, source=source) for n in range(3))
        outputs = tuple(OutputRow(("neko", n), system, TEXT) for n in range(3) for system in ("ash", "elm"))
        bundle = Bundle(
            name=name,
            langs=("en", "ja"),
            systems=(SystemRow("ash"), SystemRow("elm")),
            segments=segments,
            outputs=outputs,
        )
        number = load_bundle(engine, bundle, name).campaign_id
        set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=design)
        if protocol in ("esa", "mqm"):
            marks = [MarkedSpan(1, 3, "minor"), MarkedSpan(9, 20, "major"), MarkedSpan(11, 13, "minor")]
            texts = {row.id: marks for row in list_translations(engine, number)}
            set_prefills(engine, OPERATOR, number, texts, origin="test")
        ensure_items(engine, number, enter_rater(engine, "Axel").id)
    engine.dispose()
    return names


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(("theme", "lang"), [("light", "en-GB"), ("dark", "ja-JP")])
def test_a_rating_screen_has_no_violation(server, visitor, campaigns, screen, theme, lang):
    page = visitor(theme=theme, lang=lang)
    _enter(page, server, campaigns[screen], f"Axel {screen} {theme}", lang)
    page.locator(".st-key-begin button").click()
    expect(page.locator("[class*='st-key-next-']").first).to_be_visible()
    _nothing_at_any_width(page, f"{screen}-{theme}-{lang[:2]}")


@pytest.mark.parametrize(("theme", "lang"), [("light", "ja-JP"), ("dark", "en-GB")])
def test_the_screens_before_and_after_the_items_have_no_violation(server, visitor, campaigns, theme, lang):
    engine, name = make_engine(server.database), campaigns["adequacy"]
    campaign = next(one.id for one in list_campaigns(engine) if one.name == name)
    rater = enter_rater(engine, f"End {theme}").id
    ensure_items(engine, campaign, rater)
    for item in items_of(engine, campaign, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50)
    engine.dispose()
    page = visitor(theme=theme, lang=lang)
    page.goto(f"{server.address}/rate?lang={lang[:2]}")
    expect(page.locator(".st-key-start button")).to_be_visible()
    _nothing_at_any_width(page, f"entrance-{theme}-{lang[:2]}")
    page.set_viewport_size({"width": 1280, "height": 900})
    _enter(page, server, name, f"Begin {theme}", lang)
    expect(page.locator(".st-key-begin button")).to_be_visible()
    _nothing_at_any_width(page, f"guideline-{theme}-{lang[:2]}")
    page = visitor(theme=theme, lang=lang)
    _enter(page, server, name, f"End {theme}", lang)
    expect(page.locator(".st-key-look-back button")).to_be_visible()
    _nothing_at_any_width(page, f"end-{theme}-{lang[:2]}")


def _enter(page, server, campaign, rater, lang):
    page.goto(f"{server.address}/rate?lang={lang[:2]}")
    page.get_by_role("combobox").first.click()
    page.get_by_role("option", name=campaign).click()
    page.get_by_role("textbox").last.fill(rater)
    page.locator(".st-key-start button").click()


def _nothing_at_any_width(page, name):
    found = {}
    for width in (1280, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(600)
        found[width] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        _picture(page, f"{name}-{width}")
    assert found == {1280: [], 800: [], 390: []}


def _picture(page, name):
    folder = os.environ.get("YOMIKURABE_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.set_viewport_size({"width": page.viewport_size["width"], "height": 1800})
        page.wait_for_timeout(200)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
