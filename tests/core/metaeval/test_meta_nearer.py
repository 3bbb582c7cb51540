"""Which of two settings is nearer to people, translation by translation."""

from __future__ import annotations

import numpy as np
import pytest

from core.metaeval.evaluation import MetaTable
from core.metaeval.significance import contrast, nearness


def table(people, **metrics):
    n = len(people)
    return MetaTable(
        people=np.array(people, float),
        metrics={name: np.array(column, float) for name, column in metrics.items()},
        item=np.arange(n),
        system=np.zeros(n, np.int64),
        items=[str(one) for one in range(n)],
        systems=["ours"],
        group=np.arange(n),
    )


def test_each_translation_says_which_is_nearer_on_a_common_scale():
    # people 0 0 4 4: mean 2, deviation 2, so -1 -1 1 1; b 0 1 3 4 has mean 2 and deviation 1.58
    given = table([0, 0, 4, 4], a=[10, 10, 30, 30], b=[0, 1, 3, 4])
    found = nearness(given, "a", "b")
    assert found.people.tolist() == found.first.tolist() == [-1, -1, 1, 1]
    assert found.second == pytest.approx([-1.2649, -0.6325, 0.6325, 1.2649], abs=1e-4)
    assert found.gains == pytest.approx([0.2649, 0.3675, 0.3675, 0.2649], abs=1e-4)
    assert found.share == 1
    assert contrast(given, "b", "a").nearer == 0


def test_equal_distances_count_half_and_what_does_not_vary_has_no_share():
    assert nearness(table([0, 1, 2, 3], a=[0, 1, 2, 3], b=[0, 2, 4, 6]), "a", "b").share == 0.5
    assert nearness(table([0, 1, 2, 3], a=[1, 1, 1, 1], b=[0, 2, 4, 6]), "a", "b").share is None
    assert nearness(table([0, 1, 2], a=[0, 1, 2], b=[2, 1, 0]), "a", "b").share is None
