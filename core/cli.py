"""How a command line ends: 0 done, 2 the user's input, 1 our fault; never a traceback for bad input."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from core.backends import Progress, silent
from core.errors import InputError, OptionError, YomikurabeError

P = ParamSpec("P")
R = TypeVar("R")


def honest_exit(command: Callable[P, R]) -> Callable[P, R]:
    """Turn our errors into one sentence on standard error and the right exit status."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except YomikurabeError as error:
            sys.stderr.write(f"{error.message}\n")
            raise SystemExit(2 if isinstance(error, InputError) else 1) from error
        except KeyboardInterrupt as interrupt:
            sys.stderr.write("Stopped; what was written so far is kept.\n")
            raise SystemExit(130) from interrupt
        except BrokenPipeError as error:
            sys.stderr.close()
            raise SystemExit(0) from error

    return wrapped


def say(message: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{message}\n")


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A progress bar on standard error when that is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def parse_settings(assignments: Sequence[str], metrics: Sequence[str]) -> dict[str, dict[str, str]]:
    """`metric.option=value` … -> options per metric; with a single metric `option=value` is enough."""
    settings: dict[str, dict[str, str]] = {metric: {} for metric in metrics}
    for assignment in assignments:
        target, equals, value = assignment.partition("=")
        metric, dot, option = target.rpartition(".")
        if not dot and len(metrics) == 1:
            metric = metrics[0]
        if not equals or not option or metric not in settings:
            raise OptionError(
                f"--set {assignment}: write metric.option=value, with one of the metrics asked for "
                f"({', '.join(metrics)})"
            )
        settings[metric][option] = value
    return settings
