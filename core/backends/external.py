"""External metrics: commands in environments of their own, or files of scores.

They are described in a TOML file, YOMIKURABE_EXTERNAL or `external.toml` in the user's configuration
folder:

    [comet]
    command = ["comet/bin/python", "score_comet.py"]   # paths relative to the folder of this file
    needs = ["source", "reference"]                    # sent besides the hypothesis
    low = 0.0
    high = 1.0

The command reads JSON lines with `hypothesis`, `lang` and the needed texts from its standard input, to the
end, and writes a line for each: a number, `None` for no score, or a JSON object with `score` and other
numbers. One process scores all pairs of a run; it is stopped when its time is up.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import signal
import subprocess  # nosec B404
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from core.errors import FileError, Listed, OptionError, Wording, os_reason
from core.text.files import read_text, split_lines
from core.types import TextPair

PREFIX = "external:"
VARIABLE = "YOMIKURABE_EXTERNAL"
SENT = ("source", "reference")
_HANDED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+_HOME|LD_LIBRARY_PATH"
    r"|DYLD_\w+|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|USERPROFILE"
    r"|HF_(HOME|HUB_CACHE|HUB_OFFLINE|DATASETS_CACHE|ENDPOINT)|TRANSFORMERS_(CACHE|OFFLINE)|TORCH_HOME"
    r"|(CUDA|NVIDIA|ROCR|HIP|OMP|MKL|OPENBLAS|TOKENIZERS|PYTORCH)_\w+"
    r"|(HTTP|HTTPS|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE",
    re.IGNORECASE,
)
"""Variables of the environment that a command finds: where things are and how it computes, no keys."""
_SCRIPT_BYTES = 1_000_000  # larger files among a command's words are models, not scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """A metric from outside. command or file, never both; timeout: seconds for all pairs of a run together.

    environment: further variables that the command finds, such as HF_TOKEN.
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
    environment: tuple[str, ...] = ()

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
        raise FileError(path, "is not TOML ({reason}).", reason=error) from error
    return {name: _described(path, name, table) for name, table in tables.items()}


def find_external(name: str) -> External:
    """One of them. Raises OptionError, which says where they are described."""
    known = externals()
    if name not in known:
        there = (
            Wording("there are: {names}", names=", ".join(known)) if known else Wording("there is none yet")
        )
        raise OptionError(
            "No metric {prefix}{metric} is described in {file} ({there}).",
            metric=name,
            prefix=PREFIX,
            file=external_file(),
            there=there,
        )
    return known[name]


