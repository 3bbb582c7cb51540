"""From a bundle into the database: everything or nothing."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import InputError
from core.raters.assignment import DEGRADED
from db.campaigns.load_ratings import add_ratings, insert_rows
from db.engine import writing
from db.formats.bundle import Bundle, CheckRow, ItemRow, Key, RatingRow
from db.models import (
    Campaign,
    CheckText,
    Rater,
    Segment,
    System,
    Translation,
)
from db.names import check_label, rater_key


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


def load_bundle(
    engine: Engine, bundle: Bundle, campaign_name: str, *, state: str | None = None
) -> ImportReport:
    """Store the bundle as a new campaign, in one transaction. Raises InputError when the name is taken.

    state: `open` to be rated at once, `draft` to be prepared first; None: the bundle's own, else `open`.
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
    session: Session, bundle: Bundle, name: str, *, seed: int, demo: bool, state: str | None = None
) -> ImportReport:
    meta = {**asdict(bundle.meta), "seed": seed, "state": state or bundle.meta.state or "open"}
    del meta["seal"]  # it belongs to the campaign that was sealed, not to a copy of it
    source_lang, target_lang = bundle.langs
    campaign = Campaign(
        name=check_label(name, "campaign's name"),
        source_lang=source_lang,
        target_lang=target_lang,
        demo=demo,
        **meta,
    )
    session.add(campaign)
    session.flush()
    translations = _add_texts(session, bundle, campaign.id)
    raters, notes = _add_raters(session, (*bundle.items, *bundle.ratings))
    checks = _add_checks(session, bundle.checks, translations)
    add_ratings(session, bundle, campaign.id, translations, raters, checks)
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


def _add_raters(
    session: Session, rows: Iterable[RatingRow | ItemRow]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Raters' ids by key; who is there already is used as is, with a note if that person rates here."""
    names: dict[str, str] = {}
    for name in dict.fromkeys(row.rater for row in rows):
        names.setdefault(rater_key(name), name)
    known = {rater.key: rater for rater in session.scalars(select(Rater)) if rater.key in names}
    new = {key: name for key, name in names.items() if key not in known}
    people = ({"name": name, "key": key, "imported": True} for key, name in new.items())
    ids = dict(zip(new, insert_rows(session, Rater, people), strict=True))
    notes = tuple(
        f"A rater “{rater.name}” rates here already; the imported ratings of that name went to this rater."
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
