"""Numbers as they are printed: fixed decimals, a true minus sign, a dash for what there is not.

How many of what, as a language says it: `1 rater`, `3 raters`.

Tables for a paper: LaTeX with booktabs. Japanese stays as it is, for LuaLaTeX or pLaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from core.report.blocks import Table
from core.stats.estimate import Estimate
from core.text.locale import Language, Speaker
from core.text.numbers import DASH, number

Thing = Literal[
    "check",
    "comparison",
    "degraded",
    "document",
    "item",
    "rater",
    "rating",
    "reference",
    "repeat",
    "segment",
    "system",
    "translation",
]


def counted(say: Speaker, n: int, what: Thing) -> str:
    """The number with its noun."""
    return say.t(f"report.one.{what}" if n == 1 else f"report.many.{what}", n=f"{n:,}")


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


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_POINTS = frozenset({"raw", "centred", "mixed"})


def digits_of(method: str) -> int:
    """Decimals of means by a normalisation, or by the mixed model: one in points, two elsewhere."""
    return 1 if method in _POINTS else 2


def coefficient(one: Estimate) -> str:
    """`0.61`, or a dash."""
    return number(one.value)


def places_of(system: str, parted: Sequence[Sequence[str]]) -> str:
    """The places that a system's cluster takes, as WMT prints them: `2–4`."""
    first = 1
    for cluster in parted:
        last = first + len(cluster) - 1
        if system in cluster:
            return f"{first}" if first == last else f"{first}–{last}"
        first = last + 1
    return DASH


def day(instant: datetime | None, language: Language) -> str:
    """A date, `3 February 2026`, or a dash for never."""
    if instant is None:
        return DASH
    if language == "ja":
        return f"{instant.year}年{instant.month}月{instant.day}日"
    return f"{instant.day} {_MONTHS[instant.month - 1]} {instant.year}"
