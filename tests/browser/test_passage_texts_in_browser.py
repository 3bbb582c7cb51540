"""A passage in a real browser: special texts, and two sides that change marks at the same time."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.passage_page import drag, expect_known, press, text, unit

pytestmark = pytest.mark.slow

SELECTED = "body => body.getRootNode().getSelection().toString()"
LISTEN = "addEventListener('copy', event => { window.copied = event.clipboardData.getData('text/plain') })"


def test_offsets_count_code_points_beyond_the_first_plane(passage_page):
    page = passage_page("case=rare")  # 𠮟る = 0:2, the family = 2:7, と = 7:8, a blank, 𩸽 = 9:10
    for word in ("𠮟る", "👩‍👩‍👧", "𩸽"):
        unit(page, word).click()
    expect_known(page, (0, 2, "minor"), (2, 7, "minor"), (9, 10, "minor"))


def test_a_combining_mark_stays_with_its_letter(passage_page):
    page = passage_page("case=combining")  # cafés is spelled with six code points
    unit(page, "cafe\u0301s").click()
    unit(page, "town").click()
    expect_known(page, (4, 10, "minor"), (20, 24, "minor"))


def test_ruby_stands_over_its_base_and_is_no_part_of_a_mark(passage_page):
    page = passage_page("case=japanese")  # 彼《かれ》は古い本棚《ほんだな》の…
    base, reading = text(page).locator("ruby").first, text(page).locator("rt").first
    expect(reading).to_have_text("かれ")
    assert reading.bounding_box()["y"] < base.locator("[data-unit]").bounding_box()["y"]
    expect(text(page)).not_to_contain_text("《")
    unit(page, "彼").click()
    expect_known(page, (0, 1, "minor"))
    drag(page, unit(page, "は"), unit(page, "本棚"))
    expect_known(page, (0, 1, "minor"), (5, 10, "minor"))


def test_vertical_text_runs_down_and_is_marked_along_its_columns(passage_page):
    page = passage_page("case=japanese&vertical=1", lang="ja-JP", width=800)
    first, second = unit(page, "彼").bounding_box(), unit(page, "は").bounding_box()
    assert second["y"] > first["y"]
    assert abs(second["x"] - first["x"]) < 4
    text(page).focus()
    press(page, "ArrowDown", "Shift+ArrowDown", "2")
    expect_known(page, (5, 8, "major"))
    drag(page, unit(page, "本棚"), unit(page, "前"))
    expect_known(page, (5, 8, "major"), (8, 18, "major"))
    press(page, "Home", "ArrowLeft", "1")  # the column to the left
    left = text(page).locator(".marked.first").last.bounding_box()
    assert first["x"] - 60 < left["x"] < first["x"] - 20


def test_a_long_vertical_text_scrolls_by_itself(passage_page):
    page = passage_page("case=long&vertical=1", lang="ja-JP", width=420)
    widths = text(page).evaluate("body => [body.scrollWidth, body.clientWidth]")
    assert widths[0] > widths[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    expect(unit(page, "彼")).to_be_in_viewport()  # it begins at the right


def test_a_text_to_be_read_only_shows_marks_and_lets_itself_be_copied(passage_page):
    page = passage_page("readonly=1")
    expect(unit(page, "The")).to_have_attribute("title", "minor")
    drag(page, unit(page, "quick"), unit(page, "jumps"))
    assert "brown fox" in text(page).evaluate(SELECTED)
    text(page).focus()
    press(page, "2", "Delete", "m")
    unit(page, "The").click()
    expect(page.get_by_role("button", name="major")).to_have_count(0)
    expect_known(page, (0, 3, "minor"))


def test_with_alt_a_drag_selects_as_everywhere(passage_page):
    page = passage_page()
    page.keyboard.down("Alt")
    drag(page, unit(page, "quick"), unit(page, "jumps"))
    page.keyboard.up("Alt")
    assert "brown fox" in text(page).evaluate(SELECTED)
    drag(page, unit(page, "lazy"), unit(page, "dog"))
    expect_known(page, (35, 43, "minor"))


def test_the_chosen_mark_is_copied_without_its_readings(passage_page):
    page = passage_page("case=japanese")
    page.evaluate(LISTEN)
    drag(page, unit(page, "は"), unit(page, "の"))
    unit(page, "は").click()
    press(page, "Control+c")
    assert page.evaluate("window.copied") == "は古い本棚の"


def test_markup_in_a_text_is_text(passage_page):
    page = passage_page("case=html")
    assert text(page).inner_text() == "<script>document.title='no'</script> & <b>bold</b> *x*"
    assert page.title() != "no"
    assert text(page).locator("b, script").count() == 0
    unit(page, "bold").click()
    expect_known(page, (42, 46, "minor"))


WAYS = [pytest.param("", marks=pytest.mark.heavy, id="page"), pytest.param("&fragment=1", id="fragment")]


@pytest.mark.parametrize("way", WAYS)
def test_ten_marks_in_a_row_while_the_server_is_busy_are_all_kept(passage_page, way):
    page = passage_page(f"slow=0.4{way}")
    text(page).focus()
    for _ in range(10):
        press(page, "1", "ArrowRight")
        page.wait_for_timeout(100)
    expect(text(page).locator(".marked.first")).to_have_count(10)
    first_ten = [
        (0, 3),
        (4, 9),
        (10, 15),
        (16, 19),
        (20, 25),
        (26, 30),
        (31, 34),
        (35, 39),
        (40, 43),
        (43, 44),
    ]
    expect_known(page, *((start, end, "minor") for start, end in first_ten))
    page.wait_for_timeout(1500)
    expect(text(page).locator(".marked.first")).to_have_count(10)


@pytest.mark.parametrize("way", WAYS)
def test_a_category_given_in_python_and_marks_made_meanwhile_both_stay(passage_page, way):
    page = passage_page(f"protocol=mqm&slow=0.6{way}")
    unit(page, "quick").click()
    expect_known(page, (4, 9, "minor"))
    page.get_by_role("button", name="classify").click()
    page.wait_for_timeout(200)  # the server is at it, and will not have drawn it yet
    text(page).focus()
    press(page, "End", "2", "ArrowLeft", "2")
    expect_known(page, (4, 9, "minor"), (78, 83, "major"), (83, 84, "major"))
    expect(page.get_by_test_id("stCode")).to_contain_text('"category": "accuracy/mistranslation"')
    expect(unit(page, "quick")).to_have_attribute("title", "minor · wrong meaning")
    expect(text(page).locator(".marked.first")).to_have_count(3)


def test_a_mark_that_cannot_be_stored_is_not_shown_as_if_it_were(passage_page):
    page = passage_page("refuse=1")
    unit(page, "quick").click()
    expect_known(page, (4, 9, "minor"))
    unit(page, "fox").click()
    expect(page.get_by_text("No more than one.")).to_be_visible()
    expect(unit(page, "fox")).not_to_have_class(re.compile("marked"))
    press(page, "z")  # nothing is left to take back
    expect_known(page, (4, 9, "minor"))


def test_each_item_has_its_own_marks(passage_page):
    page = passage_page()
    unit(page, "quick").click()
    expect_known(page, (4, 9, "minor"))
    page.get_by_role("button", name="other item").click()
    expect_known(page)
    expect(text(page).locator(".marked")).to_have_count(0)
    unit(page, "fox").click()
    expect_known(page, (16, 19, "minor"))
    page.get_by_role("button", name="other item").click()
    expect_known(page, (4, 9, "minor"))
    expect(text(page).locator(".marked")).to_have_count(1)


def test_an_omission_has_a_place_in_the_source(passage_page):
    page = passage_page("protocol=mqm&side=source")
    text(page).focus()
    press(page, "ArrowRight", "Shift+ArrowRight", "m")
    expect(page.get_by_test_id("stCode")).to_contain_text('"start": 4, "end": 15')
    expect(page.get_by_test_id("stCode")).to_contain_text('"side": "source", "missing": true')
    expect(unit(page, "brown")).to_have_attribute("title", "minor · missing")
