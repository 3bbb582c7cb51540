"""The chapter strip: bands with shares, gaps between people and metrics, lengths far from the middle."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.charts.novel import strip_picture
from core.charts.palette import LIGHT
from core.metaeval.evaluation import Evaluation
from core.novel.strip import ADDED, OMITTED, strip

NAN = math.nan


def evaluation(people, metrics, lower=()):
    n = len(people)
    zeros = np.zeros(n, np.int64)
    return Evaluation(
        translation=np.arange(1, n + 1),
        segment=np.arange(n),
        system=zeros,
        document=zeros,
        domain=zeros,
        position=np.arange(n),
        length=np.full(n, 10),
        people=np.array(people, float),
        metrics={name: np.array(column, float) for name, column in metrics.items()},
        flags={},
        systems=["ours"],
        documents=["one"],
        domains=[""],
        lower=frozenset(lower),
        signatures={},
    )


@pytest.fixture
def found():
    table = evaluation([90, 50, 10, NAN], {"good": [0.9, 0.8, 0.7, 0.6], "ter": [80, 40, 20, 10]}, ["ter"])
    return strip(
        table,
        [1, 2, 3, 4, None],
        ["a", "a", "a", "b", "b"],
        scores={1: [80, 100], 2: [50]},
        lengths=[1.0, 2.0, 1.25, 0.5, None],
        middle=1.0,
    )


def test_a_share_is_the_part_of_the_campaign_that_is_not_above(found):
    bands = {band.name: band for band in found.bands}
    assert list(bands) == ["people", "spread", "good", "ter", "length"]
    assert bands["people"].shares[:3] == pytest.approx([1, 2 / 3, 1 / 3])
    assert bands["good"].shares[:4] == pytest.approx([1, 0.75, 0.5, 0.25])
    assert bands["ter"].shares[:4] == pytest.approx([0.25, 0.5, 0.75, 1])  # lower is better
    assert np.isnan(bands["people"].shares[3:]).all()


def test_bands_part_where_the_shares_of_people_and_metrics_are_furthest_apart(found):
    # 1 - .25, .75 - .5, .75 - 1/3, 1 - .25, nothing
    assert found.gaps[:4] == pytest.approx([0.75, 0.25, 0.75 - 1 / 3, 0.75])
    assert np.isnan(found.gaps[4])
    assert found.parted == (0, 3, 2, 1)


def test_spread_is_the_standard_deviation_of_two_raters_or_more(found):
    (spread,) = [band.values for band in found.bands if band.name == "spread"]
    assert spread[0] == pytest.approx(10)
    assert np.isnan(spread[1:]).all()


def test_lengths_far_from_the_middle_are_marked_and_documents_begin(found):
    assert (found.short, found.long, found.starts) == ((3,), (1,), (0, 3))


def test_nothing_rated_and_nothing_scored_leaves_the_length_alone():
    found = strip(evaluation([NAN], {}), [1], ["a"], scores={}, lengths=[None], middle=1.0)
    assert found.bands == ()
    assert found.parted == ()


@pytest.mark.parametrize("n", [1, 5000])
def test_a_picture_has_a_row_for_each_band_and_escapes_names(n):
    table = evaluation(list(range(n)), {"good": list(range(n))[::-1]})
    own = strip(table, range(1, n + 1), ["<b>"] * n, scores={}, lengths=[1.0] * n, middle=1.0)
    words = {
        "people": "People",
        "good": "<i>",
        "length": "Length",
        "parted": "Part",
        "short": "S",
        "long": "L",
    }
    figure = strip_picture(own, [f"<b> {k}" for k in range(n)], palette=LIGHT, words=words)
    assert figure.layout.yaxis.ticktext == ("Part", "S", "L", "People", "&lt;i&gt;", "Length")
    assert list(figure.data[0].y) == [3, 4, 5]
    assert np.shape(figure.data[0].z) == (3, n)
    assert figure.data[0].text[1][0].startswith("&lt;b&gt; 0 · &lt;i&gt;: ")


def test_what_the_aligner_found_has_bands_whose_share_is_by_the_largest_value():
    found = strip(
        evaluation([90, 50, 10], {}),
        [1, 2, 3, None],
        ["a"] * 4,
        scores={},
        lengths=[1.0, 1.0, 1.0, None],
        middle=1.0,
        marks=[{OMITTED: 2.0, ADDED: 0.0}, {OMITTED: 1.0}, {}, None],
    )
    bands = {band.name: band for band in found.bands}
    assert list(bands) == ["people", "length", "omitted", "added"]
    assert bands["omitted"].values[:3].tolist() == [2, 1, 0]
    assert bands["omitted"].shares[:3].tolist() == [1, 0.5, 0]
    assert bands["added"].shares[:3].tolist() == [0, 0, 0]
    assert np.isnan(bands["added"].shares[3])
