"""MTEQA (Suzuki et al.): questions about the reference, answered from the hypothesis; how the answers agree.

The score of a segment is the mean over its questions, each in [0, 1]. Without a question there is no score
(`no-questions`), never 0; likewise where no reply of a language model could be used (`unparsed-reply`). A
question whose reply could not be used does not count and stays visible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, Terms, attribute_mean, same_places
from core.backends import Answerer, Backends, Judge, Parser, Reader
from core.backends.external import PREFIX, find_external
from core.errors import OptionError, UnavailableError, Wording
from core.metrics.base import JudgeRequest, Metric, Option, Scorer, Settings, text_flags
from core.metrics.bertscore.metric import COMPUTE_OPTIONS, ENCODER_OPTIONS, open_encoder, read_layer
from core.metrics.fetched import EncoderRequest, Fetched, ParserRequest, ParseSource, VectorSource
from core.metrics.mteqa.answers import BERTSCORE, COMPARISONS, AnswerComparison
from core.metrics.mteqa.judge import AGAIN, GRADED, MOST, later_calls
from core.metrics.mteqa.outside import OutsideMarks
from core.metrics.mteqa.questions import Question
from core.metrics.mteqa.steps import (
    LLM,
    READER,
    FoundAnswer,
    Marked,
    Text,
    compare_by,
    extract_answers,
    judge_answers,
    judge_asks,
    judge_marks,
    likenesses,
    match_answers,
    outside_marks,
    rules_ask,
)
from core.metrics.places import on_characters
from core.metrics.prompts import prompt_fingerprint
from core.papers import SUZUKI
from core.signature import signature
from core.text.languages import base_lang
from core.types import OK, Call, Result, Said, TextPair

NO_QUESTIONS, UNPARSED = "no-questions", "unparsed-reply"
MOST_ASKED = 40
NOTHING_ASKED = Wording("Nothing in the reference can be asked about.")
NOTHING_READ = Wording("No reply of the language model could be read.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with both answers and the verdict.

    asks: `who`, `where`, `when`, `how-many`, `what`, `gap`, or `llm`. kind: `value`, `name`, `thing` or
    `action`. start, end: the expected answer's place in the reference; given_start, given_end: the given
    one's in the hypothesis, -1 without an answer (then `given` is empty). fit: how well the given span stands
    where the expected one does (0 from a language model). verdicts: every comparison by name, None where it
    does not apply. decided: the one that counts; verdict: its value in [0, 1]; reason: a fixed word, or a
    sentence of the language model. usable: False where a reply was no use; then the question does not count.
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
    verdicts: tuple[AnswerComparison, ...]
    decided: str
    verdict: float
    reason: str
    usable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MteqaTrace:
    """Every question, and every reply of a language model.

    letters: how many code points of the reference are no blanks. first: how many of the questions, from the
    front, are of the first round; None where there was one round.
    """

    asked: tuple[Asked, ...]
    letters: int
    said: tuple[Said, ...] = ()
    first: int | None = None

    def parts(self) -> dict[str, float]:
        """`mteqa`, the mean verdict, and the numbers of `questions` and of those `answered`.

        `coverage` is the share of the reference's letters that stand in an expected answer. Of two rounds
        `again` is the number of questions of the second and `first_coverage` what the first one covers.
        `unusable`: how many questions do not count; `prompt_tokens`, `completion_tokens`: what a language
        model was paid for.
        """
        counting = [one.verdict for one in self.asked if one.usable]
        counts = {
            "questions": float(len(self.asked)),
            "answered": float(sum(bool(one.given) for one in self.asked)),
            "coverage": self._coverage(self.asked),
        }
        if self.first is not None:
            counts["again"] = float(len(self.asked) - self.first)
            counts["first_coverage"] = self._coverage(self.asked[: self.first])
        if self.said or len(counting) < len(self.asked):
            counts["unusable"] = float(len(self.asked) - len(counting))
        if self.said:
            counts["prompt_tokens"] = float(sum(one.prompt_tokens for one in self.said))
            counts["completion_tokens"] = float(sum(one.completion_tokens for one in self.said))
        return ({"mteqa": fmean(counting)} if counting else {}) | counts

    def _coverage(self, asked: Sequence[Asked]) -> float:
        covered = {at for one in asked for at in range(one.start, one.end)}
        return min(len(covered) / self.letters, 1.0) if self.letters else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChoices:
    """Who takes each step: `rules`, `match` or `reader`, a comparison, or `llm`.

    marks: how a language model marks. most: questions that it writes at most in a round. rounds: 1 or 2.
    """

    questions: str = "rules"
    answers: str = "match"
    compare: str = "value"
    marks: str = GRADED
    most: int = MOST
    rounds: int = 1


def score(
    pair: TextPair,
    *,
    encoder: VectorSource,
    parser: ParseSource,
    reader: Reader,
    layer: int,
    steps: StepChoices,
    judge: Judge | None = None,
    answerer: Answerer | None = None,
    outside: OutsideMarks | None = None,
    signed: str = "",
) -> Result[MteqaTrace]:
    """MTEQA of one pair in [0, 1]; missing without a question, a parse, or a usable reply."""
    flags, lang = text_flags(pair), base_lang(pair.lang)
    said: list[Said] = []
    try:
        reference, hypothesis = _read(pair, encoder, parser, reader, layer, steps)
        asked: list[Question] | None
        if steps.questions == LLM:
            asked, said = judge_asks(_there(judge), reference, lang, steps.most, steps.rounds)
        else:
            asked = rules_ask(reference, lang, steps.rounds)
        rows = (
            []
            if not asked
            else _answered(
                asked, reference, hypothesis, steps, (judge, answerer, outside), lang, said, (encoder, layer)
            )
        )
    except UnavailableError as error:
        return Result(
            metric="mteqa",
            score=None,
            signature=signed,
            flags=flags,
            missing=Wording(error.template, **error.details),
        )
    letters = sum(not char.isspace() for char in pair.reference)
    first = sum(not one.again for one in asked or ()) if steps.rounds > 1 else None
    trace = MteqaTrace(asked=tuple(rows), letters=letters, said=tuple(said), first=first)
    parts = trace.parts()
    unread = asked is None or not all(one.usable for one in rows) or any(one.state != OK for one in said)
    flags += (UNPARSED,) if unread else () if asked else (NO_QUESTIONS,)
    missing = None if "mteqa" in parts else _why_not(rows, outside) if unread else NOTHING_ASKED
    return Result(
        metric="mteqa",
        score=parts.get("mteqa"),
        parts=parts,
        signature=signed,
        flags=flags,
        trace=trace,
        missing=missing,
    )


def _why_not(rows: Sequence[Asked], outside: OutsideMarks | None) -> Wording:
    """Why no question counts: a metric from outside says it itself."""
    if outside is not None and rows and rows[0].reason:
        return Wording("{problem}", problem=rows[0].reason)
    return NOTHING_READ


def _read(
    pair: TextPair, encoder: VectorSource, parser: ParseSource, reader: Reader, layer: int, steps: StepChoices
) -> tuple[Text, Text]:
    """Both texts with their words and, where a step goes by rules, parses and vectors."""
    texts = [pair.reference, pair.hypothesis]
    if steps.questions == LLM and steps.answers == LLM:
        first, second = (Text(*one) for one in zip(texts, reader.read(texts, lang=pair.lang), strict=True))
        return first, second
    parses = parser.parse(texts, lang=pair.lang, constituents=False)
    problem = next((parse.problem for parse in parses if parse.problem), None)
    if problem is not None:
        raise UnavailableError("{problem}", problem=problem)
    words = reader.read(texts, lang=pair.lang, entities=True)
    encoded = encoder.encode(texts, layer=layer)
    first, second = (Text(*one) for one in zip(texts, words, parses, encoded, strict=True))
    return first, second


def _answered(
    asked: Sequence[Question],
    reference: Text,
    hypothesis: Text,
    steps: StepChoices,
    models: tuple[Judge | None, Answerer | None, OutsideMarks | None],
    lang: str,
    said: list[Said],
    encoding: tuple[VectorSource, int],
) -> list[Asked]:
    """Answer and mark the questions; replies of a language model are added to `said`."""
    judge, answerer, outside = models
    if steps.answers == READER and answerer is not None:
        given = extract_answers(answerer, asked, hypothesis)
    elif steps.answers == LLM:
        given, heard = judge_answers(_there(judge), asked, hypothesis, lang)
        said += heard
    else:
        given = match_answers(asked, reference, hypothesis)
    encoded = reference.tokens is not None or steps.compare == BERTSCORE
    alike = likenesses(asked, given, hypothesis.text, *encoding) if encoded else [None] * len(asked)
    marked = [
        compare_by(steps.compare, question, answer, reference, hypothesis, lang, likeness)
        for question, answer, likeness in zip(asked, given, alike, strict=True)
    ]
    if steps.compare == LLM:
        marked, heard = judge_marks(
            _there(judge), asked, given, marked, (reference.text, hypothesis.text), lang, steps.marks
        )
        said += heard
    if outside is not None:
        marked = outside_marks(outside, asked, given, marked, hypothesis.text, lang)
    return [
        _row(question, answer, mark, hypothesis.text)
        for question, answer, mark in zip(asked, given, marked, strict=True)
    ]


def _row(question: Question, given: FoundAnswer, marked: Marked, hypothesis: str) -> Asked:
    return Asked(
        question=question.text,
        asks=question.asks,
        kind=question.span.kind,
        expected=question.answer,
        start=question.span.start,
        end=question.span.end,
        given=hypothesis[given.start : given.end] if given.start >= 0 else "",
        given_start=given.start,
        given_end=given.end,
        fit=given.fit,
        verdicts=marked.verdicts,
        decided=marked.decided,
        verdict=marked.value,
        reason=marked.reason,
        usable=given.usable and marked.usable,
    )


def _there(judge: Judge | None) -> Judge:
    if judge is None:
        raise UnavailableError("There is no language model here.")
    return judge


RULES = "rules-3"  # raise the number when a rule of questions, answers or values changes
WORD_READER = "word"


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[MteqaTrace]:
    chosen = MTEQA.settle(settings)
    encoder = open_encoder(chosen, backends)
    parser, reader = backends.parser(chosen["parser"]), backends.reader(WORD_READER)
    layer = read_layer(chosen["layer"], encoder)
    steps = StepChoices(
        questions=chosen["questions"],
        answers=chosen["answers"],
        compare=chosen["compare"],
        marks=chosen["marks"],
        most=_most(chosen["most"]),
        rounds=int(chosen["rounds"]),
    )
    asking = LLM in (steps.questions, steps.answers, steps.compare)
    judge = backends.judge(chosen["model"]).for_run() if asking else None
    answerer, outside = _answerer(chosen, backends), _outside(chosen["compare"], backends)
    about = {
        "questions": LLM if steps.questions == LLM else RULES,
        "answers": steps.answers,
        "compare": steps.compare if outside is None else outside.signature(),
        "judge": f"{judge.signature()}-prompts-{prompt_fingerprint('mteqa')}" if judge else "no",
        "enc": f"{encoder.name}@{encoder.fingerprint}",
        "layer": layer,
        "made": _made(parser, reader, pairs),
        **_of_models(steps, answerer),
        **encoder.libraries,
    }
    signed = signature("mteqa", about)
    scored = partial(
        score,
        reader=reader,
        layer=layer,
        steps=steps,
        answerer=answerer,
        signed=signed,
    )
    rules = steps.questions != LLM or steps.answers != LLM

    def compute(pair: TextPair, fetched: Fetched) -> Result[MteqaTrace]:
        vectors, parses = fetched.encoder(encoder), fetched.parser(parser)
        return scored(pair, encoder=vectors, parser=parses, judge=judge, outside=outside)

    return Scorer(
        compute=compute,
        announce=None if outside is None else partial(_announce, outside, compute),
        signature=signed,
        encodes=EncoderRequest(encoder=encoder, layer=layer) if rules else None,
        parses=ParserRequest(parser=parser, constituents=False) if rules else None,
        asks=_asking(judge, partial(scored, encoder=encoder, parser=parser), steps),
    )


def _asking(judge: Judge | None, scored: Callable[..., object], steps: StepChoices) -> JudgeRequest | None:
    def later(pair: TextPair, calls: Sequence[Call]) -> list[Call]:
        marks = steps.marks if steps.compare == LLM else None
        lang, answers = base_lang(pair.lang), steps.answers == LLM
        return list(
            later_calls(
                pair, calls, answers=answers, marks=marks, lang=lang, most=steps.most, rounds=steps.rounds
            )
        )

    if judge is None:
        return None  # a rehearsal asks no metric from outside
    return JudgeRequest(judge=judge, score=lambda pair, judge: scored(pair, judge=judge), later=later)


def _announce(
    outside: OutsideMarks,
    compute: Callable[[TextPair, Fetched], object],
    pairs: Sequence[TextPair],
    fetched: Fetched,
) -> None:
    """Let a metric from outside see the answers of all pairs at once."""
    with outside.announced():
        for pair in pairs:
            compute(pair, fetched)


def _outside(compare: str, backends: Backends) -> OutsideMarks | None:
    """The metric from outside that compares answers, if one does. Raises OptionError for an unknown one."""
    if not compare.startswith(PREFIX):
        return None
    return OutsideMarks(find_external(compare.removeprefix(PREFIX)), backends.outsider)


def _answerer(chosen: Settings, backends: Backends) -> Answerer | None:
    """The model of `answers=reader`. Raises OptionError where none is named."""
    if chosen["answers"] != READER:
        return None
    if not chosen["reader"]:
        raise OptionError(
            "mteqa.answers=reader needs a model: give mteqa.reader, a hub id or the folder of an extractive "
            "question-answering model.",
            option="reader",
        )
    return backends.answerer(chosen["reader"])


def _most(value: str) -> int:
    """The number of questions. Raises OptionError."""
    if not value.isdecimal() or not 1 <= int(value) <= MOST_ASKED:
        raise OptionError(
            "mteqa.most={value}: give a whole number from 1 to {limit}", value=value, limit=MOST_ASKED
        )
    return int(value)


def _of_models(steps: StepChoices, answerer: Answerer | None) -> dict[str, str]:
    """What a signature says of the steps that models take, where it is not usual."""
    about = {} if answerer is None else {"reader": answerer.signature()}
    if steps.compare == LLM and steps.marks != GRADED:
        about["marks"] = steps.marks
    if steps.questions == LLM and steps.most != MOST:
        about["most"] = str(steps.most)
    if steps.rounds > 1:
        prompted = f"-prompts-{prompt_fingerprint(AGAIN)}" if steps.questions == LLM else ""
        about["rounds"] = f"{steps.rounds}{prompted}"
    return about


def _made(parser: Parser, reader: Reader, pairs: Sequence[TextPair]) -> str:
    """Who parses and reads each language of the run; `none` without a parser."""
    found = []
    for lang in dict.fromkeys(pair.lang for pair in pairs):
        try:
            parsed = parser.signature(lang, constituents=False)
            found.append(f"{parsed}+{reader.signature(lang, entities=True)}")
        except UnavailableError:
            found.append("none")
    return "/".join(dict.fromkeys(found)) or parser.name


def _questions(trace: MteqaTrace) -> Terms:
    counting = [one for one in trace.asked if one.usable]
    return Terms(
        names=[one.question for one in counting],
        weights=np.ones(len(counting)),
        values=np.array([one.verdict for one in counting], np.float64),
    )


def _attribute(before: MteqaTrace, after: MteqaTrace) -> list[Contribution]:
    """What each question does that is answered otherwise."""
    old, new = (_questions(trace) for trace in (before, after))
    kept = same_places(old.names, new.names)
    return attribute_mean(old, new, side="", kept=kept, others=None, same="question")


def _evidence(trace: MteqaTrace, text: str) -> NDArray[np.float64]:
    """What the answers given at a place lose at most: 1 - verdict. An answer that is missing has no place."""
    asked = [one for one in trace.asked if one.usable and one.given_start >= 0]
    return on_characters(len(text), ((one.given_start, one.given_end, 1 - one.verdict) for one in asked))


MTEQA = Metric(
    name="mteqa",
    summary="questions about the reference, answered from the translation",
    paper=f"{SUZUKI.cite}, MTEQA with GPT-3; after Krubiński et al. 2021",
    source=SUZUKI,
    headline="mteqa",
    low=0,
    high=1,
    trace=MteqaTrace,
    build=_prepare,
    options=(
        *ENCODER_OPTIONS,
        Option(name="parser", default="auto", summary="auto, or the name of a spaCy pipeline"),
        Option(name="questions", default="rules", summary="who asks", choices=("rules", LLM)),
        Option(name="answers", default="match", summary="who answers", choices=("match", READER, LLM)),
        Option(
            name="compare",
            default="value",
            summary="how two answers are compared; value: by values, else by words",
            choices=(*COMPARISONS, BERTSCORE, LLM),
            also=PREFIX,
        ),
        Option(
            name="reader",
            default="",
            summary="under answers=reader: a hub id or folder of an extractive question-answering model",
        ),
        Option(
            name="marks",
            default=GRADED,
            summary="how a language model marks: right or wrong, or partly too",
            choices=("binary", GRADED),
        ),
        Option(name="most", default=str(MOST), summary="questions that a language model writes at most"),
        Option(
            name="rounds",
            default="1",
            summary="2: ask again about what no answer of the first round covers",
            choices=("1", "2"),
        ),
        Option(
            name="model", default="default", summary="the language model; default: the one that is set up"
        ),
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder", "parser", "reader"),
    attribute=_attribute,
    evidence=_evidence,
)
