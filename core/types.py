"""The contract between backends, metrics, charts and the database: small frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """A reference and a hypothesis (a system's translation) of one segment, with its source if known.

    `lang` is the language of reference and hypothesis as an ISO 639-1 code (`ja`, `en`, …).
    """

    reference: str
    hypothesis: str
    source: str | None = None
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text. `start` and `end` are half-open code-point offsets into the stored text.

    Special tokens (`<s>`, `[CLS]`, …) are marked and cover nothing: start equals end.
    """

    text: str
    start: int
    end: int
    special: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points in a stored text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """One text as the encoder saw it.

    tokens: n tokens, special ones included and marked. ids: (n,) int64, the tokenizer's numbers.
    vectors: (n, d) float32, as the layer gave them (not normalised).
    lost: code points at the end that were cut off under `long=truncate`, else 0.
    flags: `windowed` or `truncated` where the text was longer than the encoder reads.
    special: (n,) which tokens are special. lengths: (n,) float32, the Euclidean length of each vector.
    """

    tokens: tuple[Token, ...]
    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    lost: int = 0
    flags: tuple[str, ...] = ()
    special: NDArray[np.bool_] = field(init=False)
    lengths: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "special", np.array([token.special for token in self.tokens], bool))
        object.__setattr__(self, "lengths", np.sqrt(np.einsum("ij,ij->i", self.vectors, self.vectors)))

    @property
    def nbytes(self) -> int:
        """Roughly what this value costs in memory."""
        return int(self.vectors.nbytes + self.ids.nbytes + 200 * len(self.tokens) + 200)


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
