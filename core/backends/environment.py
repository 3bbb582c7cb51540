"""What backends read of the environment: the number of threads, and where nltk keeps its data."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def threads(environment: Mapping[str, str] = os.environ) -> int | None:
    """OMP_NUM_THREADS, by which torch, BLAS and Ray's workers are limited; None where it is not set."""
    named = environment.get("OMP_NUM_THREADS", "")
    return int(named) if named.isdecimal() and int(named) else None


def nltk_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders in which nltk looks for its data, in its order.

    nltk itself is not asked: its import loads scipy, pandas and scikit-learn.
    """
    named = [Path(one) for one in environment.get("NLTK_DATA", "").split(os.pathsep) if one]
    inside = [Path(sys.prefix) / part / "nltk_data" for part in ("", "share", "lib")]
    if os.name == "nt":
        outside = [Path(environment.get("APPDATA", "C:\\")), *map(Path, ("C:\\", "D:\\", "E:\\"))]
    else:
        outside = [Path("/usr") / part for part in ("share", "local/share", "lib", "local/lib")]
    return [*named, Path.home() / "nltk_data", *inside, *(one / "nltk_data" for one in outside)]
