"""What only a browser can show: the keyboard, the focus, a reload, deep links."""

import re

import pytest
from playwright.sync_api import expect

from db.engine import make_engine
from db.queries import enter_rater, items_of, list_campaigns


def shown(page):
    """What belongs to the latest run; for a moment the item before is there too, marked as stale."""
    return page.locator("[data-stale=false]")


def field(page):
    return shown(page).get_by_test_id("stNumberInputField")


def comment(page):
    return shown(page).get_by_role("textbox", name="Comment (optional)")


def enter(page, server, name):
    page.goto(f"{server.address}/rate")
    page.get_by_label("Your name").click()
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def at_item(page, number):
    expect(page.get_by_text(re.compile(rf"· {number} of \d+"))).to_be_visible()
    expect(field(page)).to_be_focused()


def test_three_items_by_keyboard_alone_survive_a_reload(server, visitor):
    page = visitor()
    enter(page, server, "Natsuko")
    page.get_by_role("button", name="start rating").press("Enter")
    for number, score in enumerate(("86", "0", "40"), start=1):
        at_item(page, number)
        expect(field(page)).to_have_value("")
        page.keyboard.type(score)
        page.keyboard.press("Enter")
    at_item(page, 4)
    expect(page.get_by_text(re.compile(r"saved \d\d:\d\d"))).to_be_visible()

    page.reload()
    enter(page, server, "natsuko")
    at_item(page, 4)
    for score in ("40", "0", "86"):
        page.get_by_role("button", name="Previous").click()
        expect(field(page)).to_have_value(score)

    engine = make_engine(server.database)
    rater = enter_rater(engine, "Natsuko")
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    assert [item.score for item in items_of(engine, holmes, rater.id)[:4]] == [86, 0, 40, None]


@pytest.mark.slow
def test_the_row_in_all_its_ways(server, visitor):
    page = visitor()
    enter(page, server, "Tester")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)

    page.keyboard.press("Enter")  # nothing typed: nothing stored, nothing moves
    page.keyboard.type("101")
    page.keyboard.press("Enter")  # no such score
    page.wait_for_timeout(800)
    at_item(page, 1)
    field(page).fill("55")
    field(page).press("Enter")
    at_item(page, 2)

    rail = page.get_by_role("slider", name="Score from 0 to 100")
    box = rail.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(field(page)).to_have_value(re.compile(r"49|50|51"))
    expect(page.get_by_text(re.compile("Stored: (49|50|51)"))).to_be_visible()
    at_item(page, 2)
    field(page).press("Enter")  # unchanged: on to the next
    at_item(page, 3)

    field(page).fill("7")
    comment(page).click()  # leaving the field stores, and stays
    expect(page.get_by_text("Stored: 7")).to_be_visible()
    expect(comment(page)).to_be_focused()
    page.keyboard.type("a name is wrong")
    page.get_by_role("button", name="Next").click()
    at_item(page, 4)
    page.get_by_role("button", name="Previous").click()
    expect(comment(page)).to_have_value("a name is wrong")

    page.get_by_role("button", name="Next").click()
    at_item(page, 4)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="I cannot judge this one").click()
    at_item(page, 5)


@pytest.mark.slow
def test_what_was_typed_and_not_sent_comes_back_after_a_reload(server, visitor):
    page = visitor()
    enter(page, server, "Draft")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)
    page.keyboard.type("64")
    page.wait_for_timeout(1800)
    page.reload()
    enter(page, server, "Draft")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)
    expect(field(page)).to_have_value("64")
    engine = make_engine(server.database)
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    rater = enter_rater(engine, "Draft").id
    assert items_of(engine, holmes, rater)[0].score is None  # a draft is no score
    field(page).press("Enter")
    at_item(page, 2)
    assert items_of(engine, holmes, rater)[0].score == 64
    comment(page).click()
    page.keyboard.type("the name is")
    page.wait_for_timeout(1800)
    page.reload()
    enter(page, server, "Draft")
    at_item(page, 2)
    expect(comment(page)).to_have_value("the name is")


