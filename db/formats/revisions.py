"""Ratings as a file has them, put in order: what stands there twice counts once, changes are revisions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from db.formats.bundle import OFFICIAL, RatingRow
from db.formats.capabilities import identity
from db.names import rater_key

_NO_TIME = datetime.min.replace(tzinfo=UTC)


def once(ratings: Iterable[RatingRow]) -> tuple[tuple[RatingRow, ...], tuple[str, ...]]:
    """The ratings in their order, each once, and a note if one stood there twice.

    Ratings that agree in everything are the same: names of raters, too, as far as they are one person.
    """
    keys: dict[str, str] = {}
    seen: dict[Hashable, RatingRow] = {}
    count = 0
    for rating in ratings:
        count += 1
        key = keys.get(rating.rater) or keys.setdefault(rating.rater, rater_key(rating.rater))
        seen.setdefault(rating if key == rating.rater else replace(rating, rater=key), rating)
    twice = count - len(seen)
    notes = (f"{twice} ratings that stand in the file twice were counted once.",) if twice else ()
    return tuple(seen.values()), notes


def in_order(ratings: Iterable[RatingRow]) -> tuple[tuple[RatingRow, ...], tuple[str, ...]]:
    """The same, with each judgement's revisions by time.

    Ratings come by time where every one tells it, else as in the file. Of a judgement's revisions with other
    marks the official one comes last, so that it holds.
    """
    kept, notes = once(ratings)
    if all(rating.rated_at is not None for rating in kept):
        kept = tuple(sorted(kept, key=_time))
    judgements: dict[Hashable, list[int]] = {}
    for index, rating in enumerate(kept):
        judgements.setdefault(identity(rating), []).append(index)
    ordered = list(kept)
    for places in judgements.values():
        if len(places) > 1:
            revisions = sorted(
                (kept[place] for place in places), key=lambda one: (one.mark == OFFICIAL, _time(one))
            )
            for place, rating in zip(places, revisions, strict=True):
                ordered[place] = rating
    return tuple(ordered), notes


def unasked(ratings: Sequence[RatingRow]) -> Sequence[RatingRow]:
    """Where no rating of a file marks an error, nobody was asked to: spans are then None, not empty."""
    if any(rating.spans or rating.score is None for rating in ratings):
        return ratings
    return [rating if rating.spans is None else replace(rating, spans=None) for rating in ratings]


def _time(rating: RatingRow) -> datetime:
    return rating.rated_at or _NO_TIME
