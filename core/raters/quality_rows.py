"""A rating with what is known around it, as the checks of raters need it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET

KINDS = (TARGET, REPEAT, REFERENCE, DEGRADED)


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRow:
    """One score, of a target or of a check item.

    item: the translation; a repeat and a degraded item have the name of their original. segment: named alike
    under each system. place: where it stood among the rater's items, counted from anywhere. seconds: None
    where nobody measured. characters: of the translation, 0 where it is not known.
    """

    rater: str
    item: Hashable
    segment: Hashable
    system: str
    document: str
    place: int
    score: float
    kind: str = TARGET
    seconds: float | None = None
    characters: int = 0


def by_rater(rows: Sequence[QualityRow]) -> dict[str, list[QualityRow]]:
    """Each rater's rows in the rater's order; raters by name. Raises InputError for what is no number."""
    found: dict[str, list[QualityRow]] = {name: [] for name in sorted({row.rater for row in rows})}
    for row in rows:
        if not math.isfinite(row.score) or not math.isfinite(row.seconds or 0.0):
            raise InputError(
                f"The score {row.score} or the time of {row.rater} for {row.item} is no number; leave it out."
            )
        if row.kind not in KINDS:
            raise InputError(f"“{row.kind:.40}” is no kind of item; known are {', '.join(KINDS)}.")
        found[row.rater].append(row)
    for own in found.values():
        own.sort(key=lambda row: row.place)
    return found
