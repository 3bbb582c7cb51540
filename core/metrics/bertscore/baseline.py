"""What unrelated texts score under BERTScore, so that a high-looking number can be read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.assets import ASSETS
from core.backends import Encoder
from core.errors import OptionError

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
        """(x - b) / (1 - b), each part by its own b as bert_score does; F is not made anew from P and R."""
        base = float(getattr(self, part))
        return (value - base) / (1 - base)


def known_baseline(encoder: Encoder, layer: int, lang: str) -> Baseline | None:
    """The measured baseline, or None where nobody measured it."""
    found = _table().get(encoder.fingerprint, {}).get(lang, {}).get(str(layer))
    return Baseline(**found) if found else None


def find_baseline(encoder: Encoder, layer: int, lang: str) -> Baseline:
    """As `known_baseline`, but OptionError with the remedy where there is none."""
    baseline = known_baseline(encoder, layer, lang)
    if baseline is None:
        raise OptionError(
            f"rescale=yes: no baseline was measured for {encoder.name}, layer {layer}, language {lang}; "
            "use rescale=no, or measure one with tools/make_baselines.py."
        )
    return baseline


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(BASELINES.read_text("utf-8")) if BASELINES.exists() else {}
    return table
