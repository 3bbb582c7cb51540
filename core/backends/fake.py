"""An encoder whose vectors are written down by hand: for tests and examples, with exact expected values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends, Progress, silent
from core.types import Token, TokenVectors

OPEN, CLOSE = "<s>", "</s>"


class FakeEncoder:
    """One token per word between blanks; its vector stands in `vectors`, as do those of `<s>` and `</s>`."""

    name = "fake"
    fingerprint = "0" * 12
    layers = 1
    default_layer = 1
    libraries: Mapping[str, str] = {}

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = {word: np.asarray(vector, np.float32) for word, vector in vectors.items()}
        self.words = list(self.vectors)
        self.tokens_run = 0
        self.calls: list[list[str]] = []

    def ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Places in `vectors`."""
        return [self._read(text).ids for text in texts]

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """The written vectors, whatever the layer; every call is remembered in `calls`."""
        self.calls.append(list(texts))
        read = [self._read(text) for text in texts]
        self.tokens_run += sum(len(one.ids) for one in read)
        return read

    def _read(self, text: str) -> TokenVectors:
        tokens = [Token(OPEN, 0, 0, True)]
        at = 0
        for word in text.split():
            at = text.index(word, at)
            tokens.append(Token(word, at, at + len(word)))
            at += len(word)
        tokens.append(Token(CLOSE, 0, 0, True))
        ids = np.array([self.words.index(token.text) for token in tokens], np.int64)
        return TokenVectors(tuple(tokens), ids, np.stack([self.vectors[token.text] for token in tokens]))


def fake_backends(encoder: FakeEncoder) -> Backends:
    """Backends that give this encoder under any name."""
    return Backends(encoder=lambda name: encoder)
