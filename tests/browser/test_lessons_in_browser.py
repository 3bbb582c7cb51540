"""Lessons in a real browser: a reload and a link keep them, and a class sees all of it on one screen."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from pages.learn.examples import FLATTERIES, NAMES, QUESTIONS, STRUCTURE, Example

LESSONS = ("ab", "names", "structure", "questions", "raters", "judge", "story", "readers", "fool", "subspace")


def settled(page):
    page.wait_for_function(
        "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
        " && !document.querySelector('[data-testid=stSpinner]')",
        timeout=60_000,
    )


def asked(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


@pytest.mark.slow
def test_a_typed_text_and_the_example_survive_a_reload_and_travel_in_the_link(server, visitor):
    page = visitor(lang="ja-JP")
    page.goto(f"{server.address}/questions")
    expect(page.get_by_text("考えてみましょう")).to_be_visible(timeout=60_000)
    settled(page)
    page.get_by_text("略語（英）").click()
    field = page.get_by_label("訳文", exact=True)
    page.wait_for_function(  # and the field of the former example is gone
        """text => {
          const fields = [...document.querySelectorAll('textarea[aria-label="訳文"]')];
          return fields.length === 1 && fields[0].value === text;
        }""",
        arg="In 2019 China's gross domestic product grew by 6 %.",
    )
    settled(page)
    field.fill("In 2018 China's GDP grew by 6 %.")
    field.press("Control+Enter")
    expect(page.get_by_text("変更後")).to_be_visible(timeout=60_000)
    settled(page)
    assert asked(page)["translation"] == "In 2018 China's GDP grew by 6 %."
    assert asked(page)["example"] == "abbreviation"
    page.reload()
    expect(page.get_by_label("訳文", exact=True)).to_have_value("In 2018 China's GDP grew by 6 %.")
    expect(page.get_by_text("変更後")).to_be_visible(timeout=60_000)
    other = visitor(lang="ja-JP")
    other.goto(page.url)
    expect(other.get_by_label("訳文", exact=True)).to_have_value("In 2018 China's GDP grew by 6 %.")


@pytest.mark.slow
def test_a_guess_is_answered_by_eight_metrics_and_a_reload_keeps_the_answer(server, visitor):
    page = visitor(lang="ja-JP")
    page.goto(f"{server.address}/ab")
    expect(page.get_by_text("考えてみましょう")).to_be_visible(timeout=60_000)
    settled(page)
    page.get_by_text("反対", exact=True).click()
    settled(page)
    page.locator(".st-key-lesson-ab-guess-bertscore").get_by_text("A", exact=True).click()
    settled(page)
    page.get_by_role("button", name="指標の選択を見る").click()
    expect(page.get_by_text("8つの指標のうち8つが、誤りのある訳（反対の意味）を選びます。")).to_be_visible()
    settled(page)
    page.reload()
    expect(page.get_by_text("8つの指標のうち8つが、誤りのある訳（反対の意味）を選びます。")).to_be_visible()
    assert asked(page)["guess"] == "a"


AFTER = {
    "names": NAMES[0],
    "structure": STRUCTURE[0],
    "questions": QUESTIONS[2],
    "structure?method=role&": STRUCTURE[1],
    "judge": FLATTERIES[0],
}
"""The prepared change of a lesson, by its address."""


OPEN = ("ab", "raters", "fool", "subspace?example=royal", "story?example=message")
"""Lessons that have no prepared change of a text, or are looked at before it."""


def after(name):
    """The address of a lesson after its prepared change."""
    one = AFTER[name]
    changed = one.after if isinstance(one, Example) else f"{one.bad}{one.praise}"
    texts = {"example": one.name, "translation": changed}
    return f"{name if '?' in name else f'{name}?'}{urlencode(texts)}"


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        ("ab?guess=a&mistake=negation&example=bridge-ja", "ja-JP"),
        (after("structure"), "ja-JP"),
        *(
            pytest.param(name, lang, marks=pytest.mark.slow)
            for lang in ("ja-JP", "en-GB")
            for name in (
                "ab",
                "raters",
                "fool",
                "subspace?example=royal",
                *map(after, AFTER),
                "story?example=message",
            )
        ),
    ],
)
@pytest.mark.slow
def test_before_a_class_text_number_and_picture_are_on_one_screen(server, chromium, name, lang):
    context = chromium.new_context(locale=lang, viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{server.address}/{name}{'&' if '?' in name else '?'}projector=1")
    expect(page.locator(".yk-table, .st-key-lesson-ab-guesses").first).to_be_visible(timeout=60_000)
    settled(page)
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 720
    for switch in page.locator("[data-testid=stButtonGroup] > div:visible").all():
        assert switch.evaluate("one => one.scrollWidth <= one.clientWidth")
    if name == "ab":  # nothing is told before the guess
        context.close()
        return
    assert page.locator("[data-testid=stHeader]").is_hidden()
    shown = [page.locator(".yk-table").first.bounding_box()]
    picture = page.locator(".yk-tint, .js-plotly-plot")
    if picture.count() or name != "fool":  # whose picture is the board
        shown.append(picture.first.bounding_box())
    for box in shown:
        assert box["y"] >= 0
        assert box["y"] + min(box["height"], 60) <= 720
    size = page.locator(".yk-table td").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= 20
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_no_lesson_scrolls_sideways_on_a_phone(server, visitor, name):
    page = visitor(lang="ja-JP", phone=True)
    page.goto(f"{server.address}/{name}")
    expect(page.get_by_text("考えてみましょう")).to_be_visible(timeout=60_000)
    settled(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
