"""Whether the quotations of a document keep their speakers' voices: from the voice ledger."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import Wording
from core.metrics.base import Option
from core.metrics.documents.base import DocumentMetric


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceTrace:
    """The quotations of a document that have a first person or a politeness, and those that break a voice.

    Both are places among the quotations of the system's whole text.
    """

    quotations: tuple[int, ...]
    breaks: tuple[int, ...]

    def parts(self) -> dict[str, float]:
        """`voice` in [0, 1], absent without quotations; `quotations` and `breaks`."""
        quotations, breaks = len(self.quotations), len(self.breaks)
        parts = {"quotations": float(quotations), "breaks": float(breaks)}
        return parts | ({"voice": 1 - breaks / quotations} if quotations else {})


USUAL, REFERENCE, BOTH = "usual", "reference", "both"

VOICE = DocumentMetric(
    name="voice",
    summary="quotations keep their speaker's and the reference's first person and politeness",
    paper="our own: the share of quotations without a break of voice",
    headline="voice",
    trace=VoiceTrace,
    analysis="voice",
    languages=("en", "ja"),
    missing=Wording("No quotation of this document has a first person or a politeness."),
    options=(
        Option(
            name="against",
            default=BOTH,
            summary="breaks with the speaker's usual form, with the reference's, or with either",
            choices=(BOTH, USUAL, REFERENCE),
        ),
    ),
)
