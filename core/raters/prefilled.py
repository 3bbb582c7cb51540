"""Errors marked before a rater sees a text: carried to a damaged text, and what the rater changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.raters.protocols import TARGET, MarkedSpan, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanChanges:
    """How many marks a rater kept, changed (place, severity or category), removed and added."""

    kept: int
    changed: int
    removed: int
    added: int


def span_changes(given: Sequence[MarkedSpan], final: Sequence[MarkedSpan]) -> SpanChanges:
    """Compare the marks that were filled in with those that the rater stored. Notes are not compared.

    A mark is kept where place, severity and category are the same. It is changed where a mark at the same
    place, or else one that overlaps it on the same side, differs. Each mark is matched at most once.
    """
    left, right = list(given), list(final)
    counts = []
    for same in (_equal, _same_place, _overlap):
        matched = 0
        for one in tuple(left):
            other = next((found for found in right if same(one, found)), None)
            if other is not None:
                left.remove(one)
                right.remove(other)
                matched += 1
        counts.append(matched)
    return SpanChanges(kept=counts[0], changed=counts[1] + counts[2], removed=len(left), added=len(right))


def carried(spans: Sequence[MarkedSpan], before: str, after: str) -> tuple[MarkedSpan, ...]:
    """The marks of a text in a version that differs in one stretch; those that touch it are left out.

    Marks of the source and omissions without a place stay as they are.
    """
    first = _same_at_start(before, after)
    end = _same_at_start(before[first:][::-1], after[first:][::-1])
    last, shift = len(before) - end, len(after) - len(before)
    found = []
    for one in spans:
        if one.side != TARGET or one.start == one.end or one.end <= first:
            found.append(one)
        elif one.start >= last:
            found.append(replace(one, start=one.start + shift, end=one.end + shift))
    return tuple(found)


def fitting(spans: Sequence[MarkedSpan], protocol: Protocol) -> tuple[MarkedSpan, ...]:
    """The marks as a protocol takes them: a severity that it lacks becomes the gravest that it has.

    With severities of a campaign's own that is the first of the heaviest. A category that the
    protocol does not know is dropped, for the rater to choose.
    """
    own = protocol.errors.severities
    if own:
        gravest = max(own, key=lambda one: one.weight).name
    else:
        gravest = "major" if "major" in protocol.severities else protocol.severities[-1]
    return tuple(
        replace(
            one,
            severity=one.severity if one.severity in protocol.severities else gravest,
            category=one.category if one.category in protocol.categories else "",
        )
        for one in spans
    )


def _same_at_start(one: str, other: str) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


def _equal(one: MarkedSpan, other: MarkedSpan) -> bool:
    return replace(one, note="") == replace(other, note="")


def _same_place(one: MarkedSpan, other: MarkedSpan) -> bool:
    return (one.side, one.start, one.end, one.missing) == (other.side, other.start, other.end, other.missing)


def _overlap(one: MarkedSpan, other: MarkedSpan) -> bool:
    return one.side == other.side and one.start < other.end and other.start < one.end
