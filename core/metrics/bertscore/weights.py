"""What a token counts: once, by its idf, or by the length of its vector. Shared by the BERTScore family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends import Encoder, Reader
from core.errors import OptionError
from core.metrics.base import Option
from core.metrics.idf import (
    LINES_AT_ONCE,
    SHIPPED,
    Idf,
    build_word_idf,
    count_documents,
    load_idf,
    load_word_idf,
)
from core.types import TextPair, TokenVectors

WEIGHTS = ("none", "idf", "l2")
SHIPPED_NAMES = ("novel", "wiki")

WEIGHT = Option(name="weight", default="none", summary="what a token counts", choices=WEIGHTS)
IDF = Option(
    name="idf", default="novel", summary="whose frequencies: novel, wiki, references, or a dictionary's file"
)


def token_weights(text: TokenVectors, weight: str, idf: Idf | None) -> NDArray[np.float64]:
    """(n,) weights at least 0, special tokens 0; see `spread` for texts in which all of them are 0."""
    if weight == "idf":
        if idf is None:
            raise OptionError("weight=idf needs a dictionary: give the option idf")
        weights = idf.weights(text.ids)
    elif weight == "l2":
        weights = text.lengths.astype(np.float64)
    else:
        weights = np.ones(len(text.tokens))
    weights[text.special] = 0
    return weights


def all_zero(weights: NDArray[np.float64], text: TokenVectors) -> bool:
    """Whether a text with tokens weighs nothing, as one whose every token stands in every document."""
    return not weights.any() and not text.special.all()


def spread(text: TokenVectors, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights, or 1 for each token where all are 0 (bert_score divides by 0 there)."""
    return (~text.special).astype(np.float64) if all_zero(weights, text) else weights


def shipped(lang: str, unit: str = "piece") -> tuple[str, ...]:
    """Which of `novel` and `wiki` come with Yomikurabe for a language, in that order."""
    return tuple(name for name in SHIPPED_NAMES if shipped_path(name, lang, unit).exists())


def shipped_path(name: str, lang: str, unit: str = "piece") -> Path:
    """Where a dictionary that comes with Yomikurabe would be. unit: `piece` or `word`."""
    return SHIPPED / f"{name}{'-words' if unit == 'word' else ''}.{lang}.json.gz"


def find_idf(name: str, encoder: Encoder, pairs: Sequence[TextPair]) -> Idf:
    """The dictionary that an option `idf` names: counted over the pairs' references, shipped, or a file's."""
    if name == "references":
        return count_documents(_ids(pairs, encoder), name="references", tokenizer=encoder.fingerprint)
    lang = pairs[0].lang if pairs else "ja"
    path = shipped_path(name, lang) if name in SHIPPED_NAMES else Path(name)
    if name in SHIPPED_NAMES and not path.exists():
        raise OptionError(
            "idf={name}: no dictionary for {lang} comes with Yomikurabe; use "
            "idf=references, or build one with python -m core idf build and give its file",
            option="idf",
            name=name,
            lang=lang,
        )
    return load_idf(path, encoder)


def find_word_idf(name: str, reader: Reader, pairs: Sequence[TextPair]) -> Idf:
    """The dictionary of words that an option `idf` names; see `find_idf`."""
    lang = pairs[0].lang if pairs else "ja"
    if name == "references":
        return build_word_idf(([pair.reference] for pair in pairs), reader, lang, name="references")
    path = shipped_path(name, lang, "word") if name in SHIPPED_NAMES else Path(name)
    if name in SHIPPED_NAMES and not path.exists():
        raise OptionError(
            "idf={name}: no dictionary of words for {lang} comes with Yomikurabe; use idf=references, or "
            "build one with python -m core idf build --unit word and give its file",
            option="idf",
            name=name,
            lang=lang,
        )
    return load_word_idf(path)


def _ids(pairs: Iterable[TextPair], encoder: Encoder) -> Iterator[NDArray[np.int64]]:
    """The token ids of each reference; some hundred texts are held at a time."""
    left = iter(pairs)
    while some := [pair.reference for pair in islice(left, LINES_AT_ONCE)]:
        yield from encoder.ids(some)
