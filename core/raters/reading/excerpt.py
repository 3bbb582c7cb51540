"""The excerpt that is read: how long a text is, and which segments make up so many words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.raters.assignment import WIDE
from core.text.japanese import plain, read_ruby
from core.text.languages import base_lang

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def counts_characters(lang: str) -> bool:
    """Whether lengths of this language are in characters, not in words: Japanese and Chinese."""
    return base_lang(lang) in WIDE


def unit_of(lang: str) -> str:
    """What lengths of this language are counted in: `words` or `characters`."""
    return "characters" if counts_characters(lang) else "words"


def length_of(text: str, lang: str) -> int:
    """Words of a text; of a Japanese or Chinese one the characters without blanks and readings."""
    shown = plain(text)
    if counts_characters(lang):
        return sum(not char.isspace() for char in shown)
    return sum(1 for _ in _WORD.finditer(shown))


def segments_read(lengths: Sequence[float], words: int | None) -> int:
    """How many segments from the beginning have together at least so many words; all where there are fewer.

    lengths: of each segment, the mean over the versions.
    """
    if words is None:
        return len(lengths)
    total = 0.0
    for count, length in enumerate(lengths, start=1):
        total += length
        if total >= words:
            return count
    return len(lengths)


def shown_offset(text: str, stored: int) -> int:
    """The place among the characters that a reader sees of a place in the stored text, both from 0."""
    seen = 0
    for piece in read_ruby(text):
        if piece.start >= stored:
            break
        seen += min(len(piece.shown), stored - piece.start)
    return seen
