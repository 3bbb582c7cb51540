"""GEMBA: a language model reads source and translation and lists errors (`mqm`) or gives a number (`da`).

MQM: s = -min(25, 25 critical + 5 major + 1 minor), in [-25, 0]. DA: the number, in [0, 100]. Neither uses a
reference. The prompts are worded by us. A reply that cannot be parsed gives a missing score, never a
perfect one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, shapley
from core.backends import Backends, Judge
from core.errors import OptionError, UnavailableError, Wording
from core.metrics.base import JudgeRequest, Metric, Option, Scorer, Settings, text_flags
from core.metrics.gemba.instructions import Suspicion, kept_places, suspicions, without
from core.metrics.gemba.parse import (
    SEVERITIES,
    WEIGHTS,
    MqmError,
    compatible_faults,
    compatible_number,
    penalty,
    placed,
    strict_faults,
    strict_number,
)
from core.metrics.gemba.prompts import GUARDED, fingerprint, messages, prompt
from core.metrics.places import on_characters
from core.papers import EHIMETRICK
from core.signature import signature
from core.types import CUT, EMPTY, OK, REFUSED, UNPARSED, Call, Reply, Result, Said, TextPair, said

Scheme = Literal["mqm", "da"]
LOWEST = {"mqm": -25.0, "da": 0.0}
HIGHEST = {"mqm": 0.0, "da": 100.0}
UNPARSED_REPLY, INSTRUCTION = "unparsed-reply", "instruction-in-text"
REPEATED_TEMPERATURE = 0.7
"""Of the calls where several replies are asked for; a single one is asked for at 0."""
TOKENS = {"mqm": 1024, "da": 64}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One reply as it came, and what was read in it.

    readable: whether it counts. faults: the errors it lists (`mqm`). number: what it gives (`da`).
    """

    said: Said
    readable: bool
    faults: tuple[MqmError, ...] = ()
    number: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One text with its replies. asked: the fingerprint of what was said, empty where the text is empty."""

    text: str
    asked: str
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GembaTrace:
    """The whole evidence. scheme: `mqm` or `da`. parse: `strict` or `compatible`.

    given: the hypothesis. suspicious: its sentences that speak to a judge. cleaned: the hypothesis without
    them, where it was judged a second time.
    """

    scheme: str
    parse: str
    given: Judged
    suspicious: tuple[Suspicion, ...] = ()
    cleaned: Judged | None = None

    @property
    def counted(self) -> Judged:
        """The text whose replies make the score."""
        return self.given if self.cleaned is None else self.cleaned

    def numbers(self, judged: Judged) -> list[float]:
        """The score of each readable reply; the lowest there is for an empty text."""
        if not judged.text.strip():
            return [LOWEST[self.scheme]]
        readable = [sample for sample in judged.samples if sample.readable]
        if self.scheme == "mqm":
            return [penalty(sample.faults, self.parse) for sample in readable]
        return [sample.number for sample in readable if sample.number is not None]

    def parts(self) -> dict[str, float]:
        """`mqm` or `da`, the mean over readable replies, with `low` and `high`, the band they lie in.

        `samples`, `readable`: how many replies there are and count. `critical`, `major`, `minor`: errors of
        each kind, means over readable replies. `as_given`: the score with the suspicious sentences.
        `prompt_tokens`, `completion_tokens`: what all replies cost. Where no reply is readable there is no
        score in it.
        """
        numbers = self.numbers(self.counted)
        readable = [sample for sample in self.counted.samples if sample.readable]
        parts = {"samples": float(len(self.counted.samples)), "readable": float(len(readable))}
        if numbers:
            parts |= {self.scheme: fmean(numbers), "low": min(numbers), "high": max(numbers)}
        if self.scheme == "mqm" and readable:
            for severity in SEVERITIES:
                parts[severity] = fmean(
                    sum(one.severity == severity for one in sample.faults) for sample in readable
                )
        every = [one.said for text in (self.given, self.cleaned) if text for one in text.samples]
        for name in ("prompt_tokens", "completion_tokens"):
            parts[name] = float(sum(getattr(one, name) for one in every))
        before = self.numbers(self.given) if self.cleaned is not None else []
        return parts | ({"as_given": fmean(before)} if before else {})


def calls(
    scheme: Scheme, source: str, text: str, lang: str, samples: int = 1, words: str = GUARDED
) -> list[Call]:
    """What is asked about one text: as many calls as samples, none for an empty text."""
    if not text.strip():
        return []
    said = messages(scheme, source, text, lang, words)
    heat = REPEATED_TEMPERATURE if samples > 1 else 0.0
    return [
        Call(messages=said, max_tokens=TOKENS[scheme], temperature=heat, sample=number)
        for number in range(samples)
    ]


def score(
    pair: TextPair,
    *,
    judge: Judge,
    scheme: Scheme,
    parse: str = "strict",
    samples: int = 1,
    guard: str = "flag",
    words: str = GUARDED,
    signed: str = "",
) -> Result[GembaTrace]:
    """GEMBA of one pair: in [-25, 0] for `mqm`, [0, 100] for `da`; the reference is not looked at.

    words: the prompt, `guarded`, `unguarded` or a file. guard: `flag` only says that a sentence speaks to the
    judge; `remove` also judges the text without it, and
    that is the score, but not with parse=compatible. An empty hypothesis has the lowest score without a call.
    Missing without a source, a readable reply or a judge that can be reached.
    """
    metric, source = f"gemba-{scheme}", pair.source or ""
    flags = tuple(flag for flag in text_flags(pair) if flag != "empty-reference")
    if not source.strip():
        reason = Wording("A source text is needed to judge a translation without a reference.")
        return Result(metric=metric, score=None, signature=signed, flags=flags, missing=reason)
    suspicious = suspicions(pair.hypothesis, source)
    flags += (INSTRUCTION,) if suspicious else ()
    texts = [pair.hypothesis]
    if suspicious and guard == "remove" and parse == "strict":
        texts.append(without(pair.hypothesis, suspicious))
    try:
        asked = [calls(scheme, source, text, pair.lang, samples, words) for text in texts]
        given, *more = _ask(judge, scheme, parse, asked, texts)
    except UnavailableError as error:
        return Result(
            metric=metric,
            score=None,
            signature=signed,
            flags=flags,
            missing=Wording(error.template, **error.details),
        )
    cleaned = more[0] if more else None
    trace = GembaTrace(scheme=scheme, parse=parse, given=given, suspicious=suspicious, cleaned=cleaned)
    return _result(metric, trace, flags, signed)


def _ask(
    judge: Judge, scheme: Scheme, parse: str, asked: Sequence[Sequence[Call]], texts: Sequence[str]
) -> list[Judged]:
    """Each text with its replies; all are asked for at once, so that the judge may answer side by side."""
    every = [call for group in asked for call in group]
    replies = iter(judge.ask(every) if every else [])
    return [
        Judged(
            text=text,
            asked=fingerprint(group[0]) if group else "",
            samples=tuple(_sample(scheme, parse, text, next(replies)) for _ in group),
        )
        for text, group in zip(texts, asked, strict=True)
    ]


def _sample(scheme: Scheme, parse: str, text: str, reply: Reply) -> Sample:
    """`compatible` reads any words that came whole, a refusal in words too, as the published parser does."""
    strict = parse == "strict"
    usable = (
        reply.state == OK if strict else reply.state in (OK, UNPARSED, REFUSED) and reply.text.strip() != ""
    )
    faults: tuple[MqmError, ...] | None = None
    number: float | None = None
    if usable and scheme == "mqm":
        faults = strict_faults(reply.text) if strict else compatible_faults(reply.text)
    elif usable:
        number = strict_number(reply.text) if strict else compatible_number(reply.text)
    return Sample(
        said=said(scheme, reply),
        readable=faults is not None or number is not None,
        faults=placed(faults or (), text),
        number=number,
    )


def _result(metric: str, trace: GembaTrace, flags: tuple[str, ...], signed: str) -> Result[GembaTrace]:
    parts = trace.parts()
    number = parts.get(trace.scheme)
    unread = [one for one in trace.counted.samples if not one.readable]
    if any(one.said.state in (OK, UNPARSED, REFUSED, CUT, EMPTY) for one in unread):
        flags += (UNPARSED_REPLY,)
    missing = None
    if number is None:
        problem = next((one.said.problem for one in unread if one.said.problem), None)
        missing = problem or Wording("The judge's reply could not be read as a list of errors or a number.")
    return Result(
        metric=metric,
        score=number,
        parts=parts,
        signature=signed,
        flags=flags,
        trace=trace,
        missing=missing,
    )


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
        name="prompt",
        default=GUARDED,
        summary="what the model is told: guarded, unguarded, or a JSON file with the published prompt",
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
) -> Scorer[GembaTrace]:
    spec = GEMBA_MQM if scheme == "mqm" else GEMBA_DA
    chosen = spec.settle(settings)
    samples = _samples(chosen["samples"])
    judge = backends.judge(chosen["model"]).for_run()
    about = {
        "judge": judge.signature(),
        "prompt": prompt(scheme, chosen["prompt"]).digest,
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
        words=chosen["prompt"],
        signed=signed,
    )
    return Scorer(
        compute=lambda pair, _: scored(pair, judge=judge),
        signature=signed,
        asks=JudgeRequest(judge=judge, score=lambda pair, judge: scored(pair, judge=judge)),
    )


def _samples(value: str) -> int:
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 4 else 0
    if not 1 <= number <= MOST_SAMPLES:
        raise OptionError(
            "samples={value}: give a whole number from 1 to {limit}",
            option="samples",
            value=value,
            limit=MOST_SAMPLES,
        )
    return number


def _faults(trace: GembaTrace) -> dict[str, list[MqmError]] | None:
    """The errors by severity where one reply alone makes the score."""
    samples = trace.counted.samples
    if trace.scheme != "mqm" or len(samples) != 1 or not trace.counted.text.strip():
        return None
    return {
        severity: [one for one in samples[0].faults if one.severity == severity] for severity in SEVERITIES
    }


def _attribute(before: GembaTrace, after: GembaTrace) -> list[Contribution]:
    """What the errors of each severity do, where there is one readable reply; else the number as a whole."""
    name = before.scheme
    first, last = before.parts()[name], after.parts()[name]
    old, new = (_faults(trace) for trace in (before, after))
    if old is None or new is None:
        return [Contribution(kind="whole", what="", amount=last - first, before=first, after=last)]

    def formula(factors: Mapping[str, Sequence[MqmError]]) -> float:
        return penalty([one for faults in factors.values() for one in faults], after.parse)

    effects = shapley(formula, old, new)
    return [
        Contribution(
            kind="error",
            what=severity,
            amount=effects[severity],
            before=float(len(old[severity])),
            after=float(len(new[severity])),
        )
        for severity in SEVERITIES
        if old[severity] or new[severity]
    ]


def _evidence(trace: GembaTrace, text: str) -> NDArray[np.float64] | None:
    """The weight of the gravest error that a reply marks at each place (25, 5, 1), the mean over replies.

    None without a readable reply. Of a text that was judged without some sentences these have 0.
    """
    judged = trace.counted
    readable = [sample for sample in judged.samples if sample.readable]
    if not readable:
        return None
    marks = [
        on_characters(
            len(judged.text),
            ((one.start, one.end, WEIGHTS[one.severity]) for one in sample.faults if one.start >= 0),
        )
        for sample in readable
    ]
    found = np.mean(marks, axis=0)
    if trace.cleaned is None:
        return np.asarray(found, np.float64)
    whole = np.zeros(len(text))
    whole[kept_places(text, trace.suspicious)] = found
    return whole


GEMBA_MQM = Metric(
    name="gemba-mqm",
    summary="a language model lists the errors of a translation, by severity",
    paper=f"Kocmi and Federmann 2023; attacked in {EHIMETRICK.cite}",
    source=EHIMETRICK,
    headline="mqm",
    low=LOWEST["mqm"],
    high=HIGHEST["mqm"],
    trace=GembaTrace,
    build=partial(_prepare, "mqm"),
    options=OPTIONS,
    needs=("judge", "source"),
    offered=False,
    attribute=_attribute,
    evidence=_evidence,
)
GEMBA_DA = Metric(
    name="gemba-da",
    summary="a language model gives a translation a number",
    paper="GEMBA-DA",
    headline="da",
    low=LOWEST["da"],
    high=HIGHEST["da"],
    trace=GembaTrace,
    build=partial(_prepare, "da"),
    options=OPTIONS,
    needs=("judge", "source"),
    offered=False,
    attribute=_attribute,
)
