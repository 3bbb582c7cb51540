"""Which systems stand beside each other: all of a segment, on as few and as even screens as can be."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pages.evaluate.rate.side_by_side import screen


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
