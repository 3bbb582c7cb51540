"""A settings grid in a real browser: it can be stopped, says how far it came, and goes on."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from core.grid.store import grids_folder


@pytest.fixture
def grids():
    """What the server keeps during the test is taken away again."""
    before = set(grids_folder().glob("*.jsonl"))
    yield
    for path in set(grids_folder().glob("*.jsonl")) - before:
        path.unlink()


@pytest.mark.heavy
def test_a_grid_that_is_stopped_says_how_far_it_came_and_goes_on(server, visitor, grids):
    page = visitor()
    page.goto(f"{server.address}/meta")
    page.get_by_text("Settings grid").click()
    page.get_by_role("combobox", name="Campaign").click()
    page.get_by_role("option", name="Wikipedia").click()
    expect(page.get_by_text("30 translations")).to_be_visible()
    page.get_by_role("button", name="Remove BERTScore + reading").click()
    segments = page.get_by_role("spinbutton", name="Segments")
    segments.fill("50")  # enough for some seconds
    segments.press("Enter")
    expect(page.get_by_text("50 translations")).to_be_visible()
    page.get_by_role("button", name="Fill the grid").click()
    expect(page.get_by_text(re.compile(r"^[\d,]+ of [\d,]+ scores$"))).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Press the button above to resume")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Fill the grid").click()
    expect(page.get_by_text("Closest to people: ")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=120_000)
    expect(page.get_by_text("Press the button above to resume")).to_have_count(0)
