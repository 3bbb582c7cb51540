"""The ratings of a bundle into the database: an item for each judgement, its ratings as revisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from core.raters.assignment import DEGRADED
from core.raters.protocols import spans_to_json
from db.formats.bundle import Bundle, ItemRow, Key, RatingRow
from db.models import Base, Item, ItemCheck, Rating, now
from db.names import rater_key

Shown = tuple[int, int, str]
"""What is one item: rater, translation and kind."""


def add_ratings(
    session: Session,
    bundle: Bundle,
    campaign_id: int,
    translations: dict[tuple[Key, str], int],
    raters: dict[str, int],
    checks: dict[int, dict[str, int]],
) -> None:
    """One item per rater, translation and kind, whose ratings in their order become its revisions."""
    names = {row.rater for row in bundle.items} | {row.rater for row in bundle.ratings}
    ids_of = {name: raters[rater_key(name)] for name in names}
    told: dict[Shown, ItemRow] = {
        (ids_of[item.rater], translations[item.key, item.system], item.kind): item for item in bundle.items
    }
    revisions: dict[Shown, list[RatingRow]] = {shown: [] for shown in told}
    for rating in bundle.ratings:
        shown = ids_of[rating.rater], translations[rating.key, rating.system], rating.kind
        revisions.setdefault(shown, []).append(rating)
    items = [
        {
            "campaign_id": campaign_id,
            "rater_id": shown[0],
            "translation_id": shown[1],
            "kind": shown[2],
            "place": place,
            "mark": told[shown].mark if shown in told else revisions[shown][-1].mark,
        }
        for shown, place in _places(revisions, told)
    ]
    ids = insert_rows(session, Item, items)
    insert_rows(session, Rating, _events(ids, revisions.values(), now()))
    rows = [
        {"item_id": item_id, "check_text_id": _by_rule(by_rule, told.get(shown))}
        for item_id, shown in zip(ids, revisions, strict=True)
        if shown[2] == DEGRADED and (by_rule := checks.get(shown[1]))
    ]
    if rows:
        session.execute(insert(ItemCheck), rows)


def _by_rule(texts: dict[str, int], item: ItemRow | None) -> int:
    """The damaged text that an item shows: its rule's, else the first."""
    return texts.get(item.rule if item else "", next(iter(texts.values())))


def _places(revisions: Iterable[Shown], told: dict[Shown, ItemRow]) -> Iterator[tuple[Shown, int]]:
    """Each item with its place: the one that was told, else the rater's next."""
    following: Counter[int] = Counter()
    for (rater_id, _, _), item in told.items():
        following[rater_id] = max(following[rater_id], item.place + 1)
    for shown in revisions:
        if shown in told:
            yield shown, told[shown].place
        else:
            yield shown, following[shown[0]]
            following[shown[0]] += 1


def _events(
    ids: Iterable[int], revisions: Iterable[Sequence[RatingRow]], imported_at: datetime
) -> Iterator[dict[str, Any]]:
    for item_id, given in zip(ids, revisions, strict=True):
        for revision, rating in enumerate(given, start=1):
            yield {
                "item_id": item_id,
                "revision": revision,
                "score": rating.score,
                "skipped_reason": rating.skipped_reason,
                "comment": rating.comment,
                "seconds": rating.seconds,
                "spans": None if rating.spans is None else spans_to_json(rating.spans),
                "created_at": rating.rated_at or imported_at,
            }


def insert_rows(session: Session, table: type[Base], rows: Iterable[dict[str, Any]]) -> list[int]:
    """Insert many rows; returns their ids in the same order."""
    values = list(rows)
    if not values:
        return []
    key = table.__table__.c.id
    return list(session.scalars(insert(table).returning(key, sort_by_parameter_order=True), values))
