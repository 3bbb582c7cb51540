"""Bundles into the database, all or nothing; a preview of what an import would store.

Each judgement becomes an item, its ratings become revisions.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.orm import Session

from core.errors import InputError, Wording
from core.raters.assignment import DEGRADED
from core.raters.protocols import spans_to_json
from db.campaigns.codings import add_codings
from db.campaigns.glossary import add_glossary
from db.campaigns.readings import add_readings
from db.engine import write_session
from db.formats.bundle import IMPORTED, Bundle, CheckRow, ItemRow, Key
from db.models import (
    Adjudication,
    Base,
    Campaign,
    CheckText,
    DocumentRating,
    Event,
    Item,
    ItemCheck,
    PracticeItem,
    Prefill,
    Rater,
    RatingEvent,
    Segment,
    System,
    Translation,
    now,
)
from db.names import check_label, rater_key
from db.queries.practice import stored_expectation
from db.records import RatingRecord

ORDER_KEYS = "order-keys"
"""The event of an imported campaign that holds its `Meta.keys`."""
Shown = tuple[int, int, str]
"""What is one item: rater, translation and kind."""


def add_ratings(
    session: Session,
    bundle: Bundle,
    campaign: Campaign,
    translations: dict[tuple[Key, str], int],
    raters: dict[str, int],
    checks: dict[int, dict[str, int]],
) -> None:
    """One item per rater, translation and kind, whose ratings in their order become its revisions.

    The time of a rating is the campaign's own where it is not known (`db.models.known_time`).
    """
    names = {row.rater for row in bundle.items} | {row.rater for row in bundle.ratings}
    ids_of = {name: raters[rater_key(name)] for name in names}
    told: dict[Shown, ItemRow] = {
        (ids_of[item.rater], translations[item.key, item.system], item.kind): item for item in bundle.items
    }
    revisions: dict[Shown, list[RatingRecord]] = {shown: [] for shown in told}
    for rating in bundle.ratings:
        shown = ids_of[rating.rater], translations[rating.key, rating.system], rating.kind
        revisions.setdefault(shown, []).append(rating)
    items = [
        {
            "campaign_id": campaign.id,
            "rater_id": shown[0],
            "translation_id": shown[1],
            "kind": shown[2],
            "place": place,
            "mark": told[shown].mark if shown in told else revisions[shown][-1].mark,
        }
        for shown, place in _places(revisions, told)
    ]
    ids = insert_rows(session, Item, items)
    insert_rows(session, RatingEvent, _events(ids, revisions.values(), campaign.created_at))
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
    ids: Iterable[int], revisions: Iterable[Sequence[RatingRecord]], made_at: datetime
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
                "edited": rating.edited,
                "scales": dict(rating.scales) or None,
                "created_at": rating.rated_at or made_at,
            }


def insert_rows(session: Session, table: type[Base], rows: Iterable[dict[str, Any]]) -> list[int]:
    """Insert many rows; returns their ids in the same order."""
    values = list(rows)
    if not values:
        return []
    key = table.__table__.c.id
    return list(session.scalars(insert(table).returning(key, sort_by_parameter_order=True), values))


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
    notes: tuple[Wording, ...] = ()


def load_bundle(
    engine: Engine, bundle: Bundle, campaign_name: str, *, state: str | None = None
) -> ImportReport:
    """Store the bundle as a new campaign, in one transaction. Raises InputError when the name is taken.

    state: `open` to be rated at once, `draft` to be prepared first; None: the bundle's own, else `open`.
    """
    with write_session(engine) as session:
        if _exists(session, campaign_name):
            raise InputError(
                "There is a campaign “{name}” already; choose another name.",
                name=campaign_name,
            )
        return _load(
            session, bundle, campaign_name, seed=_own_seed(bundle, campaign_name), demo=False, state=state
        )


def load_demo(engine: Engine, bundle: Bundle, *, seed: int) -> ImportReport | None:
    """Store the bundle as a demo under its own name, or do nothing (None) when the name is taken."""
    with write_session(engine) as session:
        if _exists(session, bundle.name):
            return None
        return _load(session, bundle, bundle.name, seed=seed, demo=True)


def _exists(session: Session, name: str) -> bool:
    return session.scalar(select(Campaign.id).where(Campaign.name == name)) is not None


def _own_seed(bundle: Bundle, name: str) -> int:
    """The bundle's seed, else one that the name fixes: the same file gives the same orders everywhere."""
    return bundle.meta.seed if bundle.meta.seed is not None else zlib.crc32(name.encode()) % 2**31


