"""Aligns two books: chapters first, then the sentences of chapters that belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.alignment.align import align_some
from core.alignment.beads import Bead
from core.alignment.chapters import ChapterGroup, match_chapters
from core.alignment.sides import encode_side
from core.backends import Backends, Progress, beyond, silent
from core.text.books.book import Block, Book

HARDLY = 0.3
"""Below this share of sentences with a partner, two books are taken to be unrelated."""


@dataclass(frozen=True, slots=True)
class BookSentence:
    """A sentence of a book: `block.text[start:end]` in a chapter, paragraph of it, both numbered from 0."""

    chapter: int
    paragraph: int
    block: Block
    start: int
    end: int

    @property
    def text(self) -> str:
        """What it says, without readings."""
        return self.block.text[self.start : self.end]


def book_sentences(book: Book) -> tuple[BookSentence, ...]:
    """The sentences of a book's paragraphs, in order."""
    return tuple(
        BookSentence(number, place, block, start, end)
        for number, chapter in enumerate(book.chapters)
        for place, block in enumerate(chapter.paragraphs())
        for start, end in block.sentences()
    )


def line_sentences(lines: Sequence[str]) -> tuple[BookSentence, ...]:
    """Each line as a sentence, all of one chapter and each a paragraph of its own."""
    return tuple(BookSentence(0, n, Block(text=line), 0, len(line)) for n, line in enumerate(lines))


@dataclass(frozen=True, slots=True)
class AlignedBooks:
    """The beads of two books by the numbers of their sentences, and which chapters went together.

    Every sentence is in exactly one bead. equal: the share of the sentences of the shorter side that stand
    word by word in the other. seconds: of encoding, and of the rest.
    """

    left: tuple[BookSentence, ...]
    right: tuple[BookSentence, ...]
    groups: tuple[ChapterGroup, ...]
    beads: tuple[Bead, ...]
    equal: float
    seconds: tuple[float, float]

    @property
    def found(self) -> float:
        """The share of all sentences for which a partner was found, each as far as its place is sure.

        Near 0 for two books of which none is a translation of the other.
        """
        sure = sum((len(b.left) + len(b.right)) * b.edge for b in self.beads if b.left and b.right)
        return sure / max(len(self.left) + len(self.right), 1)


def align_books(
    left: Sequence[BookSentence],
    right: Sequence[BookSentence],
    backends: Backends,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
    clock: Callable[[], float] | None = None,
) -> AlignedBooks:
    """Align the sentences of two books, neither of them empty.

    kept: a folder for what was encoded, so that a stopped run goes on. progress: called with (done, total)
    steps: each sentence is one while it is encoded, and each left one again while it is aligned.
    """
    from time import monotonic

    now = clock or monotonic
    start = now()
    total = 2 * len(left) + len(right)
    first, second = (
        encode_side(
            [one.text for one in side],
            backends,
            kept=kept,
            progress=beyond(progress, done, total),
        )
        for side, done in ((left, 0), (right, len(left)))
    )
    encoded = now()
    groups = match_chapters(first, second, ([one.chapter for one in left], [one.chapter for one in right]))
    beads: list[Bead] = []
    done = len(left) + len(right)
    for group in groups:
        rows = [n for n, one in enumerate(left) if one.chapter in group.left]
        columns = [n for n, one in enumerate(right) if one.chapter in group.right]
        beads += align_some(first, second, rows, columns, progress=beyond(progress, done, total))
        done += len(rows)
    return AlignedBooks(
        tuple(left),
        tuple(right),
        tuple(groups),
        tuple(beads),
        _equal(left, right),
        (encoded - start, now() - encoded),
    )


def _equal(left: Sequence[BookSentence], right: Sequence[BookSentence]) -> float:
    shorter, longer = sorted((left, right), key=len)
    known = {one.text for one in longer}
    return float(np.mean([one.text in known for one in shorter])) if shorter else 0.0


def unit_text(sentences: Sequence[BookSentence], numbers: Sequence[int], *, ruby: bool = False) -> str:
    """The text of some sentences as it stands in their book: a line for each paragraph.

    ruby: with readings, in Aozora Bunko's notation.
    """
    lines: list[str] = []
    run: list[BookSentence] = []
    for number in [*numbers, None]:
        one = None if number is None else sentences[number]
        if run and (one is None or one.block is not run[-1].block or one.start < run[-1].end):
            block, start, end = run[0].block, run[0].start, run[-1].end
            lines.append(block.with_ruby(start, end) if ruby else block.text[start:end])
            run = []
        if one is not None:
            run.append(one)
    return "\n".join(lines)
