"""Google's words for errors, and ours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.raters.protocols import MQM_CATEGORIES, NON_TRANSLATION

_QUOTE = '"'
_SPECIAL = re.compile(r'["\t\n\r]')
OPEN, SHUT = "<v>", "</v>"
NO_ERROR = "No-error"
MISSING = "missing"
"""Our word in the metadata for an omission, which has no place to mark."""

_THEIRS = {
    one: "/".join(part.capitalize() for part in one.replace("source-error", "source error").split("/"))
    for one in MQM_CATEGORIES
} | {NON_TRANSLATION: "Non-translation!"}
_OURS = {theirs.lower(): ours for ours, theirs in _THEIRS.items()} | {
    "accuracy/source language fragment": "accuracy/untranslated",
    "accuracy/untranslated text": "accuracy/untranslated",
    "style/unnatural or awkward": "style/awkward",
    "terminology/inappropriate for context": "terminology/inappropriate",
    "fluency/inconsistent": "fluency/inconsistency",
    "non-translation": NON_TRANSLATION,
}


def as_line(cells: Iterable[str]) -> str:
    """Cells as a line of the file, quoted where they hold quotes, tabs or line breaks."""
    return "\t".join(
        f'"{cell.replace(_QUOTE, _QUOTE * 2)}"' if _SPECIAL.search(cell) else cell for cell in cells
    )


def theirs(category: str) -> str:
    """A category as Google writes it; one that is not ours stays as it is."""
    return _THEIRS.get(category, category)


def ours(category: str) -> str:
    """A category as we write it; one that we do not have stays as it is."""
    return _OURS.get(category.lower(), category)


def is_clean(word: str) -> bool:
    """Whether a category or severity says that there is no error."""
    return word.strip().lower().replace("_", "-").replace(" ", "-") == NO_ERROR.lower()
