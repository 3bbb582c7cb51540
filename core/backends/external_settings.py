"""Metrics from outside: commands in environments of their own, or files of scores.

They are described in a TOML file, YOMIKURABE_EXTERNAL or `external.toml` in the user's configuration folder:

    [comet]
    command = ["comet/bin/python", "score_comet.py"]   # paths as seen from the file's folder
    needs = ["source", "reference"]                    # what it is sent beside the hypothesis
    low = 0.0
    high = 1.0

The command reads JSON lines with `hypothesis`, `lang` and what it needs from its standard input, to the end,
and writes one line for each: a number, `None` where it has no score, or a JSON object with `score` and other
numbers.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import FileError, OptionError
from core.text.encoding import read_text

PREFIX = "external:"
VARIABLE = "YOMIKURABE_EXTERNAL"
SENT = ("source", "reference")
_SECRET = ("OPENAI_API_KEY",)  # what somebody else's program has no business with
_SCRIPT_BYTES = 1_000_000  # larger files among a command's words are models, not scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """A metric from outside. command or file, never both; timeout: seconds for all pairs of a run together.

    needs: of `source` and `reference`; without `reference` it is reference-free. version: its makers'.
    """

    name: str
    folder: Path
    command: tuple[str, ...] = ()
    file: str = ""
    needs: tuple[str, ...] = SENT
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    timeout: float = 3600.0
    version: str = ""
    summary: str = "a metric from outside"
    paper: str = ""

    @property
    def fingerprint(self) -> str:
        """Twelve characters that change with the command's words, its scripts, or the file of scores."""
        digest = hashlib.sha256("\0".join((*self.command, self.file)).encode())
        for word in (*self.command[1:], self.file):
            path = self.folder / word
            if word and path.is_file() and (word == self.file or path.stat().st_size <= _SCRIPT_BYTES):
                digest.update(path.read_bytes())
        return digest.hexdigest()[:12]


def external_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the metrics from outside are described; the file need not be there."""
    import platformdirs

    named = environment.get(VARIABLE)
    return Path(named) if named else platformdirs.user_config_path("yomikurabe") / "external.toml"


def externals(path: Path | None = None) -> dict[str, External]:
    """The metrics from outside by name; none where there is no file. Raises FileError for a wrong one."""
    path = path or external_file()
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(read_text(path))
    except ValueError as error:
        raise FileError(path, f"is not TOML ({error}).") from error
    return {name: _described(path, name, table) for name, table in tables.items()}


def find_external(name: str) -> External:
    """One of them. Raises OptionError, which says where they are described."""
    known = externals()
    if name not in known:
        there = f"there are: {', '.join(known)}" if known else "there is none yet"
        raise OptionError(
            f"No metric {PREFIX}{name} is described in {external_file()} ({there}).", metric=name
        )
    return known[name]


def environment_of_commands(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a command finds in its environment: everything but the account's key."""
    return {name: value for name, value in environment.items() if name not in _SECRET}


def _described(path: Path, name: str, table: object) -> External:
    """One table of the file. Raises FileError, which names the metric and the word."""
    if not isinstance(table, dict):
        raise FileError(path, f"“{name}” is no table; write [{name}] with a command or a file under it.")
    kinds: dict[str, type | tuple[type, ...]] = {
        "command": list, "file": str, "needs": list, "low": (int, float), "high": (int, float),
        "higher_is_better": bool, "timeout": (int, float), "version": str, "summary": str, "paper": str,
    }  # fmt: skip
    for word, value in table.items():
        if word not in kinds:
            raise FileError(path, f"[{name}] knows no “{word}”; it knows {', '.join(kinds)}.")
        if not isinstance(value, kinds[word]):
            raise FileError(path, f"[{name}] has a {word} of the wrong kind.")
    if bool(table.get("command")) == bool(table.get("file")):
        raise FileError(path, f"[{name}] needs a command or a file, one of them.")
    if not set(table.get("needs", ())) <= set(SENT):
        raise FileError(path, f"[{name}] can need {' and '.join(SENT)}, nothing else.")
    lists: dict[str, Any] = {
        word: tuple(map(str, table[word])) for word in ("command", "needs") if word in table
    }
    return External(name=name, folder=path.absolute().parent, **{**table, **lists})
