"""A book as it was read: chapters with their paragraphs, sentences, readings, and places in the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from core.errors import Wording
from core.text.segmentation import sentences

BlockKind = Literal["text", "verse", "heading", "break", "note", "contents", "colophon", "legend"]
"""What a block is. `break` has no text: a line of asterisks or a new page between sections.

`note`: a footnote, or what a translator or a typist added; `contents`: a table of contents; `colophon`: where
the text is from and under which licence; `legend`: an explanation of signs.
"""

SHOWN: tuple[BlockKind, ...] = ("text", "verse")
"""What is translated and rated. The rest is recognised and left out."""


@dataclass(frozen=True, slots=True)
class RubyReading:
    """A reading of `text[start:end]` of its block."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a heading, or what stands apart. level: of a heading, 1 is the highest; else 0.

    part: the file within the book, "" for a book of one file. places: pairs of an offset in `text` and the
    offset in the decoded part that it comes from, both ascending; between them characters follow one another.
    """

    text: str
    kind: BlockKind = "text"
    level: int = 0
    part: str = ""
    places: tuple[tuple[int, int], ...] = ((0, 0),)
    readings: tuple[RubyReading, ...] = ()

    def place(self, at: int) -> int:
        """Where the character `at` of the text stands in the part, in code points from 0."""
        here, there = self.places[max(bisect_right(self.places, (at, 1 << 62)) - 1, 0)]
        return there + at - here

    def sentences(self) -> list[tuple[int, int]]:
        """Half-open places of the sentences in `text`. A heading is one, and a break has none."""
        if self.kind == "heading":
            return [(0, len(self.text))]
        return sentences(self.text)

    def with_ruby(self, start: int = 0, end: int | None = None) -> str:
        """The text from `start` to `end` with readings in Aozora Bunko's notation."""
        end = len(self.text) if end is None else end
        out, at = "", start
        for reading in self.readings:
            if at <= reading.start and reading.end <= end:
                out += f"{self.text[at : reading.start]}｜{self.text[reading.start : reading.end]}"
                out += f"《{reading.text}》"
                at = reading.end
        return out + self.text[at:end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter with all of its blocks, its heading first where it has one. title: "" where there is none."""

    title: str
    blocks: tuple[Block, ...]

    def paragraphs(self) -> tuple[Block, ...]:
        """The blocks that are translated and rated."""
        return tuple(block for block in self.blocks if block.kind in SHOWN)

    def characters(self) -> int:
        """Characters of its paragraphs."""
        return sum(len(block.text) for block in self.paragraphs())

    def sections(self) -> Iterator[tuple[Block, ...]]:
        """The paragraphs between headings and breaks."""
        found: list[Block] = []
        for block in self.blocks:
            if block.kind in SHOWN:
                found.append(block)
            elif block.kind in ("break", "heading") and found:
                yield tuple(found)
                found = []
        if found:
            yield tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A book. form: `epub`, `docx`, `html`, `markdown`, `aozora`, `text` or `zip`. lang: an ISO 639 code.

    notes: sentences about what was left out or guessed.
    """

    form: str
    title: str
    author: str
    lang: str
    chapters: tuple[Chapter, ...]
    notes: tuple[Wording, ...] = ()

    def only(self, numbers: tuple[int, ...]) -> Book:
        """The book with the chapters of these numbers, from 0."""
        return replace(self, chapters=tuple(self.chapters[number] for number in numbers))

    def left_out(self) -> dict[BlockKind, int]:
        """How many blocks of each kind are not translated and rated, headings and breaks apart."""
        found: dict[BlockKind, int] = {}
        for chapter in self.chapters:
            for block in chapter.blocks:
                if block.kind not in (*SHOWN, "heading", "break"):
                    found[block.kind] = found.get(block.kind, 0) + 1
        return found
