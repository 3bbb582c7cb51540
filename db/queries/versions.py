"""The versions of a reading study: which there are, who reads which in what order, and what of the text."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, insert, select
from sqlalchemy.orm import Session

from core.raters.reading.excerpt import length_of, segments_read
from core.raters.reading.orders import Order, next_order
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import Campaign, Reading, Segment, System, Translation
from db.queries.campaigns import campaign_in
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


def ensure_readings(engine: Engine, campaign_id: int, rater_id: int) -> int:
    """Give a reader their versions in the order that keeps the plan balanced; how many were added.

    One transaction: two who come at once do not get the same place in the plan. Raises InputError where there
    are fewer versions than a reader is to read.
    """
    own = (Reading.campaign_id == campaign_id, Reading.rater_id == rater_id)
    with read_session(engine) as session:
        if session.scalar(select(Reading.id).where(*own).limit(1)) is not None:
            return 0
    with write_session(engine) as session:
        if session.scalar(select(Reading.id).where(*own).limit(1)) is not None:
            return 0
        campaign = campaign_in(session, campaign_id)
        versions = versions_in(session, campaign)
        order = next_order(
            orders_in(session, campaign_id, versions),
            len(versions),
            reading_of(from_json(campaign.design)).versions,
            seed=campaign.seed,
        )
        rows = [
            {"campaign_id": campaign_id, "rater_id": rater_id, "system_id": versions[one][0], "place": place}
            for place, one in enumerate(order)
        ]
        session.execute(insert(Reading), rows)
        return len(rows)


def excerpt_ids(session: Session, campaign: Campaign) -> list[int]:
    """The segments that are read, in the order of the text."""
    words = reading_of(from_json(campaign.design)).words
    order = select(Segment.id).where(Segment.campaign_id == campaign.id).order_by(Segment.id)
    ids = list(session.scalars(order))
    if words is None:
        return ids
    systems = [system for system, _ in versions_in(session, campaign)]
    query = select(Translation.segment_id, Translation.text).where(Translation.system_id.in_(systems))
    total = dict.fromkeys(ids, 0.0)
    for segment, text in session.execute(query):
        total[segment] += length_of(text, campaign.target_lang) / max(len(systems), 1)
    return ids[: segments_read(list(total.values()), words)]
