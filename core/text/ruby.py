"""Ruby, the readings over words, as people type it: what of a stored text is shown, and what is markup.

Two spellings are known: Aozora Bunko's `漢字《かんじ》`, whose base is the run of kanji before it or whatever
stands after `｜` (or `|`), and HTML's `<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>`. Whatever is not
quite of that form is plain text. Offsets are half-open code points of the stored text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_KANJI = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆〇ヶ仝"
_VARIANT = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # says which form of a kanji is meant
_BRACKET = r"(?:<rp>[^<>\n]*</rp>)?"
_RUN = rf"(?<![{_KANJI}{_VARIANT}])((?:[{_KANJI}][{_VARIANT}]?)++)《([^《》｜|\n]+)》"
_BARRED = r"[｜|]([^｜|《》\n]+)《([^《》｜|\n]+)》"
_PAIR = rf"(?:<rb>)?([^<>\n]+)(?:</rb>)?{_BRACKET}<rt>([^<>\n]+)</rt>{_BRACKET}"
_PAIRS = re.compile(_PAIR, re.IGNORECASE)
_RUBY = re.compile(f"{_RUN}|{_BARRED}|<ruby>(?:{_PAIR})+</ruby>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a stored text. shown: what a reader sees of it, nothing if `hidden`; reading: above it."""

    start: int
    end: int
    shown: str
    reading: str = ""
    hidden: bool = False


def read_ruby(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, which tile it: one for a text without ruby, none for an empty one."""
    pieces: list[Piece] = []
    at = 0
    for match in _RUBY.finditer(text):
        if at < match.start():
            pieces.append(Piece(at, match.start(), text[at : match.start()]))
        at = match.start()
        for start, end, reading in _bases(match):
            if at < start:
                pieces.append(Piece(at, start, "", hidden=True))
            pieces.append(Piece(start, end, text[start:end], reading))
            at = end
        pieces.append(Piece(at, match.end(), "", hidden=True))
        at = match.end()
    if at < len(text):
        pieces.append(Piece(at, len(text), text[at:]))
    return tuple(pieces)


def plain(text: str) -> str:
    """The text without readings and markup."""
    return "".join(piece.shown for piece in read_ruby(text))


def stored_places(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of `plain(text)`, none of them empty, as ranges of `text`: markup within one belongs to it."""
    shown = [piece for piece in read_ruby(text) if not piece.hidden]
    begins = [0, *accumulate(len(piece.shown) for piece in shown)]

    def stored(at: int) -> int:
        index = bisect_right(begins, at) - 1
        return shown[index].start + at - begins[index]

    return [(stored(start), stored(end - 1) + 1) for start, end in places]


def _bases(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Where each base of one piece of ruby lies, and its reading."""
    for base in (1, 3):
        if match[base]:
            yield *match.span(base), match[base + 1]
            return
    for pair in _PAIRS.finditer(match.string, match.start() + len("<ruby>"), match.end()):
        yield *pair.span(1), pair[2]
