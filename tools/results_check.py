"""Rows of Markdown tables beside those of docs/results.md: the same, other figures, or not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[-\N{MINUS SIGN}+]?\d[\d,]*\.?\d*|[-\N{MINUS SIGN}+]?\.\d+")


def compared(output: str, document: str) -> str:
    """A sentence: how many rows of an output the document has to the letter, and which have other figures.

    A row is known by its first cell and its number of cells; bold print is not looked at.
    """
    known: dict[tuple[str, int], list[list[str]]] = {}
    for row in rows(document):
        known.setdefault((row[0], len(row)), []).append(row)
    there = rows(output)
    same = [row for row in there if row in known.get((row[0], len(row)), [])]
    other = [row for row in there if row not in same and (row[0], len(row)) in known]
    if not there:
        return "No table to compare."
    said = f"{len(same)} of {len(there)} rows are in docs/results.md as they are"
    if other:
        shown = "; ".join(f"{row[0]} by {gap(row, known[row[0], len(row)]):g}" for row in other)
        said += f"; other figures: {shown}"
    new = len(there) - len(same) - len(other)
    return f"{said}{f'; not in it: {new}' if new else ''}."


def papers(commands: Sequence[str], document: str) -> str:
    """What the document says round these commands of papers' figures, under a heading; or nothing."""
    parts = re.split(r"(?m)^(?=#)", document)
    found: list[str] = []
    for part in parts:
        blocks = re.split(r"(?ms)^```sh\n(.*?)^```\n", part)
        for place in range(1, len(blocks), 2):
            if any(line.strip() in commands for line in blocks[place].splitlines()):
                before = blocks[place - 1].strip().split("\n\n")[-1:]
                around = [*before, *blocks[place + 1].strip().split("\n\n")]
                found += [one for one in around if re.search(r"\b[Pp]aper", one)]
    said = "\n\n".join(dict.fromkeys(found))
    return f"\n## What docs/results.md says of the papers' figures\n\n{said}\n" if said else ""


def rows(text: str) -> list[list[str]]:
    """The cells of every row of a table, its heads left out."""
    found: list[list[str]] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        below = lines[place + 1] if place + 1 < len(lines) else ""
        if line.startswith("|") and not _is_rule(line) and not _is_rule(below):
            found.append([cell.strip().replace("*", "") for cell in line.strip().strip("|").split("|")])
    return found


def _is_rule(line: str) -> bool:
    return bool(re.fullmatch(r"\|[\s|:-]*-[\s|:-]*", line.strip()))


def gap(row: list[str], candidates: list[list[str]]) -> float:
    """The largest difference of two figures at the same place, to the row that is nearest."""
    ours = figures(row)
    gaps = [
        max((abs(one - two) for one, two in zip(ours, figures(other), strict=False)), default=0.0)
        for other in candidates
    ]
    return round(min(gaps), 6)


def figures(row: list[str]) -> list[float]:
    """The numbers behind the first cell."""
    found = (_NUMBER.findall(cell) for cell in row[1:])
    return [
        float(one.replace(",", "").replace("\N{MINUS SIGN}", "-")) for numbers in found for one in numbers
    ]
