"""Widgets of a page under AppTest, by the beginning of their key."""

from __future__ import annotations

import time
from typing import Any


def button(at: Any, beginning: str) -> Any:
    """The button whose key begins so: `next` finds that of the item on the screen."""
    (found,) = (one for one in at.button if (one.key or "").startswith(f"{beginning}-"))
    return found


def when_scored(at: Any, seconds: float = 60) -> Any:
    """The page once the run in the background has ended, which the strip above it shows."""
    until = time.monotonic() + seconds
    while not any(one.key == "run-close" for one in at.button):
        assert time.monotonic() < until, "the run did not end"
        time.sleep(0.05)
        at.run()
        assert not at.exception
    return at
