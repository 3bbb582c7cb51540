"""The table of `--nearer`: translations with people's scores, two columns, and which of them is nearer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.cli.console import number, table
from core.metaeval.significance import Nearness


def nearness_table(
    found: Nearness, names: tuple[str, str], heads: Sequence[str], place: Callable[[int], Sequence[str]]
) -> str:
    """A row for each translation, the widest differences first, and the share in a sentence.

    heads, place: the first columns, and their cells for a row of the table that `found` is of.
    """
    rows = [
        (
            *place(int(found.rows[at])),
            *(number(float(column[at])) for column in (found.people, found.first, found.second)),
            names[0] if gain > 0 else names[1] if gain < 0 else "=",
        )
        for at, gain in sorted(enumerate(found.gains), key=lambda one: -abs(one[1]))
    ]
    columns = (*heads, "people", *names, "nearer")
    share = f"{names[0]} is nearer on {number(found.share)} of {len(rows)} translations, ties by half"
    said = f"{share}; every column has mean 0 and variance 1\n"
    return table([columns, *rows], right=range(len(heads), len(heads) + 3)) + said
