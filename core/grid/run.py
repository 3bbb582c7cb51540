"""A settings grid: its axes and cells, the run, and its result as rows.

An axis is an option of the metric, or `metric` itself: `weight=none,idf`, `layer=4,6`,
`metric=bertscore,bertscore-reading`. Where several metrics are compared, an option that a metric lacks
changes nothing for that metric. Some pairs at a time are scored in every cell, so that each text is encoded
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from core.backends import Backends, Progress, silent
from core.errors import InputError, Listed, OptionError
from core.grid.store import Store
from core.metaeval.correlation import COEFFICIENTS, correlate
from core.metaeval.evaluation import Floats, MetaTable, turned
from core.metrics import find_metric
from core.metrics.base import Scorer
from core.scoring import Request, score_prepared
from core.types import TextPair

METRIC = "metric"
MOST_CELLS = 2000
"""A grid with more is a mistake more often than a wish."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An option, or `metric`, and the values that it takes, in the order in which they are shown."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """choice: a value for each axis, in their order. request: the metric, and its options of those given."""

    choice: tuple[str, ...]
    request: Request


def parse_axis(text: str) -> Axis:
    """`weight=none,idf`. Raises OptionError for another form, and for a value that is there twice."""
    name, equals, rest = (part.strip() for part in text.partition("="))
    values = tuple(value.strip() for value in rest.split(",") if value.strip())
    if not equals or not name or not values:
        raise OptionError("--axis {text}: write OPTION=VALUE,VALUE, such as weight=none,idf", text=text)
    twice = [value for value in dict.fromkeys(values) if values.count(value) > 1]
    if twice:
        raise OptionError(
            "--axis {option} has {twice} twice; give each value once", option=name, twice=", ".join(twice)
        )
    return Axis(name, values)


PAPER_A = "paper-a"
"""The grid of the novels paper, of which the encoders are the reader's to name."""
_PAPER_A_AXES = (
    Axis("idf", ("novel", "wiki")),
    Axis(METRIC, ("bertscore", "bertscore-reading")),
)
_PAPER_A_SETTINGS = {"weight": "idf", "preset": "paper"}


def with_preset(name: str | None, axes: Sequence[Axis]) -> tuple[list[Axis], dict[str, str]]:
    """The axes with those of a preset that are not given, and its settings. Raises OptionError for a name."""
    if name is None:
        return list(axes), {}
    if name != PAPER_A:
        raise OptionError("There is no preset {name}; choose {preset}", name=name, preset=PAPER_A)
    given = {axis.name for axis in axes}
    more = [axis for axis in _PAPER_A_AXES if axis.name not in given]
    return [*axes, *more], {
        option: value for option, value in _PAPER_A_SETTINGS.items() if option not in given
    }


def cells(metric: str, axes: Sequence[Axis], settings: Mapping[str, str] | None = None) -> list[GridCell]:
    """Every combination, the last axis fastest. metric: where no axis is `metric`. settings: of all cells.

    Raises OptionError for an unknown metric, option or value, an axis that is there twice or is also fixed,
    and for more than MOST_CELLS cells.
    """
    fixed = dict(settings or {})
    by_name = {axis.name: axis for axis in axes}
    if len(by_name) < len(axes):
        twice = next(name for name in by_name if sum(axis.name == name for axis in axes) > 1)
        raise OptionError("The axis {option} is there twice; put its values into one", option=twice)
    for name in by_name.keys() & fixed.keys():
        raise OptionError(
            "{option} is an axis and also fixed to {value}; leave out one", option=name, value=fixed[name]
        )
    metrics = by_name[METRIC].values if METRIC in by_name else (metric,)
    _check_options(metrics, [*by_name.keys() - {METRIC}, *fixed])
    size = how_many(axes)
    if size > MOST_CELLS:
        raise OptionError(
            "The axes span {size:,} cells; {limit:,} are possible: leave out values",
            size=size,
            limit=MOST_CELLS,
        )
    return [_cell(metric, axes, choice, fixed) for choice in product(*(axis.values for axis in axes))]


def how_many(axes: Sequence[Axis]) -> int:
    """How many cells the axes span."""
    size = 1
    for axis in axes:
        size *= len(axis.values)
    return size


