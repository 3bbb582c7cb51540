"""Scoring and statistics, without Streamlit and without a database.

In Python and in notebooks: `import core`, then `core.score`, `core.explain`, `core.compare`,
`core.agreement` and `core.METRICS`; see docs/python.md. Importing `core` loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.api import agreement as agreement
    from core.api import compare as compare
    from core.api import explain as explain
    from core.api import score as score
    from core.metrics import METRICS as METRICS

__version__ = "0.1.0"

_HOME = {
    "score": "core.api",
    "explain": "core.api",
    "compare": "core.api",
    "agreement": "core.api",
    "METRICS": "core.metrics",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
