"""Texts in the XML of a workbook: what XML has no place for is written as `_xHHHH_`, as Excel does."""

from __future__ import annotations

import re

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def escaped(text: str) -> str:
    """A text as it stands in the file."""
    return _UNFIT.sub(lambda match: f"_x{ord(match.group()):04X}_", text)


def unescaped(text: str) -> str:
    """The inverse of `escaped`."""
    return _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), text) if "_x" in text else text
