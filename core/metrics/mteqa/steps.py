"""The three exchangeable steps of MTEQA: who asks, who answers, who compares; each by rules or by a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.backends import Answerer, Judge, Word
from core.backends.external import PREFIX
from core.metrics.bertscore.metric import compare
from core.metrics.fetched import VectorSource
from core.metrics.mteqa import judge as by_judge
from core.metrics.mteqa.answer_spans import NAME, AnswerSpan, span_at, spans, verb_endings, word_spans
from core.metrics.mteqa.answers import (
    BERTSCORE,
    AnswerComparison,
    answers,
    decide,
    plain,
    side,
    verdicts,
)
from core.metrics.mteqa.names import PEOPLE, agreement, mentions, with_bracket
from core.metrics.mteqa.outside import OutsideMarks
from core.metrics.mteqa.questions import Question, further_questions, questions
from core.types import OK, Parse, Said, TokenVectors, said

LLM = "llm"
READER = "reader"


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """One text with what is known of it; without a parse there are no rules."""

    text: str
    words: Sequence[Word]
    parse: Parse | None = None
    tokens: TokenVectors | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswer:
    """An answer's place in the hypothesis, (-1, -1) for none. usable: whether the reply could be read."""

    start: int = -1
    end: int = -1
    fit: float = 0.0
    usable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """Every comparison of two answers, which one counts, its value in [0, 1] and the reason."""

    verdicts: tuple[AnswerComparison, ...]
    decided: str
    value: float
    reason: str
    usable: bool = True


def rules_ask(reference: Text, lang: str, rounds: int = 1) -> list[Question]:
    """Questions by rules; those of a second round stand last."""
    if reference.parse is None:
        raise TypeError("questions by rules need a parse")
    found = questions(reference.text, reference.parse, reference.words, lang)
    if rounds > 1:
        found += further_questions(reference.text, reference.parse, reference.words, lang, found)
    return found


def judge_asks(
    judge: Judge, reference: Text, lang: str, most: int, rounds: int = 1
) -> tuple[list[Question] | None, list[Said]]:
    """Questions by a language model, None where its reply could not be read; a second round's stand last.

    A second round is asked where the answers leave something uncovered; without a usable reply it is empty.
    """
    (reply,) = by_judge.ask(judge, [by_judge.question_call(reference.text, lang, most)])
    heard = [said("questions", reply)]
    if reply.state != OK:
        return None, heard
    first = by_judge.read_pairs(reply, reference.text)
    left = by_judge.uncovered(reference.text, first) if rounds > 1 else []
    more: list[by_judge.Pair] = []
    if left:
        (reply,) = by_judge.ask(judge, [by_judge.again_call(reference.text, left, lang, most)])
        heard.append(said("again", reply))
        more = by_judge.read_pairs(reply, reference.text, first)
    found = [
        Question(
            text=pair.question,
            answer=reference.text[pair.start : pair.end],
            asks=LLM,
            span=span_at(reference.text, reference.parse, reference.words, pair.start, pair.end),
            again=place >= len(first),
        )
        for place, pair in enumerate([*first, *more])
    ]
    return found, heard


def match_answers(asked: Sequence[Question], reference: Text, hypothesis: Text) -> list[FoundAnswer]:
    """Answers by fit; a name without one is looked for in every form.

    A second round is answered from what the first has left, single words among it.
    """
    if hypothesis.parse is None:
        raise TypeError("answers by fit need parses and vectors")
    there = spans(hypothesis.text, hypothesis.parse, hypothesis.words)
    first = [one for one in asked if not one.again]
    found = _matched(first, there, reference, hypothesis)
    if len(first) < len(asked):
        taken = [(one.start, one.end) for one in found if one.start >= 0]
        free = [one for one in there if not any(one.start < end and start < one.end for start, end in taken)]
        single = word_spans(hypothesis.text, hypothesis.parse, hypothesis.words, taken)
        known = {(one.start, one.end) for one in free}
        offered = [*free, *(one for one in single if (one.start, one.end) not in known)]
        found += _matched(asked[len(first) :], offered, reference, hypothesis)
    return found


