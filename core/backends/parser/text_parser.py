"""Parsers by name: dependencies from spaCy; constituents from benepar, the shipped heads, or rules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

from cachetools import LRUCache

from core.backends import Progress, silent
from core.backends.parser.benepar import (
    ENGLISH,
    PIECES_PER_WORD,
    ChartTrees,
    Head,
    LayerReader,
    find_model,
    is_model,
    load_head,
    load_model,
    must_fit,
    shipped_languages,
    shipped_path,
)
from core.backends.parser.chart_head import HeadParser
from core.backends.parser.derived import derive
from core.backends.parser.spacy_pipelines import Dependencies, Pipelines, pipeline_name
from core.errors import UnavailableError, Wording, YomikurabeError
from core.text.languages import base_lang
from core.types import ROOT, Constituent, Parse, ParsedWord

AUTO, BUILT_IN, DEPENDENCY = "auto", "built-in", "dependency"
RULES = "dependency-1"  # raise the number when a rule changes
DERIVED = ("en", "ja")
CUT = "cut-parse"
CACHE_BYTES = 64 * 1024 * 1024
WORD_BYTES, PHRASE_BYTES = 600, 150  # roughly, in memory
TEXTS_AT_ONCE = 256
EDGE_PIECES = 2
FAILURES = (ValueError, RuntimeError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)

Key = tuple[str, str, bool]
Item = TypeVar("Item")
Made = TypeVar("Made")


class _Phrases(Protocol):
    def trees(self, sentences: Sequence[Sequence[ParsedWord]]) -> list[tuple[list[Constituent], bool]]: ...


class DerivedTrees:
    """Constituents by rules over the dependencies."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def trees(self, sentences: Sequence[Sequence[ParsedWord]]) -> list[tuple[list[Constituent], bool]]:
        """The constituents of each sentence; nothing is ever too long."""
        return [(derive(words, self._lang), False) for words in sentences]


