"""The score of many segments from summed counts, as sacreBLEU defines it for BLEU, chrF and TER."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.types import Result


@runtime_checkable
class CountedTrace(Protocol):
    """A trace of counts that can be summed over segments."""

    def sums(self) -> list[float]:
        """The numbers that are summed, always as many."""
        ...

    def parts_of(self, sums: Sequence[float]) -> dict[str, float]:
        """The parts of such a sum, under the settings of this trace."""
        ...


class CountPool:
    """One score from the sums of the counts of many traces. headline: the part that is the score."""

    def __init__(self, headline: str) -> None:
        self._headline = headline
        self._sums: NDArray[np.float64] | None = None
        self._settings: CountedTrace | None = None

    def add(self, result: Result[Any]) -> None:
        """Add the counts of a trace; a result without one adds nothing."""
        if isinstance(result.trace, CountedTrace):
            row = np.array(self.row(result), float)
            self._sums = row if self._sums is None else self._sums + row

    def row(self, result: Result[Any]) -> list[float]:
        """The counts of a trace as numbers that may be summed, for `value`."""
        if not isinstance(result.trace, CountedTrace):
            raise InputError("A counted score needs the traces of its segments.")
        self._settings = result.trace
        return result.trace.sums()

    def value(self, sums: NDArray[np.float64]) -> float:
        """The score of such sums; of rows that this pool has made."""
        return self._parts_of(sums)[self._headline]

    @property
    def score(self) -> float | None:
        """The score of the summed counts."""
        return self.parts.get(self._headline)

    @property
    def parts(self) -> dict[str, float]:
        """The parts of the score of the summed counts."""
        return {} if self._sums is None else self._parts_of(self._sums)

    def _parts_of(self, sums: NDArray[np.float64]) -> dict[str, float]:
        if self._settings is None:
            raise InputError("A counted score needs the traces of its segments.")
        return self._settings.parts_of(sums.tolist())
