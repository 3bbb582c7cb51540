"""Widgets of a page under AppTest, by the beginning of their key."""

from __future__ import annotations

from typing import Any


def button(at: Any, beginning: str) -> Any:
    """The button whose key begins so: `next` finds that of the item on the screen."""
    (found,) = (one for one in at.button if (one.key or "").startswith(f"{beginning}-"))
    return found