def _matched(
    asked: Sequence[Question], there: Sequence[AnswerSpan], reference: Text, hypothesis: Text
) -> list[FoundAnswer]:
    """The answers of one round, out of these spans of the hypothesis."""
    if None in (reference.parse, hypothesis.parse, reference.tokens, hypothesis.tokens):
        raise TypeError("answers by fit need parses and vectors")
    expected = side([one.span for one in asked], reference.parse, reference.tokens)  # type: ignore[arg-type]
    offered = side(there, hypothesis.parse, hypothesis.tokens)  # type: ignore[arg-type]
    found = [
        FoundAnswer(fit=one.fit)
        if one.span is None
        else FoundAnswer(start=one.span.start, end=one.span.end, fit=one.fit)
        for one in answers(expected, offered)
    ]
    for at, question in enumerate(asked):
        if question.span.kind == NAME and _named(question, found[at], reference, hypothesis) != 1:
            others = [
                one for place, one in enumerate(found) if place != at and asked[place].span.kind == NAME
            ]
            found[at] = _mention(question, reference, hypothesis, others) or found[at]
    return found


def _mention(
    question: Question,
    reference: Text,
    hypothesis: Text,
    others: Sequence[FoundAnswer],
) -> FoundAnswer | None:
    """Where the hypothesis has the expected name in any form outside the answers to other names."""
    span = question.span
    places = mentions(
        question.answer,
        hypothesis.text,
        _inside(reference.words, span.start, span.end),
        hypothesis.words,
        person=span.label in PEOPLE,
    )
    for first, last in places:
        start, end = with_bracket(hypothesis.text, first, last)
        found = FoundAnswer(start=start, end=end)
        taken = any(one.start < found.end and found.start < one.end for one in others)
        if not taken and _named(question, found, reference, hypothesis) == 1:
            return found
    return None


def _named(question: Question, given: FoundAnswer, reference: Text, hypothesis: Text) -> float | None:
    """The agreement of two names, 0 without an answer; None where the expected answer is no name."""
    span = question.span
    if span.kind != NAME:
        return None
    return agreement(
        question.answer,
        hypothesis.text[given.start : given.end] if given.start >= 0 else "",
        _inside(reference.words, span.start, span.end),
        _inside(hypothesis.words, given.start, given.end),
        person=span.label in PEOPLE,
    )


def _inside(words: Sequence[Word], start: int, end: int) -> list[Word]:
    return [word for word in words if word.start < end and start < word.end]


def extract_answers(answerer: Answerer, asked: Sequence[Question], hypothesis: Text) -> list[FoundAnswer]:
    """Answers by an extractive question-answering model, which reads the question and the hypothesis."""
    places = answerer.answer([(one.text, hypothesis.text) for one in asked])
    return [FoundAnswer() if place is None else FoundAnswer(start=place[0], end=place[1]) for place in places]


def judge_answers(
    judge: Judge, asked: Sequence[Question], hypothesis: Text, lang: str
) -> tuple[list[FoundAnswer], list[Said]]:
    """Answers by a language model; an empty hypothesis has none, and no call is made."""
    if not hypothesis.text.strip():
        return [FoundAnswer() for _ in asked], []
    calls = [by_judge.answer_call(one.text, hypothesis.text, lang) for one in asked]
    replies = by_judge.ask(judge, calls)
    found = []
    for reply in replies:
        place = by_judge.read_answer(reply, hypothesis.text)
        found.append(
            FoundAnswer(usable=False) if place is None else FoundAnswer(start=place[0], end=place[1])
        )
    return found, [said("answers", reply) for reply in replies]


def likenesses(
    asked: Sequence[Question], given: Sequence[FoundAnswer], text: str, encoder: VectorSource, layer: int
) -> list[float]:
    """BERTScore's F of each pair of answers, every answer a text of its own, in [0, 1]; 0 without an answer.

    Special tokens are never a partner. All answers are encoded in one call.
    """
    pairs = [
        (one.answer, text[at.start : at.end] if at.start >= 0 else "")
        for one, at in zip(asked, given, strict=True)
    ]
    distinct = list(dict.fromkeys(answer for pair in pairs if pair[1] for answer in pair))
    encoded = dict(zip(distinct, encoder.encode(distinct, layer=layer) if distinct else [], strict=True))
    return [
        0.0 if not answer else 1.0 if own == answer else _likeness(encoded[own], encoded[answer])
        for own, answer in pairs
    ]


def _likeness(expected: TokenVectors, given: TokenVectors) -> float:
    return min(max(compare(expected, given, specials="exclude").parts()["f1"], 0.0), 1.0)