@pytest.mark.slow
def test_what_is_typed_before_the_next_item_is_there_goes_to_no_item(server, visitor):
    page = visitor()
    enter(page, server, "Swift")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)
    for score in ("11", "22", "33", "44"):
        page.keyboard.type(score)
        page.keyboard.press("Enter")
    at_item(page, 2)
    expect(field(page)).to_have_value("")
    page.wait_for_timeout(500)
    page.keyboard.type("55")
    page.keyboard.press("Enter")
    at_item(page, 3)
    engine = make_engine(server.database)
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    rater = enter_rater(engine, "Swift").id
    assert [item.score for item in items_of(engine, holmes, rater)[:4]] == [11, 55, None, None]


@pytest.mark.slow
def test_every_page_by_its_own_address(server, visitor):
    for path, heading, title in (
        ("/agreement?lang=ja", "評価者の一致", "評価者の一致"),
        ("/", "How much of a novel arrives", "Start"),
        ("/rate", "Rate translations", "Rate"),
        ("/agreement", "Agreement", "Agreement"),
    ):
        page = visitor()
        page.goto(server.address + path)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page).to_have_title(f"{title} – Yomikurabe")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
def test_a_cell_of_the_matrix_opens_its_scatter(server, visitor):
    page = visitor(theme="dark")
    page.goto(f"{server.address}/agreement")
    page.get_by_role("combobox", name="Campaign").click()
    page.get_by_role("option", name="Wikipedia").click()
    expect(page.get_by_text("mean pairwise r 0.91")).to_be_visible()
    page.wait_for_timeout(800)  # the charts of the campaign before are gone, these have taken their size
    matrix = page.locator(".js-plotly-plot").first
    matrix.scroll_into_view_if_needed()
    cell = matrix.get_by_text("n = 100").last.bounding_box()
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"])
    page.wait_for_timeout(300)
    page.mouse.click(cell["x"] + cell["width"] / 2, cell["y"])
    expect(page.get_by_role("combobox", name="Two raters")).to_have_value("position-2 × position-3")


@pytest.mark.slow
def test_the_language_stays_with_the_reader(server, visitor):
    page = visitor(lang="ja-JP")
    page.goto(f"{server.address}/rate")
    expect(page.get_by_role("heading", name="翻訳を採点する")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", name="Rate translations")).to_be_visible()
    expect(page).to_have_url(re.compile("lang=en"))
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_text("Agreement", exact=True).click()
    expect(page.get_by_role("heading", name="Agreement")).to_be_visible()
    expect(page).to_have_url(re.compile("agreement.*lang=en"))
    page.reload()
    expect(page.get_by_role("heading", name="Agreement")).to_be_visible()


@pytest.mark.slow
def test_nothing_overflows_a_narrow_window(server, visitor):
    page = visitor(width=420)
    enter(page, server, "Narrow")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    reference, translation = (
        page.get_by_text(name, exact=True).bounding_box() for name in ("Reference", "Translation")
    )
    assert translation["y"] > reference["y"] + 40


@pytest.mark.slow
def test_enter_may_be_held_and_one_that_is_still_held_stores_nothing_for_the_next_item(server, visitor):
    page = visitor()
    enter(page, server, "Osamu")
    page.get_by_role("button", name="start rating").press("Enter")
    at_item(page, 1)
    page.keyboard.type("77")
    for _ in range(4):  # all but the first are repeats
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    at_item(page, 2)
    expect(field(page)).to_have_value("")


@pytest.mark.slow
def test_a_double_click_on_next_moves_by_one_item_and_stores_one_score(server, visitor):
    page = visitor()
    enter(page, server, "Doppel")
    page.get_by_role("button", name="start rating").click()
    at_item(page, 1)
    field(page).fill("80")
    box = page.get_by_role("button", name="Next").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for count in (1, 2, 3):  # a double click and one more
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        page.wait_for_timeout(100)
    expect(page.get_by_text("· 2 of 168")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.get_by_text("· 2 of 168")).to_be_visible()
    engine = make_engine(server.database)
    rater = enter_rater(engine, "Doppel")
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    assert [item.score for item in items_of(engine, holmes, rater.id)[:3]] == [80, None, None]
