"""Items of a rater: how they are assigned by the campaign's design, their order, and the rater's progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Engine, RowMapping, Select, and_, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import InputError
from core.raters.assignment import (
    DEGRADED,
    GAP,
    PAUSE_SECONDS,
    TARGET,
    AssignmentUnit,
    Checks,
    Planned,
    arrange,
    share,
    shuffled,
    with_checks,
)
from core.raters.prefilled import carried
from core.raters.protocols import SIDE_BY_SIDE, STUDIES, MarkedSpan, spans_from_json
from db.design import DOCUMENTS, Design, from_json
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    CheckText,
    Draft,
    Item,
    ItemCheck,
    Prefill,
    Rater,
    RatingEvent,
    Segment,
    System,
    Translation,
    is_latest,
)
from db.queries.campaigns import campaign_in
from db.queries.reading_plan import ensure_readings
from db.queries.sealed import numbers
from db.records import ItemRecord, Progress


def assign(
    engine: Engine, campaign_id: int, rater_id: int, design: Design, seed: str, *, together: bool
) -> int:
    """Give a rater without items their share; returns how many items, 0 where there are some already.

    It is 0, too, where every translation has its raters. One transaction: two who come at once do not get the
    same where that is one too many. together: all systems of a segment come side by side.
    """
    with write_session(engine) as session:
        if session.scalar(select(Item.id).where(*_own(campaign_id, rater_id)).limit(1)) is not None:
            return 0
        units, taken = units_of(session, campaign_id, design), _taken(session, campaign_id)
        checks = checks_of(session, campaign_id, design)
        if numbered := numbers(session, campaign_id):
            units, taken, checks = _numbered(numbered, units, taken, checks)
        planned = _planned(units, taken, design, checks, seed, together=together)
        ids = {number: translation for translation, number in numbered.items()}
        planned = [replace(one, translation=ids.get(one.translation, one.translation)) for one in planned]
        _store(session, campaign_id, rater_id, planned)
        return len(planned)


def planned_for_one(
    engine: Engine, campaign_id: int, design: Design, *, together: bool
) -> tuple[list[Planned], list[AssignmentUnit]]:
    """What the first rater would get, and what there is in all: for the plan that is shown before opening."""
    with read_session(engine) as session:
        units = units_of(session, campaign_id, design)
        checks = checks_of(session, campaign_id, design)
    return _planned(units, {}, design, checks, "plan", together=together), units


def _planned(
    units: Sequence[AssignmentUnit],
    taken: Mapping[int, int],
    design: Design,
    checks: Checks,
    seed: str,
    *,
    together: bool,
) -> list[Planned]:
    documents = design.order == DOCUMENTS
    mine = units
    if design.raters_per_item is not None:
        sizes = {"per_item": design.raters_per_item, "raters": design.raters}
        mine = share(units, taken, seed=seed, documents=documents, together=together, **sizes)
    blocks = arrange(mine, seed=seed, documents=documents, together=together)
    return with_checks(blocks, checks, seed=seed, together=together)


def units_of(session: Session, campaign_id: int, design: Design) -> list[AssignmentUnit]:
    """Every translation that is to be rated, in the order of the import."""
    query = (
        select(
            Translation.id,
            Translation.segment_id,
            Segment.document,
            Translation.system_id,
            Segment.position,
            func.length(Translation.text),
        )
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(Segment.campaign_id == campaign_id, System.is_reference.is_(False))
        .where(System.name.not_in(design.left_out))
        .order_by(Translation.id)
    )
    return [AssignmentUnit(*row) for row in session.execute(query)]


def checks_of(session: Session, campaign_id: int, design: Design) -> Checks:
    """What can be mixed in: the reference as a system, and damaged texts."""
    references = (
        select(Translation.segment_id, Translation.id)
        .join(System, System.id == Translation.system_id)
        .where(System.campaign_id == campaign_id, System.is_reference.is_(True))
    )
    damaged = (
        select(CheckText.translation_id)
        .join(Translation, Translation.id == CheckText.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    return Checks(
        repeats=design.repeats,
        references=design.references,
        degraded=design.degraded,
        distance=design.distance,
        reference_of=dict(session.execute(references).all()),
        damaged=frozenset(session.scalars(damaged)),
    )


def _numbered(
    numbered: Mapping[int, int], units: Sequence[AssignmentUnit], taken: Mapping[int, int], checks: Checks
) -> tuple[list[AssignmentUnit], Counter[int], Checks]:
    """The same with a number for each translation, and systems in the order of their numbers."""
    found = sorted(
        (replace(unit, translation=numbered[unit.translation]) for unit in units),
        key=lambda unit: unit.translation,
    )
    systems = {system: place for place, system in enumerate(dict.fromkeys(unit.system for unit in found))}
    return (
        [replace(unit, system=systems[unit.system]) for unit in found],
        Counter({numbered[translation]: count for translation, count in taken.items()}),
        replace(
            checks,
            reference_of={segment: numbered[one] for segment, one in checks.reference_of.items()},
            damaged=frozenset(numbered[one] for one in checks.damaged),
        ),
    )


def _taken(session: Session, campaign_id: int) -> Counter[int]:
    query = (
        select(Item.translation_id, func.count())
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET)
        .group_by(Item.translation_id)
    )
    return Counter(dict(session.execute(query).all()))


def _store(session: Session, campaign_id: int, rater_id: int, planned: list[Planned]) -> None:
    rows = [
        {
            "campaign_id": campaign_id,
            "rater_id": rater_id,
            "translation_id": one.translation,
            "kind": one.kind,
            "place": place,
        }
        for place, one in enumerate(planned)
    ]
    if not rows:
        return
    session.execute(insert(Item), rows)
    degraded = (
        select(Item.id, func.min(CheckText.id).label("check_text_id"))
        .join(CheckText, CheckText.translation_id == Item.translation_id)
        .where(*_own(campaign_id, rater_id), Item.kind == DEGRADED)
        .group_by(Item.id)
    )
    found = [{"item_id": item, "check_text_id": check} for item, check in session.execute(degraded)]
    if found:
        session.execute(insert(ItemCheck), found)


def _own(campaign_id: int, rater_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Item.campaign_id == campaign_id, Item.rater_id == rater_id


def ensure_items(engine: Engine, campaign_id: int, rater_id: int) -> int:
    """Give the rater their items, or their versions to read, by the design; returns how many were added.

    Where everybody rates everything, each system's translation that has none gets one, in an order that
    depends on the campaign's seed and the rater's key alone; later translations are appended. Empty
    translations are items too: they must be judged. Raises InputError for an unknown campaign or rater.
    """
    with read_session(engine) as session:
        seed = _seed(session, campaign_id, rater_id)
        campaign = session.get_one(Campaign, campaign_id)
        design, together = from_json(campaign.design), campaign.protocol == SIDE_BY_SIDE
        reads = campaign.protocol in STUDIES
        if not reads and session.execute(_unassigned(campaign_id, rater_id).limit(1)).first() is None:
            return 0
    if reads:
        return ensure_readings(engine, campaign_id, rater_id)
    if together or not design.everybody_rates_everything:
        return assign(engine, campaign_id, rater_id, design, seed, together=together)
    try:
        return _append_items(engine, campaign_id, rater_id)
    except IntegrityError:  # where writers do not queue, another tab may have been first
        return _append_items(engine, campaign_id, rater_id)


def own_seconds(engine: Engine, campaign_id: int, rater_id: int) -> list[float]:
    """How long the rater took for each item they have judged, where it is known; pauses are left out."""
    query = (
        select(RatingEvent.seconds)
        .join(Item, Item.id == RatingEvent.item_id)
        .where(*_own(campaign_id, rater_id), is_latest())
        .where(RatingEvent.seconds > 0, RatingEvent.seconds <= PAUSE_SECONDS)
    )
    with read_session(engine) as session:
        return [seconds for seconds in session.scalars(query) if seconds is not None]


def items_of(engine: Engine, campaign_id: int, rater_id: int) -> list[ItemRecord]:
    """The rater's items in their order, each with the rating that holds. They do not tell the system."""
    query = (
        select(
            Item.id,
            Item.place,
            Segment.document,
            Segment.position,
            Translation.segment_id,
            Segment.source,
            Segment.reference,
            func.coalesce(CheckText.text, Translation.text).label("translation"),
            Campaign.target_lang.label("lang"),
            RatingEvent.score,
            RatingEvent.spans,
            RatingEvent.edited,
            RatingEvent.scales,
            Draft.spans.label("draft_spans"),
            Draft.comment.label("draft_comment"),
            Draft.edited.label("draft_edited"),
            Draft.score.label("draft_score"),
            Draft.scales.label("draft_scales"),
            Prefill.spans.label("prefilled"),
            Translation.text.label("original"),
            Translation.system_id,
            RatingEvent.skipped_reason.label("skipped"),
            func.coalesce(RatingEvent.comment, "").label("comment"),
            func.coalesce(RatingEvent.revision, 0).label("revision"),
            RatingEvent.created_at.label("saved_at"),
        )
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .outerjoin(RatingEvent, and_(RatingEvent.item_id == Item.id, is_latest()))
        .outerjoin(Draft, Draft.item_id == Item.id)
        .outerjoin(Prefill, Prefill.translation_id == Item.translation_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(*_belongs(campaign_id, rater_id))
        .order_by(Item.place)
    )
    versions: dict[tuple[str, int], int] = {}  # by document and system, in the rater's order
    with read_session(engine) as session:
        return [
            _item(row, versions.setdefault((row["document"], row["system_id"]), len(versions)))
            for row in session.execute(query).mappings()
        ]


def _item(row: RowMapping, version: int) -> ItemRecord:
    """The draft, if there is one, comes before what was last saved, and that before marks filled in."""
    values = {**row, "version": version}
    del values["system_id"]
    draft_spans, draft_comment = values.pop("draft_spans"), values.pop("draft_comment")
    draft_edited, original = values.pop("draft_edited"), values.pop("original")
    draft_scales = values.pop("draft_scales")
    values["scales"] = draft_scales or values["scales"] or {}
    kept = values["spans"] if draft_spans is None else draft_spans
    values["spans"] = marks_shown(kept, values["prefilled"], original, values["translation"])
    values["prefilled"] = values["prefilled"] is not None
    if draft_comment is not None:
        values["comment"], values["edited"] = draft_comment, draft_edited
    return ItemRecord(**values)


def marks_shown(
    kept: object | None, prefilled: object | None, original: str, shown: str
) -> tuple[MarkedSpan, ...] | None:
    """The marks that the rater left, else those filled in, in the text that is shown; None without any."""
    if kept is not None:
        return spans_from_json(kept)
    return None if prefilled is None else carried(spans_from_json(prefilled), original, shown)


def progress(engine: Engine, campaign_id: int, rater_id: int) -> Progress:
    """How many of the rater's items are scored and skipped, and how many there are."""
    query = (
        select(
            func.count(RatingEvent.id).label("saved"),
            func.count(RatingEvent.skipped_reason).label("skipped"),
            func.count(Item.id).label("total"),
        )
        .select_from(Item)
        .outerjoin(RatingEvent, and_(RatingEvent.item_id == Item.id, is_latest()))
        .where(*_belongs(campaign_id, rater_id))
    )
    with read_session(engine) as session:
        row = session.execute(query).one()
        return Progress(done=row.saved - row.skipped, skipped=row.skipped, total=row.total)


def _belongs(campaign_id: int, rater_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Item.campaign_id == campaign_id, Item.rater_id == rater_id


def _unassigned(campaign_id: int, rater_id: int) -> Select[int, int]:
    """Translations of systems (not of the reference) that this rater has no item for: (id, segment id)."""
    has_item = (
        select(Item.id)
        .where(Item.translation_id == Translation.id, Item.rater_id == rater_id, Item.kind == TARGET)
        .exists()
    )
    return (
        select(Translation.id, Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(System.campaign_id == campaign_id, System.is_reference.is_(False), ~has_item)
    )


def _append_items(engine: Engine, campaign_id: int, rater_id: int) -> int:
    with write_session(engine) as session:
        new = [(row.id, row.segment_id) for row in session.execute(_unassigned(campaign_id, rater_id))]
        if not new:
            return 0
        numbered = numbers(session, campaign_id)
        ids = {numbered.get(translation, translation): translation for translation, _ in new}
        new = [(numbered.get(translation, translation), segment) for translation, segment in new]
        start, recent = _last_shown(session, campaign_id, rater_id)
        seed = _seed(session, campaign_id, rater_id)
        ordered = shuffled(new, seed=f"{seed}:{start}" if start else seed, recent=recent)
        rows = [
            {
                "campaign_id": campaign_id,
                "rater_id": rater_id,
                "translation_id": ids[number],
                "place": start + offset,
            }
            for offset, number in enumerate(ordered)
        ]
        session.execute(insert(Item), rows)
        return len(rows)


def _last_shown(session: Session, campaign_id: int, rater_id: int) -> tuple[int, list[int]]:
    """The next free place, and the segments of the rater's last items, oldest first."""
    query = (
        select(Item.place, Translation.segment_id)
        .join(Translation, Translation.id == Item.translation_id)
        .where(*_belongs(campaign_id, rater_id))
        .order_by(Item.place.desc())
        .limit(GAP)
    )
    last = session.execute(query).all()
    return (last[0].place + 1 if last else 0), [row.segment_id for row in reversed(last)]


def _seed(session: Session, campaign_id: int, rater_id: int) -> str:
    """What fixes the rater's order: the campaign's seed and the rater's key."""
    seed = campaign_in(session, campaign_id).seed
    key = session.scalar(select(Rater.key).where(Rater.id == rater_id))
    if key is None:
        raise InputError("There is no rater number {rater_id}; enter your name again.", rater_id=rater_id)
    return f"{seed}:{key}"
