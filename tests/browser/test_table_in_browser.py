"""A table of the app in a narrow window: names stay whole, nothing is cut, and the keyboard scrolls it."""

from __future__ import annotations

import pytest

from core.charts.palette import LIGHT
from core.report.raters import QUALITY
from core.text import html
from core.text.locale import words

pytestmark = pytest.mark.slow

HEAD = (
    "Rater",
    "Ratings",
    "Checks",
    "Repeat error",
    "Damaged below",
    "References above",
    "Characters per minute",
    "Most frequent score",
    "Drift in 100 items",
)
ROW = ("Haruka", "1,200", "24", "12.5", "p 0.032 (12)", "–", "20,354", "64 % (7)", "−12.5")


JAPANESE = tuple(words("ja")[f"quality.column.{name}"] for name in QUALITY)


def shown(page, width, head=HEAD, rows=40):
    page.set_viewport_size({"width": width, "height": 800})
    table = html.table(head, [ROW] * rows, numbers=frozenset(range(1, 9)))
    page.set_content(html.STYLE + html.paper(LIGHT.paper) + table)
    return page.locator(".yk-scroll")


def test_a_table_fits_800_pixels_with_whole_names_and_scrolls_by_keyboard(visitor):
    page = visitor()
    table = shown(page, 800)
    name = page.locator("td").first
    assert name.bounding_box()["height"] < 40  # one line
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.keyboard.press("Tab")
    assert table.evaluate("box => box === document.activeElement")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.wait_for_function("document.querySelector('.yk-scroll').scrollTop > 0")
    attached = table.evaluate("box => getComputedStyle(box).backgroundAttachment")
    assert attached.split(", ") == ["local"] * 4 + ["scroll"] * 4  # a shadow where there is more
    assert shown(page, 800, JAPANESE).evaluate("box => box.scrollWidth <= box.clientWidth")
    narrow = shown(page, 390)
    assert narrow.evaluate("box => box.scrollWidth > box.clientWidth")
    assert page.locator("td").first.bounding_box()["height"] < 40
