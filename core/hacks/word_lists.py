"""Classes of words that the edits go by; they stand in `assets/edit_words.LANG.txt`, which says what for."""

from __future__ import annotations

from functools import cache

from core.assets import ASSETS


def words(lang: str, name: str) -> tuple[str, ...]:
    """The words of a class in their order; KeyError for a class that the file does not have."""
    return _read(lang)[name]


@cache
def _read(lang: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in (ASSETS / f"edit_words.{lang}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(": ", 1)
            found[name] = (*found.get(name, ()), *rest.split())
    return found
