"""Tables that say little: what can be said is said with its n, and the rest is None, without a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from core.metaeval.correlation import COEFFICIENTS, GROUPINGS
from core.metaeval.summary import summarise
from tests.support.meta_tables import table

PEOPLE = np.array([[9.0, 6, 5, 1], [8, 7, 1, 2], [5, 4, 6, 3], [7, 9, 2, 1]])
NOISE = np.array([[1.0, 7, 3, 2], [4, 4, 9, 1], [2, 8, 5, 6], [3, 1, 7, 8]])
NOBODY, SAME = np.full((4, 4), np.nan), np.ones((4, 4))
LEFT = np.where(np.arange(4) < 2, PEOPLE, np.nan)
"""Scores of the first two systems alone."""

TABLES = {
    "two systems": table(PEOPLE[:, :2], a=PEOPLE[:, :2], b=NOISE[:, :2]),
    "one system": table(PEOPLE[:, :1], a=PEOPLE[:, :1], b=NOISE[:, :1]),
    "one segment": table(PEOPLE[:1], a=PEOPLE[:1], b=NOISE[:1]),
    "people all alike": table(SAME, a=PEOPLE, b=NOISE),
    "a metric all alike": table(PEOPLE, a=SAME, b=NOISE),
    "all ties": table(SAME, a=SAME, b=SAME),
    "a metric without scores": table(PEOPLE, a=NOBODY, b=NOISE),
    "nobody rated": table(NOBODY, a=PEOPLE, b=NOISE),
    "a metric of other systems": table(LEFT, a=np.where(np.isnan(LEFT), PEOPLE, np.nan), b=NOISE),
}


@pytest.mark.parametrize("one", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_there_is_a_summary_and_nothing_in_it_is_nan(one, coefficient, grouping):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = summarise(one, coefficient, grouping)
    for row in found.metrics:
        level = row.systems
        numbers = (row.segment.value, row.interval.r, row.interval.low, row.accuracy.value,
                   row.kendall_like.value, level.pearson, level.accuracy, level.soft)  # fmt: skip
        assert all(value is None or np.isfinite(value) for value in numbers)
    assert all(contrast.permutation is None or 0 < contrast.permutation <= 1 for contrast in found.contrasts)


def segment(name, metric):
    """The Pearson of a metric with people on all segments, and its n."""
    (row,) = [row for row in summarise(TABLES[name]).metrics if row.metric == metric]
    return row.segment.value, row.segment.n


def test_what_cannot_be_said_is_none_beside_the_n_that_there_was():
    assert segment("people all alike", "a") == (None, 16)
    assert segment("a metric all alike", "a") == (None, 16)
    assert segment("a metric without scores", "a") == (None, 0)
    assert segment("a metric of other systems", "a") == (None, 0)
    assert segment("nobody rated", "b") == (None, 0)


def test_a_metric_that_says_nothing_takes_nothing_from_the_others():
    alone = float(np.corrcoef(PEOPLE.ravel(), NOISE.ravel())[0, 1])
    for name in ("a metric without scores", "a metric all alike"):
        value, n = segment(name, "b")
        assert (value, n) == (pytest.approx(alone), 16)


def test_of_two_systems_there_is_one_pair_and_no_correlation():
    level = summarise(TABLES["two systems"]).metrics[0].systems
    assert (level.systems, level.pearson, level.accuracy) == (2, None, 1.0)
    assert summarise(TABLES["one system"]).metrics[0].systems.accuracy is None
