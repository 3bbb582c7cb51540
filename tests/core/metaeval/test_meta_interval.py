"""The interval of the chosen coefficient: whole documents are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from core.metaeval.correlation import COEFFICIENTS, GROUPINGS, correlate, interval
from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import intervals

RNG = np.random.default_rng(3)
DOCUMENTS, SEGMENTS, SYSTEMS = 12, 3, 4


@pytest.fixture(scope="module")
def table():
    """12 documents of 3 segments with 4 systems; the metric is people's score and noise."""
    document, segment, system = np.indices((DOCUMENTS, SEGMENTS, SYSTEMS)).reshape(3, -1)
    people = RNG.normal(size=document.size)
    return MetaTable(
        people=people,
        metrics={"m": people + RNG.normal(size=document.size)},
        item=document * SEGMENTS + segment,
        system=system,
        items=[str(number) for number in range(DOCUMENTS * SEGMENTS)],
        systems=list("abcd"),
        group=document,
    )


def test_of_the_pooled_r_it_is_the_one_that_stands_beside_it(table):
    (pooled,) = intervals(table, seed=5)
    assert interval(table, "m", seed=5) == pytest.approx((pooled.low, pooled.high), abs=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.slow
def test_the_coefficient_lies_in_its_interval(table, coefficient, grouping):
    value = correlate(table, "m", coefficient, grouping).value
    low, high = interval(table, "m", coefficient, grouping)
    assert low < value < high


def test_within_documents_it_is_a_bootstrap_of_the_documents_values(table):
    values = [
        np.corrcoef(table.people[table.group == one], table.metrics["m"][table.group == one])[0, 1]
        for one in range(DOCUMENTS)
    ]
    rng = np.random.default_rng(1)
    means = [np.mean(rng.choice(values, DOCUMENTS)) for _ in range(20_000)]
    by_hand = np.quantile(means, [0.025, 0.975])
    assert interval(table, "m", grouping="document") == pytest.approx(by_hand, abs=0.02)


def test_few_documents_have_no_interval(table):
    assert interval(table.among(table.group < 3), "m") == (None, None)
