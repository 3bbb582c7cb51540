"""The strips of a reading study: heights are shares of readers, below the line what disturbs."""

from __future__ import annotations

import pytest

from core.charts.palette import LIGHT
from core.charts.reading import strips
from core.raters.reading.highlights import MarkStrip, ReadVersion, mark_strips


def read(reader, marks):
    return ReadVersion(
        reader=reader, book="b", version="A", place=0, length=4, characters=8, active=1, away=0, marks=marks
    )


def test_a_strip_is_the_share_of_readers_in_each_piece_of_the_text():
    rows = [
        read("1", {"pleases": ((0, 2), (4, 5))}),
        read("2", {"pleases": ((0, 2),), "disturbs": ((6, 8),)}),
    ]
    (found,) = mark_strips(rows, ("pleases", "disturbs"), bins=4)
    assert (found.version, found.readers) == ("A", 2)
    assert found.shares == {"pleases": (1.0, 0.0, 0.25, 0.0), "disturbs": (0.0, 0.0, 0.0, 0.5)}
    with pytest.raises(ValueError, match="one book"):
        mark_strips(
            [
                rows[0],
                ReadVersion(**{**{n: getattr(rows[1], n) for n in ReadVersion.__slots__}, "book": "c"}),
            ],
            (),
        )


def test_the_picture_has_the_shares_in_per_cent_up_and_down():
    found = MarkStrip(version="<b>A", readers=2, shares={"pleases": (1.0, 0.25), "disturbs": (0.0, 0.5)})
    names = {"pleases": "good", "disturbs": "bad"}
    figure = strips([found, found], names=names, along="x", readers="y", palette=LIGHT)
    up, down, *others = figure.data
    assert (list(up.y), list(down.y)) == ([100, 25], [0, -50])
    assert list(up.x) == [25, 75]
    assert (up.name, down.name, down.marker.pattern.shape) == ("good", "bad", "/")
    assert [one.showlegend for one in figure.data] == [True, True, False, False]
    assert figure.layout.annotations[0].text == "&lt;b&gt;A"
    assert len(others) == 2
