"""What is compared: people's scores and metrics' scores of the same translations, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetaTable:
    """n translations. people: (n,), NaN where nobody scored. metrics: (n,) each, NaN for no score.

    item: (n,) which segment, system: (n,) which system, as indices into items and systems, which name them;
    a segment and a system stand together once at most. group: (n,) what is drawn together in a bootstrap,
    such as the document. Higher is better everywhere: turn a metric round before (`turned`).
    """

    people: Floats
    metrics: Mapping[str, Floats]
    item: NDArray[np.int64]
    system: NDArray[np.int64]
    items: Sequence[str]
    systems: Sequence[str]
    group: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Raises InputError for columns of different lengths and for a cell that is there twice."""
        n = len(self.people)
        for name, column in (*self.metrics.items(), ("item", self.item), ("system", self.system)):
            if len(column) != n:
                raise InputError(f"“{name}” has {len(column)} values for {n} translations.")
        cells = self.item * max(len(self.systems), 1) + self.system
        if len(np.unique(cells)) < n:
            raise InputError("A system's translation of a segment stands there twice; leave one out.")

    def among(self, rows: NDArray[np.bool_]) -> MetaTable:
        """The same with some of the translations, such as those of a domain."""
        return MetaTable(
            people=self.people[rows],
            metrics={name: column[rows] for name, column in self.metrics.items()},
            item=self.item[rows],
            system=self.system[rows],
            items=self.items,
            systems=self.systems,
            group=self.group[rows],
        )

    def grid(self, column: Floats) -> Floats:
        """(items, systems) float64 of a column, NaN where there is nothing."""
        found = np.full((len(self.items), len(self.systems)), np.nan)
        found[self.item, self.system] = column
        return found


def turned(column: Floats, *, higher_is_better: bool) -> Floats:
    """A metric's scores so that higher is better."""
    return column if higher_is_better else -column


def known(*columns: Floats) -> NDArray[np.bool_]:
    """(n,) where all of these have a value."""
    found = np.ones(len(columns[0]), bool)
    for column in columns:
        found &= np.isfinite(column)
    return found
