"""Running metrics from outside: one process for all pairs of a run, stopped when its time is up."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess  # nosec B404
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from core.backends.external_settings import PREFIX, External, environment_of_commands
from core.text.encoding import read_text, split_lines
from core.types import TextPair

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
        problem = f"gave {len(lines)} scores for {len(pairs)} pairs, so none of them was used."
        lines = []
    whole = [line for line in lines if line.endswith("\n") or problem is None]
    found = [read_line(line) for line in whole[: len(pairs)]]
    lost = Scored(missing=f"The command of {PREFIX}{metric.name} {problem}")
    return [*found, *[lost] * (len(pairs) - len(found))]


def read_line(line: str) -> Scored:
    """One line of a metric from outside: a number, `None`, or an object with `score` and other numbers."""
    text = line.strip()
    if text in ("None", "null", ""):
        return Scored(missing="It gave no score.")
    try:
        value = json.loads(text)
    except ValueError:
        return Scored(missing="It wrote a line that is no score.")
    numbers = value if isinstance(value, dict) else {"score": value}
    parts = {name: float(one) for name, one in numbers.items() if _is_number(one)}
    if "score" not in parts:
        reason = value.get("missing") if isinstance(value, dict) else None
        return Scored(missing=str(reason)[:200] if reason else "It wrote a line that is no score.")
    return Scored(score=parts["score"], parts=parts)


def _run(metric: External, asked: IO[bytes], said: IO[bytes], told: IO[bytes], most: int) -> str | None:
    """Run the command to its end, or to the end of its time; gives what went wrong, if anything did.

    No shell is between, and the command is the user's own, from a file on this machine.
    """
    program = metric.folder / metric.command[0]
    command = [str(program) if program.is_file() else metric.command[0], *metric.command[1:]]
    try:
        process = subprocess.Popen(  # nosec B603
            command, stdin=asked, stdout=said, stderr=told, cwd=metric.folder, env=environment_of_commands(),
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        return f"cannot be started ({error.strerror})."
    try:
        problem = _wait(process, metric.timeout, most, (said, told))
    finally:
        _stop(process)
    if problem is not None or process.returncode == 0:
        return problem
    told.seek(0)
    last = told.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    return f"ended with status {process.returncode}{': ' + last[0][:200] if last else ''}."


def _wait(
    process: subprocess.Popen[bytes], timeout: float, most: int, files: Sequence[IO[bytes]]
) -> str | None:
    """Wait until it ends, its time is up, or it has written more than can be meant; gives what went wrong."""
    until = time.monotonic() + timeout
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TICK)
            return None
        if time.monotonic() > until:
            return f"took longer than {timeout:g} seconds and was stopped."
        if any(os.fstat(file.fileno()).st_size > most for file in files):
            return "wrote without end and was stopped."


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what it has started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()


def _from_file(metric: External, pairs: int) -> list[Scored]:
    path = metric.folder / metric.file
    lines = split_lines(read_text(path))
    if len(lines) != pairs:
        problem = f"The file of {PREFIX}{metric.name} has {len(lines)} scores for {pairs} pairs."
        return [Scored(missing=problem)] * pairs
    return [read_line(line) for line in lines]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
