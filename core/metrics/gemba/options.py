"""The options of `gemba-mqm` and `gemba-da`, and how a run is made ready with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.backends import Backends
from core.errors import OptionError
from core.metrics.base import Asking, Option, Prepared, Settings, Spec
from core.metrics.gemba.metric import HIGHEST, LOWEST, GembaTrace, Scheme, score
from core.metrics.gemba.prompts import prompt
from core.signature import signature
from core.types import TextPair

MOST_SAMPLES = 20
OPTIONS = (
    Option(name="model", default="default", summary="the language model; default: the one that is set up"),
    Option(
        name="parse",
        default="strict",
        summary="how replies are read: strictly, or as the published parser does, faults included",
        choices=("strict", "compatible"),
    ),
    Option(
        name="samples", default="1", summary=f"replies per text, 1 to {MOST_SAMPLES}; the score is their mean"
    ),
    Option(
        name="guard",
        default="flag",
        summary="sentences that speak to the judge: only flagged, or left out of a second judgement",
        choices=("flag", "remove"),
    ),
)


def _prepare(
    scheme: Scheme, settings: Settings, backends: Backends, pairs: Sequence[TextPair]
) -> Prepared[GembaTrace]:
    spec = GEMBA_MQM if scheme == "mqm" else GEMBA_DA
    chosen = spec.settle(settings)
    samples = _samples(chosen["samples"])
    judge = backends.judge(chosen["model"]).for_run()
    about = {
        "judge": judge.signature(),
        "prompt": prompt(scheme).digest,
        "parse": chosen["parse"],
        "samples": samples,
        "guard": chosen["guard"],
    }
    signed = signature(spec.name, about)
    scored = partial(
        score,
        scheme=scheme,
        parse=chosen["parse"],
        samples=samples,
        guard=chosen["guard"],
        signed=signed,
    )
    return Prepared(
        score=partial(scored, judge=judge),
        signature=signed,
        asking=Asking(judge=judge, score=lambda pair, judge: scored(pair, judge=judge)),
    )


def _samples(value: str) -> int:
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 4 else 0
    if not 1 <= number <= MOST_SAMPLES:
        raise OptionError(f"samples={value}: give a whole number from 1 to {MOST_SAMPLES}", option="samples")
    return number


GEMBA_MQM = Spec(
    name="gemba-mqm",
    summary="a language model lists the errors of a translation, by severity",
    paper="paper D, GEMBA-MQM",
    headline="mqm",
    low=LOWEST["mqm"],
    high=HIGHEST["mqm"],
    trace=GembaTrace,
    prepare=partial(_prepare, "mqm"),
    options=OPTIONS,
    needs=("judge", "source"),
)
GEMBA_DA = Spec(
    name="gemba-da",
    summary="a language model gives a translation a number",
    paper="GEMBA-DA",
    headline="da",
    low=LOWEST["da"],
    high=HIGHEST["da"],
    trace=GembaTrace,
    prepare=partial(_prepare, "da"),
    options=OPTIONS,
    needs=("judge", "source"),
)
