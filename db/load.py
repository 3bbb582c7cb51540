"""From a bundle into the database: everything or nothing."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.orm import Session

from core.errors import InputError
from core.human.plan import DEGRADED
from core.human.protocols import spans_to_json
from db.engine import writing
from db.formats.bundle import Bundle, CheckRow, Key, RatingRow
from db.models import (
    Base,
    Campaign,
    CheckText,
    Item,
    ItemCheck,
    Rater,
    Rating,
    Segment,
    System,
    Translation,
    now,
)
from db.names import check_label, rater_key

IMPORTED = "imported"
"""The rule of a damaged text that came with a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What came into the database. `notes` are sentences about what was guessed or left out."""

    campaign_id: int
    segments: int
    systems: int
    translations: int
    ratings: int
    raters: int
    empty_outputs: int
    notes: tuple[str, ...] = ()


def load_bundle(engine: Engine, bundle: Bundle, campaign_name: str, *, state: str = "open") -> ImportReport:
    """Store the bundle as a new campaign, in one transaction. Raises InputError when the name is taken.

    state: `open` to be rated at once, `draft` to be prepared first.
    """
    with writing(engine) as session:
        if _exists(session, campaign_name):
            raise InputError(f"There is a campaign “{campaign_name}” already; choose another name.")
        return _load(
            session, bundle, campaign_name, seed=_own_seed(bundle, campaign_name), demo=False, state=state
        )


def load_demo(engine: Engine, bundle: Bundle, *, seed: int) -> ImportReport | None:
    """Store the bundle as a demo under its own name, or do nothing (None) when the name is taken."""
    with writing(engine) as session:
        if _exists(session, bundle.name):
            return None
        return _load(session, bundle, bundle.name, seed=seed, demo=True)


def _exists(session: Session, name: str) -> bool:
    return session.scalar(select(Campaign.id).where(Campaign.name == name)) is not None


def _own_seed(bundle: Bundle, name: str) -> int:
    """The bundle's seed, else one that the name fixes: the same file gives the same orders everywhere."""
    return bundle.meta.seed if bundle.meta.seed is not None else zlib.crc32(name.encode()) % 2**31


def _load(
    session: Session, bundle: Bundle, name: str, *, seed: int, demo: bool, state: str = "open"
) -> ImportReport:
    meta = {**asdict(bundle.meta), "seed": seed}
    source_lang, target_lang = bundle.langs
    campaign = Campaign(
        name=check_label(name, "campaign's name"),
        source_lang=source_lang,
        target_lang=target_lang,
        demo=demo,
        state=state,
        **meta,
    )
    session.add(campaign)
    session.flush()
    translations = _add_texts(session, bundle, campaign.id)
    raters, notes = _add_raters(session, bundle.ratings)
    checks = _add_checks(session, bundle.checks, translations)
    _add_ratings(session, bundle.ratings, campaign.id, translations, raters, checks)
    return ImportReport(
        campaign_id=campaign.id,
        segments=len(bundle.segments),
        systems=len(bundle.systems),
        translations=len(bundle.outputs),
        ratings=len(bundle.ratings),
        raters=len(raters),
        empty_outputs=sum(not output.text.strip() for output in bundle.outputs),
        notes=(*bundle.notes, *notes),
    )


def _add_texts(session: Session, bundle: Bundle, campaign_id: int) -> dict[tuple[Key, str], int]:
    """Systems, segments and translations; returns the translations' ids by segment and system."""
    systems = dict(
        zip(
            (system.name for system in bundle.systems),
            _insert(session, System, ({"campaign_id": campaign_id, **asdict(row)} for row in bundle.systems)),
            strict=True,
        )
    )
    segments = dict(
        zip(
            (segment.key for segment in bundle.segments),
            _insert(
                session, Segment, ({"campaign_id": campaign_id, **asdict(row)} for row in bundle.segments)
            ),
            strict=True,
        )
    )
    rows = (
        {"segment_id": segments[row.key], "system_id": systems[row.system], "text": row.text}
        for row in bundle.outputs
    )
    ids = _insert(session, Translation, rows)
    return dict(zip(((row.key, row.system) for row in bundle.outputs), ids, strict=True))


