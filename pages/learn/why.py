"""Why a metric prefers one of two translations: what it finds of the reference in each, from the traces.

The picture is the translation itself: coloured where the metric finds the reference again, clear where not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from core.metrics.bertscore.metric import BertScoreTrace, visible
from core.metrics.mteqa.metric import MteqaTrace
from core.metrics.reading import ReadingTrace
from core.metrics.sentence import SentenceTrace
from core.metrics.structure.metric import StructureTrace
from core.metrics.subspace import SubspaceTrace
from core.metrics.surface import BLEU_ORDER, CHRF_ORDER, BleuTrace, ChrfTrace, ngrams
from core.text.html import Tint
from core.types import Result, Token
from pages.ui.evidence import names, questions, tokens
from pages.ui.text import NONE, number, t

Marks = list[Tint]
SIDES = ("a", "b")


def preferred(found: Mapping[str, Result[Any]], digits: int) -> str | None:
    """The side with the higher score as it is shown; None where both are shown alike, or one is missing."""
    scores = [found[side].score for side in SIDES]
    if scores[0] is None or scores[1] is None:
        return None
    first, second = (round(score, digits) for score in scores if score is not None)
    return None if first == second else "a" if first > second else "b"


def marks(result: Result[Any], text: str) -> Marks:
    """What the metric finds of the reference in the translation, a tint each; nothing without a trace."""
    trace = result.trace
    return [] if trace is None else _MARKS[type(trace)](trace, text)


def sentence(first: Result[Any], second: Result[Any]) -> str:
    """The reason for both scores in one plain sentence, with numbers from the traces; a dash without."""
    if first.trace is None or second.trace is None:
        return NONE
    values = {
        f"{side}_{name}": value
        for side, result in (("a", first), ("b", second))
        for name, value in _FIGURES[type(result.trace)](result).items()
    }
    return t(f"why.{first.metric}", **values)


def longest_runs(hypothesis: Sequence[str], reference: Sequence[str], most: int) -> list[int]:
    """For each piece of the hypothesis the length of the longest n-gram with it that the reference has."""
    found = [0] * len(hypothesis)
    for order in range(1, most + 1):
        known = ngrams(reference, order)
        for at in range(len(hypothesis) - order + 1):
            if tuple(hypothesis[at : at + order]) in known:
                found[at : at + order] = [order] * order
    return found


def _of_words(trace: BleuTrace, text: str) -> Marks:
    runs, at, found = longest_runs(trace.hypothesis, trace.reference, BLEU_ORDER), 0, []
    for word, run in zip(trace.hypothesis, runs, strict=True):
        start = text.find(word, at)
        if start < 0:  # a tokenizer that changes letters
            continue
        at = start + len(word)
        found.append(Tint(start=start, end=at, strength=run / BLEU_ORDER, title=t("why.run", n=run)))
    return found


def _of_letters(trace: ChrfTrace, text: str) -> Marks:
    runs = longest_runs(trace.hypothesis, trace.reference, CHRF_ORDER)
    places = [at for at, letter in enumerate(text) if not letter.isspace()]
    return [
        Tint(start=at, end=at + 1, strength=run / CHRF_ORDER, title=t("why.run", n=run))
        for at, run in zip(places, runs, strict=True)
    ]


def _of_tokens(trace: BertScoreTrace, text: str) -> Marks:
    return tokens.tints(trace.hypothesis)


def _of_readings(trace: ReadingTrace, text: str) -> Marks:
    return names.tints(trace.hypothesis, trace.base.hypothesis, None)


def _of_span(trace: SubspaceTrace, text: str) -> Marks:
    side = trace.hypothesis
    return _relative(zip(side.tokens, side.membership.tolist(), strict=True))


def _of_tree(trace: StructureTrace, text: str) -> Marks:
    side = trace.hypothesis
    parts = [
        (side.parse.words[one.words[0]], float(value))
        for one, value in zip(side.subtrees, side.aligned.similarity, strict=True)
        if len(one.words) == 1
    ]
    return _scaled([(word.start, word.end, value) for word, value in parts])


def _of_answers(trace: MteqaTrace, text: str) -> Marks:
    return questions.tints(trace, [(one.given_start, one.given_end) for one in trace.asked], None)


def _of_mean(trace: SentenceTrace, text: str) -> Marks:
    return _relative(zip(trace.hypothesis.tokens, trace.hypothesis.shares.tolist(), strict=True))


def _relative(values: Iterable[tuple[Token, float]]) -> Marks:
    return _scaled([(token.start, token.end, value) for token, value in values if token.end > token.start])


def _scaled(values: Sequence[tuple[int, int, float]]) -> Marks:
    """The lowest value of the text is clear, the highest is full; the number itself is one hover away."""
    if not values:
        return []
    low, high = min(value for *_, value in values), max(value for *_, value in values)
    width = (high - low) or 1.0
    return [
        Tint(start=start, end=end, strength=(value - low) / width, title=f"{value:.3f}")
        for start, end, value in values
    ]


Figures = dict[str, str]


def _bleu(result: Result[BleuTrace]) -> Figures:
    return _counts(result, 1, BLEU_ORDER)


def _chrf(result: Result[ChrfTrace]) -> Figures:
    return _counts(result, 1, CHRF_ORDER)


def _counts(result: Result[BleuTrace] | Result[ChrfTrace], *orders: int) -> Figures:
    """Matches of the shortest and of the longest n-grams, and how many the reference has."""
    counts = {} if result.trace is None else {one.order: one for one in result.trace.counts()}
    shown: Figures = {}
    for name, order in zip(("short", "long"), orders, strict=True):
        shown[name] = f"{counts[order].matched}"
        shown[f"{name}_of"] = f"{counts[order].reference}"
    return shown


def _bertscore(result: Result[BertScoreTrace]) -> Figures:
    side = result.trace.reference if result.trace else None
    return {} if side is None else _lowest(side.tokens, side.cosine)


def _subspace(result: Result[SubspaceTrace]) -> Figures:
    side = result.trace.reference if result.trace else None
    return {} if side is None else _lowest(side.tokens, side.membership)


def _lowest(listed: Sequence[Token], values: Any) -> Figures:  # noqa: ANN401 - an array of either width
    """The token of the reference that is found worst, with its value."""
    places = [at for at, token in enumerate(listed) if token.end > token.start]
    worst = min(places, key=lambda at: float(values[at]))
    return {"word": visible(listed[worst]).replace("␣", ""), "value": number(float(values[worst]), 2)}


def _reading(result: Result[ReadingTrace]) -> Figures:
    taken = result.parts["base_f1"] - result.parts["f1"]
    return {"base": number(result.parts["base_f1"], 3), "taken": number(taken, 3)}


def _structure(result: Result[StructureTrace]) -> Figures:
    side = result.trace.reference if result.trace else None
    if side is None or not len(side.subtrees):
        return {"part": NONE, "value": NONE}
    worst = int(np.argmin(side.aligned.similarity))
    return {
        "part": side.text(side.subtrees[worst]),
        "value": number(float(side.aligned.similarity[worst]), 2),
    }


def _mteqa(result: Result[MteqaTrace]) -> Figures:
    asked = [] if result.trace is None else result.trace.asked
    broken = [one.question for one in asked if one.usable and one.verdict < 1]
    return {
        "right": f"{len(asked) - len(broken)}",
        "asked": f"{len(asked)}",
        "broken": t("why.mteqa.broken", question=broken[0]) if broken else t("why.mteqa.none"),
    }


def _cosine(result: Result[SentenceTrace]) -> Figures:
    angle = math.degrees(math.acos(min(max(result.score or 0.0, -1.0), 1.0)))
    return {"angle": number(angle, 1)}


_MARKS: Mapping[type, Callable[[Any, str], Marks]] = {
    BleuTrace: _of_words,
    ChrfTrace: _of_letters,
    BertScoreTrace: _of_tokens,
    ReadingTrace: _of_readings,
    SubspaceTrace: _of_span,
    StructureTrace: _of_tree,
    MteqaTrace: _of_answers,
    SentenceTrace: _of_mean,
}
_FIGURES: Mapping[type, Callable[[Any], Figures]] = {
    BleuTrace: _bleu,
    ChrfTrace: _chrf,
    BertScoreTrace: _bertscore,
    ReadingTrace: _reading,
    SubspaceTrace: _subspace,
    StructureTrace: _structure,
    MteqaTrace: _mteqa,
    SentenceTrace: _cosine,
}
