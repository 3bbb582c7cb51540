"""Metrics from outside (COMET, XCOMET, BLEURT, Prism, …): what they said, not how they came to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.backends import Backends, Outsider
from core.backends.external import PREFIX, External, Scored, find_external
from core.errors import Wording
from core.metrics.base import Metric, Scorer, Settings, text_flags
from core.signature import signature
from core.types import Result, TextPair


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalTrace:
    """The numbers that came from outside; `score` is among them."""

    numbers: Mapping[str, float]

    def parts(self) -> dict[str, float]:
        """All of them."""
        return dict(self.numbers)


def score(
    pair: TextPair, *, metric: External, ask: Callable[[TextPair], Scored], signed: str = ""
) -> Result[ExternalTrace]:
    """What the metric said of the pair. Missing where it said nothing, and without a source that it needs."""
    name, flags = PREFIX + metric.name, text_flags(pair)
    if "source" in metric.needs and not (pair.source or "").strip():
        return Result(
            metric=name, score=None, signature=signed, flags=flags, missing=Wording("It needs a source text.")
        )
    said = ask(pair)
    if said.score is None:
        return Result(metric=name, score=None, signature=signed, flags=flags, missing=said.missing)
    trace = ExternalTrace(numbers=said.parts)
    outside = () if metric.low <= said.score <= metric.high else ("out-of-range",)
    parts = trace.parts()
    return Result(
        metric=name, score=parts["score"], parts=parts, signature=signed, flags=flags + outside, trace=trace
    )


def external_spec(name: str) -> Metric[ExternalTrace]:
    """The metric `external:NAME` as this machine describes it. Raises OptionError for an unknown one."""
    return spec_of(find_external(name.removeprefix(PREFIX)))


def spec_of(metric: External) -> Metric[ExternalTrace]:
    """A metric from outside as every other metric."""
    return Metric(
        name=PREFIX + metric.name,
        summary=metric.summary,
        paper=metric.paper,
        headline="score",
        low=metric.low,
        high=metric.high,
        trace=ExternalTrace,
        build=partial(_prepare, metric),
        needs=("source",) if "source" in metric.needs else (),
        higher_is_better=metric.higher_is_better,
    )


def _prepare(
    metric: External, settings: Settings, backends: Backends, pairs: Sequence[TextPair]
) -> Scorer[ExternalTrace]:
    spec_of(metric).settle(settings)
    about = {
        "by": metric.fingerprint,
        "version": metric.version or "unknown",
        "sees": "+".join((*metric.needs, "hypothesis")),
    }
    signed = signature(PREFIX + metric.name, about)
    ask = _Once(metric, backends.outsider, pairs)
    scored = partial(score, metric=metric, ask=ask, signed=signed)
    return Scorer(compute=lambda pair, _: scored(pair), signature=signed)


class _Once:
    """Asks for all pairs of a run the first time that one is wanted: starting such a metric takes long."""

    def __init__(self, metric: External, outsider: Outsider, pairs: Sequence[TextPair]) -> None:
        self._metric = metric
        self._outsider = outsider
        self._pairs = pairs
        self._said: dict[TextPair, Scored] = {}

    def __call__(self, pair: TextPair) -> Scored:
        if pair not in self._said:
            wanted = self._pairs if not self._said and pair in self._pairs else [pair]
            if not self._metric.file:
                wanted = list(dict.fromkeys(wanted))
            self._said.update(zip(wanted, self._outsider(self._metric, wanted), strict=True))
        return self._said[pair]
