"""Practice before the task: what answer is expected of a rater, and whether a given one is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.raters.protocols import CRITICAL, MAJOR, MINOR, NEUTRAL, TARGET, MarkedSpan, Protocol
from core.text.japanese import plain, stored_places

GRAVITY = (NEUTRAL, MINOR, MAJOR, CRITICAL)
"""Severities, the lightest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a right answer says; a part that is None, empty or False is not asked for.

    low, high: the lowest and the highest score that is right, 0 to 100, both or neither. start, end: a
    stretch of the translation, half-open code points of the stored text, in which an error must be marked;
    both or neither. severity: the lightest one that is right for that error; empty for any. clean: no error
    may be marked at all.
    """

    low: float | None = None
    high: float | None = None
    start: int | None = None
    end: int | None = None
    severity: str = ""
    clean: bool = False

    def asks(self, protocol: Protocol) -> bool:
        """Whether anything of it can be checked under this protocol."""
        return (protocol.scored and self.low is not None) or (
            protocol.marks and (self.clean or self.start is not None)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """score, marks: whether this part of an answer is right; None where nothing is expected of it."""

    score: bool | None = None
    marks: bool | None = None

    @property
    def right(self) -> bool:
        """Whether the whole answer is right."""
        return self.score is not False and self.marks is not False


def judge(
    expected: Expected, protocol: Protocol, *, score: float | None, spans: Sequence[MarkedSpan]
) -> Verdict:
    """An answer against what is expected, as far as the protocol asks for it."""
    scored = marked = None
    if protocol.scored and expected.low is not None and expected.high is not None:
        scored = score is not None and expected.low <= score <= expected.high
    if protocol.marks and expected.clean:
        marked = not spans
    elif protocol.marks and expected.start is not None:
        marked = any(_hits(expected, span) for span in spans)
    return Verdict(score=scored, marks=marked)


def _hits(expected: Expected, span: MarkedSpan) -> bool:
    """Whether an error shares at least one character with the stretch, and is grave enough."""
    inside = span.side == TARGET and span.start < (expected.end or 0) and span.end > (expected.start or 0)
    grave = not expected.severity or GRAVITY.index(span.severity) >= GRAVITY.index(expected.severity)
    return inside and grave


def find_piece(text: str, piece: str) -> tuple[int, int]:
    """Where a piece stands in a text, read without ruby: half-open code points of the text as it is stored.

    Raises InputError where it does not stand there, or more than once.
    """
    shown, wanted = plain(text), plain(piece).strip()
    at = shown.find(wanted) if wanted else -1
    if at < 0:
        raise InputError("“{piece:.80}” does not stand in the translation; copy it from there.", piece=piece)
    if shown.find(wanted, at + 1) >= 0:
        raise InputError(
            "“{piece:.80}” stands in the translation more than once; take a longer piece.", piece=piece
        )
    ((start, end),) = stored_places(text, [(at, at + len(wanted))])
    return start, end


def check_expected(expected: Expected, *, length: int) -> None:
    """Raise InputError, in one sentence, for an expectation that nobody can meet, or that says nothing.

    length: code points of the translation.
    """
    low, high, start, end = expected.low, expected.high, expected.start, expected.end
    if (low is None) != (high is None) or (
        low is not None and high is not None and not 0 <= low <= high <= 100
    ):
        raise InputError("The accepted scores go from a lower to a higher number, both from 0 to 100.")
    if (start is None) != (end is None) or (
        start is not None and end is not None and not 0 <= start < end <= length
    ):
        raise InputError(
            "The piece with the expected error does not lie in the translation; copy it from there."
        )
    if expected.clean and start is not None:
        raise InputError("Either an error is expected, or none; choose one of the two.")
    if expected.severity and expected.severity not in GRAVITY:
        raise InputError("“{severity:.20}” is not a severity.", severity=expected.severity)
    if low is None and start is None and not expected.clean:
        raise InputError("Say which answer is right: a range of scores, or an error to be marked.")
