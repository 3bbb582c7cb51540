"""The axes of a grid: options and the values that each takes, and the cells that they span.

An axis is an option of the metric, or `metric` itself: `weight=none,idf`, `layer=4,6`,
`metric=bertscore,bertscore-reading`. Where several metrics are compared, an option that one of them lacks
changes nothing under that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from core.errors import OptionError
from core.metrics import find_metric
from core.scoring import Request

METRIC = "metric"
MOST_CELLS = 2000
"""A grid with more is a mistake more often than a wish."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An option, or `metric`, and the values that it takes, in the order in which they are shown."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """choice: a value for each axis, in their order. request: the metric, and its options of those given."""

    choice: tuple[str, ...]
    request: Request


def parse_axis(text: str) -> Axis:
    """`weight=none,idf`. Raises OptionError for another form, and for a value that is there twice."""
    name, equals, rest = (part.strip() for part in text.partition("="))
    values = tuple(value.strip() for value in rest.split(",") if value.strip())
    if not equals or not name or not values:
        raise OptionError(f"--axis {text}: write OPTION=VALUE,VALUE, such as weight=none,idf")
    twice = [value for value in dict.fromkeys(values) if values.count(value) > 1]
    if twice:
        raise OptionError(f"--axis {name} has {', '.join(twice)} twice; give each value once", option=name)
    return Axis(name, values)


def cells(metric: str, axes: Sequence[Axis], settings: Mapping[str, str] | None = None) -> list[Cell]:
    """Every combination, the last axis fastest. metric: where no axis is `metric`. settings: of all cells.

    Raises OptionError for an unknown metric, option or value, an axis that is there twice or is also fixed,
    and for more than MOST_CELLS cells.
    """
    fixed = dict(settings or {})
    by_name = {axis.name: axis for axis in axes}
    if len(by_name) < len(axes):
        twice = next(name for name in by_name if sum(axis.name == name for axis in axes) > 1)
        raise OptionError(f"The axis {twice} is there twice; put its values into one", option=twice)
    for name in by_name.keys() & fixed.keys():
        raise OptionError(f"{name} is an axis and also fixed to {fixed[name]}; leave out one", option=name)
    metrics = by_name[METRIC].values if METRIC in by_name else (metric,)
    _check_options(metrics, [*by_name.keys() - {METRIC}, *fixed])
    size = how_many(axes)
    if size > MOST_CELLS:
        raise OptionError(f"The axes span {size:,} cells; {MOST_CELLS:,} are possible: leave out values")
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
            whose = " or ".join(metrics)
            offer = ", ".join([METRIC, *known])
            raise OptionError(f"{whose} has no option {name}; an axis may be {offer}", option=name)


def _cell(metric: str, axes: Sequence[Axis], choice: Sequence[str], fixed: dict[str, str]) -> Cell:
    chosen = dict(zip((axis.name for axis in axes), choice, strict=True))
    spec = find_metric(chosen.pop(METRIC, metric))
    own = {option.name for option in spec.options}
    given = {name: value for name, value in (fixed | chosen).items() if name in own}
    spec.settle(given)
    return Cell(tuple(choice), Request(spec.name, given))
