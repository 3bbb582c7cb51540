"""A text that is sent page by page: the browser holds one part of it, and fetches the next one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from db.permissions import Viewer
from db.queries.reading import readings_of
from tests.support.reading_screens import (
    ENGLISH,
    JAPANESE,
    begin,
    left_by_its_server,
    marks,
    organised,
    reader,
    saved,
    study,
)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The address of an app that has an organiser, and its database."""
    folder = tmp_path_factory.mktemp("parts")
    with organised(folder, lambda engine: study(engine, "first", "en", ENGLISH[:1])) as found:
        yield found


def held(page):
    """The paragraphs that the page holds, by number, wherever in it they stand."""
    text = page.evaluate(
        """() => {
          const read = (root) => [...root.querySelectorAll("*")].map((one) =>
            one.shadowRoot ? read(one.shadowRoot) : "").join("") + (root.textContent ?? "");
          return read(document) + document.documentElement.outerHTML + JSON.stringify({ ...localStorage });
        }"""
    )
    return [n for n in range(40) if f"Paragraph {n}. The" in text or f"「{n}番です」" in text]


def onward(page, until):
    """Turn forward until the page says that it shows this part."""
    for _ in range(20):
        if page.locator(".book .count").inner_text().startswith(until):
            return saved(page)
        page.get_by_role("button", name="Next page").click()
        page.wait_for_timeout(300)
    raise AssertionError(page.locator(".book .count").inner_text())


@pytest.mark.slow
def test_a_reader_turns_from_part_to_part_marks_and_goes_back(app, visitor):
    address, engine = app
    number = study(engine, "In parts", "en", ENGLISH, by_part=True)  # 680 words: 3 parts
    token, person = reader(engine, number, "Aki")
    page = visitor()
    begin(page, address, token)
    first = held(page)
    assert first == list(range(first[-1] + 1))
    assert 12 <= len(first) <= 15
    expect(page.locator(".book .count")).to_contain_text("Part 1 of 3")
    onward(page, "Part 2 of 3")
    second = held(page)
    assert second == list(range(first[-1] + 1, second[-1] + 1))
    page.locator(".book .frame").focus()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    saved(page)
    ((kind, words, _),) = marks(engine, number, person)[0]
    assert (kind, words) == ("pleases", "Paragraph")
    page.get_by_role("button", name="Previous page").click()
    expect(page.locator(".book .count")).to_contain_text("Part 1 of 3")
    assert held(page) == first
    onward(page, "Part 2 of 3")
    expect(page.locator(".flow .pleases")).to_have_text("Paragraph")
    page.reload()
    expect(page.locator(".book .count")).to_contain_text("Part 2 of 3")
    assert held(page) == second
    onward(page, "Part 3 of 3")
    assert held(page) == list(range(second[-1] + 1, 40))


@pytest.mark.slow
def test_the_end_is_in_the_last_part_and_is_told_once(app, visitor):
    address, engine = app
    number = study(engine, "To the end", "en", ENGLISH, by_part=True)
    token, _ = reader(engine, number, "Ben")
    page = visitor()
    begin(page, address, token)
    finish = page.get_by_role("button", name="I have read this version")
    expect(finish).to_be_hidden()
    onward(page, "Part 3 of 3")
    for _ in range(5):
        if page.get_by_role("button", name="Next page").is_disabled():
            break
        page.get_by_role("button", name="Next page").click()
    finish.click()
    page.get_by_role("button", name="Back to the text").click()
    expect(page.locator(".book .count")).to_contain_text("Part 3 of 3")
    page.wait_for_timeout(1500)
    expect(page.locator(".book .count")).to_be_visible()  # what was told before is not told again


@pytest.mark.slow
def test_top_to_bottom_on_a_phone_a_scrolled_part_is_followed_by_the_next_one(app, visitor):
    address, engine = app
    number = study(engine, "部分", "ja", JAPANESE, by_part=True)
    token, _ = reader(engine, number, "Mei")
    page = visitor(phone=True)
    begin(page, address, token)
    first = held(page)
    assert first[0] == 0
    assert first[-1] < 39
    page.get_by_role("button", name="Scroll").click()
    while page.get_by_role("button", name="Next page").is_enabled():
        page.get_by_role("button", name="Next page").click()
        page.wait_for_timeout(400)
        if held(page) != first:
            break
    second = held(page)
    assert second[0] == first[-1] + 1
    expect(page.locator(".flow p").first).to_be_in_viewport()


@pytest.mark.slow
def test_a_part_that_was_asked_of_a_dead_server_comes_when_it_lives_again(tmp_path, visitor):
    page = visitor()
    with left_by_its_server(
        tmp_path, page, lambda engine: study(engine, "Lost", "en", ENGLISH, by_part=True), begin
    ) as (engine, number, person, again):
        first = held(page)
        while page.get_by_role("button", name="Next page").is_enabled():
            page.get_by_role("button", name="Next page").click()
        expect(page.locator(".book .state")).to_have_text("Fetching the text…")
        with again():
            expect(page.locator(".book .count")).to_contain_text("Part 2 of 3", timeout=60_000)
            assert held(page)[0] == first[-1] + 1
            saved(page)
    (reading, _) = readings_of(engine, Viewer(rater_id=person), number, person)
    assert reading.started_at is not None
