"""A grid's scores as they are made, as JSON lines, so that a run that was stopped goes on.

The first line says which texts they are of, by a hash; every other one holds the scores of one cell, which
its signature names, for some pairs in a row: `{"cell": …, "start": 64, "scores": [0.81, null, …]}`. No text
and no rating is in the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

import platformdirs

from core.errors import FileError, os_reason
from core.types import TextPair

FORMAT = 1
KEPT = 50  # grids in the folder; the oldest go
Scores = list[float | None]


def grids_folder() -> Path:
    """The folder of grids without a file of their own; the folder may not exist yet."""
    return platformdirs.user_cache_path("yomikurabe") / "grids"


def digest(pairs: Sequence[TextPair]) -> str:
    """16 hexadecimal digits over all texts in their order."""
    found = hashlib.sha256()
    for pair in pairs:
        found.update(repr((pair.reference, pair.hypothesis, pair.source, pair.lang)).encode())
    return found.hexdigest()[:16]


class Store:
    """Scores by cell, in a file or only in memory; what was given to `add` is in the file when it returns."""

    def __init__(self, path: Path | None, pairs: Sequence[TextPair]) -> None:
        """Read what is there. Raises FileError for a file of other texts, or that is not a grid at all."""
        self.path = path
        self._head = {"grid": FORMAT, "texts": digest(pairs), "pairs": len(pairs)}
        self._pairs = len(pairs)
        self._scores: dict[str, Scores] = {}
        if path is not None:
            self._open(path)

    def done(self, cell: str) -> int:
        """How many pairs, from the first one on, have their scores under a cell."""
        return len(self._scores.get(cell, ()))

    def scores(self, cell: str) -> Scores:
        """The scores of the first `done` pairs; None for a missing one."""
        return list(self._scores.get(cell, ()))

    def add(self, found: Mapping[str, Sequence[float | None]]) -> None:
        """The next scores of some cells. Raises FileError where they cannot be written."""
        lines = [
            {"cell": cell, "start": self.done(cell), "scores": list(scores)} for cell, scores in found.items()
        ]
        if self.path is not None:
            _append(self.path, lines)
        for cell, scores in found.items():
            self._scores.setdefault(cell, []).extend(scores)

    def _open(self, path: Path) -> None:
        """Read the lines; half a line at the end, which a killed run leaves, is cut off."""
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            if not whole:
                if data and not _begun(data):
                    raise FileError(path, "is not a grid of python -m core grid; give another file", line=1)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{json.dumps(self._head)}\n", "utf-8")
                return
            for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), 1):
                self._take(path, number, line)
            if len(whole) < len(data):
                with path.open("r+b") as file:
                    file.truncate(len(whole))
        except OSError as error:
            raise FileError(path, "cannot be read or written ({reason})", reason=os_reason(error)) from error

    def _take(self, path: Path, number: int, line: str) -> None:
        row = _row(path, number, line)
        if number == 1:
            if row != self._head:
                raise FileError(
                    path, "is a grid of other texts, or no grid at all; give another file", line=number
                )
            return
        cell, start, scores = row.get("cell"), row.get("start"), row.get("scores")
        if not isinstance(cell, str) or type(start) is not int or not _are_scores(scores):
            raise FileError(path, "holds no scores of a cell; give another file", line=number)
        known = self._scores.setdefault(cell, [])
        if not 0 <= start <= len(known) or start + len(scores) > self._pairs:
            raise FileError(path, "does not go on where the lines above end; give another file", line=number)
        known += scores[len(known) - start :]


def _are_scores(scores: object) -> TypeGuard[Scores]:
    return isinstance(scores, list) and all(
        one is None or (isinstance(one, int | float) and math.isfinite(one)) for one in scores
    )


def _begun(data: bytes) -> bool:
    """Whether this may be the beginning of the first line."""
    return data.startswith(b'{"grid": '[: len(data)])


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise FileError(path, "is not a grid of python -m core grid; give another file", line=number)
    return row


def _append(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FileError(path, "cannot be written ({reason})", reason=os_reason(error)) from error


def own_store(pairs: Sequence[TextPair]) -> Store:
    """The store of these texts in `grids_folder`, started again if its file is damaged.

    Of the other files there only the newest KEPT stay. Raises FileError where it cannot be written.
    """
    folder = grids_folder()
    path = folder / f"{digest(pairs)}.jsonl"
    with contextlib.suppress(OSError):
        files = sorted(folder.glob("*.jsonl"), key=lambda one: one.stat().st_mtime)
        for old in [one for one in files if one != path][:-KEPT]:
            old.unlink()
    try:
        return Store(path, pairs)
    except FileError:
        with contextlib.suppress(OSError):
            path.unlink()
        return Store(path, pairs)
