"""Metric metadata, options, and the scorer that a metric becomes once its options are settled."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, attribute_whole
from core.backends import Backends, Judge
from core.errors import Listed, OptionError, Wording
from core.metrics.fetched import NOTHING, EncoderRequest, Fetched, ParserRequest
from core.metrics.references import OPTION, apart, over_references, reference_count, rule_of
from core.papers import Paper
from core.text.japanese import plain
from core.types import Call, Result, TextPair, Trace

T = TypeVar("T", bound=Trace)
Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting of a metric. With `choices` nothing else is taken; without, any text is.

    also: what further values begin with, such as `external:`.
    """

    name: str
    default: str
    summary: str
    choices: tuple[str, ...] = ()
    also: str = ""

    @property
    def offer(self) -> tuple[str, ...]:
        """The choices as a reader is told them."""
        return (*self.choices, f"{self.also}NAME") if self.also else self.choices

    def takes(self, value: str) -> bool:
        """Whether this is one of its values."""
        further = bool(self.also) and value.startswith(self.also)
        return not self.choices or value in self.choices or further


def settled(metric: str, options: Sequence[Option], settings: Settings) -> dict[str, str]:
    """Every option of a metric with its value, defaults filled in; OptionError for what is not known."""
    known = {option.name: option for option in options}
    for name, value in settings.items():
        if name not in known:
            offer = ", ".join(known) or Wording("none")
            raise OptionError(
                "{name} has no option {option} (it has: {offer})", option=name, name=metric, offer=offer
            )
        if not known[name].takes(value):
            raise OptionError(
                "{name}.{option}={value} is not possible; choose {choices}",
                option=name,
                name=metric,
                value=value,
                choices=Listed(known[name].offer),
            )
    return {name: settings.get(name, option.default) for name, option in known.items()}


def nothing_follows(pair: TextPair, calls: Sequence[Call]) -> Sequence[Call]:
    """For a metric whose calls are all known before any of them is made."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """The calls of a language model that a scorer needs: a run states their cost before it sends them.

    score: the metric's own `score`, given the judge as well. later: stand-ins for the calls that may follow
    from the replies to these, an upper bound of their number and length.
    """

    judge: Judge
    score: Callable[[TextPair, Judge], object]
    later: Callable[[TextPair, Sequence[Call]], Sequence[Call]] = nothing_follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer(Generic[T]):
    """A metric with its options settled.

    compute: scores one pair from its texts and from what was fetched. encodes, parses, asks: what to fetch.
    announce: is told all pairs of a list before the first is scored; None where that saves nothing.
    """

    compute: Callable[[TextPair, Fetched], Result[T]]
    signature: str
    encodes: EncoderRequest | None = None
    parses: ParserRequest | None = None
    asks: JudgeRequest | None = None
    announce: Callable[[Sequence[TextPair], Fetched], None] | None = None

    def score(self, pair: TextPair) -> Result[T]:
        """Score one pair."""
        return self.compute(pair, NOTHING)

    def score_many(self, pairs: Iterable[TextPair], fetched: Fetched = NOTHING) -> Iterator[Result[T]]:
        """Score pairs in order, each when it is asked for, from the vectors and parses handed over."""
        if self.announce is not None:
            pairs = list(pairs)
            self.announce(pairs, fetched)
        return (self.compute(pair, fetched) for pair in pairs)


class Pool(Protocol):
    """One score for many segments: results are added one by one; `score` is None while there is none."""

    def add(self, result: Result[Any]) -> None:
        """Add a result; one without a score adds nothing."""
        ...

    @property
    def score(self) -> float | None:
        """The score of all results added so far."""
        ...

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts of that score by name; empty while there is none."""
        ...


