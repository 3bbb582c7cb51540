"""MTEQA (paper E): questions about the reference, answered from the hypothesis, and how the answers agree.

A segment's score is the mean over its questions, each in [0, 1]. A reference about which nothing can be asked
has no score (`no-questions`), never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from core.backends import Encoder, Parser, Reader, Word
from core.errors import UnavailableError
from core.metrics.answers import Answer, answers, side
from core.metrics.comparing import Verdict, decide, verdicts
from core.metrics.questions import Question, questions, spans
from core.metrics.spec import text_flags
from core.text import base_lang
from core.trees import Parse
from core.types import Result, TextPair, TokenVectors

NO_QUESTIONS = "no-questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with both answers and the verdict.

    asks: `who`, `where`, `when`, `how-many`, `what` or `gap`. kind: `value`, `name`, `thing` or `action`.
    start, end: the expected answer's place in the reference; given_start, given_end: the given one's in the
    hypothesis, -1 without an answer (then `given` is empty). fit: how well the given span stands where the
    expected one does. verdicts: every comparison by name, None where it does not apply. decided: the name of
    the one that counts. verdict: its value in [0, 1]. reason: why, in one of a few fixed words.
    """

    question: str
    asks: str
    kind: str
    expected: str
    start: int
    end: int
    given: str
    given_start: int
    given_end: int
    fit: float
    verdicts: tuple[Verdict, ...]
    decided: str
    verdict: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MteqaTrace:
    """Every question. `letters`: how many code points of the reference are no blanks."""

    asked: tuple[Asked, ...]
    letters: int

    def parts(self) -> dict[str, float]:
        """`mteqa`, the mean verdict, and the numbers of `questions` and of those `answered`.

        `coverage` is the share of the reference's letters that stand in an expected answer.
        """
        covered = {at for one in self.asked for at in range(one.start, one.end)}
        counts = {
            "questions": float(len(self.asked)),
            "answered": float(sum(bool(one.given) for one in self.asked)),
            "coverage": min(len(covered) / self.letters, 1.0) if self.letters else 0.0,
        }
        score = {"mteqa": fmean(one.verdict for one in self.asked)} if self.asked else {}
        return score | counts


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """One text with everything that is known of it."""

    text: str
    parse: Parse
    words: Sequence[Word]
    tokens: TokenVectors


def score(
    pair: TextPair,
    *,
    encoder: Encoder,
    parser: Parser,
    reader: Reader,
    layer: int,
    compare: str = "value",
    signed: str = "",
) -> Result[MteqaTrace]:
    """MTEQA of one pair in [0, 1], with questions by rules and answers by fit.

    compare: `value` takes numbers, dates and amounts by value and everything else by words; `em`, `f1`,
    `bleu`, `chrf` compare all answers in that way. Missing without a question, a parser or a parse.
    """
    flags = text_flags(pair)
    try:
        reference, hypothesis = _read(pair, encoder, parser, reader, layer)
    except UnavailableError as error:
        return Result(metric="mteqa", score=None, signature=signed, flags=flags, missing=error.message)
    asked = questions(reference.text, reference.parse, reference.words, base_lang(pair.lang))
    trace = MteqaTrace(
        asked=_asked(asked, reference, hypothesis, compare, base_lang(pair.lang)),
        letters=sum(not char.isspace() for char in pair.reference),
    )
    parts = trace.parts()
    if not asked:
        nothing = "Nothing in the reference can be asked about."
        return Result(
            metric="mteqa", score=None, signature=signed, flags=(*flags, NO_QUESTIONS), missing=nothing,
            parts=parts, trace=trace,
        )  # fmt: skip
    return Result(
        metric="mteqa", score=parts["mteqa"], parts=parts, signature=signed, flags=flags, trace=trace
    )


def _read(pair: TextPair, encoder: Encoder, parser: Parser, reader: Reader, layer: int) -> tuple[Text, Text]:
    texts = [pair.reference, pair.hypothesis]
    parses = parser.parse(texts, lang=pair.lang, constituents=False)
    problem = next((parse.problem for parse in parses if parse.problem), None)
    if problem is not None:
        raise UnavailableError(problem)
    words = reader.read(texts, lang=pair.lang, entities=True)
    encoded = encoder.encode(texts, layer=layer)
    first, second = (Text(*one) for one in zip(texts, parses, words, encoded, strict=True))
    return first, second


def _asked(
    asked: Sequence[Question], reference: Text, hypothesis: Text, compare: str, lang: str
) -> tuple[Asked, ...]:
    expected = side([one.span for one in asked], reference.parse, reference.tokens)
    there = spans(hypothesis.text, hypothesis.parse, hypothesis.words)
    offered = side(there, hypothesis.parse, hypothesis.tokens)
    given = answers(expected, offered)
    return tuple(
        _one(question, answer, reference, hypothesis, compare, lang)
        for question, answer in zip(asked, given, strict=True)
    )


def _one(
    question: Question, answer: Answer, reference: Text, hypothesis: Text, compare: str, lang: str
) -> Asked:
    own, span = question.span, answer.span
    given = "" if span is None else hypothesis.text[span.start : span.end]
    said = [] if span is None else readings(hypothesis.words, span.start, span.end)
    found = verdicts(question.answer, given, readings(reference.words, own.start, own.end), said, lang)
    decided, verdict, reason = decide(found, compare, answered=span is not None)
    return Asked(
        question=question.text,
        asks=question.asks,
        kind=own.kind,
        expected=question.answer,
        start=own.start,
        end=own.end,
        given=given,
        given_start=-1 if span is None else span.start,
        given_end=-1 if span is None else span.end,
        fit=answer.fit,
        verdicts=found,
        decided=decided,
        verdict=verdict,
        reason=reason,
    )


def readings(words: Sequence[Word], start: int, end: int) -> list[str]:
    """How the words between two places are read, marks left out: what answers are compared by."""
    inside = [word for word in words if word.start < end and start < word.end]
    spoken = [word.reading for word in inside if any(char.isalnum() for char in word.text)]
    return spoken or [word.reading for word in inside]
