"""Exit codes, messages, tables, output files and progress bars of all commands of core and db."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TextIO, TypeVar

from rich.cells import cell_len

from core.backends import Judge, Progress, silent
from core.errors import FileError, InputError, YomikurabeError
from core.metrics.base import Scorer
from core.scoring import dollars, new_costs
from core.types import CostEstimate, TextPair

P = ParamSpec("P")
R = TypeVar("R")

_BREAKS = dict.fromkeys(map(ord, "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def exit_on_error(command: Callable[P, R]) -> Callable[P, R]:
    """Write our errors as one sentence to standard error and set the exit status.

    0: done. 1: failure of this program or machine. 2: invalid input. 130: interrupted.
    """

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except YomikurabeError as error:
            say(error.message)
            raise SystemExit(2 if isinstance(error, InputError) else 1) from error
        except KeyboardInterrupt as interrupt:
            say("Interrupted; finished results are kept.")
            raise SystemExit(130) from interrupt
        except BrokenPipeError as error:  # the reader, such as `head`, has closed the pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from error

    return wrapped


def say(message: str) -> None:
    """Write a line to standard error; standard output is for data."""
    sys.stderr.write(f"{message}\n")


def say_if_tty(message: str) -> None:
    """Write a line to standard error if it is a terminal."""
    if sys.stderr.isatty():
        say(message)


def number(value: float | None) -> str:
    """Three decimals; a dash for None."""
    return "–" if value is None else f"{value:.3f}"


def table(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """The rows with aligned columns, two blanks apart.

    Wide characters count two. No cell is cut; tabs and line breaks in cells become blanks.

    rows: rows of equal length; the first may be a header.
    right: indices of right-aligned columns, for numbers.
    """
    lines = [[cell.translate(_BREAKS) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]

    def align(cell: str, index: int) -> str:
        gap = " " * (widths[index] - cell_len(cell))
        return f"{gap}{cell}" if index in right else f"{cell}{gap}"

    return "".join("  ".join(map(align, row, range(len(row)))).rstrip(" ") + "\n" for row in lines)


@contextmanager
def output(path: Path | None, *, after: int = 0) -> Iterator[TextIO]:
    """The file to write, in UTF-8, created when entered; standard output without a path.

    after: how many bytes of an existing file are kept.
    """
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 in every terminal encoding
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        file = path.open("a" if after else "w", encoding="utf-8", newline="\n")
        if after:
            file.truncate(after)
    except OSError as error:
        raise FileError(path, "cannot be written ({reason})", reason=error.strerror) from error
    with file:
        yield file


@contextmanager
def progress_bar(description: str, *, shown: bool = True) -> Iterator[Progress]:
    """A progress bar on standard error if `shown` and standard error is a terminal; else nothing."""
    if not shown or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bar = Bar(*columns, console=console, transient=True, redirect_stdout=False)  # stdout is for data
    task = bar.add_task(description)

    def show(done: int, total: int) -> None:
        bar.start()  # not before: the cost confirmation may come first
        bar.update(task, completed=done, total=total)

    try:
        yield show
    finally:
        bar.stop()


def confirm_cost(scorers: Sequence[Scorer[Any]], pairs: Sequence[TextPair], *, yes: bool = False) -> None:
    """Print the maximum cost of calls to language models; on a terminal ask for confirmation.

    The run stops at the tokens that are said here: scores whose calls would exceed them are missing.

    yes: do not ask. Raises InputError if the user declines.
    """
    for judge, cost in new_costs(scorers, pairs):
        confirm_calls(judge, cost, yes=yes)


def confirm_calls(judge: Judge, cost: CostEstimate, *, yes: bool = False) -> None:
    """As `confirm_cost`, for calls of one model; nothing is said or asked where no call is new."""
    if cost.new:
        money = dollars(judge, cost.prompt_tokens, cost.completion_tokens)
        price = "" if money is None else f", ${money:.2f}"
        judge.limit(cost.prompt_tokens + cost.completion_tokens)
        say(
            f"{judge.name}: at most {cost.new:,} new calls ({cost.calls - cost.new:,} reused), "
            f"at most {cost.prompt_tokens + cost.completion_tokens:,} tokens{price}."
        )
        if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise InputError("Nothing was asked: add --yes to call the language model without a question.")
        if not yes:
            sys.stderr.write("Continue? [y/N] ")
            sys.stderr.flush()
            if sys.stdin.readline().strip().lower() not in ("y", "yes"):
                raise InputError("Cancelled; no language model was called.")
