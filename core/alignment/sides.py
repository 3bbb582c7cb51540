"""The sentences of one text as token vectors, made comparable with those of the other.

Vectors of the encoder's default layer, each sentence read by itself. The mean and the twenty strongest
principal components of a text's tokens go, as in Mu and Viswanath (2018, arXiv:1702.01417): they hold the
language, the punctuation and what all tokens share. Each token weighs by its inverse document frequency among
the sentences.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.alignment.phonetic import Readings, read_words
from core.backends import Backends, Encoder, Progress, silent

COMPONENTS = 20
SENTENCES_AT_ONCE = 1024
_TOKENS_PER_COMPONENT = 25
_SAMPLE = 20_000
_LEAST_WEIGHT = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class TokenSide:
    """n sentences with t tokens in all.

    vectors: (t, d) float16 of length 1. starts: (n + 1,) where each sentence's tokens begin. weights: (t,)
    float32 with mean 1. means: (n, d) float32 of length 1, the weighted mean vector of each sentence.
    readings: of the words of each sentence; without them no word matches one of the other side.
    """

    vectors: NDArray[np.float16]
    starts: NDArray[np.int64]
    weights: NDArray[np.float32]
    means: NDArray[np.float32]
    readings: Readings | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def tokens(self, first: int, last: int) -> NDArray[np.float32]:
        """(t, d) the vectors of the sentences from `first` to before `last`."""
        return self.vectors[self.starts[first] : self.starts[last]].astype(np.float32)

    def sizes(self, first: int, last: int) -> NDArray[np.int64]:
        """How many tokens each of these sentences has."""
        return np.diff(self.starts[first : last + 1])

    def sentence_weights(self, first: int, last: int) -> NDArray[np.float32]:
        """The sum of the token weights of each of these sentences."""
        ends = np.concatenate([[0], np.cumsum(self.weights)])[self.starts[first : last + 1]]
        return np.diff(ends).astype(np.float32)

    def only(self, sentences: Sequence[int]) -> TokenSide:
        """The side with these sentences, which are in order."""
        tokens = np.concatenate([np.arange(self.starts[n], self.starts[n + 1]) for n in sentences])
        sizes = [int(self.starts[n + 1] - self.starts[n]) for n in sentences]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        readings = None if self.readings is None else self.readings.only(sentences)
        return TokenSide(
            self.vectors[tokens], starts, self.weights[tokens], self.means[list(sentences)], readings
        )


def encode_side(
    sentences: Sequence[str],
    backends: Backends,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> TokenSide:
    """Encode the sentences, each by itself, with the built-in encoder, and read their words.

    kept: a folder for what was encoded so far; a second call with the same sentences reads it from there.
    progress: called with (done, total) sentences. Raises what the encoder and the reader raise.
    """
    encoder = backends.encoder("embedded")
    ids: list[NDArray[np.int64]] = []
    vectors: list[NDArray[np.float16]] = []
    for first in range(0, len(sentences), SENTENCES_AT_ONCE):
        chunk = sentences[first : first + SENTENCES_AT_ONCE]
        for number, vector in _kept(kept, _key(chunk, encoder), partial(_encode, chunk, encoder)):
            ids.append(number)
            vectors.append(vector)
        progress(len(ids), len(sentences))
    return replace(_side(ids, vectors), readings=read_words(sentences, backends.reader("word")))


Encoded = list[tuple[NDArray[np.int64], NDArray[np.float16]]]


def _encode(sentences: Sequence[str], encoder: Encoder) -> Encoded:
    """Ids and vectors of the tokens that are no special ones; of a text without tokens, of all."""
    found = []
    for one in encoder.encode(sentences, layer=encoder.default_layer):
        inner = ~np.asarray(one.special, bool)
        inner = inner if inner.any() else np.ones(len(inner), bool)
        found.append((one.ids[inner], one.vectors[inner].astype(np.float16)))
    return found


def _key(sentences: Sequence[str], encoder: Encoder) -> str:
    about = "\0".join([encoder.name, encoder.fingerprint, str(encoder.default_layer), *sentences])
    return hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _kept(folder: Path | None, key: str, make: Callable[[], Encoded]) -> Encoded:
    """What was kept under a key; else it is made, and kept whole or not at all."""
    if folder is None:
        return make()
    file = folder / f"{key}.npz"
    with suppress(OSError, ValueError, KeyError, EOFError), np.load(file, allow_pickle=False) as stored:
        ends = np.cumsum(stored["sizes"])[:-1]
        return list(zip(np.split(stored["ids"], ends), np.split(stored["vectors"], ends), strict=True))
    made = make()
    folder.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(f".{os.getpid()}")
    with draft.open("wb") as opened:
        np.savez(
            opened,
            sizes=np.array([len(ids) for ids, _ in made], np.int64),
            ids=np.concatenate([ids for ids, _ in made]),
            vectors=np.concatenate([vectors for _, vectors in made]),
        )
    draft.replace(file)
    return made


def _side(ids: Sequence[NDArray[np.int64]], vectors: Sequence[NDArray[np.float16]]) -> TokenSide:
    starts = np.concatenate([[0], np.cumsum([len(one) for one in ids])]).astype(np.int64)
    frequency = Counter(number for one in ids for number in set(one.tolist()))
    weights = np.array(
        [np.log((len(ids) + 1) / (frequency[number] + 1)) for one in ids for number in one.tolist()],
        np.float32,
    )
    weights = np.maximum(weights, _LEAST_WEIGHT)
    bare = _without_common(np.concatenate(vectors))
    sums = np.add.reduceat(bare.astype(np.float32) * weights[:, None], starts[:-1], axis=0)
    means = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return TokenSide(bare, starts, (weights / weights.mean()).astype(np.float32), means)


def _without_common(vectors: NDArray[np.float16]) -> NDArray[np.float16]:
    """The vectors without their mean and their strongest components, of length 1."""
    step = max(1, len(vectors) // _SAMPLE)
    sample = _unit(vectors[::step].astype(np.float32))
    mean = sample.mean(axis=0)
    count = min(COMPONENTS, len(vectors) // _TOKENS_PER_COMPONENT)
    covariance = (sample - mean).T @ (sample - mean)
    common = np.linalg.eigh(covariance)[1][:, ::-1][:, :count]
    out = np.empty_like(vectors)
    for first in range(0, len(vectors), _SAMPLE):
        part = _unit(vectors[first : first + _SAMPLE].astype(np.float32)) - mean
        out[first : first + _SAMPLE] = _unit(part - (part @ common) @ common.T)
    return out


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)