def compare_by(
    name: str,
    question: Question,
    given: FoundAnswer,
    reference: Text,
    hypothesis: Text,
    lang: str,
    likeness: float | None = None,
) -> Marked:
    """Every comparison without a model of its own, and the one that counts: `value` under others' verdicts.

    likeness: BERTScore's F of the two answers, None where it was not asked for.
    """
    text = hypothesis.text[given.start : given.end] if given.start >= 0 else ""
    read = readings(hypothesis.words, given.start, given.end, hypothesis.parse) if text else []
    own = readings(reference.words, question.span.start, question.span.end, reference.parse)
    places = ((reference, question.span.start, question.span.end), (hypothesis, given.start, given.end))
    tokens = [_written(side, start, end, lang) for side, start, end in places]
    found = (
        *verdicts(
            question.answer,
            text,
            own,
            read,
            lang,
            tokens=(tokens[0], tokens[1]),
            name=_named(question, given, reference, hypothesis),
        ),
        AnswerComparison(BERTSCORE, likeness),
    )
    later = name == LLM or name.startswith(PREFIX)
    decided, value, reason = decide(found, "value" if later else name, answered=bool(text))
    return Marked(verdicts=found, decided=decided, value=value, reason=reason)


def outside_marks(
    outside: OutsideMarks,
    asked: Sequence[Question],
    given: Sequence[FoundAnswer],
    marked: Sequence[Marked],
    text: str,
    lang: str,
) -> list[Marked]:
    """The verdicts of a metric from outside where there is an answer; without one the verdict is 0."""
    places = [at for at, one in enumerate(given) if one.start >= 0]
    pairs = [(asked[at].answer, text[given[at].start : given[at].end]) for at in places]
    found = [
        Marked(
            verdicts=(*one.verdicts, AnswerComparison(outside.name, 0.0)),
            decided=outside.name,
            value=0.0,
            reason="no-answer",
        )
        for one in marked
    ]
    for at, (value, problem) in zip(places, outside.marks(pairs, lang), strict=True):
        found[at] = Marked(
            verdicts=(*marked[at].verdicts, AnswerComparison(outside.name, value)),
            decided=outside.name,
            value=value or 0.0,
            reason=problem or "outside",
            usable=value is not None,
        )
    return found


def _written(text: Text, start: int, end: int, lang: str) -> list[str]:
    """The tokens of an answer for the plain F1: words in their normal form."""
    if lang != "ja":
        return plain(text.text[start:end], lang).split()
    forms = [plain(word.text, lang) for word in _inside(text.words, start, end)]
    return [form for form in forms if form]


def judge_marks(
    judge: Judge,
    asked: Sequence[Question],
    given: Sequence[FoundAnswer],
    marked: Sequence[Marked],
    texts: tuple[str, str],
    lang: str,
    marks: str,
) -> tuple[list[Marked], list[Said]]:
    """The language model's verdicts where there is an answer; without one the verdict is 0.

    texts: the reference, which the model reads as the context, and the hypothesis.
    """
    context, text = texts
    places = [at for at, one in enumerate(given) if one.start >= 0]
    calls = [
        by_judge.mark_call(
            asked[at].text,
            asked[at].answer,
            text[given[at].start : given[at].end],
            lang,
            context=context,
            marks=marks,
        )
        for at in places
    ]
    replies = by_judge.ask(judge, calls)
    found = list(marked)
    for at, reply in zip(places, replies, strict=True):
        mark = by_judge.read_mark(reply)
        value, reason = (0.0, reply.problem or "") if mark is None else mark
        others = (*marked[at].verdicts, AnswerComparison(LLM, None if mark is None else value))
        found[at] = Marked(verdicts=others, decided=LLM, value=value, reason=reason, usable=mark is not None)
    return found, [said("marks", reply) for reply in replies]


def readings(words: Sequence[Word], start: int, end: int, parse: Parse | None = None) -> list[str]:
    """How the words between two places are read, marks left out: what answers are compared by.

    With a parse, the endings of Japanese verbs that say no more than when and how politely are left out too.
    """
    endings = verb_endings(parse, start, end) if parse else frozenset()
    inside = _inside(words, start, end)
    spoken = [word for word in inside if any(char.isalnum() for char in word.text)]
    core = [word for word in spoken if word.start not in endings]
    return [word.reading for word in core or spoken or inside]
