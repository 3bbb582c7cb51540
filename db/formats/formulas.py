"""Cells that a spreadsheet would take for formulas: an apostrophe goes before them, and away again."""

from __future__ import annotations

import re

STARTS = "=+-@\t\r＝＋－＠"
"""What a formula may begin with; Japanese spreadsheets take the wide forms, too."""

_AT_RISK = re.compile(f"'*[{re.escape(STARTS)}]")
_NEUTRAL = re.compile(f"'+[{re.escape(STARTS)}]")


def neutral(cell: str) -> str:
    """The cell as one that is no formula."""
    return f"'{cell}" if _AT_RISK.match(cell) else cell


def undone(cell: str) -> str:
    """The inverse of `neutral`, exactly."""
    return cell[1:] if _NEUTRAL.match(cell) else cell
