"""Tables of people's and metrics' scores for the tests."""

from __future__ import annotations

import numpy as np

from core.metaeval.evaluation import MetaTable


def table(people, **metrics):
    """From (items, systems) grids; a group for each item."""
    people = np.array(people, np.float64)
    items, systems = people.shape
    item, system = (index.ravel() for index in np.indices(people.shape))
    return MetaTable(
        people=people.ravel(),
        metrics={name: np.array(grid, np.float64).ravel() for name, grid in metrics.items()},
        item=item,
        system=system,
        items=[f"i{number}" for number in range(items)],
        systems=[f"s{number}" for number in range(systems)],
        group=item,
    )