def _load(
    session: Session, bundle: Bundle, name: str, *, seed: int, demo: bool, state: str | None = None
) -> ImportReport:
    meta = {**asdict(bundle.meta), "seed": seed, "state": state or bundle.meta.state or "open"}
    del meta["seal"]  # it belongs to the campaign that was sealed, not to a copy of it
    keys = {rater: key for rater, key in meta.pop("keys").items() if key != IMPORTED}
    source_lang, target_lang = bundle.langs
    campaign = Campaign(
        name=check_label(name, Wording("campaign's name")),
        source_lang=source_lang,
        target_lang=target_lang,
        demo=demo,
        **meta,
    )
    session.add(campaign)
    session.flush()
    if keys:
        session.add(Event(kind=ORDER_KEYS, campaign_id=campaign.id, details=keys))
    translations = _add_texts(session, bundle, campaign.id)
    raters, notes = _add_raters(session, _people(bundle))
    checks = _add_checks(session, bundle.checks, translations)
    add_ratings(session, bundle, campaign, translations, raters, checks)
    _add_practice(session, bundle, campaign.id, translations)
    _add_beside(session, bundle, campaign, translations, raters)
    add_readings(session, bundle, campaign, raters)
    add_glossary(session, bundle.glossary, campaign.id, raters)
    add_codings(session, bundle, campaign.id, raters)
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
            insert_rows(
                session, System, ({"campaign_id": campaign_id, **asdict(row)} for row in bundle.systems)
            ),
            strict=True,
        )
    )
    segments = dict(
        zip(
            (segment.key for segment in bundle.segments),
            insert_rows(
                session, Segment, ({"campaign_id": campaign_id, **asdict(row)} for row in bundle.segments)
            ),
            strict=True,
        )
    )
    rows = (
        {"segment_id": segments[row.key], "system_id": systems[row.system], "text": row.text}
        for row in bundle.outputs
    )
    ids = insert_rows(session, Translation, rows)
    return dict(zip(((row.key, row.system) for row in bundle.outputs), ids, strict=True))


def _people(bundle: Bundle) -> Iterator[str]:
    """The names of everybody in a campaign, as often as they occur."""
    yield from (row.rater for row in bundle.items)
    yield from (row.rater for row in bundle.ratings)
    yield from (row.rater for row in bundle.document_scores)
    yield from (row.rater for row in bundle.decisions if row.rater)
    yield from (row.rater for row in bundle.readings)
    yield from (row.rater for row in bundle.answers)
    yield from (row.rater for row in bundle.glossary if row.rater)
    yield from (row.rater for row in bundle.coders)


def _add_raters(session: Session, named: Iterable[str]) -> tuple[dict[str, int], tuple[Wording, ...]]:
    """Raters' ids by key; who is there already is used as is, with a note if that person rates here."""
    names: dict[str, str] = {}
    for name in dict.fromkeys(named):
        names.setdefault(rater_key(name), name)
    known = {rater.key: rater for rater in session.scalars(select(Rater)) if rater.key in names}
    new = {key: name for key, name in names.items() if key not in known}
    people = ({"name": name, "key": key, "imported": True} for key, name in new.items())
    ids = dict(zip(new, insert_rows(session, Rater, people), strict=True))
    notes = tuple(
        Wording(
            "A rater “{rater}” rates here already; the imported ratings of that name went to this rater.",
            rater=rater.name,
        )
        for rater in known.values()
        if not rater.imported
    )
    return {**ids, **{key: rater.id for key, rater in known.items()}}, notes


def _add_checks(
    session: Session, checks: Iterable[CheckRow], translations: dict[tuple[Key, str], int]
) -> dict[int, dict[str, int]]:
    """The damaged texts; their ids by translation and rule. Of several by one rule the last stays.

    Repeats have no text of their own.
    """
    texts = {
        (translations[row.key, row.system], row.rule): row.text for row in checks if row.kind == DEGRADED
    }
    rows = (
        {"translation_id": translation, "rule": rule, "text": text}
        for (translation, rule), text in texts.items()
    )
    found: dict[int, dict[str, int]] = {}
    for (translation, rule), check in zip(texts, insert_rows(session, CheckText, rows), strict=True):
        found.setdefault(translation, {})[rule] = check
    return found


