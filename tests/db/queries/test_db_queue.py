from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from db.engine import turn


def open_places(file: Path) -> int:
    """How many descriptors of the queue this process holds."""
    return sum(target == f"{file}-queue" for target in map(_target, os.listdir("/proc/self/fd")))


def _target(descriptor: str) -> str | None:
    """Where the descriptor points; None where another thread has closed it since it was listed."""
    with contextlib.suppress(FileNotFoundError):
        return os.readlink(f"/proc/self/fd/{descriptor}")
    return None


def test_writers_take_their_turn_one_at_a_time(tmp_path):
    inside, seen = [], []

    def write() -> None:
        with turn(str(tmp_path / "db"), 10):
            inside.append(1)
            seen.append(len(inside))
            time.sleep(0.01)
            inside.pop()

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 8


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_places_that_were_given_up_are_closed_and_hold_nobody_up(tmp_path):
    file = tmp_path / "db"
    with turn(str(file), 1):
        for _ in range(200):
            with turn(str(file), 0):  # gives up at once
                pass
    until = time.monotonic() + 10
    while open_places(file) and time.monotonic() < until:
        time.sleep(0.01)
    assert open_places(file) == 0
    started = time.monotonic()
    with turn(str(file), 10):
        assert time.monotonic() - started < 5


def test_where_no_queue_can_be_made_the_block_runs_all_the_same(tmp_path):
    with turn(str(tmp_path / "nowhere" / "db"), 1):
        pass
