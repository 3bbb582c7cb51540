"""What runs an encoder's layers: its engine, its number format, and the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Layers = list[NDArray[np.float32]]
"""(batch, n, d) float32 for each layer that was asked for, in their order."""


class Engine(Protocol):
    """Runs the layers of one encoder on token ids. Not for several threads at once."""

    @property
    def libraries(self) -> Mapping[str, str]:
        """What computes, with its version: part of the signature."""
        ...

    @property
    def tokens_per_batch(self) -> int:
        """How many tokens are best given at a time."""
        ...

    def load(self, layers: Sequence[int] = ()) -> None:
        """Load the weights now, unless they are loaded, and what these layers need. Raises OptionError."""
        ...

    def same_cut(self, ids: NDArray[np.int64]) -> bool:
        """Whether a layer's vectors are the same when the layers above it run, too. ids: (1, n)."""
        ...

    def forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        """(batch, n) ids, all texts of one length, to the vectors of each layer.

        Raises MemoryError where the device has too little memory for so many texts.
        """
        ...