class MeanPool:
    """The mean over segments; a part is averaged over the segments that have it."""

    def __init__(self) -> None:
        self._scores: list[float] = []
        self._parts: dict[str, tuple[float, int]] = {}

    def add(self, result: Result[Any]) -> None:
        """Add a result; one without a score adds nothing."""
        if result.score is not None:
            self._scores.append(result.score)
            for name, value in result.parts.items():
                total, count = self._parts.get(name, (0.0, 0))
                self._parts[name] = (total + value, count + 1)

    @property
    def score(self) -> float | None:
        """The mean of the scores."""
        return math.fsum(self._scores) / len(self._scores) if self._scores else None

    @property
    def parts(self) -> dict[str, float]:
        """The mean of each part."""
        return {name: total / count for name, (total, count) in self._parts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Generic[T]):
    """A metric: its name, range, options and needs. The command line, the pages and the codec read them here.

    headline: the part that is the score. low, high: its range, None without an end. needs: `encoder`,
    `source`, `parser`, … build: settles options against the whole list of pairs (idf may need it) and makes
    the scorer; raises OptionError. joins_references: whether it takes all references of a pair itself; a
    metric that does not is asked about each (`core.metrics.references`).
    digits: decimals shown. pool: makes one score of many segments. attribute: two traces to the
    contributions that add up to the difference of their scores. evidence: a trace and the translation to
    (characters,) float64, higher where the metric finds more wrong (`core.metrics.places`), or None where
    this trace does not tell; the function itself is None for a metric that says nothing of single places.
    offered: selected by default where a form offers several metrics. paper: what it is and whose, in a few
    words. source: the paper of the five that it comes from.
    """

    name: str
    summary: str
    paper: str
    headline: str
    low: float
    high: float | None
    trace: type[T]
    build: Callable[[Settings, Backends, Sequence[TextPair]], Scorer[T]]
    options: tuple[Option, ...] = ()
    needs: tuple[str, ...] = ()
    higher_is_better: bool = True
    digits: int = 3
    pool: Callable[[], Pool] = MeanPool
    attribute: Callable[[T, T], Sequence[Contribution]] = attribute_whole
    evidence: Callable[[T, str], NDArray[np.float64] | None] | None = None
    offered: bool = True
    joins_references: bool = False
    source: Paper | None = None

    @property
    def counted(self) -> bool:
        """Whether the score of many segments comes from counts in the traces, not from a mean."""
        return self.pool is not MeanPool

    @property
    def costs(self) -> bool:
        """Whether scoring asks a language model, which may cost money."""
        return "judge" in self.needs

    @property
    def fast(self) -> bool:
        """Whether scoring needs neither a parser nor a language model."""
        return not {"judge", "parser"} & set(self.needs)

    def prepare(self, settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[Any]:
        """The scorer of these options.

        pairs: those that will be scored, or others of the same texts: weights, languages and the number of
        references are taken from them. Raises OptionError for an unknown option or value.
        """
        if self.joins_references:
            return self.build(settings, backends, pairs)
        rule, count = rule_of(self.name, settings), reference_count(pairs)
        own = {name: value for name, value in settings.items() if name != OPTION}
        if count == 1:
            return self.build(own, backends, pairs)
        scorer = self.build(own, backends, [one for pair in pairs for one in apart(pair)])
        return over_references(
            scorer, headline=self.headline, rule=rule, lower=not self.higher_is_better, count=count
        )

    def settle(self, settings: Settings) -> dict[str, str]:
        """Every option with its value, defaults filled in; OptionError for what is not known."""
        if OPTION in settings and not self.joins_references:
            rule_of(self.name, settings)
            settings = {name: value for name, value in settings.items() if name != OPTION}
        return settled(self.name, self.options, settings)


_FORMS = (("～", "〜"), ("－", "−"), ("∥", "‖"), ("￠", "¢"), ("￡", "£"), ("￢", "¬"))
"""Characters that the Japanese encodings of Windows and of others write for the same mark."""


def _forms_differ(one: str, other: str) -> bool:
    """Whether two texts write the same mark, or the same accented letter, in two forms."""
    for first, second in _FORMS:
        if (first in one and second in other) or (second in one and first in other):
            return True
    composed = [unicodedata.is_normalized("NFC", text) for text in (one, other)]
    return composed[0] != composed[1]


def text_flags(pair: TextPair) -> tuple[str, ...]:
    """Flags that depend on the texts alone."""
    hypothesis = pair.hypothesis.strip()
    copied = pair.source is not None and hypothesis and hypothesis == pair.source.strip()
    states = {
        "empty-reference": not pair.reference.strip(),
        "empty-hypothesis": not hypothesis,
        "copied-source": bool(copied),
        "mixed-forms": _forms_differ(pair.reference, pair.hypothesis),
        "ruby": any(plain(text) != text for text in (pair.reference, pair.hypothesis)),
    }
    return tuple(flag for flag, present in states.items() if present)
