"""The values that backends, metrics, charts and the database exchange: small and frozen.

Texts and scores; parses with words, dependencies and constituents; calls of language models and their
replies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

LETTERS_A_TOKEN = 3
"""How many letters of a Latin text make a token, roughly: for estimates before anything is asked."""

OK, UNPARSED, REFUSED, CUT, EMPTY, FAILED, SPENT = (
    "ok",
    "unparsed",
    "refused",
    "cut",
    "empty",
    "failed",
    "spent",
)
"""States of a reply: only `ok` may become a number. `spent`: the run's cap was reached, nothing was asked."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. role: `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is asked of a judge. Two with the same content are one call.

    schema: the JSON schema that the reply should follow, None for plain text. max_tokens: of the reply.
    sample: which of several independent replies to the same messages (0 the first): repeated sampling.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    sample: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back.

    text: the raw reply, empty where there is none. parsed: the JSON object that it holds, None where no
    schema was given or none could be read. state: one of the words above. problem: why it is not `ok`, one
    sentence. prompt_tokens, completion_tokens: as the server counts them. cached: nothing was asked now.
    """

    text: str
    state: str
    parsed: Any = None
    problem: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A reply as a trace keeps it. step: what was asked for, such as `questions` or `mqm`."""

    step: str
    text: str
    state: str
    problem: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


def said(step: str, reply: Reply) -> Said:
    """A reply as a trace keeps it."""
    return Said(
        step=step,
        text=reply.text,
        state=reply.state,
        problem=reply.problem,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cached=reply.cached,
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a score still has to ask.

    now: calls that can be made at once. later: stand-ins for calls that depend on a reply, at most so many
    and so long; they are for an estimate and are never made.
    """

    now: tuple[Call, ...] = ()
    later: tuple[Call, ...] = ()


class CallStore(Protocol):
    """Where calls are kept for good, so that a re-run costs nothing and can be replayed offline."""

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """The kept replies among these keys."""
        ...

    def keep(self, key: str, model: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Keep a reply; safe from several threads."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """What a run would cost at most, before anything is spent.

    calls: how many in all; new: those without a stored reply. prompt_tokens: of the new ones, counted
    rather too high (`judge.client.prompt_tokens`); completion_tokens: the most they may give.
    """

    calls: int
    new: int
    prompt_tokens: int
    completion_tokens: int


ROOT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedWord:
    """A word of a text; `start` and `end` are half-open code-point offsets into the stored text.

    tag: the fine part of speech (Penn Treebank for English), pos: the universal one. head: the place among
    the words of the one it depends on, its own at the root of a sentence. relation: the dependency's label.
    """

    text: str
    start: int
    end: int
    lemma: str
    tag: str
    pos: str
    head: int
    relation: str


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase over the words `start` to `end` (half-open places among the words).

    parent: place among the constituents, ROOT (-1) at the top of a sentence; parents come before children.
    Words by themselves are no constituents; a unary chain is several constituents over the same words.
    """

    label: str
    start: int
    end: int
    parent: int = ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Parse:
    """One text as a parser saw it; blanks are no words.

    sentences: the place of each sentence's first word. constituents: empty when none were asked for.
    origin: who made the constituents (`built-in`, `benepar_en3`, `dependency`), empty without any.
    flags: `cut-parse` where a sentence was too long and was parsed in pieces. problem: why there is no parse
    (then there are no words), one sentence; None otherwise.
    """

    words: tuple[ParsedWord, ...]
    sentences: tuple[int, ...] = ()
    constituents: tuple[Constituent, ...] = ()
    origin: str = ""
    flags: tuple[str, ...] = ()
    problem: str | None = None


Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """A reference and a hypothesis (a system's translation) of one segment, with its source if known.

    `lang` is the language of reference and hypothesis as an ISO 639-1 code (`ja`, `en`, …).
    more_references: further references of the segment, none of them empty.
    """

    reference: str
    hypothesis: str
    source: str | None = None
    lang: str = "en"
    more_references: tuple[str, ...] = ()

    @property
    def references(self) -> tuple[str, ...]:
        """All references, the first one first."""
        return (self.reference, *self.more_references)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text. `start` and `end` are half-open code-point offsets into the stored text.

    Special tokens (`<s>`, `[CLS]`, …) are marked and cover nothing: start equals end. unknown: whether the
    encoder does not know its characters, so that its vector says nothing of them.
    """

    text: str
    start: int
    end: int
    special: bool = False
    unknown: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """One text as the encoder saw it.

    tokens: n tokens, special ones included and marked. ids: (n,) int64, the tokenizer's numbers.
    vectors: (n, d) float32, as the layer gave them (not normalised).
    lost: code points at the end that were cut off under `long=truncate`, else 0.
    flags: `windowed` or `truncated` where the text was longer than the encoder reads, `unknown-token` where
    it holds characters that the encoder does not know. unknown: the places of such tokens, with these.
    special: (n,) which tokens are special. lengths: (n,) float32, the Euclidean length of each vector.
    """

    tokens: tuple[Token, ...]
    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    lost: int = 0
    flags: tuple[str, ...] = ()
    unknown: Mapping[int, str] = field(default_factory=dict)
    special: NDArray[np.bool_] = field(init=False)
    lengths: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "special", np.array([token.special for token in self.tokens], bool))
        object.__setattr__(self, "lengths", np.sqrt(np.einsum("ij,ij->i", self.vectors, self.vectors)))

    @property
    def nbytes(self) -> int:
        """Roughly what this value costs in memory."""
        return int(self.vectors.nbytes + self.ids.nbytes + 200 * len(self.tokens) + 200)


DECIMALS, WITHOUT = "decimals", "without"


def shown(*, decimals: int) -> dict[str, int]:
    """Metadata of a trace's field from which no score is computed: decimals that a packed trace keeps."""
    return {DECIMALS: decimals}


NAMED = "named"


def traces_within() -> dict[str, bool]:
    """Metadata of a trace's field that holds traces of any metric: their classes are stored with them."""
    return {NAMED: True}


def packed_without(*names: str) -> dict[str, tuple[str, ...]]:
    """Metadata of a trace's field: fields of its value that a packed trace replaces by None."""
    return {WITHOUT: names}


class Trace(Protocol):
    """The evidence of one score. `parts()` computes every number from the evidence and nothing else."""

    def parts(self) -> dict[str, float]:
        """Named numbers; the metric's `score` is one of them."""
        ...


T = TypeVar("T", bound=Trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Generic[T]):
    """What a metric says of one pair.

    score: the headline number, or None when it could not be computed (then `missing` says why; it is
    never 0 or NaN for that). parts: every number of the trace, by name. signature: what made it, one line.
    flags: short fixed words (`empty-hypothesis`, `truncated`, `windowed`, `idf-all-zero`, …).
    """

    metric: str
    score: float | None
    signature: str
    parts: Mapping[str, float] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    trace: T | None = None
    missing: str | None = None
