"""LRU cache of token vectors: scoring again with other settings needs no model."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from core.backends import Encoder, Progress, silent
from core.types import TokenVectors

Key = tuple[int, str, str]
DEFAULT_BYTES = 768 * 1024 * 1024
IDS_BYTES = 64 * 1024 * 1024


class CachedEncoder:
    """An encoder that remembers what it read last, up to `max_bytes`.

    The key is the full text with layer and `long`, so an edited text can never meet an old vector.
    Safe for threads; a text asked for twice in one call is encoded once.
    """

    def __init__(self, encoder: Encoder, *, max_bytes: int = DEFAULT_BYTES) -> None:
        self._encoder = encoder
        self._lock = threading.Lock()
        self._memory: LRUCache[Key, TokenVectors] = LRUCache(max_bytes, getsizeof=lambda value: value.nbytes)

        self._ids: LRUCache[str, NDArray[np.int64]] = LRUCache(IDS_BYTES, getsizeof=lambda ids: ids.nbytes)

    @property
    def name(self) -> str:
        """The inner encoder's name."""
        return self._encoder.name

    @property
    def fingerprint(self) -> str:
        """The inner encoder's fingerprint."""
        return self._encoder.fingerprint

    @property
    def layers(self) -> int:
        """The inner encoder's number of layers."""
        return self._encoder.layers

    @property
    def default_layer(self) -> int:
        """The inner encoder's default layer."""
        return self._encoder.default_layer

    def ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The inner encoder's token ids; those of texts that were read lately are remembered."""
        with self._lock:
            known = {text: self._ids[text] for text in texts if text in self._ids}
        wanted = [text for text in dict.fromkeys(texts) if text not in known]
        if wanted:
            fresh = dict(zip(wanted, self._encoder.ids(wanted), strict=True))
            known |= fresh
            with self._lock:
                self._ids.update((text, ids) for text, ids in fresh.items() if ids.nbytes < IDS_BYTES)
        return [known[text] for text in texts]

    def spell(self, ids: Sequence[int]) -> str:
        """As the inner encoder."""
        return self._encoder.spell(ids)

    @property
    def libraries(self) -> Mapping[str, str]:
        """The inner encoder's libraries."""
        return self._encoder.libraries

    @property
    def tokens_run(self) -> int:
        """How many tokens the inner encoder's model was given so far."""
        return self._encoder.tokens_run

    @property
    def nbytes(self) -> int:
        """Bytes that are held now; never more than `max_bytes`."""
        return int(self._memory.currsize)

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """As the inner encoder, which is asked only for distinct texts that are not remembered."""
        found: dict[str, TokenVectors] = {}
        with self._lock:
            for text in texts:
                if text not in found and (value := self._memory.get((layer, long, text))) is not None:
                    found[text] = value
        wanted = [text for text in dict.fromkeys(texts) if text not in found]
        if wanted:
            fresh = self._encoder.encode(wanted, layer=layer, long=long, progress=progress)
            found.update(zip(wanted, fresh, strict=True))
            self._remember(layer, long, zip(wanted, fresh, strict=True))
        return [found[text] for text in texts]

    def encode_layers(
        self,
        texts: Sequence[str],
        *,
        layers: Sequence[int],
        long: str = "window",
        progress: Progress = silent,
    ) -> list[list[TokenVectors]]:
        """As the inner encoder, which is asked once, for the texts and layers that are not remembered."""
        found: dict[tuple[int, str], TokenVectors] = {}
        with self._lock:
            for place in ((layer, text) for layer in layers for text in texts):
                if (value := self._memory.get((place[0], long, place[1]))) is not None:
                    found[place] = value
        lacking = [layer for layer in layers if any((layer, text) not in found for text in texts)]
        wanted = [
            text for text in dict.fromkeys(texts) if any((layer, text) not in found for layer in lacking)
        ]
        if lacking:
            read = self._encoder.encode_layers(wanted, layers=lacking, long=long, progress=progress)
            for layer, fresh in zip(lacking, read, strict=True):
                found.update(((layer, text), one) for text, one in zip(wanted, fresh, strict=True))
                self._remember(layer, long, zip(wanted, fresh, strict=True))
        return [[found[layer, text] for text in texts] for layer in layers]

    def _remember(self, layer: int, long: str, pairs: zip[tuple[str, TokenVectors]]) -> None:
        with self._lock:
            for text, value in pairs:
                if value.nbytes <= self._memory.maxsize:
                    self._memory[layer, long, text] = value
                if long == "window" and value.ids.nbytes < IDS_BYTES:
                    self._ids[text] = value.ids
