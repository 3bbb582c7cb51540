"""Two readers in a reading study: one on a phone in vertical Japanese, one at a desk in English."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from db.campaigns.study import study_findings
from db.permissions import OPERATOR
from db.queries.study import study_of
from tests.support.axe import violations
from tests.support.reading_screens import (
    ENGLISH,
    JAPANESE,
    SECRET,
    begin,
    choose,
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
    folder = tmp_path_factory.mktemp("reading")
    with organised(folder, lambda engine: study(engine, "first", "en", ENGLISH[:1])) as found:
        yield found


def to_the_end(page):
    page.locator(".book .frame").press("End")
    page.locator(".book .finish").click()


def drag(page, first, last):
    """With the mouse from within one word to within another."""
    for place, word in enumerate((first, last)):
        box = word.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 8, steps=1 + 4 * place)
        page.mouse.down() if place == 0 else page.mouse.up()


@pytest.mark.slow
def test_a_reader_at_a_desk_marks_by_mouse_and_keys_and_nothing_is_lost_by_a_reload(app, visitor):
    address, engine = app
    number = study(engine, "At a desk", "en", ENGLISH)
    token, person = reader(engine, number, "Aki")
    page = visitor()
    sent = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(data)))
    begin(page, address, token)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".book .count")).to_have_text(re.compile("^Page 2 of"))
    page.keyboard.press("1")  # a pen in hand: the first word of the page, two more, and a highlight
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    words = page.locator(".book .flow p").nth(25).locator("span", has_text=re.compile("^(captain|told)$"))
    page.keyboard.press("Home")
    first = page.locator(".book .flow p").first.locator("[data-unit]")
    drag(page, first.filter(has_text="ferry"), first.filter(has_text="quay"))
    page.keyboard.press("2")
    page.get_by_label("Why? (optional)").fill("too plain")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    saved(page)
    before = marks(engine, number, person)
    assert [row[0] for row in before[0]] == ["pleases", "disturbs"]
    assert before[0][1] == ("disturbs", "ferry left the quay", "too plain")
    page.reload()
    page.locator(".book .flow p").first.wait_for()
    expect(page.locator(".book .count")).to_have_text(re.compile("^Page 2 of"))
    expect(page.locator(".flow .disturbs").first).to_have_text("ferry")
    assert words.count() == 2
    everything = page.content() + "".join(map(str, sent))
    assert not any(name in everything for name in SECRET)


@pytest.mark.slow
def test_a_reader_answers_after_each_version_and_compares_at_the_end(app, visitor):
    address, engine = app
    number = study(engine, "To the end", "en", ENGLISH[:12])
    token, _ = reader(engine, number, "Nao")
    page = visitor()
    begin(page, address, token)
    to_the_end(page)
    expect(page.get_by_role("heading", name="About version 1")).to_be_visible()
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_text("A question is not answered yet")).to_be_visible()
    page.get_by_role("radiogroup").get_by_text("6", exact=True).click()
    page.get_by_role("button", name="Save and go on").click()
    page.locator(".book .flow p").first.wait_for()
    expect(page.get_by_text("version 2 of 2")).to_be_visible()
    to_the_end(page)
    page.get_by_role("radiogroup").get_by_text("3", exact=True).click()
    page.get_by_role("button", name="Save and go on").click()
    choose(page, "Which version did you like better?", "Version 1")
    choose(page, "By how much?", "clearly")
    choose(page, "Which version is by a human translator, do you think?", "Version 2")
    choose(page, "How sure are you of that?", "rather sure")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_text("You have read and compared all versions.")).to_be_visible()
    (one,) = study_of(engine, OPERATOR, number).readers
    assert {name: one.final[name] for name in ("preferred", "margin", "human", "sure")} == {
        "preferred": 0,
        "margin": 2,
        "human": 1,
        "sure": 2,
    }
    assert [version.answers["quality"] for version in one.read] == [6, 3]
    assert all(version.active > 0 for version in one.read)
    assert study_findings(engine, OPERATOR, [number]).finished == 1


@pytest.mark.slow
def test_a_reader_on_a_phone_reads_from_top_to_bottom_and_marks_by_two_taps(app, visitor):
    address, engine = app
    number = study(engine, "On a phone", "ja", JAPANESE)
    token, person = reader(engine, number, "Mei")
    page = visitor(lang="ja-JP", phone=True)
    begin(page, address, token)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    flow = page.locator(".book .flow")
    assert flow.evaluate("(flow) => getComputedStyle(flow).writingMode") == "vertical-rl"
    expect(page.locator(".book rt").first).to_have_text("せんどう")
    expect(page.get_by_role("button", name="次のページ")).to_be_in_viewport(
        ratio=1
    )  # all of the page is seen
    page.get_by_role("button", name="次のページ").tap()
    expect(page.locator(".book .count")).to_have_text(re.compile("^2 /"))
    saved(page)
    page.get_by_role("button", name="よい").tap()
    here = page.evaluate(
        """() => {
          const all = (root) => [...root.querySelectorAll("*")];
          const find = (root) => all(root).reduce(
            (found, one) => found ?? (one.matches(".frame") ? one : one.shadowRoot && find(one.shadowRoot)),
            null,
          );
          const frame = find(document), window_ = frame.getBoundingClientRect();
          const seen = [...frame.querySelectorAll("[data-unit]")].filter((part) => {
            const box = part.getBoundingClientRect();
            return box.top >= window_.top && box.bottom <= window_.bottom && /渡し|岸/.test(part.textContent);
          });
          return seen.slice(0, 2).map((part) => Number(part.dataset.unit));
        }"""
    )
    for unit in here:
        page.locator(f".book [data-unit='{unit}']").first.tap()
    saved(page)
    page.reload()
    page.locator(".book .flow p").first.wait_for()
    expect(page.locator(".book .count")).to_have_text(re.compile("^2 /"))
    ((kind, text, _),) = marks(engine, number, person)[0]
    assert kind == "pleases"
    assert text in ("渡し船は一時に岸", "岸を離れ、誰もその訳を知らなかった。甲「") or text.startswith("渡し")
    expect(page.locator(".flow .pleases").first).to_be_visible()
    page.get_by_role("button", name="横書き").tap()
    assert flow.evaluate("(flow) => getComputedStyle(flow).writingMode") == "horizontal-tb"


@pytest.mark.slow
def test_a_highlight_made_while_the_server_is_dead_is_stored_when_it_is_back(tmp_path, visitor):
    page = visitor()
    dead = left_by_its_server(tmp_path, page, lambda engine: study(engine, "Dead", "en", ENGLISH), begin)
    with dead as (engine, number, person, again):
        page.keyboard.press("2")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".book .state")).to_have_text("Not saved yet")
        assert marks(engine, number, person)[0] == []
        with again():
            expect(page.locator(".book .state")).to_have_text("Everything is saved", timeout=60_000)
            saved(page)
            assert [row[:2] for row in marks(engine, number, person)[0]] == [("disturbs", "Paragraph 0")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{"theme": "dark"}, {"phone": True}], ids=["dark", "phone"])
def test_every_screen_of_a_study_is_accessible(app, visitor, kind):
    address, engine = app
    number = study(engine, "Axe", "ja", JAPANESE[:8])
    token, _ = reader(engine, number, f"Axe {kind}")
    page = visitor(lang="ja-JP", **kind)
    begin(page, address, token)
    assert violations(page) == []
    for key in ("2", "Shift+ArrowDown", "Enter", "Escape"):
        page.locator(".book .frame").press(key)
    page.locator(".flow .disturbs").first.click()
    assert violations(page) == []
    for paper in ("sepia", "night"):
        page.locator(".book .look button").nth(2).click()
        assert violations(page) == [], paper
    to_the_end(page)
    page.locator("[data-testid=stForm]").wait_for()
    assert violations(page) == []
