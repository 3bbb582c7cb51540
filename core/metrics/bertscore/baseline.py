"""Reference points for BERTScore: the score of unrelated texts, and of random tokens of the same count."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any

import numpy as np

from core.assets import ASSETS
from core.backends import Encoder
from core.errors import OptionError
from core.metrics.idf import Idf
from core.text.languages import strip_edges
from core.types import Result, TextPair

BASELINES = ASSETS / "baselines.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Mean P, R and F of `pairs` random pairs of one language, at one layer of one encoder.

    low, high: the range that holds 95 % of their F scores.
    """

    pairs: int
    precision: float
    recall: float
    f1: float
    low: float = -1.0
    high: float = 1.0

    def rescale(self, part: str, value: float) -> float:
        """(x - b) / (1 - b), each part by its own b as bert_score does; F is rescaled by itself."""
        base = float(getattr(self, part))
        return (value - base) / (1 - base)


def known_baseline(encoder: Encoder, layer: int, lang: str) -> Baseline | None:
    """The measured baseline, or None if there is no measurement."""
    found = _table().get(encoder.fingerprint, {}).get(lang, {}).get(str(layer))
    return Baseline(**found) if found else None


def find_baseline(encoder: Encoder, layer: int, lang: str) -> Baseline:
    """As `known_baseline`, but OptionError with the remedy where there is none."""
    baseline = known_baseline(encoder, layer, lang)
    if baseline is None:
        raise OptionError(
            "rescale=yes: no baseline was measured for {encoder}, layer {layer}, "
            "language {lang}; use rescale=no, or measure one with "
            "tools/make_baselines.py.",
            encoder=encoder.name,
            layer=layer,
            lang=lang,
        )
    return baseline


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(BASELINES.read_text("utf-8")) if BASELINES.exists() else {}
    return table


SAMPLES = 5
SEED = 20261128
TRIES = 12


@dataclass(frozen=True, slots=True)
class Control:
    """Scores of random texts of `tokens` tokens each against the same reference, in the order drawn."""

    tokens: int
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Their mean; what length alone is worth."""
        return fmean(self.scores)


def length_control(
    pair: TextPair,
    score: Callable[[TextPair], Result[Any]],
    *,
    encoder: Encoder,
    idf: Idf,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Control | None:
    """Score `samples` random texts with as many tokens as the hypothesis; None where it has none.

    The tokens are drawn from the dictionary in proportion to the documents that hold them, so that a random
    text has common and rare tokens as a real one has, but no sense.
    """
    count = _count(pair.hypothesis, encoder)
    if not count:
        return None
    rng = np.random.default_rng(seed)
    results = [
        score(replace(pair, hypothesis=random_text(count, encoder=encoder, idf=idf, rng=rng)))
        for _ in range(samples)
    ]
    return Control(count, tuple(result.score for result in results if result.score is not None))


def random_text(count: int, *, encoder: Encoder, idf: Idf, rng: np.random.Generator) -> str:
    """A text of `count` random tokens, or as near as the tokenizer lets it come (pieces can join)."""
    special = set(encoder.ids([""])[0].tolist())
    ids = np.array([one for one in idf.frequencies if one not in special], np.int64)
    often = np.array([idf.frequencies[int(one)] for one in ids], np.float64)
    drawn = [int(one) for one in rng.choice(ids, size=2 * count + 8, p=often / often.sum())]
    size, best = count, (count + 1, "")
    for _ in range(TRIES):
        text = strip_edges(encoder.spell(drawn[:size]))[0]
        off = _count(text, encoder) - count
        best = min(best, (abs(off), text))
        if off == 0 or not 1 <= size - off <= len(drawn):
            break
        size -= off
    return best[1]


def _count(text: str, encoder: Encoder) -> int:
    """Tokens without the special ones, which an empty text has too."""
    whole, bare = encoder.ids([text, ""])
    return len(whole) - len(bare)