def _add_raters(session: Session, ratings: Iterable[RatingRow]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Raters' ids by key; who is there already is used as is, with a note if that person rates here."""
    names: dict[str, str] = {}
    for rating in ratings:
        names.setdefault(rater_key(rating.rater), rating.rater)
    known = {rater.key: rater for rater in session.scalars(select(Rater)) if rater.key in names}
    new = {key: name for key, name in names.items() if key not in known}
    rows = ({"name": name, "key": key, "imported": True} for key, name in new.items())
    ids = dict(zip(new, _insert(session, Rater, rows), strict=True))
    notes = tuple(
        f"A rater “{rater.name}” rates here already; the imported ratings of that name went to this rater."
        for rater in known.values()
        if not rater.imported
    )
    return {**ids, **{key: rater.id for key, rater in known.items()}}, notes


def _add_checks(
    session: Session, checks: Iterable[CheckRow], translations: dict[tuple[Key, str], int]
) -> dict[int, int]:
    """The damaged texts; returns their ids by the translation that was damaged. Repeats have no text."""
    texts = {translations[row.key, row.system]: row.text for row in checks if row.kind == DEGRADED}
    rows = (
        {"translation_id": translation, "rule": IMPORTED, "text": text} for translation, text in texts.items()
    )
    return dict(zip(texts, _insert(session, CheckText, rows), strict=True))


def _add_ratings(
    session: Session,
    ratings: Iterable[RatingRow],
    campaign_id: int,
    translations: dict[tuple[Key, str], int],
    raters: dict[str, int],
    checks: dict[int, int],
) -> None:
    """One item per rater, translation and kind, in the order of the ratings, which become its revisions."""
    revisions: dict[tuple[int, int, str], list[RatingRow]] = {}
    for rating in ratings:
        rated = raters[rater_key(rating.rater)], translations[rating.key, rating.system], rating.kind
        revisions.setdefault(rated, []).append(rating)
    items: list[dict[str, Any]] = []
    places: Counter[int] = Counter()
    for (rater_id, translation_id, kind), given in revisions.items():
        place = places[rater_id]
        places[rater_id] += 1
        item = {"campaign_id": campaign_id, "rater_id": rater_id, "translation_id": translation_id}
        items.append({**item, "place": place, "kind": kind, "mark": given[-1].mark})
    imported_at = now()
    ids = _insert(session, Item, items)
    _insert(session, Rating, _events(ids, revisions.values(), imported_at))
    damaged = (
        {"item_id": item_id, "check_text_id": checks[translation_id]}
        for item_id, (_, translation_id, kind) in zip(ids, revisions, strict=True)
        if kind == DEGRADED
    )
    rows = list(damaged)
    if rows:
        session.execute(insert(ItemCheck), rows)


def _events(
    ids: Iterable[int], revisions: Iterable[Sequence[RatingRow]], imported_at: datetime
) -> Iterator[dict[str, Any]]:
    for item_id, given in zip(ids, revisions, strict=True):
        for revision, rating in enumerate(given, start=1):
            yield {
                "item_id": item_id,
                "revision": revision,
                "score": rating.score,
                "comment": rating.comment,
                "seconds": rating.seconds,
                "spans": spans_to_json(rating.spans) if rating.spans else None,
                "created_at": rating.rated_at or imported_at,
            }


def _insert(session: Session, table: type[Base], rows: Iterable[dict[str, Any]]) -> list[int]:
    """Insert many rows; returns their ids in the same order."""
    values = list(rows)
    if not values:
        return []
    key = table.__table__.c.id
    return list(session.scalars(insert(table).returning(key, sort_by_parameter_order=True), values))