def _add_beside(
    session: Session,
    bundle: Bundle,
    campaign: Campaign,
    translations: dict[tuple[Key, str], int],
    raters: dict[str, int],
) -> None:
    """What stands beside the ratings: marks filled in beforehand, decisions, and scores of documents."""
    for prefill in bundle.prefills:
        place = translations[prefill.key, prefill.system]
        spans = spans_to_json(prefill.spans)
        filled = prefill.filled_at or now()
        session.add(Prefill(translation_id=place, origin=prefill.origin, spans=spans, created_at=filled))
    revisions: Counter[Hashable] = Counter()
    for row in bundle.decisions:
        place = translations[row.key, row.system]
        revisions[place] += 1
        session.add(
            Adjudication(
                translation_id=place,
                rater_id=raters[rater_key(row.rater)] if row.rater else None,
                revision=revisions[place],
                score=row.score,
                spans=None if row.spans is None else spans_to_json(row.spans),
                comment=row.comment,
                created_at=row.decided_at or now(),
            )
        )
    systems = select(System.name, System.id).where(System.campaign_id == campaign.id)
    ids = dict(session.execute(systems).all())
    for whole in bundle.document_scores:
        rater = raters[rater_key(whole.rater)]
        revisions[rater, whole.system, whole.document] += 1
        session.add(
            DocumentRating(
                rater_id=rater,
                system_id=ids[whole.system],
                document=whole.document,
                revision=revisions[rater, whole.system, whole.document],
                score=whole.score,
                created_at=whole.rated_at or campaign.created_at,
            )
        )


def _add_practice(
    session: Session, bundle: Bundle, campaign_id: int, translations: dict[tuple[Key, str], int]
) -> None:
    for place, row in enumerate(bundle.practice):
        stored = stored_expectation(row.expected)
        feedback = {"feedback_en": row.feedback_en, "feedback_ja": row.feedback_ja}
        translation = translations[row.key, row.system]
        session.add(
            PracticeItem(
                campaign_id=campaign_id, translation_id=translation, place=place, **stored, **feedback
            )
        )


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A segment with each system's text for it, in the order of the systems."""

    document: str
    position: int
    source: str | None
    reference: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Counts of a bundle, its first segments and the notes of its reader.

    `source_characters`: characters of the source per segment that has one, on average; None without sources.
    `languages`: source and target as ISO 639 codes.
    """

    name: str
    languages: tuple[str, str]
    documents: int
    segments: int
    systems: int
    translations: int
    empty_outputs: int
    ratings: int
    raters: int
    checks: int
    spans: int
    source_characters: float | None
    rows: tuple[PreviewRow, ...]
    notes: tuple[Wording, ...]


def preview(bundle: Bundle, count: int = 5) -> Preview:
    """The bundle in numbers, with its first `count` segments."""
    sources = [len(segment.source) for segment in bundle.segments if segment.source]
    return Preview(
        name=bundle.name,
        languages=bundle.langs,
        documents=len({segment.document for segment in bundle.segments}),
        segments=len(bundle.segments),
        systems=len(bundle.systems),
        translations=len(bundle.outputs),
        empty_outputs=sum(not output.text.strip() for output in bundle.outputs),
        ratings=len(bundle.ratings),
        raters=len({rater_key(rating.rater) for rating in bundle.ratings}),
        checks=len(bundle.checks),
        spans=sum(len(rating.spans or ()) for rating in bundle.ratings),
        source_characters=fmean(sources) if sources else None,
        rows=_rows(bundle, count),
        notes=bundle.notes,
    )


def _rows(bundle: Bundle, count: int) -> tuple[PreviewRow, ...]:
    first = bundle.segments[: max(count, 0)]
    texts: dict[Key, dict[str, str]] = {segment.key: {} for segment in first}
    for output in bundle.outputs:
        if output.key in texts:
            texts[output.key][output.system] = output.text
    systems = [system.name for system in bundle.systems]
    return tuple(
        PreviewRow(
            segment.document,
            segment.position,
            segment.source,
            segment.reference,
            tuple((name, texts[segment.key][name]) for name in systems if name in texts[segment.key]),
        )
        for segment in first
    )