def environment_of_commands(
    more: Sequence[str] = (), environment: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """What a command finds in its environment: paths, languages, devices, and what its description names.

    Keys of accounts and the database's address are not among them.
    """
    return {
        name: value
        for name, value in environment.items()
        if name in more or _HANDED_ON.fullmatch(name) is not None
    }


def _described(path: Path, name: str, table: object) -> External:
    """One table of the file. Raises FileError, which names the metric and the word."""
    if not isinstance(table, dict):
        raise FileError(
            path, "“{name}” is not a table; write [{name}] with a command or a file under it.", name=name
        )
    kinds: dict[str, type | tuple[type, ...]] = {
        "command": list,
        "file": str,
        "needs": list,
        "low": (int, float),
        "high": (int, float),
        "higher_is_better": bool,
        "timeout": (int, float),
        "version": str,
        "summary": str,
        "paper": str,
        "environment": list,
    }
    for word, value in table.items():
        if word not in kinds:
            raise FileError(
                path,
                "[{name}] knows no “{word}”; it knows {kinds}.",
                name=name,
                word=word,
                kinds=", ".join(kinds),
            )
        if not isinstance(value, kinds[word]):
            raise FileError(path, "[{name}] has a {word} of the wrong kind.", name=name, word=word)
    if bool(table.get("command")) == bool(table.get("file")):
        raise FileError(path, "[{name}] needs a command or a file, one of them.", name=name)
    if not set(table.get("needs", ())) <= set(SENT):
        raise FileError(
            path, "[{name}] can need {needs}, nothing else.", name=name, needs=Listed(SENT, "and")
        )
    lists: dict[str, Any] = {
        word: tuple(map(str, table[word])) for word in ("command", "needs", "environment") if word in table
    }
    return External(name=name, folder=path.absolute().parent, **{**table, **lists})


_TICK = 0.2  # seconds between two looks
_ROOM, _A_LINE = 20_000_000, 10_000  # bytes that a command may write: at all, and for each pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A score with other numbers that came along, or None and why."""

    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    missing: str | None = None


def run_external(metric: External, pairs: Sequence[TextPair]) -> list[Scored]:
    """A score for each pair, in order. A command that fails raises nothing: the reason stands instead."""
    if metric.file:
        return _from_file(metric, len(pairs))
    sent = ("hypothesis", "lang", *metric.needs)
    with (
        tempfile.TemporaryFile() as asked,
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as told,
    ):
        for pair in pairs:
            line = json.dumps({name: getattr(pair, name) for name in sent}, ensure_ascii=False)
            asked.write(f"{line}\n".encode("utf-8", "replace"))
        asked.seek(0)
        problem = _run(metric, asked, said, told, _ROOM + _A_LINE * len(pairs))
        said.seek(0)
        lines = said.read().decode("utf-8", "replace").splitlines(keepends=True)
    if problem is None and len(lines) != len(pairs):
        problem = Wording(
            "gave {lines} scores for {pairs} pairs, so none of them was used.",
            lines=len(lines),
            pairs=len(pairs),
        )
        lines = []
    whole = [line for line in lines if line.endswith("\n") or problem is None]
    found = [read_line(line) for line in whole[: len(pairs)]]
    lost = Scored(
        missing=Wording("The command of {name} {problem}", name=PREFIX + metric.name, problem=problem)
    )
    return [*found, *[lost] * (len(pairs) - len(found))]


_NO_SCORE = Wording("It printed a line that is not a score.")


def read_line(line: str) -> Scored:
    """One line of a metric from outside: a number, `None`, or an object with `score` and other numbers."""
    text = line.strip()
    if text in ("None", "null", ""):
        return Scored(missing=Wording("It gave no score."))
    try:
        value = json.loads(text)
    except ValueError:
        return Scored(missing=_NO_SCORE)
    numbers = value if isinstance(value, dict) else {"score": value}
    parts = {name: float(one) for name, one in numbers.items() if _is_number(one)}
    if "score" not in parts:
        reason = value.get("missing") if isinstance(value, dict) else None
        return Scored(missing=str(reason)[:200] if reason else _NO_SCORE)
    return Scored(score=parts["score"], parts=parts)


def _run(metric: External, asked: IO[bytes], said: IO[bytes], told: IO[bytes], most: int) -> Wording | None:
    """Run the command to its end, or to the end of its time; gives what went wrong, if anything did.

    No shell is between, and the command is the user's own, from a file on this machine.
    """
    program = metric.folder / metric.command[0]
    command = [str(program) if program.is_file() else metric.command[0], *metric.command[1:]]
    try:
        process = subprocess.Popen(  # nosec B603
            command,
            stdin=asked,
            stdout=said,
            stderr=told,
            cwd=metric.folder,
            env=environment_of_commands(metric.environment),
            start_new_session=True,
        )
    except OSError as error:
        return Wording("cannot be started ({reason}).", reason=os_reason(error))
    try:
        problem = _wait(process, metric.timeout, most, (said, told))
    finally:
        _stop(process)
    if problem is not None or process.returncode == 0:
        return problem
    told.seek(0)
    last = told.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    if not last:
        return Wording("ended with status {status}.", status=process.returncode)
    return Wording("ended with status {status}: {last}.", status=process.returncode, last=last[0][:200])


def _wait(
    process: subprocess.Popen[bytes], timeout: float, most: int, files: Sequence[IO[bytes]]
) -> Wording | None:
    """Wait until it ends, its time is up, or it has written more than can be meant; gives what went wrong."""
    until = time.monotonic() + timeout
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TICK)
            return None
        if time.monotonic() > until:
            return Wording("took longer than {timeout:g} seconds and was stopped.", timeout=timeout)
        if any(os.fstat(file.fileno()).st_size > most for file in files):
            return Wording("exceeded the output limit and was stopped.")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what it has started and left behind: it leads a group of its own."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group that has ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _from_file(metric: External, pairs: int) -> list[Scored]:
    path = metric.folder / metric.file
    lines = split_lines(read_text(path))
    if len(lines) != pairs:
        problem = Wording(
            "The file of {name} has {lines} scores for {pairs} pairs.",
            name=PREFIX + metric.name,
            lines=len(lines),
            pairs=pairs,
        )
        return [Scored(missing=problem)] * pairs
    return [read_line(line) for line in lines]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
