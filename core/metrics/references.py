"""Several references of one segment: a metric that compares with one of them is asked about each.

The score is the best or the mean over the references; BLEU and chrF join references as sacreBLEU does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import Listed, OptionError
from core.types import Result, TextPair, Trace, traces_within

if TYPE_CHECKING:
    from core.metrics.base import Scorer

T = TypeVar("T", bound=Trace)

OPTION = "references"
"""The option of every metric that compares with one reference at a time."""

RULES = ("max", "mean")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencesTrace:
    """The traces of one translation against each reference that gave a score, in their order.

    headline: the part that is the score. rule: `max`, the parts of the best reference, or `mean`, each part
    averaged. lower: a lower score is better.
    """

    traces: tuple[Trace, ...] = field(metadata=traces_within())
    headline: str
    rule: str
    lower: bool = False

    @property
    def best(self) -> int:
        """The place of the best trace; the first one of equals."""
        sign = -1.0 if self.lower else 1.0
        scores = [sign * trace.parts()[self.headline] for trace in self.traces]
        return scores.index(max(scores))

    def parts(self) -> dict[str, float]:
        """The parts of the best trace, or the mean of each part over the traces that have it."""
        parts = [trace.parts() for trace in self.traces]
        if self.rule == "max":
            return parts[self.best]
        found: dict[str, list[float]] = {}
        for one in parts:
            for name, value in one.items():
                found.setdefault(name, []).append(value)
        return {name: sum(values) / len(values) for name, values in found.items()}


def shown_trace(trace: Any) -> Any:  # noqa: ANN401 - a trace of any metric
    """The trace that a picture shows: of several references that of the best one."""
    return trace.traces[trace.best] if isinstance(trace, ReferencesTrace) else trace


def several(pairs: Sequence[TextPair]) -> dict[str, int]:
    """What the signature says of several references: the largest number of a segment; nothing for one."""
    count = reference_count(pairs)
    return {"refs": count} if count > 1 else {}


def reference_count(pairs: Sequence[TextPair]) -> int:
    """The largest number of references of a segment."""
    known = getattr(pairs, "reference_count", None)
    return known if isinstance(known, int) else max((len(one.references) for one in pairs), default=1)


def rule_of(metric: str, settings: Mapping[str, str]) -> str:
    """The rule that a metric's settings name. Raises OptionError for another than `RULES`."""
    rule = settings.get(OPTION, RULES[0])
    if rule not in RULES:
        raise OptionError(
            "{name}.{option}={value} is not possible; choose {choices}",
            name=metric,
            option=OPTION,
            value=rule,
            choices=Listed(RULES),
        )
    return rule


def apart(pair: TextPair) -> list[TextPair]:
    """The pair with each of its references alone."""
    return [replace(pair, reference=one, more_references=()) for one in pair.references]


def over_references(
    scorer: Scorer[Any], *, headline: str, rule: str, lower: bool, count: int
) -> Scorer[ReferencesTrace]:
    """The scorer of several references made from that of one. count: the largest number of a segment."""
    name, _, rest = scorer.signature.partition("|")
    signature = f"{name}|refs:{count}:{rule}|{rest}"

    def compute(pair: TextPair, fetched: Any) -> Result[Any]:  # noqa: ANN401 - Fetched, which imports this
        results = [scorer.compute(one, fetched) for one in apart(pair)]
        traces = [one.trace for one in results if one.trace is not None and one.score is not None]
        if not traces:
            return replace(results[0], signature=signature)
        trace = ReferencesTrace(traces=tuple(traces), headline=headline, rule=rule, lower=lower)
        flags = tuple(dict.fromkeys(flag for one in results for flag in one.flags))
        parts = trace.parts()
        return Result(
            metric=results[0].metric,
            score=parts[headline],
            parts=parts,
            signature=signature,
            flags=flags,
            trace=trace,
        )

    def announce(pairs: Sequence[TextPair], fetched: Any) -> None:  # noqa: ANN401 - as above
        if scorer.announce is not None:
            scorer.announce([one for pair in pairs for one in apart(pair)], fetched)

    return replace(scorer, compute=compute, signature=signature, announce=announce)
