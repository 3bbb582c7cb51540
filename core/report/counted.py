"""How many of what, as a language says it: `1 rater`, `3 raters`."""

from __future__ import annotations

from typing import Literal

from core.text.locale import Speaker

Thing = Literal[
    "check", "comparison", "degraded", "document", "item", "rater", "rating", "reference", "repeat",
    "segment", "system", "translation",
]  # fmt: skip


def counted(say: Speaker, n: int, what: Thing) -> str:
    """The number with its noun."""
    return say.t(f"report.one.{what}" if n == 1 else f"report.many.{what}", n=f"{n:,}")
