"""A click in a table lights up its token on the whole page; tables are drawn on a canvas."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ROW, HEADER, BOX = 35, 36, 17  # pixels: the height of a row and of the header, the middle of the tick box


def test_a_row_of_the_names_tab_chooses_its_token_everywhere(server, visitor):
    page = visitor()
    page.goto(f"{server.address}/pair")
    page.get_by_role("tab", name="Names (readings)").click()
    table = page.get_by_test_id("stDataFrame").first
    chosen = page.locator("span.yk-tint[style*=double]")
    expect(page.get_by_role("heading", name="Rare tokens of the reference")).to_be_visible()
    expect(chosen).to_have_count(0)
    table.scroll_into_view_if_needed()
    table.click(position={"x": BOX, "y": HEADER + ROW + ROW // 2})
    expect(chosen).to_have_count(4)  # both texts above the tabs, and both in the tab
    page.get_by_role("tab", name="Tokens (BERTScore)").click()
    for box in ("A token of the reference", "A token of the translation"):
        expect(page.get_by_role("combobox", name=box)).to_have_value(re.compile(r"^\d+: "))
