"""A new rater's items by the campaign's design: their share, their order, and the checks among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Engine, func, insert, select
from sqlalchemy.orm import Session

from core.raters.assignment import DEGRADED, TARGET, Checks, Planned, Unit, arrange, share, with_checks
from db.design import DOCUMENTS, Design
from db.engine import reading, writing
from db.models import CheckText, Item, ItemCheck, Segment, System, Translation


def assign(
    engine: Engine, campaign_id: int, rater_id: int, design: Design, seed: str, *, together: bool
) -> int:
    """Give a rater without items their share; returns how many items, 0 where there are some already.

    It is 0, too, where every translation has its raters. One transaction: two who come at once do not get the
    same where that is one too many. together: all systems of a segment come side by side.
    """
    with writing(engine) as session:
        if session.scalar(select(Item.id).where(*_own(campaign_id, rater_id)).limit(1)) is not None:
            return 0
        units = units_of(session, campaign_id, design)
        taken = _taken(session, campaign_id)
        planned = _planned(
            units, taken, design, checks_of(session, campaign_id, design), seed, together=together
        )
        _store(session, campaign_id, rater_id, planned)
        return len(planned)


def planned_for_one(
    engine: Engine, campaign_id: int, design: Design, *, together: bool
) -> tuple[list[Planned], list[Unit]]:
    """What the first rater would get, and what there is in all: for the plan that is shown before opening."""
    with reading(engine) as session:
        units = units_of(session, campaign_id, design)
        checks = checks_of(session, campaign_id, design)
    return _planned(units, {}, design, checks, "plan", together=together), units


def _planned(
    units: Sequence[Unit],
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
    return with_checks(arrange(mine, seed=seed, documents=documents, together=together), checks, seed=seed)


def units_of(session: Session, campaign_id: int, design: Design) -> list[Unit]:
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
    return [Unit(*row) for row in session.execute(query)]


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
    degraded = select(Item.id, func.min(CheckText.id).label("check_text_id")).join(
        CheckText, CheckText.translation_id == Item.translation_id
    ).where(*_own(campaign_id, rater_id), Item.kind == DEGRADED).group_by(Item.id)  # fmt: skip
    found = [{"item_id": item, "check_text_id": check} for item, check in session.execute(degraded)]
    if found:
        session.execute(insert(ItemCheck), found)


def _own(campaign_id: int, rater_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Item.campaign_id == campaign_id, Item.rater_id == rater_id