def _check_options(metrics: Sequence[str], names: Sequence[str]) -> None:
    """Every option must be one of some metric's."""
    known = dict.fromkeys(option.name for name in metrics for option in find_metric(name).options)
    for name in names:
        if name not in known:
            whose = Listed(metrics)
            offer = ", ".join([METRIC, *known])
            raise OptionError(
                "{whose} has no option {option}; an axis may be {offer}",
                option=name,
                whose=whose,
                offer=offer,
            )


def _cell(metric: str, axes: Sequence[Axis], choice: Sequence[str], fixed: dict[str, str]) -> GridCell:
    chosen = dict(zip((axis.name for axis in axes), choice, strict=True))
    spec = find_metric(chosen.pop(METRIC, metric))
    own = {option.name for option in spec.options}
    given = {name: value for name, value in (fixed | chosen).items() if name in own}
    spec.settle(given)
    return GridCell(tuple(choice), Request(spec.name, given))


PAIRS_AT_ONCE = 16
"""How many pairs go through all cells together: what a kill can cost, and what bounds the vectors held."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Subject:
    """What a grid is run on: pairs, and where people's scores of them stand.

    table: people's columns of the same pairs in the same order; its metrics are not looked at.
    """

    pairs: Sequence[TextPair]
    table: MetaTable

    def __post_init__(self) -> None:
        """Raises InputError for no pairs, or not as many as people's scores."""
        if not self.pairs or len(self.pairs) != len(self.table.people):
            raise InputError(
                "There are {n} translations and {scores} scores of people; a grid needs one for each.",
                n=len(self.pairs),
                scores=len(self.table.people),
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CellResult:
    """One cell against people: coefficients in -1..1, None where people or the metric do not vary.

    n: pairs that both have scored. missing: pairs scored so far without a score. scores: (n pairs,) as the
    metric gives them, NaN for a missing one and for those that were not reached.
    """

    cell: GridCell
    signature: str
    pearson: float | None
    spearman: float | None
    kendall: float | None
    n: int
    missing: int
    scores: Floats

    def value(self, coefficient: str) -> float | None:
        """One of the three by its name. OptionError for another name."""
        if coefficient not in COEFFICIENTS:
            raise OptionError(
                "There is no {coefficient}; choose {coefficients}",
                coefficient=coefficient,
                coefficients=", ".join(COEFFICIENTS),
            )
        found: float | None = getattr(self, coefficient)
        return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GridResult:
    """All cells in the order of the axes, the last axis fastest. done: pairs that every cell has scored."""

    axes: tuple[Axis, ...]
    cells: tuple[CellResult, ...]
    done: int
    pairs: int

    def best(self, coefficient: str = "pearson") -> CellResult | None:
        """The cell that is closest to people, the first of equals; None where no cell has a coefficient."""
        known = [one for one in self.cells if one.value(coefficient) is not None]
        return max(known, key=lambda one: one.value(coefficient) or 0.0) if known else None


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A grid with every cell's options settled: nothing wrong is found out after hours.

    Cells with the same signature, such as `idf=novel` and `idf=wiki` under `weight=none`, are one work.
    """

    axes: tuple[Axis, ...]
    cells: tuple[GridCell, ...]
    subject: Subject
    prepared: tuple[Scorer[Any], ...]
    works: Mapping[str, Scorer[Any]] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the different cells."""
        works: dict[str, Scorer[Any]] = {}
        for one in self.prepared:
            works.setdefault(one.signature, one)
        object.__setattr__(self, "works", works)

    def run(self, store: Store, *, progress: Progress = silent) -> Iterator[int]:
        """Score what the store lacks; yields how many pairs every cell has so far. Stop whenever you like.

        Some pairs at a time go through all cells, so each distinct text is read once by each encoder, for all
        layers together. progress: of cells times pairs. Raises FileError as `Store.add`.
        """
        self._tell(store, progress)
        for start in range(0, len(self.subject.pairs), PAIRS_AT_ONCE):
            end = min(start + PAIRS_AT_ONCE, len(self.subject.pairs))
            lacking = {name: one for name, one in self.works.items() if store.done(name) < end}
            if lacking:
                self._chunk(store, lacking, slice(start, end), progress)
                yield self.done(store)

    def done(self, store: Store) -> int:
        """How many pairs every cell has in the store."""
        return min(store.done(name) for name in self.works)

    def result(self, store: Store) -> GridResult:
        """Every cell against people over the pairs that all cells have, so that they can be compared."""
        done = self.done(store)
        by_name = {name: self._against_people(store, name, done) for name in self.works}
        return GridResult(
            axes=self.axes,
            cells=tuple(
                CellResult(cell=cell, signature=one.signature, **by_name[one.signature])
                for cell, one in zip(self.cells, self.prepared, strict=True)
            ),
            done=done,
            pairs=len(self.subject.pairs),
        )

    def _tell(self, store: Store, progress: Progress, more: int = 0) -> None:
        made = sum(store.done(name) for name in self.works)
        progress(made + more, len(self.works) * len(self.subject.pairs))

    def _chunk(
        self, store: Store, lacking: Mapping[str, Scorer[Any]], part: slice, progress: Progress
    ) -> None:
        """Score a part of the pairs under the cells that lack it, and store what they lack."""
        rows = []
        for row in score_prepared(self.subject.pairs[part], list(lacking.values())):
            rows.append([result.score for result in row])
            self._tell(store, progress, len(rows) * len(lacking))
        store.add(
            {
                name: [row[place] for row in rows[store.done(name) - part.start :]]
                for place, name in enumerate(lacking)
            }
        )
        self._tell(store, progress)

    def _against_people(self, store: Store, name: str, done: int) -> dict[str, Any]:
        given = store.scores(name)[:done]
        scores = np.full(len(self.subject.pairs), np.nan)
        scores[:done] = [np.nan if one is None else one for one in given]
        column = turned(scores, higher_is_better=_upwards(self, name))
        table = self.subject.table
        compared = MetaTable(
            people=table.people,
            metrics={name: column},
            item=table.item,
            system=table.system,
            items=table.items,
            systems=table.systems,
            group=table.group,
        )
        found = {one: correlate(compared, name, one) for one in COEFFICIENTS}
        values: dict[str, Any] = {one: found[one].value for one in COEFFICIENTS}
        return {**values, "n": found["pearson"].n, "missing": given.count(None), "scores": scores}


def _upwards(grid: Grid, name: str) -> bool:
    """Whether a higher score is better under the metric of this signature."""
    place = next(at for at, one in enumerate(grid.prepared) if one.signature == name)
    return find_metric(grid.cells[place].request.metric).higher_is_better


def make_grid(axes: Sequence[Axis], cells: Sequence[GridCell], subject: Subject, backends: Backends) -> Grid:
    """Settle the options of every cell against all pairs; loads the encoders, reads no text yet.

    Raises OptionError for what a metric refuses, and for metrics that ask a language model.
    """
    prepared = []
    for cell in cells:
        ready = find_metric(cell.request.metric).prepare(cell.request.settings, backends, subject.pairs)
        if ready.asks is not None:
            raise OptionError(
                "{metric} asks a language model; a grid takes metrics that run without one",
                metric=cell.request.metric,
            )
        prepared.append(ready)
    return Grid(tuple(axes), tuple(cells), subject, tuple(prepared))


COLUMNS = ("pearson", "kendall", "n", "missing")


def shown(value: str) -> str:
    """An axis' value for a reader: of a path the last part, else itself."""
    return value.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if _is_path(value) else value


def _is_path(value: str) -> bool:
    return value.startswith(("/", "./", "../", "~")) or "\\" in value or value.count("/") > 1


def rows(found: GridResult) -> list[dict[str, Any]]:
    """A mapping for each cell, as JSON has it: the axes' values, the figures, and what made them."""
    names = [axis.name for axis in found.axes]
    return [
        {
            "cell": dict(zip(names, one.cell.choice, strict=True)),
            "metric": one.cell.request.metric,
            "settings": dict(one.cell.request.settings),
            "pearson": one.pearson,
            "spearman": one.spearman,
            "kendall": one.kendall,
            "n": one.n,
            "missing": one.missing,
            "signature": one.signature,
        }
        for one in found.cells
    ]


def header(found: GridResult) -> list[str]:
    """The heads of `record`."""
    return [*(axis.name for axis in found.axes), *COLUMNS, "signature"]


def record(one: CellResult) -> list[str | float | int | None]:
    """A cell as a row of a spreadsheet."""
    return [*one.cell.choice, one.pearson, one.kendall, one.n, one.missing, one.signature]
