"""What a metric of whole documents says about itself: a score a document and system, computed from a trace.

Such a trace is made of an analysis of the whole text (`core.novel.documents`), not of single pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.errors import InputError, Wording
from core.metrics.base import Option, Settings, settled
from core.papers import Paper
from core.signature import signature
from core.types import Trace

T = TypeVar("T", bound=Trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentResult:
    """What a metric says of a document in a system's translation.

    score: within the metric's range, or None with the reason in `missing`. parts: every number of the
    trace, by name. trace: what the score was computed from. signature: what made it, one line.
    """

    metric: str
    document: str
    system: str
    score: float | None
    parts: Mapping[str, float]
    trace: Trace
    signature: str
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMetric(Generic[T]):
    """A metric of documents, as `core.metrics.base.Metric` is one of pairs; the fields mean the same.

    analysis: what its traces are made of: `cast`, `voice` or `discourse`. languages: of the translations.
    missing: why a document can be without a score.
    """

    name: str
    summary: str
    paper: str
    headline: str
    trace: type[T]
    analysis: str
    languages: tuple[str, ...]
    missing: Wording
    low: float = 0.0
    high: float | None = 1.0
    options: tuple[Option, ...] = ()
    needs: tuple[str, ...] = ("parser", "reader")
    higher_is_better: bool = True
    digits: int = 3
    source: Paper | None = None

    def settle(self, settings: Settings) -> dict[str, str]:
        """Every option with its value, defaults filled in; OptionError for what is not known."""
        return settled(self.name, self.options, settings)

    def signature(self, settings: Settings, made_by: Mapping[str, str]) -> str:
        """`name|option:value|…|yk:VERSION`. made_by: signatures of the models that read the texts."""
        return signature(self.name, {**self.settle(settings), **made_by})

    def check_language(self, lang: str) -> None:
        """Raise InputError for a language that the metric cannot score."""
        if lang not in self.languages:
            raise InputError(
                "{metric} scores texts in {languages}, not in “{lang:.20}”; name the language.",
                metric=self.name,
                languages=", ".join(self.languages),
                lang=lang,
            )

    def result(self, document: str, system: str, trace: T, signed: str = "") -> DocumentResult:
        """The result that a trace gives. signed: its signature."""
        parts = trace.parts()
        score = parts.get(self.headline)
        return DocumentResult(
            metric=self.name,
            document=document,
            system=system,
            score=score,
            parts=parts,
            trace=trace,
            signature=signed,
            missing=self.missing if score is None else None,
        )
