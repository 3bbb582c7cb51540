"""A reader who scrolls instead of turning pages: by wheel, keys and finger, across and from top to bottom."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from db.engine import read_session
from db.models import PageVisit, Reading
from db.permissions import Viewer
from db.queries.reading import readings_of
from tests.support.reading_screens import (
    ENGLISH,
    JAPANESE,
    begin,
    marks,
    organised,
    reader,
    saved,
    study,
)

FIRST_SEEN = """() => {
  const find = (root) => [...root.querySelectorAll("*")].reduce(
    (found, one) => found ?? (one.matches(".frame") ? one : one.shadowRoot && find(one.shadowRoot)), null);
  const frame = find(document), box = frame.getBoundingClientRect();
  const vertical = frame.closest(".book").classList.contains("vertical");
  return [...frame.querySelectorAll("[data-unit]")].findIndex((part) => {
    const own = part.getClientRects()[0];
    return vertical ? own.right <= box.right + 6 : own.top >= box.top - 6;
  });
}"""
"""The number of the first word in the window, counted over the whole text."""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The address of an app that has an organiser, and its database."""
    folder = tmp_path_factory.mktemp("scrolling")
    with organised(folder, lambda engine: study(engine, "first", "en", ENGLISH[:1])) as found:
        yield found


def place(engine, number, person):
    (first, *_) = readings_of(engine, Viewer(rater_id=person), number, person)
    return first.segment_id, first.start


def settled(page, engine, number, person, before):
    """Until another place than before is stored; gives it."""
    for _ in range(100):
        page.wait_for_timeout(100)
        if place(engine, number, person) != before:
            break
    saved(page)
    assert place(engine, number, person) != before
    return place(engine, number, person)


def visits(engine, person):
    """How many stays on pages are stored of a reader."""
    with read_session(engine) as session:
        return session.query(PageVisit).join(Reading).where(Reading.rater_id == person).count()


def stays_after_reload(page):
    """The window begins with the same word, or the one beside it, after the page is loaded again."""
    seen = page.evaluate(FIRST_SEEN)
    page.reload()
    page.locator(".book .flow p").first.wait_for()
    page.wait_for_timeout(500)
    assert abs(page.evaluate(FIRST_SEEN) - seen) <= 2


def swipe(page, box, *, across):
    """A finger that moves over the box by so many pixels, to the right."""
    found = box.bounding_box()
    x, y = found["x"] + 40, found["y"] + found["height"] / 2
    wire = page.context.new_cdp_session(page)
    wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        point = {"x": x + across * step / 10, "y": y}
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(16)
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.slow
def test_a_reader_at_a_desk_scrolls_by_wheel_and_keys_and_comes_back_to_the_line(app, visitor):
    address, engine = app
    number = study(engine, "By wheel", "en", ENGLISH)
    token, person = reader(engine, number, "Aki")
    page = visitor()
    begin(page, address, token)
    page.get_by_role("button", name="Scroll").click()
    assert page.locator(".book .flow").evaluate("(flow) => getComputedStyle(flow).columnWidth") == "auto"
    start = place(engine, number, person)
    frame = page.locator(".book .frame")
    box = frame.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.wheel(0, 900)
    after = settled(page, engine, number, person, start)
    assert after > start
    seen = page.evaluate(FIRST_SEEN)
    frame.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")  # the first word in the window, and two more
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    after = settled(page, engine, number, person, after)
    assert page.evaluate(FIRST_SEEN) > seen
    ((kind, words, _),) = marks(engine, number, person)[0]
    assert (kind, len(words.split())) == ("pleases", 3)
    expect(page.locator(".flow .pleases").first).to_be_in_viewport()
    stays_after_reload(page)
    expect(page.get_by_role("button", name="Pages")).to_be_visible()
    assert place(engine, number, person) == after
    page.locator(".book .frame").press("End")
    page.locator(".book .finish").click()
    page.locator("h2, h3").first.wait_for()
    assert visits(engine, person) >= 3  # the beginning, where the wheel led, and the end


@pytest.mark.slow
def test_a_reader_goes_back_to_pages_at_the_same_place(app, visitor):
    address, engine = app
    number = study(engine, "Back to pages", "en", ENGLISH)
    token, person = reader(engine, number, "Ben")
    page = visitor()
    begin(page, address, token)
    count = page.locator(".book .count")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(re.compile("^Page 2 of"))
    saved(page)
    held = place(engine, number, person)
    page.get_by_role("button", name="Scroll").click()
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Pages").click()
    expect(count).to_have_text(re.compile("^Page 2 of"))
    saved(page)
    assert place(engine, number, person)[0] == held[0]
    page.keyboard.press("Home")
    expect(count).to_have_text(re.compile("^Page 1 of"))


@pytest.mark.slow
def test_vertical_text_is_scrolled_from_right_to_left_by_a_finger(app, visitor):
    address, engine = app
    number = study(engine, "By finger", "ja", JAPANESE)
    token, person = reader(engine, number, "Mei")
    page = visitor(lang="ja-JP", phone=True)
    begin(page, address, token)
    page.get_by_role("button", name="スクロール").tap()
    flow, frame = page.locator(".book .flow"), page.locator(".book .frame")
    assert flow.evaluate("(flow) => getComputedStyle(flow).writingMode") == "vertical-rl"
    assert frame.evaluate("(frame) => frame.scrollLeft") == 0
    first = page.locator(".book .flow p").first
    expect(first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    start = place(engine, number, person)
    swipe(page, frame, across=250)
    assert frame.evaluate("(frame) => frame.scrollLeft") < -150
    after = settled(page, engine, number, person, start)
    assert after > start
    assert marks(engine, number, person)[0] == []  # a finger that scrolls marks nothing and turns no page
    stays_after_reload(page)
    assert place(engine, number, person) == after
