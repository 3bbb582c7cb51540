"""docs/results.md as data: its commands by table (tools/results.toml), and its rows beside an output.

The commands are in the document only; `commands` finds them. `tests/test_results.py` checks that every
command there belongs to one table and every beginning to one command.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "results.md"
_NUMBER = re.compile(r"[-\N{MINUS SIGN}+]?\d[\d,]*\.?\d*|[-\N{MINUS SIGN}+]?\.\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """begins: how its commands begin in the document, in the order of the run.

    needs: folders in the data folder. after: a table that must be there first. minutes: about, on two cores.
    seed: of the random draws. changes: what it writes into the project; such a table runs only when named.
    """

    name: str
    begins: Sequence[str]
    minutes: float
    needs: Sequence[str] = ()
    after: str | None = None
    seed: int | None = None
    changes: str | None = None


LIST = ROOT / "tools" / "results.toml"
TABLES = [Table(**one) for one in tomllib.loads(LIST.read_text("utf-8"))["table"]]


def documented(document: str) -> list[str]:
    """Every command in the shell blocks of a document, in its order, each with a line end."""
    blocks = re.findall(r"^```sh\n(.*?)^```", document, re.M | re.S)
    return [f"{line.strip()}\n" for block in blocks for line in block.splitlines() if line.strip()]


def commands(table: Table, document: str) -> list[str]:
    """A table's commands in the document. Raises ValueError for a beginning without exactly one command."""
    found = []
    for begin in table.begins:
        lines = [line for line in documented(document) if line.startswith(begin)]
        if len(lines) != 1:
            raise ValueError(f"{table.name}: {len(lines)} commands of {DOCUMENT.name} begin with {begin!r}")
        found.append(lines[0].strip())
    return found


def compared(output: str, document: str) -> str:
    """A sentence: how many rows of an output are in the document, and which have other figures there.

    A row is identified by its first cell and its number of cells; bold print is ignored.
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
    """The document's sentences on papers' figures around these commands, under a heading; or nothing."""
    parts = re.split(r"(?m)^(?=#)", document)
    found: list[str] = []
    for part in parts:
        blocks = re.split(r"(?ms)^```sh\n(.*?)^```\n", part)
        for place in range(1, len(blocks), 2):
            if any(line.strip() in commands for line in blocks[place].splitlines()):
                before = blocks[place - 1].strip().split("\n\n")[-1:]
                around = [*before, *blocks[place + 1].strip().split("\n\n")]
                found += [one for one in around if re.search(r"\b[Pp]aper|ehiMetrick|et al\.|Chousa", one)]
    said = "\n\n".join(dict.fromkeys(found))
    return f"\n## What docs/results.md says of the papers' figures\n\n{said}\n" if said else ""


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, without the headers."""
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
    """The numbers after the first cell."""
    found = (_NUMBER.findall(cell) for cell in row[1:])
    return [
        float(one.replace(",", "").replace("\N{MINUS SIGN}", "-")) for numbers in found for one in numbers
    ]
