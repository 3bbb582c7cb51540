"""What a metric says of itself, and how it is made ready for a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.backends import Backends, Encoder, Judge, Parser
from core.errors import OptionError
from core.types import Call, Result, TextPair, Trace

T = TypeVar("T", bound=Trace)
Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting of a metric. With `choices` nothing else is taken; without, any text is."""

    name: str
    default: str
    summary: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderRequest:
    """What the encoder will be asked for, so that a run can have it read many texts at once."""

    encoder: Encoder
    layer: int
    long: str = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserRequest:
    """What the parser will be asked for, likewise."""

    parser: Parser
    constituents: bool


def nothing_follows(pair: TextPair, calls: Sequence[Call]) -> Sequence[Call]:
    """For a metric whose calls are all known before any of them is made."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """What a language model will be asked, so that a run can say the cost first and ask for many at once.

    score: the metric's own `score`, given the judge as well. later: stand-ins for the calls that may follow
    from the replies to these, at most so many and so long.
    """

    judge: Judge
    score: Callable[[TextPair, Judge], object]
    later: Callable[[TextPair, Sequence[Call]], Sequence[Call]] = nothing_follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer(Generic[T]):
    """A metric with its options settled: `score` takes a pair and nothing else."""

    score: Callable[[TextPair], Result[T]]
    signature: str
    reading: EncoderRequest | None = None
    parsing: ParserRequest | None = None
    asking: JudgeRequest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Generic[T]):
    """A metric as the command line, the pages and the documentation know it.

    headline: the part that is the score. low, high: its range. needs: `encoder`, `source`, `parser`, …
    prepare: settles options against the whole list of pairs (idf may need it); raises OptionError.
    """

    name: str
    summary: str
    paper: str
    headline: str
    low: float
    high: float
    trace: type[T]
    prepare: Callable[[Settings, Backends, Sequence[TextPair]], Scorer[T]]
    options: tuple[Option, ...] = ()
    needs: tuple[str, ...] = ()
    higher_is_better: bool = True

    def settle(self, settings: Settings) -> dict[str, str]:
        """Every option with its value, defaults filled in; OptionError for what is not known."""
        known = {option.name: option for option in self.options}
        for name, value in settings.items():
            if name not in known:
                offer = ", ".join(known) or "none"
                raise OptionError(f"{self.name} has no option {name} (it has: {offer})", option=name)
            choices = known[name].choices
            if choices and value not in choices:
                raise OptionError(
                    f"{self.name}.{name}={value} is not possible; choose {' or '.join(choices)}", option=name
                )
        return {name: settings.get(name, option.default) for name, option in known.items()}


def text_flags(pair: TextPair) -> tuple[str, ...]:
    """Flags that depend on the texts alone."""
    hypothesis = pair.hypothesis.strip()
    copied = pair.source is not None and hypothesis and hypothesis == pair.source.strip()
    states = {
        "empty-reference": not pair.reference.strip(),
        "empty-hypothesis": not hypothesis,
        "copied-source": bool(copied),
    }
    return tuple(flag for flag, present in states.items() if present)
