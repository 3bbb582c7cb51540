"""Encoder, reader, parser and judge with answers written by hand: for tests with exact expected values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends, Judge, Progress, Word, silent
from core.types import (
    OK,
    ROOT,
    Call,
    Constituent,
    CostEstimate,
    Parse,
    ParsedWord,
    Reply,
    Token,
    TokenVectors,
)

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

    def spell(self, ids: Sequence[int]) -> str:
        """The words at these places, with blanks between."""
        return " ".join(self.words[one] for one in ids)

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """The written vectors, whatever the layer; every call is remembered in `calls`."""
        self.calls.append(list(texts))
        read = []
        for text in texts:
            read.append(self._read(text))
            progress(len(read), len(texts))
        self.tokens_run += sum(len(one.ids) for one in read)
        return read

    def encode_layers(
        self,
        texts: Sequence[str],
        *,
        layers: Sequence[int],
        long: str = "window",
        progress: Progress = silent,
    ) -> list[list[TokenVectors]]:
        """The written vectors for every layer; one call in `calls`."""
        read = self.encode(texts, layer=layers[0], long=long, progress=progress)
        return [read for _ in layers]

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


class FakeReader:
    """Words are the keys of `readings` (a key may hold blanks), else what stands between blanks.

    The longest key comes first; other words are read as they are spelled. `entities` gives labels by word.
    """

    name = "fake"

    def __init__(self, readings: Mapping[str, str] = {}, entities: Mapping[str, str] = {}) -> None:
        self.readings = readings
        self.entities = entities
        keys = sorted(map(re.escape, readings), key=len, reverse=True)
        self._word = re.compile("|".join([*keys, r"\S+"]))

    def signature(self, lang: str, *, entities: bool = False) -> str:
        """Always `fake`."""
        return "fake"

    def read(
        self, texts: Sequence[str], *, lang: str, entities: bool = False, kana: str = "normal"
    ) -> list[list[Word]]:
        """The written readings, whatever `kana` is."""
        return [[self._read(found, entities) for found in self._word.finditer(text)] for text in texts]

    def _read(self, found: re.Match[str], entities: bool) -> Word:
        word = found[0]
        label = self.entities.get(word) if entities else None
        return Word(word, found.start(), found.end(), self.readings.get(word, word), label)


class FakeParser:
    """Words are what stands between blanks, or, without any, characters; each depends on the next one.

    The last is the root. Constituents branch to the right: X over all words, X from the second on, …
    """

    name = "fake"

    def signature(self, lang: str, *, constituents: bool) -> str:
        """Always `fake`."""
        return "fake"

    def parse(
        self, texts: Sequence[str], *, lang: str, constituents: bool, progress: Progress = silent
    ) -> list[Parse]:
        """The same for every language."""
        return [_right_branching(text, constituents) for text in texts]


def _right_branching(text: str, constituents: bool) -> Parse:
    pattern = r"\S+" if any(char.isspace() for char in text.strip()) else r"\S"
    found = list(re.finditer(pattern, text))
    last = len(found) - 1
    words = tuple(
        ParsedWord(
            text=one[0],
            start=one.start(),
            end=one.end(),
            lemma=one[0],
            tag="X",
            pos="X",
            head=min(at + 1, last),
            relation="dep" if at < last else "ROOT",
        )
        for at, one in enumerate(found)
    )
    if not words:
        return Parse(words=())
    if not constituents:
        return Parse(words=words, sentences=(0,))
    tree = tuple(Constituent("X", at, len(words), at - 1 if at else ROOT) for at in range(max(1, last)))
    return Parse(words=words, sentences=(0,), constituents=tree, origin="fake")


class FakeJudge:
    """Gives the written replies in order, the last one again and again; a plain text is an `ok` reply.

    A call that was made before gets its reply again. `calls` holds every call that was made, once.
    """

    name = "fake"
    prices = None

    def __init__(self, replies: Sequence[str | Reply]) -> None:
        self.replies = [Reply(text=one, state=OK) if isinstance(one, str) else one for one in replies]
        self.calls: list[Call] = []

    def signature(self) -> str:
        """Always `fake`."""
        return "fake"

    def for_run(self) -> Judge:
        """Itself: it has no cap."""
        return self

    def limit(self, tokens: int) -> None:
        """Nothing: it costs nothing."""

    def estimate(self, calls: Sequence[Call]) -> CostEstimate:
        """A token per character of the calls that were not made yet."""
        new = [call for call in calls if call not in self.calls]
        said = sum(len(turn.content) for call in new for turn in call.messages)
        most = sum(call.max_tokens for call in new)
        return CostEstimate(calls=len(calls), new=len(new), prompt_tokens=said, completion_tokens=most)

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        """The next replies."""
        self.calls += [call for place, call in enumerate(calls) if call not in (*self.calls, *calls[:place])]
        last = len(self.replies) - 1
        return [self.replies[min(self.calls.index(call), last)] for call in calls]


def fake_backends(
    encoder: FakeEncoder,
    reader: FakeReader | None = None,
    parser: FakeParser | None = None,
    judge: FakeJudge | None = None,
) -> Backends:
    """Backends that give this encoder, this reader, this parser and this judge under any name."""
    fake = reader or FakeReader()
    fake_parser = parser or FakeParser()
    fake_judge = judge or FakeJudge([""])
    return Backends(
        encoder=lambda name: encoder,
        reader=lambda name: fake,
        parser=lambda name: fake_parser,
        judge=lambda name: fake_judge,
    )
