"""Who reads what in a reading study: versions and chunks of each reader, given out when they come."""

from __future__ import annotations

from sqlalchemy import Engine, insert, select
from sqlalchemy.orm import Session

from core.raters.protocols import READING
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.chunks import Sides, cut_chunks, next_sides, size_of_chunks
from core.raters.reading.orders import next_order
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import Campaign, ChunkPair, Reading, Segment
from db.queries.campaigns import campaign_in
from db.queries.versions import excerpt_ids, mean_lengths, orders_in, versions_in


def ensure_readings(engine: Engine, campaign_id: int, rater_id: int) -> int:
    """Give a reader their versions and chunks, so that the plan stays balanced; how many were added.

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
        chunks = _add_chunks(session, campaign, rater_id)
        return (len(rows) if campaign.protocol == READING else 0) + chunks


def chunks_in(
    session: Session, campaign: Campaign, choices: ReadingChoices | None = None, protocol: str | None = None
) -> list[tuple[int, int]]:
    """First and last segment of each chunk of the excerpt, in the order of the text.

    None without close reading. choices, protocol: those of the campaign unless others are tried out.
    """
    choices = choices or reading_of(from_json(campaign.design))
    size = size_of_chunks(choices, protocol or campaign.protocol, campaign.target_lang)
    if size is None:
        return []
    ids = excerpt_ids(session, campaign, choices)
    lengths = mean_lengths(session, campaign)
    query = select(Segment.id, Segment.document).where(Segment.campaign_id == campaign.id)
    document = dict(session.execute(query).all())
    ranges = cut_chunks([lengths[one] for one in ids], [document[one] for one in ids], size)
    return [(ids[first], ids[last - 1]) for first, last in ranges]


def _add_chunks(session: Session, campaign: Campaign, rater_id: int) -> int:
    """The chunks of a reader whose readings are there; how many."""
    chunks = chunks_in(session, campaign)
    if not chunks:
        return 0
    query = select(Reading.id, Reading.rater_id, Reading.system_id).where(Reading.campaign_id == campaign.id)
    readings = session.execute(query).all()
    number = {system: place for place, (system, _) in enumerate(versions_in(session, campaign))}
    version = {row.id: number.get(row.system_id, -1) for row in readings}
    own = {version[row.id]: row.id for row in readings if row.rater_id == rater_id}
    given: dict[int, dict[int, Sides]] = {}
    there = select(ChunkPair).where(ChunkPair.campaign_id == campaign.id).order_by(ChunkPair.id)
    for pair in session.scalars(there):
        given.setdefault(pair.rater_id, {})[pair.place] = version[pair.left_id], version[pair.right_id]
    sides = next_sides([*given.values()], [*own], len(chunks), seed=campaign.seed)
    rows = [
        {
            "campaign_id": campaign.id,
            "rater_id": rater_id,
            "place": place,
            "first_segment_id": first,
            "last_segment_id": last,
            "left_id": own[left],
            "right_id": own[right],
        }
        for place, ((first, last), (left, right)) in enumerate(zip(chunks, sides, strict=True))
    ]
    session.execute(insert(ChunkPair), rows)
    return len(rows)
