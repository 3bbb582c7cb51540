"""Replies of language models in a file of JSON lines, for the command line."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import platformdirs

from core.types import Reply


def calls_path() -> Path:
    """Where the command line keeps its calls: the user's cache folder."""
    return platformdirs.user_cache_path("yomikurabe") / "calls.jsonl"


class FileCalls:
    """A `CallStore` in one file, read when first asked. A line that is damaged is passed over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._rows: dict[str, Reply] | None = None

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """The kept replies among these keys."""
        with self._lock:
            rows = self._read()
            return {key: rows[key] for key in keys if key in rows}

    def keep(self, key: str, model: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Append a reply; where the file cannot be written it is remembered for this run only."""
        line = json.dumps({"key": key, "model": model, "request": dict(request), "reply": asdict(reply)})
        with self._lock:
            self._read()[key] = reply
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a", encoding="utf-8", newline="\n") as file:
                    file.write(f"{line}\n")
            except OSError:
                return

    def _read(self) -> dict[str, Reply]:
        if self._rows is None:
            self._rows = {}
            try:
                lines = self._path.read_text("utf-8").splitlines()
            except OSError:
                lines = []
            for line in lines:
                try:
                    row = json.loads(line)
                    self._rows.setdefault(row["key"], Reply(**row["reply"]))
                except (ValueError, KeyError, TypeError):
                    continue
        return self._rows
