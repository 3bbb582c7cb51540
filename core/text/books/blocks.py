"""Builds blocks piece by piece, and remembers where each piece stands in the file."""

from __future__ import annotations

import re

from core.text.books.book import Block, BlockKind, RubyReading

_SPACE = re.compile("[ \t\r\n\f]+")
_EDGES = " \t\r\n\f\u3000\u00a0"
_BREAK = re.compile(r"[\s*＊☆★◇◆○●■□▲△▼▽※・…—―─–~～=＝#＃_xX×-]{1,40}")
_ORNAMENT = re.compile(r"[*＊☆★◇◆○●■□▲△▼▽※—―─–~～=＝#＃_×-]")


class BlockBuilder:
    """A block under construction. With `collapse`, runs of white space become one blank, as in HTML."""

    def __init__(self, part: str = "", *, collapse: bool = False) -> None:
        self._part, self._collapse = part, collapse
        self._clear()

    def _clear(self) -> None:
        self._texts: list[str] = []
        self._length = 0
        self._places: list[tuple[int, int]] = []
        self._readings: list[RubyReading] = []

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._length

    def add(self, text: str, at: int) -> None:
        """Add a piece that stands at `at` in the file, character for character."""
        if not self._collapse:
            self._put(text, at)
            return
        last = 0
        for found in _SPACE.finditer(text):
            self._put(text[last : found.start()], at + last)
            if self._length and self._texts[-1][-1:] not in (" ", "\n"):
                self._put(" ", at + found.start())
            last = found.end()
        self._put(text[last:], at + last)

    def add_break(self, at: int) -> None:
        """Add a line break within the block."""
        if self._length:
            self._put("\n", at)

    def add_instead(self, text: str, at: int) -> None:
        """Add characters that stand for others of another length, such as `&amp;`."""
        self._put(text, at, apart=True)

    def read(self, start: int, text: str) -> None:
        """Give everything since `start` a reading."""
        if text.strip() and start < self._length:
            self._readings.append(RubyReading(start, self._length, text.strip()))

    def _put(self, text: str, at: int, *, apart: bool = False) -> None:
        if not text:
            return
        if not self._places or apart or self._places[-1][1] + self._length - self._places[-1][0] != at:
            self._places.append((self._length, at))
        self._texts.append(text)
        self._length += len(text)
        if apart:
            self._places.append((self._length, at + 1))

    def finish(self, kind: BlockKind = "text", level: int = 0) -> Block | None:
        """The block, without white space at its edges; None for one without text. Begins the next one."""
        text = "".join(self._texts)
        start = len(text) - len(text.lstrip(_EDGES))
        end = len(text.rstrip(_EDGES))
        places = tuple((max(here - start, 0), there + max(start - here, 0)) for here, there in self._places)
        readings = tuple(
            RubyReading(one.start - start, one.end - start, one.text)
            for one in self._readings
            if start <= one.start and one.end <= end
        )
        self._clear()
        if start >= end:
            return None
        text = text[start:end]
        if kind == "text" and is_break(text):
            kind = "break"
        first = max((number for number, (here, _) in enumerate(places) if here == 0), default=0)
        return Block(
            text=text, kind=kind, level=level, part=self._part, places=places[first:], readings=readings
        )


def is_break(text: str) -> bool:
    """Whether a line is only ornament: `* * *`, ＊, ―――."""
    return bool(_BREAK.fullmatch(text) and _ORNAMENT.search(text))
