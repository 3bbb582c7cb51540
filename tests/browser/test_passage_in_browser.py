"""Marking errors in a real browser, by mouse, finger and keyboard: what Python then knows."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.passage_page import drag, expect_known, press, text, unit


def test_a_drag_marks_whole_words_and_a_click_marks_one(passage_page):
    page = passage_page()
    drag(page, unit(page, "quick"), unit(page, "fox"))
    expect_known(page, (4, 19, "minor"))
    unit(page, "lazy").click()
    expect_known(page, (4, 19, "minor"), (35, 39, "minor"))
    drag(page, unit(page, "dog"), unit(page, ","))  # a mark is a unit of its own
    expect_known(page, (4, 19, "minor"), (35, 39, "minor"), (40, 44, "minor"))


@pytest.mark.slow
def test_a_mark_shows_its_severity_by_colour_line_figure_and_title(passage_page):
    page = passage_page()
    unit(page, "quick").click()
    page.get_by_role("button", name="major").click()
    unit(page, "fox").click()
    expect_known(page, (4, 9, "minor"), (16, 19, "major"))
    looks = [
        unit(page, word).evaluate(
            """part => [part.title, getComputedStyle(part).textDecorationStyle,
               getComputedStyle(part, '::after').content, getComputedStyle(part).backgroundColor]"""
        )
        for word in ("quick", "fox")
    ]
    assert [look[:3] for look in looks] == [["minor", "dotted", '"1"'], ["major", "solid", '"2"']]
    assert looks[0][3] != looks[1][3]


@pytest.mark.slow
def test_a_click_chooses_a_mark_another_leaves_it_and_a_button_removes_it(passage_page):
    page = passage_page()
    drag(page, unit(page, "quick"), unit(page, "brown"))
    expect_known(page, (4, 15, "minor"))
    unit(page, "brown").click()
    expect(unit(page, "quick")).to_have_class(re.compile("chosen"))
    text(page).click(position={"x": 400, "y": 52})  # beside the words: nothing is chosen any more
    expect(unit(page, "quick")).not_to_have_class(re.compile("chosen"))
    unit(page, "brown").click()
    expect(unit(page, "quick")).to_have_class(re.compile("chosen"))
    expect_known(page, (4, 15, "minor"))
    unit(page, "quick").click()  # a click is for looking, too
    expect(unit(page, "quick")).to_have_class(re.compile("chosen"))
    expect_known(page, (4, 15, "minor"))
    page.get_by_role("button", name="remove the mark").click()
    expect_known(page)
    expect(page.get_by_role("button", name="remove the mark")).to_be_disabled()


@pytest.mark.slow
def test_the_chosen_mark_changes_its_severity_by_a_button_and_goes_by_delete(passage_page):
    page = passage_page()
    unit(page, "fox").click()
    expect_known(page, (16, 19, "minor"))
    unit(page, "fox").click()
    page.get_by_role("button", name="major").click()
    expect_known(page, (16, 19, "major"))
    press(page, "Delete")
    expect_known(page)


def test_everything_by_keyboard(passage_page):
    page = passage_page()
    text(page).focus()
    press(page, "ArrowRight", "1")  # quick
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "2")  # fox jumps
    expect_known(page, (4, 9, "minor"), (16, 25, "major"))
    press(page, "m")
    expect_known(page, (4, 9, "minor"), (16, 25, "major"), (0, 0, "major"))
    press(page, "1")  # the cursor is on jumps: the whole mark changes
    expect_known(page, (4, 9, "minor"), (16, 25, "minor"), (0, 0, "major"))
    press(page, "Home", "ArrowRight", "Backspace")
    expect_known(page, (16, 25, "minor"), (0, 0, "major"))
    press(page, "End", "ArrowRight", "Delete")  # the omission stands behind the last word
    expect_known(page, (16, 25, "minor"))
    press(page, "z", "Control+z")
    expect_known(page, (4, 9, "minor"), (16, 25, "minor"), (0, 0, "major"))
    press(page, "Home", "Shift+End", "Escape", "2")  # the stretch was dropped: only the last mark
    expect_known(page, (4, 9, "minor"), (16, 25, "minor"), (83, 84, "major"), (0, 0, "major"))
    press(page, "Tab")
    expect(text(page)).not_to_be_focused()


@pytest.mark.slow
def test_the_lines_above_and_below_are_reached_by_keyboard(passage_page):
    page = passage_page("case=japanese", width=500)
    text(page).focus()
    press(page, "ArrowDown", "1")
    marked = text(page).locator(".marked.first")
    expect(marked).to_have_count(1)
    first = unit(page, "彼").bounding_box()
    below = marked.bounding_box()
    assert first["y"] + 20 < below["y"] < first["y"] + 60
    assert abs(below["x"] - first["x"]) < 20
    press(page, "ArrowUp", "2")
    expect(marked).to_have_count(2)
    assert abs(marked.first.bounding_box()["y"] - first["y"]) < 10


@pytest.mark.slow
def test_what_is_marked_is_said(passage_page):
    page = passage_page()
    text(page).focus()
    press(page, "ArrowRight")
    expect(page.locator(".passage").get_by_role("status")).to_have_text("quick ")
    press(page, "Shift+ArrowRight", "2")
    expect(page.locator(".passage").get_by_role("status")).to_have_text("Marked, major: quick brown")
    page.get_by_role("button", name="other item").click()
    expect(page.locator(".passage").get_by_role("status")).to_have_text("")


@pytest.mark.slow
def test_marks_nest_and_overlap_and_each_is_reached_by_a_click(passage_page):
    page = passage_page()
    drag(page, unit(page, "quick"), unit(page, "jumps"))
    page.get_by_role("button", name="major").click()
    drag(page, unit(page, "brown"), unit(page, "fox"))  # within
    drag(page, unit(page, "jumps"), unit(page, "over"))  # across
    page.get_by_role("button", name="new mark").click()
    unit(page, "fox").click()  # a word of its own within both
    expect_known(page, (4, 25, "minor"), (10, 19, "major"), (16, 19, "major"), (20, 30, "major"))
    assert unit(page, "fox").get_attribute("title") == "major\nmajor\nminor"
    assert unit(page, "fox").get_attribute("data-sign") == "22"  # two end here
    for removed in ((16, 19), (10, 19), (4, 25)):  # the shortest first, then the one around it
        unit(page, "fox").click()
        chosen = page.locator(".chosen").all_text_contents()
        assert "".join(chosen) == "The quick brown fox jumps"[removed[0] : removed[1]]
    press(page, "Delete")
    expect_known(page, (10, 19, "major"), (16, 19, "major"), (20, 30, "major"))
    drag(page, unit(page, "jumps"), unit(page, "over"))  # the same place once more: no second mark
    expect_known(page, (10, 19, "major"), (16, 19, "major"), (20, 30, "major"))


@pytest.mark.slow
def test_a_word_within_a_mark_is_marked_by_keyboard(passage_page):
    page = passage_page()
    text(page).focus()
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "1")  # The quick brown
    press(page, "ArrowLeft", "n", "2")  # quick
    expect_known(page, (0, 15, "minor"), (4, 9, "major"))
    press(page, "1")  # the cursor is on quick: the inner mark changes
    expect_known(page, (0, 15, "minor"), (4, 9, "minor"))


def test_two_taps_mark_from_word_to_word(passage_server, chromium):
    context = chromium.new_context(has_touch=True, viewport={"width": 420, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.goto(passage_server)
    unit(page, "quick").tap()
    expect(unit(page, "quick")).to_have_class(re.compile("stretch"))
    unit(page, "fox").tap()
    expect_known(page, (4, 19, "minor"))
    unit(page, "lazy").tap()
    unit(page, "lazy").tap()
    expect_known(page, (4, 19, "minor"), (35, 39, "minor"))
    page.get_by_role("button", name="new mark").tap()
    unit(page, "brown").tap()
    unit(page, "brown").tap()
    expect_known(page, (4, 19, "minor"), (10, 15, "minor"), (35, 39, "minor"))
    unit(page, "brown").tap()
    page.get_by_role("button", name="remove the mark").tap()
    expect_known(page, (4, 19, "minor"), (35, 39, "minor"))
    unit(page, "brown").tap()
    expect(unit(page, "quick")).to_have_class(re.compile("chosen"))
    page.get_by_role("button", name="remove the mark").tap()
    expect_known(page, (35, 39, "minor"))
    context.close()
