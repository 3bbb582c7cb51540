"""Highlights, their overlap, and speed, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.raters.reading.highlights import (
    ReadVersion,
    mark_overlap,
    mark_rates,
    mask_of,
    mean_over_readers,
    overlaps,
    reading_speeds,
)


def read(reader, version="A", *, marks=None, length=500, active=120.0, away=60.0, book="b"):
    return ReadVersion(
        reader=reader,
        book=book,
        version=version,
        place=0,
        length=length,
        characters=100,
        active=active,
        away=away,
        marks=marks or {},
    )


def test_the_mean_over_readers_has_students_interval():
    """2, 4 and 6: mean 4, standard error 2/√3, t = 4.302653 with two degrees of freedom."""
    found = mean_over_readers([2.0, 4.0, 6.0])
    assert (found.n, found.value, found.missing) == (3, 4.0, None)
    assert found.high - found.value == pytest.approx(4.302653 * 2 / math.sqrt(3), rel=1e-6)
    assert found.low == pytest.approx(8 - found.high)
    assert mean_over_readers([2.0, 4.0, 6.0], least=0.0).low == 0.0


@pytest.mark.parametrize(
    ("values", "value", "missing"),
    [([], None, "none"), ([3.0], 3.0, "one-reader"), ([3.0, 3.0], 3.0, "same")],
)
def test_without_readers_that_differ_there_is_no_interval_but_a_reason(values, value, missing):
    found = mean_over_readers(values)
    assert (found.value, found.low, found.high, found.missing) == (value, None, None, missing)


def test_highlights_are_counted_per_thousand_words_and_reader():
    rows = [
        read("1", marks={"pleases": ((0, 3), (5, 9))}),
        read("2", marks={"pleases": ((0, 3),), "disturbs": ((1, 2),)}),
        read("2", marks={}, book="c"),
    ]
    pleases, disturbs = mark_rates(rows, ("pleases", "disturbs"))
    assert (pleases.version, pleases.count, pleases.rate.n) == ("A", 3, 2)
    assert pleases.rate.value == pytest.approx(
        (4 + 1) / 2
    )  # 4 for the first; the mean of 2 and 0 for the second
    assert (disturbs.count, disturbs.rate.value) == (1, pytest.approx(0.5))


def test_the_overlap_is_dices_coefficient_and_marks_without_chance_are_certain():
    """Two readers mark 10 of 100 characters, 6 of them in common: 2 · 6 / 20."""
    masks = [np.zeros(100, bool) for _ in range(2)]
    masks[0][10:20], masks[1][14:24] = True, True
    found = mark_overlap("b", "A", "pleases", masks, seed=1)
    assert (found.readers, found.pairs, found.dice) == (2, 1, pytest.approx(0.6))
    assert found.expected == pytest.approx(0.1, abs=0.02)  # each mark lies on a tenth of the text
    # of the 100 distances between both, 9 give an overlap of at least 6: -4 … 4
    assert found.p == pytest.approx(0.09, abs=0.03)
    assert found.low == 0.0


def test_the_same_long_mark_of_many_readers_is_beyond_chance():
    mask = np.zeros(1000, bool)
    mask[300:320] = True
    found = mark_overlap("b", "A", "pleases", [mask] * 4, seed=1)
    assert (found.dice, found.p) == (1.0, pytest.approx(0.001))
    assert found.high < 0.4


def test_readers_without_a_mark_are_left_out_and_one_alone_has_no_overlap():
    mask = np.zeros(10, bool)
    mask[3] = True
    found = mark_overlap("b", "A", "pleases", [mask, np.zeros(10, bool)], seed=1)
    assert (found.readers, found.pairs, found.dice, found.p) == (1, 0, None, None)


def test_marks_at_random_places_overlap_by_chance_only():
    rng, ps = np.random.default_rng(2), []
    for seed in range(60):
        masks = []
        for _ in range(3):
            mask = np.zeros(400, bool)
            for start in rng.integers(0, 390, 5):
                mask[start : start + 8] = True
            masks.append(mask)
        ps.append(mark_overlap("b", "A", "pleases", masks, seed=seed, shifts=199).p)
    assert sum(p <= 0.1 for p in ps) / len(ps) < 0.22
    assert 0.35 < float(np.mean(ps)) < 0.65


def test_overlaps_are_of_each_book_and_version_by_itself():
    rows = [
        read("1", marks={"pleases": ((0, 10),)}),
        read("2", marks={"pleases": ((0, 10),)}),
        read("3", "B", marks={"pleases": ((0, 10),)}),
    ]
    found = overlaps(rows, ("pleases",), seed=1)
    assert [(one.version, one.readers, one.dice) for one in found] == [("A", 2, 1.0), ("B", 1, None)]
    assert mask_of(rows[0], "pleases").sum() == 10


def test_speed_is_words_per_active_minute():
    (found,) = reading_speeds([read("1"), read("2", active=60.0), read("3", active=0.0)])
    assert (found.speed.n, found.speed.value) == (2, pytest.approx((250 + 500) / 2))
    assert found.away.value == pytest.approx(1.0)