class _AttachedTrees:
    """A shipped head, put on its encoder when the first sentence is parsed."""

    def __init__(self, head: Head, encoder: LayerReader) -> None:
        self._head = head
        self._encoder = encoder

    @cached_property
    def _charts(self) -> ChartTrees:
        parser = HeadParser(self._head, self._encoder)
        return built_in_trees(parser, self._encoder, self._head.config.max_words)

    def trees(self, sentences: Sequence[Sequence[ParsedWord]]) -> list[tuple[list[Constituent], bool]]:
        """As `ChartTrees.trees`."""
        return self._charts.trees(sentences)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Who makes the constituents of a language: what a Parse calls it, and its word for a signature."""

    origin: str
    signature: str
    phrases: _Phrases


class TextParser:
    """Dependencies and constituents, remembered by text in bounded memory; safe for threads.

    name: `auto` takes `benepar_en3` where the user has it, else the built-in head, else rules over the
    dependencies; `built-in`, `dependency` or a benepar model insist; any other name is a spaCy pipeline,
    with constituents by rules. encoder: gives the embedded encoder, asked only when a head needs it.
    """

    def __init__(
        self, name: str = AUTO, *, encoder: Callable[[], LayerReader], pipelines: Pipelines | None = None
    ) -> None:
        self.name = name
        self._encoder = encoder
        self._pipelines = pipelines or Pipelines()
        self._by_spacy = name not in (AUTO, BUILT_IN, DEPENDENCY) and not is_model(name)
        self._lock = threading.RLock()
        self._makers: dict[str, _Maker] = {}
        self._memory: LRUCache[Key, Parse] = LRUCache(CACHE_BYTES, getsizeof=_cost)

    def without_cache(self) -> TextParser:
        """The same pipelines and heads with an empty memory."""
        other = copy(self)
        other._memory = LRUCache(CACHE_BYTES, getsizeof=_cost)
        return other

    def signature(self, lang: str, *, constituents: bool) -> str:
        """`built-in-approximate-ja-1a2b3c4d+ja_ginza-5.3.0+spacy-3.8.18+…`; errors as the protocol says."""
        base = base_lang(lang)
        made_by = self._pipelines.signature(self._pipeline(base), base)
        return f"{self._maker(base).signature}+{made_by}" if constituents else made_by

    def parse(
        self, texts: Sequence[str], *, lang: str, constituents: bool, progress: Progress = silent
    ) -> list[Parse]:
        """As the protocol says; a text that stands twice, or was parsed before, is not parsed again."""
        base = base_lang(lang)
        with self._lock:
            self._pipelines.load(self._pipeline(base), base)
            maker = self._maker(base) if constituents else None
            keys: list[Key] = [(text, base, constituents) for text in texts]
            found = {key: parse for key in keys if (parse := self._known(key)) is not None}
            wanted = [key for key in dict.fromkeys(keys) if key not in found]
            for start in range(0, len(wanted), TEXTS_AT_ONCE):
                some = wanted[start : start + TEXTS_AT_ONCE]
                for key, parse in zip(some, self._fresh(some, base, maker), strict=True):
                    found[key] = parse
                    if parse.problem is None and _cost(parse) <= CACHE_BYTES:
                        self._memory[key] = parse
                progress(start + len(some), len(wanted))
        return [found[key] for key in keys]

    def _known(self, key: Key) -> Parse | None:
        """What is remembered; dependencies also out of a parse with constituents."""
        if key in self._memory:
            return self._memory[key]
        text, lang, constituents = key
        if not constituents and (text, lang, True) in self._memory:
            whole = self._memory[text, lang, True]
            return Parse(words=whole.words, sentences=whole.sentences)
        return None

    def _pipeline(self, lang: str) -> str:
        return pipeline_name(self.name if self._by_spacy else "", lang)

    def _fresh(self, keys: Sequence[Key], lang: str, maker: _Maker | None) -> list[Parse]:
        """Parse texts, none of which is remembered; one that fails has its problem instead.

        Dependencies that are remembered, of texts whose constituents are not, are not found again.
        """
        name = self._pipeline(lang)
        known = {
            key[0]: self._memory[key[0], lang, False] for key in keys if (key[0], lang, False) in self._memory
        }
        wanted = [key[0] for key in keys if key[0] not in known]
        fresh = iter(_each(lambda texts: self._pipelines.read(texts, name, lang), wanted))
        read = [
            Dependencies(known[key[0]].words, known[key[0]].sentences) if key[0] in known else next(fresh)
            for key in keys
        ]
        good = [one for one in read if isinstance(one, Dependencies)]
        made = iter(_each(lambda some: self._phrased(some, maker), good))
        parses = [next(made) if isinstance(one, Dependencies) else one for one in read]
        return [one if isinstance(one, Parse) else _failed(self.name, one) for one in parses]

    def _phrased(self, texts: Sequence[Dependencies], maker: _Maker | None) -> list[Parse]:
        if maker is None:
            return [Parse(words=one.words, sentences=one.sentences) for one in texts]
        trees = iter(maker.phrases.trees([words for one in texts for _, words in sentences_of(one)]))
        out = []
        for one in texts:
            phrases: list[Constituent] = []
            flags: tuple[str, ...] = ()
            for first, _ in sentences_of(one):
                tree, cut = next(trees)
                phrases += _moved(tree, first, len(phrases))
                flags = (CUT,) if cut else flags
            out.append(
                Parse(
                    words=one.words,
                    sentences=one.sentences,
                    constituents=tuple(phrases),
                    origin=maker.origin if one.words else "",
                    flags=flags,
                )
            )
        return out

    def _maker(self, lang: str) -> _Maker:
        with self._lock:
            if lang not in self._makers:
                self._makers[lang] = self._choose(lang)
            return self._makers[lang]

    def _choose(self, lang: str) -> _Maker:
        """Who makes the constituents. UnavailableError where the one that is named cannot."""
        if self._by_spacy or self.name == DEPENDENCY:
            return _by_rules(lang)
        if self.name == BUILT_IN:
            return _built_in(lang, self._encoder)
        if self.name != AUTO:
            return _by_benepar(self.name, lang)
        if lang == "en" and find_model(ENGLISH) is not None:
            return _by_benepar(ENGLISH, lang)
        if not shipped_path(lang).exists():
            return _by_rules(lang)
        try:
            return _built_in(lang, self._encoder)
        except YomikurabeError:  # no encoder here, or another one than the head's: the signature says so
            return _by_rules(lang)


def _by_rules(lang: str) -> _Maker:
    if lang not in DERIVED:
        raise UnavailableError(
            "No parser finds constituents in {lang} here (there are {languages}).",
            lang=lang,
            languages=", ".join(DERIVED),
        )
    return _Maker(DEPENDENCY, RULES, DerivedTrees(lang))


def _by_benepar(name: str, lang: str) -> _Maker:
    trees, origin, signature = load_model(name, lang)
    return _Maker(origin, signature, trees)


def _built_in(lang: str, encoder: Callable[[], LayerReader]) -> _Maker:
    path = shipped_path(lang)
    if not path.exists():
        raise UnavailableError(
            "There is no built-in parser for {lang} (there are {languages}).",
            lang=lang,
            languages=", ".join(shipped_languages()),
        )
    head, reader = load_head(path), encoder()
    must_fit(head, reader)
    trees = _AttachedTrees(head, reader)
    return _Maker(BUILT_IN, f"{BUILT_IN}-approximate-{lang}-{head.digest}", trees)


def built_in_trees(parser: object, encoder: LayerReader, max_words: int) -> ChartTrees:
    """A head's parser with the limits of head and encoder."""

    def costs(words: Sequence[str]) -> list[int]:
        return [min(PIECES_PER_WORD, len(ids)) for ids in encoder.word_ids(words)]

    return ChartTrees(parser, costs=costs, max_words=max_words, max_pieces=encoder.max_tokens - EDGE_PIECES)


def sentences_of(text: Dependencies) -> Iterator[tuple[int, Sequence[ParsedWord]]]:
    """Each sentence's first place, and its words with heads counted from there."""
    ends = [*text.sentences[1:], len(text.words)]
    for first, end in zip(text.sentences, ends, strict=False):
        yield first, [replace(word, head=word.head - first) for word in text.words[first:end]]


def _moved(tree: Sequence[Constituent], first: int, before: int) -> list[Constituent]:
    return [
        Constituent(
            one.label, one.start + first, one.end + first, ROOT if one.parent == ROOT else one.parent + before
        )
        for one in tree
    ]


def _each(make: Callable[[Sequence[Item]], Sequence[Made]], items: Sequence[Item]) -> list[Made | Exception]:
    """All at once; where that fails one by one, with the error in the place of what has it."""
    if not items:
        return []
    from sudachipy.errors import SudachiError

    failures: tuple[type[Exception], ...] = (*FAILURES, SudachiError)
    try:
        return [*make(items)]
    except failures as error:
        if len(items) == 1:
            return [error]
    return [one for item in items for one in _each(make, [item])]


def _failed(name: str, error: object) -> Parse:
    kind = type(error).__name__
    return Parse(
        words=(),
        problem=Wording(
            "The parser {name} failed on this text ({kind}), so it has no parse.", name=name, kind=kind
        ),
    )


def _cost(parse: Parse) -> int:
    return WORD_BYTES * (1 + len(parse.words)) + PHRASE_BYTES * len(parse.constituents)
