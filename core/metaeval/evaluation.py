"""The translations of a campaign as columns: where each belongs, people's scores, and metrics' scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetaTable:
    """n translations. people: (n,), NaN without a score from people. metrics: (n,) each, NaN for no score.

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
                raise InputError(
                    "“{name}” has {n} values for {translations} translations.",
                    name=name,
                    n=len(column),
                    translations=n,
                )
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

    def scored_by_all(self) -> MetaTable:
        """The translations that every metric has scored, so that all figures rest on the same ones.

        A metric without any score has no say.
        """
        columns = [column for column in self.metrics.values() if np.isfinite(column).any()]
        return self.among(known(np.zeros(len(self.people)), *columns))

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


PEOPLE = "people"
"""The name of people's column among the metrics'."""

Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evaluation:
    """n translations of systems, a row each; a rated reference is not among them.

    translation, segment: (n,) int64, their ids. system, document, domain: (n,) int64, indices into systems,
    documents, domains. position: (n,) int64, of the segment in its document, from 0. length: (n,) int64, code
    points of the reference. people: (n,) float64, the mean over raters, NaN without a score from people.
    metrics: (n,) float64 each as the metric gives them, NaN for no score. lower: those of which lower is
    better. signatures: by metric. flags: by flag, (n,) whether a metric gave it to the translation.
    """

    translation: Indices
    segment: Indices
    system: Indices
    document: Indices
    domain: Indices
    position: Indices
    length: Indices
    people: Floats
    metrics: Mapping[str, Floats]
    flags: Mapping[str, Bools]
    systems: Sequence[str]
    documents: Sequence[str]
    domains: Sequence[str]
    lower: frozenset[str]
    signatures: Mapping[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Everything that has scores: people, and the metrics in their order."""
        return (PEOPLE, *self.metrics)

    def column(self, name: str) -> Floats:
        """(n,) float64, a column's scores."""
        return self.people if name == PEOPLE else self.metrics[name]

    def upwards(self, name: str) -> Floats:
        """The same so that higher is better."""
        return turned(self.column(name), higher_is_better=name not in self.lower)

    def place(self, row: int) -> str:
        """Where a translation belongs, for a reader: document, number of the segment, system."""
        document, system = self.documents[self.document[row]], self.systems[self.system[row]]
        return f"{document} {self.position[row] + 1} · {system}"

    def among(self, rows: Bools) -> Evaluation:
        """Some of the rows; systems, documents and domains keep their numbers."""

        def cut(values: NDArray[T]) -> NDArray[T]:
            return values[rows]

        return replace(
            self,
            translation=cut(self.translation),
            segment=cut(self.segment),
            system=cut(self.system),
            document=cut(self.document),
            domain=cut(self.domain),
            position=cut(self.position),
            length=cut(self.length),
            people=cut(self.people),
            metrics={name: cut(values) for name, values in self.metrics.items()},
            flags={name: cut(values) for name, values in self.flags.items()},
        )

    def with_metrics(self, names: Collection[str]) -> Evaluation:
        """The same rows with some of the metrics, in their order."""
        return replace(self, metrics={name: one for name, one in self.metrics.items() if name in names})

    def table(self) -> MetaTable:
        """People and metrics as meta-evaluation takes them: higher is better, drawn by document."""
        segments, item = np.unique(self.segment, return_inverse=True)
        return MetaTable(
            people=self.people,
            metrics={name: self.upwards(name) for name in self.metrics},
            item=item.astype(np.int64),
            system=self.system,
            items=[str(one) for one in segments.tolist()],
            systems=self.systems,
            group=self.document,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which translations are looked at. None: all. shortest, longest: of the reference, inclusive.

    flag: only those with it; `without` turns that round.
    """

    domains: Collection[str] | None = None
    documents: Collection[str] | None = None
    systems: Collection[str] | None = None
    shortest: int | None = None
    longest: int | None = None
    flag: str | None = None
    without: bool = False

    def rows(self, evaluation: Evaluation) -> Bools:
        """(n,) which translations pass."""
        keep = np.ones(len(evaluation.people), bool)
        for wanted, names, of in (
            (self.domains, evaluation.domains, evaluation.domain),
            (self.documents, evaluation.documents, evaluation.document),
            (self.systems, evaluation.systems, evaluation.system),
        ):
            if wanted is not None:
                keep &= np.array([name in wanted for name in names], bool)[of]
        if self.shortest is not None:
            keep &= evaluation.length >= self.shortest
        if self.longest is not None:
            keep &= evaluation.length <= self.longest
        if self.flag is not None:
            flagged = evaluation.flags.get(self.flag, np.zeros(len(keep), bool))
            keep &= ~flagged if self.without else flagged
        return keep
