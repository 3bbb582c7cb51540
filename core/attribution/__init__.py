"""What moved a metric's score between two translations of one reference, from the two traces alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.attribution.base import KINDS, Move, Moves
from core.attribution.by_metric import (
    bertscore_moves,
    bleu_moves,
    chrf_moves,
    gemba_moves,
    mteqa_moves,
    reading_moves,
    sentence_moves,
    structure_moves,
    subspace_moves,
)
from core.errors import InputError
from core.metrics.bertscore.metric import BertScoreTrace
from core.metrics.external import ExternalTrace
from core.metrics.gemba.metric import GembaTrace
from core.metrics.mteqa.metric import MteqaTrace
from core.metrics.reading import ReadingTrace
from core.metrics.sentence import SentenceTrace
from core.metrics.structure.metric import StructureTrace
from core.metrics.subspace import SubspaceTrace
from core.metrics.surface import BleuTrace, ChrfTrace
from core.types import Result

__all__ = ["KINDS", "Move", "Moves", "moves"]


def _whole(before: ExternalTrace, after: ExternalTrace) -> list[Move]:
    first, last = before.parts()["score"], after.parts()["score"]
    return [Move(kind="whole", what="", amount=last - first, before=first, after=last)]


_BY_TRACE: dict[type[Any], Callable[[Any, Any], list[Move]]] = {
    BleuTrace: bleu_moves,
    ChrfTrace: chrf_moves,
    BertScoreTrace: bertscore_moves,
    SubspaceTrace: subspace_moves,
    ReadingTrace: reading_moves,
    StructureTrace: structure_moves,
    MteqaTrace: mteqa_moves,
    GembaTrace: gemba_moves,
    SentenceTrace: sentence_moves,
    ExternalTrace: _whole,
}


def moves(before: Result[Any], after: Result[Any]) -> Moves:
    """The steps from one result to the other. They add up to the difference of the scores.

    Raises InputError for results that are not of one metric with the same signature, or that have no score.
    """
    if (before.metric, before.signature) != (after.metric, after.signature):
        raise InputError("Only scores of one metric with the same signature can be compared step by step.")
    if before.score is None or after.score is None or before.trace is None or after.trace is None:
        raise InputError("A score is missing, so there are no steps from one to the other.")
    found = _BY_TRACE[type(before.trace)](before.trace, after.trace)
    return Moves(metric=before.metric, before=before.score, after=after.score, moves=tuple(found))
