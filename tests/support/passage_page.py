"""What is on the page of `passage_app.py`, and how it is pressed."""

import json
import re

from playwright.sync_api import expect


def text(page):
    return page.locator(".passage .text")


def unit(page, words, nth=0):
    """A word, or what lies between two."""
    return text(page).locator("[data-unit]").get_by_text(words, exact=True).nth(nth)


def middle(part):
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, first, last):
    page.mouse.move(*middle(first))
    page.mouse.down()
    page.mouse.move(*middle(last), steps=4)
    page.mouse.up()


def expect_known(page, *spans):
    """Wait until Python was told of exactly these (start, end, severity); an omission is (0, 0, severity)."""
    other = r'"[^}]*"missing":'
    rows = [
        rf'{{"start": {start}, "end": {end}, "severity": "{kind}{other} {json.dumps(not end)}[^}}]*}}'
        for start, end, kind in spans
    ]
    expect(page.get_by_test_id("stCode")).to_have_text(re.compile(rf"^\[{', '.join(rows)}\]\s*$"))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
