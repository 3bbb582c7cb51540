"""Whether the names and terms of a document keep one rendering: from the cast list, by entropy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import Wording
from core.metrics.base import Option
from core.metrics.documents.base import DocumentMetric


def consistency_of(sizes: Sequence[int]) -> float | None:
    """1 - H / ln(n) of n renderings, with H the entropy over groups of these sizes; None without any."""
    total = sum(sizes)
    if not total:
        return None
    entropy = -sum(size / total * math.log(size / total) for size in sizes)
    return 1 - entropy / math.log(total) if total > 1 else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSizes:
    """How often each rendering of a name stands in the document; forms that are the same name are one."""

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyTrace:
    """The names that a system renders in a document."""

    names: tuple[NameSizes, ...]

    def parts(self) -> dict[str, float]:
        """`consistency` in [0, 1], absent where no name is rendered twice; `names` and `renderings`."""
        often = [(sum(one.sizes), consistency_of(one.sizes)) for one in self.names]
        counted = [(size, value) for size, value in often if size > 1 and value is not None]
        parts = {"names": float(len(self.names)), "renderings": float(sum(size for size, _ in often))}
        total = sum(size for size, _ in counted)
        return parts | (
            {"consistency": math.fsum(size * value for size, value in counted) / total} if total else {}
        )


NAMES, TERMS, BOTH = "names", "terms", "both"

CONSISTENCY = DocumentMetric(
    name="consistency",
    summary="names and terms keep one rendering throughout a document",
    paper="our own: entropy over the renderings of a name",
    headline="consistency",
    trace=ConsistencyTrace,
    analysis="cast",
    languages=("en", "ja"),
    missing=Wording("No name is rendered twice in this document."),
    options=(
        Option(
            name="of",
            default=BOTH,
            summary="what is looked at; terms are those of a glossary",
            choices=(BOTH, NAMES, TERMS),
        ),
    ),
)
