"""Which systems stand beside each other: all of a segment, on as few and as even screens as can be."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.text.locale import words
from db.design import Design
from db.permissions import OPERATOR
from db.queries import enter_rater, items_of, list_campaigns
from db.queries.manage import set_campaign
from pages.evaluate.rate.side_by_side import screen
from tests.support.widgets import button


@dataclass
class Item:
    segment_id: int


@pytest.mark.parametrize(
    ("systems", "place", "expected"),
    [
        (2, 1, range(2)),
        (5, 0, range(5)),
        (6, 2, range(3)),
        (6, 3, range(3, 6)),
        (7, 0, range(3)),
        (7, 6, range(3, 7)),
        (11, 5, range(3, 7)),
    ],
)
def test_a_screen_holds_at_most_five_systems_of_one_segment(systems, place, expected):
    items = [Item(1)] * systems + [Item(2)] * systems
    assert screen(items, place, 5) == expected
    shifted = screen(items, systems + place, 5)
    assert (shifted.start - systems, shifted.stop - systems) == (expected.start, expected.stop)


@pytest.fixture
def desk(start, enter, engine):
    """The demo side by side, as Aki sees it."""
    holmes = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    set_campaign(engine, OPERATOR, holmes, name="Holmes", protocol="side-by-side", design=Design())
    at = enter(start(), "Aki", holmes)
    return at, items_of(engine, holmes, enter_rater(engine, "Aki").id)


@pytest.mark.slow
def test_side_by_side_has_what_the_other_protocols_have(desk, html_of):
    at, items = desk
    first = items[0].id
    said = words("en")
    popovers = {one.proto.popover.label for one in at.get("popover")}
    assert {said["rate.guideline"], said["rate.about"], said["rate.skip"]} <= popovers
    assert at.text_input(key=f"side-comment-{first}").label == said["rate.comment"]
    assert at.button(key=f"skip-unsure-{first}").label == said["skip.unsure"]
    assert at.button(key="keys").label == said["keys.title"]
    assert at.toggle(key="show-own").label == said["rate.own"]


def test_the_counter_tells_the_items_of_the_screen(desk, html_of):
    at, items = desk
    on_screen = len(screen(items, 0, 5))
    assert on_screen > 1
    assert f"1–{on_screen} of {len(items)}" in html_of(at)
    button(at, "next").click().run()
    assert f"{on_screen + 1}–{on_screen + len(screen(items, on_screen, 5))} of {len(items)}" in html_of(at)


def test_another_reason_for_skipping_needs_a_comment_here_too(desk):
    at, items = desk
    first = items[0].id
    at.number_input(key=f"side-{first}").set_value(37).run()
    at.button(key=f"skip-other-{first}").click().run()
    assert ["Another reason needs a comment" in error.value for error in at.error] == [True]
    assert at.number_input(key=f"side-{first}").value == 37


def test_earlier_scores_are_those_of_other_screens(desk, html_of):
    at, items = desk
    at.number_input(key=f"side-{items[0].id}").set_value(37).run()
    at.toggle(key="show-own").set_value(True).run()
    assert words("en")["rate.own_none"] in html_of(at)
    button(at, "next").click().run()
    assert '<td class="yk-number">37</td>' in html_of(at)
