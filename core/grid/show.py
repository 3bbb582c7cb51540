"""A grid's result as rows and as text: one line for each cell."""

from __future__ import annotations

from typing import Any

from core.grid.run import CellResult, GridResult

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


def text(found: GridResult) -> str:
    """A table for a terminal; `*` stands at the highest Pearson."""
    names = [axis.name for axis in found.axes]
    values = [[shown(value) for value in one.cell.choice] for one in found.cells]
    columns = zip(names, zip(*values, strict=True), strict=True)
    widths = [max(map(len, (name, *column))) + 2 for name, column in columns]
    best = found.best()
    heads = "".join(f"{name:<{width}}" for name, width in zip(names, widths, strict=True))
    lines = [f"{heads}{'pearson':>9}{'kendall':>9}{'n':>8}{'missing':>9}"]
    for one, row in zip(found.cells, values, strict=True):
        cells = "".join(f"{value:<{width}}" for value, width in zip(row, widths, strict=True))
        figures = f"{_number(one.pearson):>9}{_number(one.kendall):>9}{one.n:>8}{one.missing:>9}"
        lines.append(f"{cells}{figures}{' *' if one is best else ''}")
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
