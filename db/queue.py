"""The queue in which writers of one SQLite file stand: first come, first served, and nobody spins.

SQLite by itself lets a writer wait longer after every try, so that under load some wait for seconds while
others overtake. The lock is a file beside the database; it holds between processes as well as between
threads, and the system drops it when a process dies. Where there is no such lock (Windows, a read-only
folder), SQLite is asked at once and waits in its own way.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def turn(file: str, seconds: float) -> Iterator[None]:
    """Wait for this writer's turn, for `seconds` at most; then the block runs in any case."""
    place = _Place(file)
    try:
        place.wait(seconds)
        yield
    finally:
        place.leave()


class _Place:
    """One writer's place in the queue. A descriptor of its own each, so threads exclude each other too."""

    def __init__(self, file: str) -> None:
        self._lock = threading.Lock()
        self._blocked = False
        self._descriptor: int | None = None
        if fcntl is not None:
            with suppress(OSError):
                self._descriptor = os.open(f"{file}-queue", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def wait(self, seconds: float) -> None:
        if self._descriptor is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._blocked = True  # already: the thread may start late, and the descriptor is its own now
            waiting = threading.Thread(target=self._block, args=(self._descriptor,), daemon=True)
            waiting.start()  # the system's own waiting has no time limit, a thread's has
            waiting.join(seconds)
        except OSError:
            return

    def leave(self) -> None:
        """Give the turn to the next; a place that is still waiting gives it on when it comes."""
        with self._lock:
            if self._descriptor is not None:
                descriptor, self._descriptor = self._descriptor, None
                if not self._blocked:
                    os.close(descriptor)

    def _block(self, descriptor: int) -> None:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        with self._lock:
            self._blocked = False
            if self._descriptor is None:  # gave up meanwhile
                os.close(descriptor)
