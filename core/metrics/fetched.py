"""Vectors and parses of many texts, fetched in a few calls and handed to the scorers.

A scorer states what it needs (`EncoderRequest`, `ParserRequest`). `fetch` asks each encoder and parser once
for all texts of some pairs; `Fetched` gives a scorer these, and asks the model itself for other texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from core.backends import Encoder, Parser, Progress, between, silent
from core.errors import UnavailableError
from core.types import Parse, TextPair, TokenVectors

VectorKey = tuple[int, int, str, str]
"""An encoder's identity, a layer, how long texts are read, and a text."""

ParseKey = tuple[int, bool, str, str]
"""A parser's identity, whether constituents are wanted, a language and a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderRequest:
    """The token vectors that a scorer needs of both texts of a pair."""

    encoder: Encoder
    layer: int
    long: str = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserRequest:
    """The parses that a scorer needs of both texts of a pair."""

    parser: Parser
    constituents: bool


class VectorSource(Protocol):
    """Gives token vectors: an encoder, or what was fetched from one."""

    def encode(self, texts: Sequence[str], *, layer: int, long: str = "window") -> list[TokenVectors]:
        """The vectors of each text, as `core.backends.Encoder.encode` gives them."""
        ...


class ParseSource(Protocol):
    """Gives parses: a parser, or what was fetched from one."""

    def parse(self, texts: Sequence[str], *, lang: str, constituents: bool) -> list[Parse]:
        """The trees of each text, as `core.backends.Parser.parse` gives them."""
        ...


@dataclass(frozen=True, slots=True)
class _Vectors:
    encoder: Encoder
    fetched: Mapping[VectorKey, TokenVectors]

    def encode(self, texts: Sequence[str], *, layer: int, long: str = "window") -> list[TokenVectors]:
        keys = [(id(self.encoder), layer, long, text) for text in texts]
        if all(key in self.fetched for key in keys):
            return [self.fetched[key] for key in keys]
        return self.encoder.encode(texts, layer=layer, long=long)


@dataclass(frozen=True, slots=True)
class _Parses:
    parser: Parser
    fetched: Mapping[ParseKey, Parse]

    def parse(self, texts: Sequence[str], *, lang: str, constituents: bool) -> list[Parse]:
        keys = [(id(self.parser), constituents, lang, text) for text in texts]
        if all(key in self.fetched for key in keys):
            return [self.fetched[key] for key in keys]
        return self.parser.parse(texts, lang=lang, constituents=constituents)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was fetched for some pairs; empty where nothing was fetched in advance."""

    vectors: Mapping[VectorKey, TokenVectors] = field(default_factory=dict)
    parses: Mapping[ParseKey, Parse] = field(default_factory=dict)

    def encoder(self, encoder: Encoder) -> VectorSource:
        """The fetched vectors of this encoder; other texts are encoded when they are asked for."""
        return _Vectors(encoder, self.vectors)

    def parser(self, parser: Parser) -> ParseSource:
        """The fetched parses of this parser; other texts are parsed when they are asked for."""
        return _Parses(parser, self.parses)


NOTHING = Fetched()


def fetch(
    pairs: Sequence[TextPair],
    encoders: Iterable[EncoderRequest],
    parsers: Iterable[ParserRequest],
    *,
    progress: Progress = silent,
) -> Fetched:
    """Encode and parse every distinct text of these pairs: one call per encoder, one per parser and language.

    Several layers of one encoder come from one pass over the texts. Where there is no parser for a language
    nothing is fetched; the scorer gives the reason. progress: called with (done, total) texts, each counted
    once for every encoder and parser.
    """
    vectors: dict[VectorKey, TokenVectors] = {}
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.reference, pair.hypothesis)))
    layers: dict[tuple[int, str], dict[int, Encoder]] = {}
    for request in encoders:
        wanted = layers.setdefault((id(request.encoder), request.long), {})
        wanted[request.layer] = request.encoder
    needs = {(id(one.parser), one.constituents): one for one in parsers}.values()
    stages = _stages(progress, len(layers) + len(needs), len(texts))
    for (identity, long), wanted in layers.items():
        read = _encode(texts, wanted, long, next(stages))
        for layer, encoded in zip(sorted(wanted), read, strict=True):
            vectors.update(
                ((identity, layer, long, text), one) for text, one in zip(texts, encoded, strict=True)
            )
    parses: dict[ParseKey, Parse] = {}
    for needed in needs:
        parses |= _parse(pairs, needed, next(stages))
    return Fetched(vectors, parses)


def _stages(progress: Progress, count: int, texts: int) -> Iterator[Progress]:
    return (between(progress, n * texts, (n + 1) * texts, count * texts) for n in range(count))


def _encode(
    texts: Sequence[str], wanted: Mapping[int, Encoder], long: str, progress: Progress
) -> list[list[TokenVectors]]:
    """The vectors of each wanted layer, in ascending order."""
    encoder = next(iter(wanted.values()))
    if len(wanted) == 1:
        return [encoder.encode(texts, layer=next(iter(wanted)), long=long, progress=progress)]
    return encoder.encode_layers(texts, layers=sorted(wanted), long=long, progress=progress)


def _parse(pairs: Sequence[TextPair], needed: ParserRequest, progress: Progress) -> dict[ParseKey, Parse]:
    by_lang: dict[str, dict[str, None]] = {}
    for pair in pairs:
        by_lang.setdefault(pair.lang, {}).update(dict.fromkeys((pair.reference, pair.hypothesis)))
    parses: dict[ParseKey, Parse] = {}
    total = sum(map(len, by_lang.values()))
    done = 0
    for lang, texts in by_lang.items():
        part = between(progress, done, done + len(texts), total)
        done += len(texts)
        with suppress(UnavailableError):
            trees = needed.parser.parse(
                list(texts), lang=lang, constituents=needed.constituents, progress=part
            )
            keys = ((id(needed.parser), needed.constituents, lang, text) for text in texts)
            parses.update(zip(keys, trees, strict=True))
    return parses
