"""Tables for a paper: LaTeX with booktabs. Japanese stays as it is, for LuaLaTeX or pLaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.report.blocks import Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # a row that begins with [ or * would be read as an option of the line before
    "]": "{]}",
    "*": "{*}",
    "\N{MINUS SIGN}": "$-$",
    "–": "--",
    "×": r"$\times$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
} | {character: f"\\{character}" for character in "{}$&#_%"}
_TO_ESCAPE = re.compile("|".join(map(re.escape, _SPECIAL)))


def escape(text: str) -> str:
    """Plain text as LaTeX sets it; line breaks and other white space become one space."""
    words = " ".join(text.split())
    return _TO_ESCAPE.sub(lambda found: _SPECIAL[found.group()], words)


def table(one: Table) -> str:
    """A floating table with its caption and the label `tab:NAME`."""
    columns = "".join("r" if column in one.numbers else "l" for column in range(len(one.header)))
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(one.caption)}}}",
        rf"\label{{tab:{one.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(one.header),
        r"\midrule",
        *map(_row, one.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def document(tables: Sequence[Table]) -> str:
    """All of them, with what a preamble needs as a comment."""
    return "\n\n".join([r"% \usepackage{booktabs}", *map(table, tables)]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"
