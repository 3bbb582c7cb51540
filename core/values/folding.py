"""A text as values are read from it: one width, one kind of dash, and where each character was stored."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_DASHES = {ord(char): "-" for char in "‐‑‒–—−〜～"} | {ord("’"): "'", ord("‘"): "'", ord("⁄"): "/"}


@dataclass(frozen=True, slots=True)
class Folded:
    """text: NFKC by clusters. starts, ends: for each of its characters, the stored one's half-open place."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def stored(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded range stands in the stored text, without blanks at its edges."""
        while start < end and self.text[start].isspace():
            start += 1
        while start < end and self.text[end - 1].isspace():
            end -= 1
        return (self.starts[start], self.ends[end - 1]) if start < end else (0, 0)


def fold(text: str) -> Folded:
    """Full-width, half-width and composed characters in one form; ½ as ` 1/2`, m² as `m2`, 10² as `10^2`."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        plain = _plain(text[at:end], letters[-1] if letters else "")
        if "/" in plain and len(plain) > 1 and text[end : end + 1].isdigit():
            plain += " "
        letters += plain
        starts += [at] * len(plain)
        ends += [end] * len(plain)
        at = end
    return Folded("".join(letters), tuple(starts), tuple(ends))


def _joins(char: str) -> bool:
    """Combining marks and half-width voicing marks belong to the character before them."""
    return unicodedata.combining(char) > 0 or char in "ﾞﾟ"


def _plain(cluster: str, before: str) -> str:
    plain = unicodedata.normalize("NFKC", cluster)
    if cluster[0] in _SUPERSCRIPTS:
        return plain if before.isalpha() else f"^{plain}"
    if "⁄" in plain:
        plain = f" {plain}"
    return plain.translate(_DASHES)
