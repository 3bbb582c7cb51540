"""Contrast sets under metrics: both translations of every pair are scored in one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.backends import Progress, silent
from core.metaeval.contrast_sets import ContrastPair, Verdict
from core.metrics import find_metric
from core.metrics.base import Prepared
from core.scoring import score_prepared
from core.types import TextPair


def texts_of(pairs: Sequence[ContrastPair], lang: str) -> list[TextPair]:
    """The good and the bad translation of each, one behind the other."""
    return [text for one in pairs for text in one.texts(lang)]


def judged(
    pairs: Sequence[ContrastPair],
    metrics: Mapping[str, Prepared[Any]],
    *,
    lang: str,
    progress: Progress = silent,
) -> dict[str, list[Verdict]]:
    """Each metric's verdict of each pair, in their order. metrics: by name, their options settled."""
    rows = list(score_prepared(texts_of(pairs, lang), list(metrics.values()), progress=progress))
    return {
        name: [
            Verdict(
                pair=pair,
                good=rows[2 * place][column].score,
                bad=rows[2 * place + 1][column].score,
                higher_is_better=find_metric(name.partition(" ")[0]).higher_is_better,
            )
            for place, pair in enumerate(pairs)
        ]
        for column, name in enumerate(metrics)
    }
