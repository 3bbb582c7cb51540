"""Moves of the metrics that count n-grams, questions or errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.attribution.base import Move
from core.attribution.factors import shapley
from core.attribution.means import Terms, mean_moves, same_places
from core.metrics.gemba.metric import GembaTrace
from core.metrics.gemba.parse import SEVERITIES, Fault, penalty
from core.metrics.mteqa.metric import MteqaTrace
from core.metrics.surface import BLEU_ORDER, CHRF_ORDER, BleuTrace, ChrfTrace, NgramCounts, bleu_of, chrf_of

LENGTH = "0"  # as if the number of words were matches of order 0


def bleu_moves(before: BleuTrace, after: BleuTrace) -> list[Move]:
    """What the matches of each order do, and the brevity penalty."""
    old, new = (
        {str(one.order): one for one in [_length(trace), *trace.counts()]} for trace in (before, after)
    )

    def formula(factors: Mapping[str, NgramCounts]) -> float:
        length, *counts = (factors[str(order)] for order in range(BLEU_ORDER + 1))
        return bleu_of(counts, length.hypothesis, length.reference)["bleu"]

    effects = shapley(formula, old, new)
    length = Move(
        kind="length", what="", amount=effects.pop(LENGTH), before=float(len(before.hypothesis)),
        after=float(len(after.hypothesis)),
    )  # fmt: skip
    return [*_orders(effects, old, new), length]


def chrf_moves(before: ChrfTrace, after: ChrfTrace) -> list[Move]:
    """What the matches of each order do."""
    old, new = ({str(one.order): one for one in trace.counts()} for trace in (before, after))

    def formula(factors: Mapping[str, NgramCounts]) -> float:
        return chrf_of([factors[str(order)] for order in range(1, CHRF_ORDER + 1)])["chrf"]

    return _orders(shapley(formula, old, new), old, new)


def mteqa_moves(before: MteqaTrace, after: MteqaTrace) -> list[Move]:
    """What each question does that is answered otherwise."""
    old, new = (_questions(trace) for trace in (before, after))
    kept = same_places(old.names, new.names)
    return mean_moves(old, new, side="", kept=kept, others=None, same="question")


def gemba_moves(before: GembaTrace, after: GembaTrace) -> list[Move]:
    """What the errors of each severity do, where there is one readable reply; else the number as a whole."""
    name = before.scheme
    first, last = before.parts()[name], after.parts()[name]
    old, new = (_faults(trace) for trace in (before, after))
    if old is None or new is None:
        return [Move(kind="whole", what="", amount=last - first, before=first, after=last)]

    def formula(factors: Mapping[str, Sequence[Fault]]) -> float:
        return penalty([one for faults in factors.values() for one in faults], after.parse)

    effects = shapley(formula, old, new)
    return [
        Move(
            kind="error", what=severity, amount=effects[severity], before=float(len(old[severity])),
            after=float(len(new[severity])),
        )
        for severity in SEVERITIES
        if old[severity] or new[severity]
    ]  # fmt: skip


def _length(trace: BleuTrace) -> NgramCounts:
    return NgramCounts(order=0, hypothesis=len(trace.hypothesis), reference=len(trace.reference), matched=0)


def _orders(
    effects: Mapping[str, float], old: Mapping[str, NgramCounts], new: Mapping[str, NgramCounts]
) -> list[Move]:
    return [
        Move(
            kind="n-grams", what=order, amount=amount, before=float(old[order].matched),
            after=float(new[order].matched),
        )
        for order, amount in effects.items()
    ]  # fmt: skip


def _questions(trace: MteqaTrace) -> Terms:
    counting = [one for one in trace.asked if one.usable]
    return Terms(
        names=[one.question for one in counting],
        weights=np.ones(len(counting)),
        values=np.array([one.verdict for one in counting], np.float64),
    )


def _faults(trace: GembaTrace) -> dict[str, list[Fault]] | None:
    """The errors by severity where one reply alone makes the score."""
    samples = trace.counted.samples
    if trace.scheme != "mqm" or len(samples) != 1 or not trace.counted.text.strip():
        return None
    return {
        severity: [one for one in samples[0].faults if one.severity == severity] for severity in SEVERITIES
    }
