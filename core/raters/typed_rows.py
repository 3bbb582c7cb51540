"""Rows that an organiser types into a field: one a line, its cells between `|` or the wide `｜`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.errors import InputError

BAR = " | "


def split_rows(text: str, *, least: int, most: int) -> Iterator[tuple[int, list[str]]]:
    """Line number, from 1, and cells of each line that is not empty; cells that are not there are empty.

    least, most: cells of a line. Raises InputError for another number of cells.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.replace("｜", "|").split("|")]
        if not least <= len(cells) <= most:
            raise InputError(
                "Line {line} has {n} cells between “|”; write {least} to {most}.",
                line=number,
                n=len(cells),
                least=least,
                most=most,
            )
        yield number, cells + [""] * (most - len(cells))


def as_row(cells: Sequence[str]) -> str:
    """Cells as a line; empty ones at its end are left out."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return BAR.join(kept)
