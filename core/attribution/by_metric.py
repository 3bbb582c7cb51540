"""Moves of the metrics whose score is made of means over tokens or subtrees.

Moves of the metrics that count n-grams, questions or errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.attribution.base import NONE, Move, Terms, mean_moves, same_places, scaled, shapley, steepness
from core.metrics.bertscore.metric import BertScoreTrace, Side, harmonic
from core.metrics.gemba.metric import GembaTrace
from core.metrics.gemba.parse import SEVERITIES, MqmError, penalty
from core.metrics.mteqa.metric import MteqaTrace
from core.metrics.reading import ReadingSide, ReadingTrace
from core.metrics.sentence import SentenceTrace
from core.metrics.structure.metric import StructureSide, StructureTrace
from core.metrics.subspace import SubspaceSide, SubspaceTrace
from core.metrics.surface import BLEU_ORDER, CHRF_ORDER, BleuTrace, ChrfTrace, NgramCounts, bleu_of, chrf_of

PRECISION, RECALL = "precision", "recall"
_SIDE = {PRECISION: "hypothesis", RECALL: "reference"}
_Formula = Callable[[Mapping[str, float]], float]


def bertscore_moves(before: BertScoreTrace, after: BertScoreTrace) -> list[Move]:
    """Tokens that were added and removed, other partners, other contexts, other weights."""
    old, new = (_sides(trace, _greedy) for trace in (before, after))
    return _f_moves(old, new, _rescaled(after))


def subspace_moves(before: SubspaceTrace, after: SubspaceTrace) -> list[Move]:
    """Tokens that were added and removed, and how far the others lie in the other text's span."""
    old, new = (_sides(trace, _inside) for trace in (before, after))
    return _f_moves(old, new, _harmonic, same="span")


def structure_moves(before: StructureTrace, after: StructureTrace) -> list[Move]:
    """The same with subtrees in the place of tokens."""
    old, new = (_sides(trace, _grown) for trace in (before, after))
    return _f_moves(old, new, _harmonic)


def reading_moves(before: ReadingTrace, after: ReadingTrace) -> list[Move]:
    """BERTScore's moves, and the penalties on rare words that sound different."""
    old, new = _sides(before.base, _greedy), _sides(after.base, _greedy)
    for sides, trace in ((old, before), (new, after)):
        sides["penalty_precision"] = _coefficients(trace.hypothesis, trace.base.hypothesis)
        sides["penalty_recall"] = _coefficients(trace.reference, trace.base.reference)
    shown = _rescaled(after.base)

    def formula(means: Mapping[str, float]) -> float:
        return shown(
            {
                PRECISION: means[PRECISION] * means["penalty_precision"],
                RECALL: means[RECALL] * means["penalty_recall"],
            }
        )

    return _f_moves(old, new, formula)


def sentence_moves(before: SentenceTrace, after: SentenceTrace) -> list[Move]:
    """What each token of the hypothesis carries of the cosine."""
    if before.empty or after.empty:
        first, last = before.parts()["cosine"], after.parts()["cosine"]
        return [Move(kind="whole", what="", amount=last - first, before=first, after=last)]
    old, new = before.hypothesis, after.hypothesis
    kept = same_places([one.text for one in old.tokens], [one.text for one in new.tokens])
    found = []
    for place, was in enumerate(kept):
        share = float(new.shares[place])
        earlier = None if was == NONE else float(old.shares[was])
        found.append(
            Move(
                kind="added" if earlier is None else "context",
                what=new.tokens[place].text,
                side="hypothesis",
                place=place,
                before=earlier,
                after=share,
                amount=share - (earlier or 0.0),
            )
        )
    for place in sorted(set(range(len(old.tokens))) - set(kept.tolist())):
        share = float(old.shares[place])
        text = old.tokens[place].text
        found.append(
            Move(kind="removed", what=text, side="hypothesis", place=place, before=share, amount=-share)
        )
    return found


