"""Work on many machines through Ray, which is optional. Results come back in the order of the pieces.

A worker that dies is restarted and its piece is scored again.
"""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.assets import ROOT
from core.errors import InputError, OptionError, UnavailableError, YomikurabeError

Piece = TypeVar("Piece")
Done = TypeVar("Done")

DEATHS = 3
"""How often a worker may die before the run gives up: a piece that kills every worker would never end."""

AHEAD = 2
"""Pieces for each worker that are under way or waiting to be fetched in order."""

_LEFT_HERE = [".git", ".venv", "tests", "docs", "*.sqlite*", "__pycache__"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RayEngine:
    """Where to work.

    address: of a cluster; None makes one on this machine. workers: None for one on each processor.
    """

    address: str | None = None
    workers: int | None = None

    def each(self, make: Callable[[], Callable[[Piece], Done]], pieces: Iterable[Piece]) -> Iterator[Done]:
        """What `make()` makes of each piece, in order. `make` runs once in each worker.

        Memory holds AHEAD pieces and results a worker. Raises UnavailableError without ray and where workers
        die again and again, InputError where no cluster answers, and what the work itself raises of ours.
        """
        with _cluster(self) as ray:
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            count = min(self.workers or processors, processors)  # one more would wait for ever
            remote = ray.remote(num_cpus=1, max_restarts=DEATHS, max_task_retries=DEATHS)(_Worker)
            workers = [remote.remote(make) for _ in range(count)]
            try:
                yield from _in_order(ray, workers, pieces)
            finally:
                for worker in workers:
                    ray.kill(worker)


def engine_of(text: str, workers: int | None) -> RayEngine:
    """`ray` or `ray:ADDRESS`. OptionError for other engines, UnavailableError where ray is not installed."""
    name, _, address = text.partition(":")
    if name != "ray":
        raise OptionError("--engine {text} is not known; write ray, or ray:ADDRESS for a cluster", text=text)
    if importlib.util.find_spec("ray") is None:
        raise UnavailableError("Ray is not installed here; pip install -r requirements-ray.txt")
    return RayEngine(address=address or None, workers=workers)


@dataclass(frozen=True, slots=True)
class _Failed:
    """One of our errors, as it can travel."""

    message: str
    input: bool


class _Worker(Generic[Piece, Done]):
    """One process somewhere; makes what it needs when the first piece comes."""

    def __init__(self, make: Callable[[], Callable[[Piece], Done]]) -> None:
        self._make = make
        self._work: Callable[[Piece], Done] | None = None

    def run(self, piece: Piece) -> Done | _Failed:
        """The piece done, or why not."""
        try:
            if self._work is None:
                self._work = self._make()
            return self._work(piece)
        except YomikurabeError as error:
            return _Failed(error.message, isinstance(error, InputError))


def _in_order(ray: Any, workers: list[Any], pieces: Iterable[Piece]) -> Iterator[Any]:
    """Give each free worker the next piece; yield results in the order of the pieces."""
    left = enumerate(pieces)
    free, busy, done, due = list(workers), dict[Any, tuple[int, Any]](), dict[int, Any](), 0
    more = True
    while True:
        while more and free and len(busy) + len(done) < AHEAD * len(workers):
            place, piece = next(left, (-1, None))
            if place < 0:
                more = False
                break
            worker = free.pop()
            busy[worker.run.remote(piece)] = (place, worker)
        while due in done:
            yield done.pop(due)
            due += 1
        if not busy:
            if more:
                continue
            return
        (ready, *_), _ = ray.wait(list(busy), num_returns=1)
        place, worker = busy.pop(ready)
        free.append(worker)
        done[place] = _fetched(ray, ready)


def _fetched(ray: Any, ready: Any) -> Any:
    try:
        found = ray.get(ready)
    except ray.exceptions.RayActorError as error:
        reason = str(error).strip().splitlines()[-1].strip()
        often = f"{DEATHS} time{'s' if DEATHS > 1 else ''}"
        raise UnavailableError(
            "A worker died more than {often} ({reason:.200}); what was written stays.",
            often=often,
            reason=reason,
        ) from error
    if isinstance(found, _Failed):
        raise (InputError if found.input else UnavailableError)("{problem}", problem=found.message)
    return found


@contextmanager
def _cluster(engine: RayEngine) -> Iterator[Any]:
    """Ray, connected; a cluster of our own ends with the work."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(**_settings(engine))
        except ConnectionError as error:
            raise InputError(
                "--engine ray:{address}: no cluster of Ray answers there; start one with ray start --head",
                address=engine.address,
            ) from error
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _settings(engine: RayEngine) -> dict[str, Any]:
    """A cluster elsewhere is sent this program, but not the libraries of requirements.txt."""
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    if engine.address is None:
        return {**quiet, "num_cpus": engine.workers, "include_dashboard": False}
    here = {"working_dir": str(ROOT), "excludes": _LEFT_HERE}
    return {**quiet, "address": engine.address, "runtime_env": here}
