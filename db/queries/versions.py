"""The versions of a reading study: which there are, who reads which in what order, and what of the text."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.raters.reading.choices import ReadingChoices
from core.raters.reading.excerpt import length_of, segments_read
from core.raters.reading.orders import Order
from db.design import from_json, reading_of
from db.models import Campaign, Reading, Segment, System, Translation
from db.queries.sealed import hidden_names


def versions_in(session: Session, campaign: Campaign) -> list[tuple[int, str]]:
    """Id and shown name of every version that is read, in the order by whose numbers orders are drawn.

    While names are sealed, in the order of the shown ones: ids follow the imported file.
    """
    design, hidden = from_json(campaign.design), hidden_names(session, campaign.id)
    query = (
        select(System.id, System.name)
        .where(System.campaign_id == campaign.id, System.is_reference.is_(False))
        .where(System.name.not_in(design.left_out))
        .order_by(System.id)
    )
    found = [(row.id, hidden.get(row.name, row.name)) for row in session.execute(query)]
    return sorted(found, key=lambda one: (len(one[1]), one[1])) if hidden else found


def orders_in(session: Session, campaign_id: int, versions: Sequence[tuple[int, str]]) -> list[Order]:
    """The orders that readers have, by the numbers of the versions, in the order in which they came."""
    number = {system: place for place, (system, _) in enumerate(versions)}
    query = (
        select(Reading.rater_id, Reading.system_id)
        .where(Reading.campaign_id == campaign_id)
        .order_by(Reading.rater_id, Reading.place)
    )
    found: dict[int, list[int]] = {}
    for rater, system in session.execute(query):
        found.setdefault(rater, []).append(number.get(system, -1))
    return [tuple(order) for order in found.values()]


def excerpt_ids(session: Session, campaign: Campaign, choices: ReadingChoices | None = None) -> list[int]:
    """The segments that are read, in the order of the text. choices: the campaign's unless told."""
    words = (choices or reading_of(from_json(campaign.design))).words
    order = select(Segment.id).where(Segment.campaign_id == campaign.id).order_by(Segment.id)
    ids = list(session.scalars(order))
    if words is None:
        return ids
    return ids[: segments_read([*mean_lengths(session, campaign).values()], words)]


def mean_lengths(session: Session, campaign: Campaign) -> dict[int, float]:
    """Of each segment of the campaign the mean length of its versions, in words or characters."""
    ids = session.scalars(select(Segment.id).where(Segment.campaign_id == campaign.id).order_by(Segment.id))
    systems = [system for system, _ in versions_in(session, campaign)]
    query = select(Translation.segment_id, Translation.text).where(Translation.system_id.in_(systems))
    total = dict.fromkeys(ids, 0.0)
    for segment, text in session.execute(query):
        total[segment] += length_of(text, campaign.target_lang) / max(len(systems), 1)
    return total
