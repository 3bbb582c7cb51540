"""The result of a grid as rows: one for each cell."""

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
