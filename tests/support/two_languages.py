"""Two made-up languages whose words have partners, and texts in both with known beads."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from core.backends import Backends
from core.backends.reader import WordReader
from core.text.books.book import Block, Book, Chapter
from tests.support.fake_backends import CLOSE, OPEN, FakeEncoder

WORDS = 3000


def encoder() -> FakeEncoder:
    """`a7` and `b7` mean the same: their vectors differ by a little noise."""
    draw = np.random.default_rng(1)
    meanings = draw.normal(size=(WORDS, 96))
    vectors = {OPEN: np.zeros(96), CLOSE: np.zeros(96)}
    for number, meaning in enumerate(meanings):
        vectors[f"a{number}"] = meaning + 0.3 * draw.normal(size=96)
        vectors[f"b{number}"] = meaning + 0.3 * draw.normal(size=96)
    return FakeEncoder(vectors)


def backends() -> Backends:
    """The made-up languages in place of the built-in encoder."""
    words = encoder()
    return Backends(encoder=lambda _name: words, reader=WordReader)


def sentences(count: int, seed: int = 0, language: str = "a") -> list[str]:
    """Sentences of twelve to 24 words."""
    draw = random.Random(seed)
    return [
        " ".join(f"{language}{draw.randrange(WORDS)}" for _ in range(draw.randint(12, 24)))
        for _ in range(count)
    ]


def translated(texts: Sequence[str]) -> list[str]:
    """The same sentences in the other language, with their words in another order."""
    return [" ".join(sorted(text.replace("a", "b").split())) for text in texts]


def book(chapters: Sequence[Sequence[str]]) -> Book:
    """A book with a paragraph for each sentence."""
    return Book(
        form="text",
        title="",
        author="",
        lang="en",
        chapters=tuple(
            Chapter(title=f"Chapter {n}", blocks=tuple(Block(text=one) for one in texts))
            for n, texts in enumerate(chapters)
        ),
    )