def _f_moves(
    old: Mapping[str, Terms], new: Mapping[str, Terms], formula: _Formula, *, same: str = "context"
) -> list[Move]:
    """The moves of every mean, at the size that they have in the formula's value."""
    before, after = ({name: one.mean for name, one in terms.items()} for terms in (old, new))
    effects = shapley(formula, before, after)
    kept = {name: same_places(old[name].names, new[name].names) for name in old}
    found: list[Move] = []
    for name, effect in effects.items():
        penalty = name.startswith("penalty_")
        other = None if penalty else kept[RECALL if name == PRECISION else PRECISION]
        side = _SIDE[name.removeprefix("penalty_")]
        steps = mean_moves(old[name], new[name], side=side, kept=kept[name], others=other, same=same)
        if penalty:
            steps = [_as_reading(one) for one in steps]
        found += scaled(steps, steepness(formula, name, before, after, effect))
    return [one for one in found if one.amount or one.kind in ("added", "removed")]


def _as_reading(one: Move) -> Move:
    return Move(
        kind="reading",
        what=one.what,
        amount=one.amount,
        side=one.side,
        place=one.place,
        before=one.before,
        after=one.after,
    )


def _harmonic(means: Mapping[str, float]) -> float:
    return harmonic(means[PRECISION], means[RECALL])


def _rescaled(trace: BertScoreTrace) -> _Formula:
    baseline = trace.baseline
    if baseline is None:
        return _harmonic
    return lambda means: baseline.rescale("f1", _harmonic(means))


def _sides(trace: object, terms: Callable[..., Terms]) -> dict[str, Terms]:
    return {name: terms(getattr(trace, side)) for name, side in _SIDE.items()}


def _greedy(side: Side) -> Terms:
    values = side.cosine.astype(np.float64)
    return Terms(names=_texts(side.tokens), weights=side.weights, values=values, partners=side.partner)


def _inside(side: SubspaceSide) -> Terms:
    return Terms(names=_texts(side.tokens), weights=side.weights, values=side.membership.astype(np.float64))


def _grown(side: StructureSide) -> Terms:
    aligned = side.aligned
    names = [f"{side.text(one)} ({one.label})" for one in side.subtrees]
    values = aligned.similarity.astype(np.float64)
    return Terms(names=names, weights=side.weights, values=values, partners=aligned.partner)


def _coefficients(side: ReadingSide, half: Side) -> Terms:
    counted: NDArray[np.float64] = np.array([float(not token.special) for token in half.tokens])
    coefficients = side.coefficients()
    if not counted.any():  # a text without tokens has no penalty
        return Terms(names=("",), weights=np.ones(1), values=np.ones(1))
    return Terms(names=_texts(half.tokens), weights=counted, values=coefficients)


def _texts(tokens: Sequence[object]) -> list[str]:
    return [str(getattr(one, "text", "")) for one in tokens]


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
        kind="length",
        what="",
        amount=effects.pop(LENGTH),
        before=float(len(before.hypothesis)),
        after=float(len(after.hypothesis)),
    )
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

    def formula(factors: Mapping[str, Sequence[MqmError]]) -> float:
        return penalty([one for faults in factors.values() for one in faults], after.parse)

    effects = shapley(formula, old, new)
    return [
        Move(
            kind="error",
            what=severity,
            amount=effects[severity],
            before=float(len(old[severity])),
            after=float(len(new[severity])),
        )
        for severity in SEVERITIES
        if old[severity] or new[severity]
    ]


def _length(trace: BleuTrace) -> NgramCounts:
    return NgramCounts(order=0, hypothesis=len(trace.hypothesis), reference=len(trace.reference), matched=0)


def _orders(
    effects: Mapping[str, float], old: Mapping[str, NgramCounts], new: Mapping[str, NgramCounts]
) -> list[Move]:
    return [
        Move(
            kind="n-grams",
            what=order,
            amount=amount,
            before=float(old[order].matched),
            after=float(new[order].matched),
        )
        for order, amount in effects.items()
    ]


def _questions(trace: MteqaTrace) -> Terms:
    counting = [one for one in trace.asked if one.usable]
    return Terms(
        names=[one.question for one in counting],
        weights=np.ones(len(counting)),
        values=np.array([one.verdict for one in counting], np.float64),
    )


def _faults(trace: GembaTrace) -> dict[str, list[MqmError]] | None:
    """The errors by severity where one reply alone makes the score."""
    samples = trace.counted.samples
    if trace.scheme != "mqm" or len(samples) != 1 or not trace.counted.text.strip():
        return None
    return {
        severity: [one for one in samples[0].faults if one.severity == severity] for severity in SEVERITIES
    }
