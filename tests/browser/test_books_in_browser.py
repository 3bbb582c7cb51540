"""A whole story with two translations, from the dropped files to the first rating."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from core.assets import ROOT
from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import first_link, list_campaigns, new_link
from tests.browser.conftest import running

BOOKS = ROOT / "tests" / "fixtures" / "books"
FILES = {
    "original": BOOKS / "yellow-face.en.txt.gz",
    "reference": BOOKS / "yellow-face.okubo.ja.txt.gz",
    "systems": BOOKS / "yellow-face.mikami.ja.txt.gz",
}
MINUTES = 3


def make(page, address, key):
    """Drop the files, align them and open the campaign that they become; gives when the first file came."""
    page.goto(f"{address}/?k={key}")
    organiser = page.get_by_text("You are an organiser here.", exact=False)
    expect(organiser.first).to_be_visible(timeout=60_000)
    page.goto(f"{address}/manage")
    page.get_by_text("New campaign from books").click()
    start = time.monotonic()
    for name, file in FILES.items():
        page.locator(f".st-key-books-{name} input[type=file]").set_input_files(file)
        expect(page.get_by_role("button", name=f"Remove {file.name}")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Align", exact=True).click()
    expect(page.get_by_text("Correct the alignment by hand")).to_be_visible(timeout=400_000)
    name = page.get_by_label("Name of the campaign").last
    name.fill("The Yellow Face")
    name.press("Enter")
    page.get_by_role("button", name="Make the campaign").click()
    draft = page.get_by_text("This campaign is a draft", exact=False)
    expect(draft.first).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Open it", exact=True).click()
    expect(page.get_by_text("Open: raters can rate.")).to_be_visible(timeout=60_000)
    return start


def rate(page, address, token):
    """Say who one is, read the guideline, and score the first item."""
    page.goto(f"{address}/?k={token}")
    page.get_by_role("combobox").first.click()
    page.get_by_role("option", name="Japanese").click()
    page.get_by_text("I agree that my ratings", exact=False).click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="start rating", exact=False).click()
    field = page.locator("input[type=number]").first
    field.fill("70")
    field.press("Enter")
    expect(page.get_by_text("saved", exact=False).first).to_be_visible()


@pytest.mark.slow
@pytest.mark.embedded
@pytest.mark.timeout(600)
def test_a_story_and_its_two_translations_become_a_campaign_that_is_rated(tmp_path, visitor):
    database = f"sqlite:///{tmp_path / 'books.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    key = first_link(engine)
    with running("app.py", tmp_path, YOMIKURABE_DB=database, XDG_DATA_HOME=str(tmp_path)) as address:
        start = make(visitor(), address, key)
        campaign = next(one for one in list_campaigns(engine) if one.name == "The Yellow Face")
        token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign.id, name="Aki")
        rate(visitor(), address, token)
        seconds = time.monotonic() - start
    (rated,) = [one for one in list_campaigns(engine) if one.name == "The Yellow Face"]
    assert rated.n_ratings == 1
    assert rated.n_segments > 100
    assert seconds < 60 * MINUTES
