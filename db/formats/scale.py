"""Which scale a file's scores are on. It is told or plain to see, and never guessed; we keep 0 to 100."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from core.errors import OptionError, ScaleUnknown
from db.formats.bundle import ReadOptions
from db.formats.cells import Where

SCALES: Mapping[str, float] = {"0-100": 100.0, "0-6": 6.0, "0-1": 1.0}
"""Each scale's highest score; the lowest is 0."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Scale:
    """The scores of one file: `read` each of them, then `settle`."""

    def __init__(self, path: Path, told: str | None) -> None:
        """Raises OptionError for a scale that is none of `SCALES`."""
        if told is not None and told not in SCALES:
            raise OptionError(f"There is no scale “{told:.40}”; choose one of {', '.join(SCALES)}.")
        self._path = path
        self._told = told
        self._top = SCALES[told or "0-100"]
        self._factor = 100 / self._top
        self._highest = -1.0

    @classmethod
    def of(cls, path: Path, options: ReadOptions) -> Scale:
        """The scale of a file that is read with these options."""
        return cls(path, options.scale)

    def read(self, cell: str, where: Where) -> float:
        """A score as it is written, as one from 0 to 100."""
        score = float(cell) if _NUMBER.fullmatch(cell) else -1.0
        if not 0 <= score <= self._top:
            raise where.error(f"the score “{cell:.40}” is not a number from 0 to {self._top:g}.")
        self._highest = max(self._highest, score)
        return score * self._factor + 0.0 if self._factor != 1 else score + 0.0  # -0.0 is 0

    def settle(self) -> None:
        """Raises ScaleUnknown if nobody told the scale and all scores would fit a smaller one, too."""
        if self._told is not None or self._highest < 0:
            return
        fitting = tuple(name for name, top in SCALES.items() if self._highest <= top)
        if len(fitting) > 1:
            problem = (
                f"no score is above {self._highest:g}, so the scale could be {' or '.join(fitting)}; "
                "tell it with --scale."
            )
            raise ScaleUnknown(self._path, problem, fitting)
