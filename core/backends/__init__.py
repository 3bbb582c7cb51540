"""What a metric may ask of the heavy libraries, as protocols; the modules beside are their only home.

Nothing heavy is imported here: torch, transformers and the rest come in when a backend is constructed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.types import TokenVectors

Progress = Callable[[int, int], None]
"""Called with (done, total) texts; may raise to stop, what was finished is kept in the cache."""


def silent(done: int, total: int) -> None:
    """A Progress that shows nothing."""


class Encoder(Protocol):
    """A model that gives every token of a text a vector in its context."""

    @property
    def name(self) -> str:
        """What the user calls it: `embedded`, a hub id or a folder's name."""
        ...

    @property
    def fingerprint(self) -> str:
        """Twelve characters that change when weights or tokenizer change."""
        ...

    @property
    def layers(self) -> int:
        """How many layers there are; layer 0 is the embedding, the last one is `layers`."""
        ...

    @property
    def default_layer(self) -> int:
        """The layer that is used when none is named."""
        ...

    @property
    def libraries(self) -> Mapping[str, str]:
        """The libraries that make the vectors, with their versions: part of the signature."""
        ...

    @property
    def tokens_run(self) -> int:
        """How many tokens the model was given since it was loaded, padding included."""
        ...

    def ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The token ids of each whole text, special ones included, without running the model."""
        ...

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """Encode each text by itself: order, neighbours and batches do not change the vectors.

        layer: 0 … `layers`. long: `window` reads over-long texts in overlapping windows (flag `windowed`),
        `truncate` cuts them (flag `truncated`, `lost` counts the characters). Raises OptionError for others.
        """
        ...


@dataclass(frozen=True, slots=True)
class Backends:
    """How a metric gets what it needs: by name, loaded once per process by whoever makes this value."""

    encoder: Callable[[str], Encoder]
