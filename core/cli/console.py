"""How a command line ends: 0 done, 2 the user's input, 1 our fault; never a traceback for bad input."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TextIO, TypeVar

from core.backends import Progress, silent
from core.errors import FileError, InputError, OptionError, YomikurabeError
from core.metrics import METRICS, find_metric
from core.metrics.base import Scorer
from core.scoring import dollars, estimate
from core.types import TextPair

P = ParamSpec("P")
R = TypeVar("R")


def exit_on_error(command: Callable[P, R]) -> Callable[P, R]:
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
        except BrokenPipeError as error:  # the reader, such as `head`, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from error

    return wrapped


def say(message: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{message}\n")


@contextmanager
def output(path: Path | None, *, after: int = 0) -> Iterator[TextIO]:
    """The file to write, in UTF-8, made when first entered; standard output without a path.

    after: how many bytes of the file that is there are kept.
    """
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8, whatever the terminal's encoding
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        file = path.open("a" if after else "w", encoding="utf-8", newline="\n")
        if after:
            file.truncate(after)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror})") from error
    with file:
        yield file


@contextmanager
def progress_bar(what: str, *, shown: bool = True) -> Iterator[Progress]:
    """A progress bar on standard error if it is `shown` and that is a terminal, else nothing."""
    if not shown or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bar = Bar(*columns, console=console, transient=True, redirect_stdout=False)  # stdout is for data
    task = bar.add_task(what)

    def show(done: int, total: int) -> None:
        bar.start()  # only now: a question may have to be answered first
        bar.update(task, completed=done, total=total)

    try:
        yield show
    finally:
        bar.stop()


def check_text(text: str, option: str) -> None:
    """Raises OptionError for a text from the command line whose bytes were not UTF-8."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise OptionError(f"{option} holds bytes that are not UTF-8; put the text into a file and use score")


def parse_metrics(names: str) -> list[str]:
    """`bleu,chrf` -> the metrics in that order, each once. Raises OptionError for unknown names and none."""
    metrics = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    if not metrics:
        raise OptionError(f"--metric names no metric; choose among {', '.join(METRICS)}")
    return [find_metric(name).name for name in metrics]


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


def confirm_cost(metrics: Sequence[Scorer[Any]], pairs: Sequence[TextPair], *, yes: bool = False) -> None:
    """Say what asking language models would cost at most; on a terminal also ask whether to go on.

    Raises InputError where the answer is no.
    """
    for asking in filter(None, (metric.asks for metric in metrics)):
        cost = estimate(asking, pairs)
        if not cost.new:
            continue
        money = dollars(asking.judge, cost.prompt_tokens, cost.completion_tokens)
        price = "" if money is None else f", ${money:.2f}"
        say(
            f"{asking.judge.name} is asked {cost.new:,} times at most ({cost.calls - cost.new:,} more cost "
            f"nothing); tokens at most: {cost.prompt_tokens + cost.completion_tokens:,}{price}."
        )
        if not yes and sys.stdin.isatty() and sys.stderr.isatty():
            sys.stderr.write("Go on? [y/N] ")
            sys.stderr.flush()
            if sys.stdin.readline().strip().lower() not in ("y", "yes"):
                raise InputError("Nothing was asked.")


def say_if_tty(message: str) -> None:
    """A line on standard error if that is a terminal."""
    if sys.stderr.isatty():
        say(message)


def named_files(assignments: Sequence[str], option: str, *, form: str = "NAME=FILE") -> dict[str, Path]:
    """Files by system, from NAME=FILE …. OptionError for another form, or a name that comes twice."""
    found: dict[str, Path] = {}
    for assignment in assignments:
        name, equals, path = assignment.partition("=")
        if not equals or not name.strip() or not path:
            raise OptionError(f"{option} {assignment}: write {form}.")
        if name in found:
            raise OptionError(f"{option} {name} comes twice; give each system one file.")
        found[name] = Path(path)
    return found
