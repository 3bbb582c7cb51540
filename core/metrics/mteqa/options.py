"""The options of `mteqa`, and how a run is made ready with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.backends import Backends, Judge, Parser, Reader
from core.errors import UnavailableError
from core.judging import Call
from core.metrics.base import Asking, Option, Parsing, Prepared, Reading, Settings, Spec
from core.metrics.bertscore.metric import ENCODER_OPTIONS, read_layer
from core.metrics.mteqa.comparing import BERTSCORE, COMPARISONS
from core.metrics.mteqa.judge import later_calls
from core.metrics.mteqa.metric import MteqaTrace, Steps, score
from core.metrics.mteqa.steps import LLM
from core.metrics.prompts import prompt_fingerprint
from core.signature import signature
from core.text.languages import base_lang
from core.types import TextPair

RULES = "rules-2"  # raise the number when a rule of questions, answers or values changes
WORD_READER = "word"


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Prepared[MteqaTrace]:
    chosen = MTEQA.settle(settings)
    encoder = backends.encoder(chosen["encoder"])
    parser, reader = backends.parser(chosen["parser"]), backends.reader(WORD_READER)
    layer = read_layer(chosen["layer"], encoder)
    steps = Steps(questions=chosen["questions"], answers=chosen["answers"], compare=chosen["compare"])
    asking = LLM in (steps.questions, steps.answers, steps.compare)
    judge = backends.judge(chosen["model"]).for_run() if asking else None
    about = {
        "questions": LLM if steps.questions == LLM else RULES,
        "answers": steps.answers,
        "compare": steps.compare,
        "judge": f"{judge.signature()}-prompts-{prompt_fingerprint('mteqa')}" if judge else "no",
        "enc": f"{encoder.name}@{encoder.fingerprint}",
        "layer": layer,
        "made": _made(parser, reader, pairs),
        **encoder.libraries,
    }
    signed = signature("mteqa", about)
    scored = partial(
        score,
        encoder=encoder,
        parser=parser,
        reader=reader,
        layer=layer,
        steps=steps,
        signed=signed,
    )
    rules = steps.questions != LLM or steps.answers != LLM
    return Prepared(
        score=partial(scored, judge=judge),
        signature=signed,
        reading=Reading(encoder=encoder, layer=layer) if rules else None,
        parsing=Parsing(parser=parser, constituents=False) if rules else None,
        asking=_asking(judge, scored, steps),
    )


def _asking(judge: Judge | None, scored: Callable[..., object], steps: Steps) -> Asking | None:
    def later(pair: TextPair, calls: Sequence[Call]) -> list[Call]:
        taken = {"answers": steps.answers == LLM, "marks": steps.compare == LLM}
        return list(later_calls(pair, calls, lang=base_lang(pair.lang), **taken))

    if judge is None:
        return None
    return Asking(judge=judge, score=lambda pair, judge: scored(pair, judge=judge), later=later)


def _made(parser: Parser, reader: Reader, pairs: Sequence[TextPair]) -> str:
    """Who parses and reads each language of the run; `none` where nobody does."""
    found = []
    for lang in dict.fromkeys(pair.lang for pair in pairs):
        try:
            parsed = parser.signature(lang, constituents=False)
            found.append(f"{parsed}+{reader.signature(lang, entities=True)}")
        except UnavailableError:
            found.append("none")
    return "/".join(dict.fromkeys(found)) or parser.name


MTEQA = Spec(
    name="mteqa",
    summary="questions about the reference, answered from the translation",
    paper="paper E, MTEQA; after Krubiński et al. 2021",
    headline="mteqa",
    low=0,
    high=1,
    trace=MteqaTrace,
    prepare=_prepare,
    options=(
        *ENCODER_OPTIONS,
        Option(name="parser", default="auto", summary="auto, or the name of a spaCy pipeline"),
        Option(name="questions", default="rules", summary="who asks", choices=("rules", LLM)),
        Option(name="answers", default="match", summary="who answers", choices=("match", LLM)),
        Option(
            name="compare",
            default="value",
            summary="how two answers are compared; value: by values, else by words",
            choices=(*COMPARISONS, BERTSCORE, LLM),
        ),
        Option(
            name="model", default="default", summary="the language model; default: the one that is set up"
        ),
    ),
    needs=("encoder", "parser", "reader"),
)
