"""Several ratings of one rater for one translation in one file.

Equal ratings count once. Others are repeats or revisions. A repeat is a second judgement: an item of the kind
`repeat`, which stays out of means and is compared with the first. A revision replaces what was said before.
Ratings are revisions only where the format says so; the reader's options go before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean

from core.errors import OptionError, Wording
from core.raters.assignment import OFFICIAL, REPEAT, TARGET
from db.formats.bundle import ReadOptions
from db.formats.capabilities import identity
from db.names import rater_key
from db.records import RatingRecord

ITEM, REVISION, MEAN = "item", "revision", "mean"
REPEATS = (ITEM, REVISION, MEAN)
"""What a file's further ratings by the same rater may become."""

_NO_TIME = datetime.min.replace(tzinfo=UTC)


def settle(
    ratings: Iterable[RatingRecord], options: ReadOptions, *, says_revisions: bool
) -> tuple[tuple[RatingRecord, ...], tuple[Wording, ...]]:
    """The ratings once and in order, further ones by the same rater as the options tell; notes say how many.

    says_revisions: whether the format means revisions by them. Even there, ratings with another mark than
    the official ones (`dup`: a document that was shown again) are repeats. A second repeat is a revision of
    the first: a rater has one repeat of a translation. Raises OptionError for an unknown option.
    """
    told = options.repeats
    if told is not None and told not in REPEATS:
        raise OptionError(
            "Further ratings by the same rater cannot become “{told:.40}”; choose one of {repeats}.",
            told=told,
            repeats=", ".join(REPEATS),
        )
    kept, twice = in_order(ratings)
    own = 0 if says_revisions else sum(rating.kind == REPEAT for rating in kept)
    if told == MEAN:
        kept, averaged = _means(kept)
        return kept, (*twice, *_notes(own, _revised(kept)), *_mean_note(averaged))
    apart = told is None and says_revisions
    settled, repeats = (kept, 0) if told == REVISION else _repeated(kept, officials_stay=apart)
    return settled, (*twice, *_notes(own + repeats, _revised(settled)))


def holds_second_ratings(ratings: Sequence[RatingRecord]) -> bool:
    """Whether a rater rated a translation more than once, as a repeat or as a revision."""
    seen = [
        (rating.rater, rating.key, rating.system) for rating in ratings if rating.kind in (TARGET, REPEAT)
    ]
    return len(set(seen)) < len(seen)


def _notes(repeats: int, revised: int) -> tuple[Wording, ...]:
    notes = []
    if repeats:
        notes.append(
            Wording(
                "{count} ratings of what the same rater had rated before are repeats: the first rating "
                "counts.",
                count=repeats,
            )
        )
    if revised:
        notes.append(
            Wording(
                "{count} ratings are followed by a revision of the same rater: the last revision counts.",
                count=revised,
            )
        )
    return tuple(notes)


def _mean_note(averaged: int) -> tuple[Wording, ...]:
    if not averaged:
        return ()
    return (
        Wording("{count} ratings by the same rater of the same translation became means.", count=averaged),
    )


def _judgements(ratings: Sequence[RatingRecord]) -> dict[Hashable, list[int]]:
    """Where the ratings of each judgement stand."""
    found: dict[Hashable, list[int]] = {}
    for index, rating in enumerate(ratings):
        found.setdefault(identity(rating), []).append(index)
    return found


def _revised(ratings: Sequence[RatingRecord]) -> int:
    return len(ratings) - len(_judgements(ratings))


def _repeated(
    ratings: Sequence[RatingRecord], *, officials_stay: bool
) -> tuple[tuple[RatingRecord, ...], int]:
    """The ratings with all but the first of each translation as repeats, and how many that are.

    The first official rating stays where there is one. officials_stay: all official ones do, and where there
    is none or nothing else, all do.
    """
    settled = list(ratings)
    count = 0
    for places in _judgements(ratings).values():
        given = [ratings[place] for place in places]
        if len(given) == 1 or given[0].kind != TARGET:
            continue
        official = [rating for rating in given if rating.mark == OFFICIAL]
        stay = (official or given)[: None if officials_stay else 1]
        again = [replace(rating, kind=REPEAT) for rating in given if rating not in stay]
        count += len(again)
        for place, rating in zip(places, [*stay, *again], strict=True):
            settled[place] = rating
    return tuple(settled), count


def _means(ratings: Sequence[RatingRecord]) -> tuple[tuple[RatingRecord, ...], int]:
    """One rating with the mean score for each judgement, else as its last; and of how many ratings.

    Judgements with a skip, or with marked errors alone, keep their ratings: these have no mean.
    """
    settled: list[RatingRecord] = []
    averaged = 0
    places = _judgements(ratings)
    for index, rating in enumerate(ratings):
        group = places[identity(rating)]
        scores = [score for place in group if (score := ratings[place].score) is not None]
        if len(group) == 1 or len(scores) < len(group):
            settled.append(rating)
        elif index == group[-1]:
            settled.append(replace(rating, score=fmean(scores)))
            averaged += len(group)
    return tuple(settled), averaged


def once(ratings: Iterable[RatingRecord]) -> tuple[tuple[RatingRecord, ...], tuple[Wording, ...]]:
    """The ratings in their order, each once, and a note if one stood there twice.

    Ratings that agree in everything are the same: names of raters, too, as far as they are one person.
    """
    keys: dict[str, str] = {}
    seen: dict[Hashable, RatingRecord] = {}
    count = 0
    for rating in ratings:
        count += 1
        key = keys.get(rating.rater) or keys.setdefault(rating.rater, rater_key(rating.rater))
        seen.setdefault(rating if key == rating.rater else replace(rating, rater=key), rating)
    twice = count - len(seen)
    return tuple(seen.values()), twice_note(twice)


def twice_note(count: int) -> tuple[Wording, ...]:
    """A sentence about ratings that stand in the file twice; none where none does."""
    if not count:
        return ()
    return (Wording("{count} ratings that stand in the file twice were counted once.", count=count),)


def in_order(ratings: Iterable[RatingRecord]) -> tuple[tuple[RatingRecord, ...], tuple[Wording, ...]]:
    """The same, with each judgement's revisions by time.

    Ratings come by time where every one tells it, else as in the file. Of a judgement's revisions with other
    marks the official one comes last, so that it holds.
    """
    kept, notes = once(ratings)
    if all(rating.rated_at is not None for rating in kept):
        kept = tuple(sorted(kept, key=_time))
    ordered = list(kept)
    for places in _judgements(kept).values():
        if len(places) > 1:
            revisions = sorted(
                (kept[place] for place in places), key=lambda one: (one.mark == OFFICIAL, _time(one))
            )
            for place, rating in zip(places, revisions, strict=True):
                ordered[place] = rating
    return tuple(ordered), notes


def _time(rating: RatingRecord) -> datetime:
    return rating.rated_at or _NO_TIME
