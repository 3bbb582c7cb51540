"""What the reading screen tells: highlights, places, times and the end, each with a number of the browser's.

A message holds everything that the browser does not know to be stored yet, oldest first; the same thing may
come several times and is stored once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import RatingError
from core.raters.protocols import NOTE_LIMIT
from core.raters.reading.choices import KINDS

MOST_AT_ONCE = 2000
MOST_SECONDS = 24 * 3600.0
_MARK = re.compile(r"[A-Za-z0-9-]{1,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkMade:
    """A stretch was highlighted, in half-open code points of the stored text."""

    mark: str
    segment: int
    start: int
    end: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRemoved:
    """The highlight with the number `removed` was taken away."""

    mark: str
    removed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReached:
    """The first character of the page that is on the screen now."""

    mark: str
    segment: int
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A time on a page, in seconds; from start in segment to end in last."""

    mark: str
    segment: int
    start: int
    last: int
    end: int
    active: float
    away: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EndReached:
    """The reader says that they have read the version."""

    mark: str


Told = MarkMade | MarkRemoved | PlaceReached | PageRead | EndReached


def coded(segment: int, side: int) -> int:
    """The number by which the browser knows a segment of one of two versions; side: 0 left, 1 right."""
    return 2 * segment + side


@dataclass(frozen=True, slots=True, kw_only=True)
class Sided:
    """What the screen of a chunk tells. side: 0 left, 1 right, None for both. places: the segments named."""

    side: int | None
    told: Told
    places: tuple[int, ...] = ()


def sided(told: Sequence[Told]) -> list[Sided]:
    """Told things with `coded` segments, each with its side. Raises RatingError for one on both sides."""
    found = []
    for one in told:
        if isinstance(one, MarkMade | PlaceReached):
            side, segment = one.segment % 2, one.segment // 2
            found.append(Sided(side=side, told=replace(one, segment=segment), places=(segment,)))
        elif isinstance(one, PageRead):
            if one.segment % 2 != one.last % 2:
                raise _unknown()
            first, last = one.segment // 2, one.last // 2
            visit = replace(one, segment=first, last=last)
            found.append(Sided(side=one.segment % 2, told=visit, places=(first, last)))
        else:
            found.append(Sided(side=None, told=one))
    return found


def read_told(events: object) -> list[Told]:
    """The events of a message. The browser is never trusted: RatingError for anything of another form."""
    if not isinstance(events, list) or len(events) > MOST_AT_ONCE:
        raise _unknown()
    return [_one(event) for event in events]


def _one(event: object) -> Told:
    if not isinstance(event, Mapping):
        raise _unknown()
    mark, what = _mark(event.get("id")), event.get("what")
    if what == "mark":
        start, end = _count(event.get("start")), _count(event.get("end"))
        reason = event.get("reason")
        if event.get("kind") not in KINDS or end <= start or not isinstance(reason, str):
            raise _unknown()
        if len(reason) > NOTE_LIMIT:
            raise RatingError(
                "A note has {n} characters and {limit} are allowed.", n=len(reason), limit=NOTE_LIMIT
            )
        segment, kind = _count(event.get("segment")), str(event["kind"])
        return MarkMade(mark=mark, segment=segment, start=start, end=end, kind=kind, reason=reason.strip())
    if what == "unmark":
        return MarkRemoved(mark=mark, removed=_mark(event.get("mark")))
    if what == "place":
        return PlaceReached(mark=mark, segment=_count(event.get("segment")), start=_count(event.get("start")))
    if what == "visit":
        places = {name: _count(event.get(name)) for name in ("segment", "start", "last", "end")}
        return PageRead(
            mark=mark, active=_seconds(event.get("active")), away=_seconds(event.get("away")), **places
        )
    if what == "finish":
        return EndReached(mark=mark)
    raise _unknown()


def _mark(value: object) -> str:
    if not isinstance(value, str) or not _MARK.fullmatch(value):
        raise _unknown()
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise _unknown()
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise _unknown()
    return min(max(float(value), 0.0), MOST_SECONDS)


def _unknown() -> RatingError:
    return RatingError("What the page told is not of a form that is known; reload the page.")
