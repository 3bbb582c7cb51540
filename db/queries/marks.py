"""The errors that people have marked in translations, and what disturbed readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.orm import Session

from core.raters.assignment import TARGET
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.protocols import MINOR, STUDIES, MarkedSpan, spans_from_json
from core.raters.protocols import TARGET as TARGET_SIDE
from core.raters.reading.choices import DISTURBS
from core.text.japanese import plain, plain_places
from db.design import from_json
from db.engine import read_session
from db.models import (
    Campaign,
    ChunkPair,
    Highlight,
    Item,
    RatingEvent,
    Reading,
    Segment,
    Translation,
    is_latest,
)
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.rater_names import rater_names
from db.queries.reading import held_in
from db.queries.versions import excerpt_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRecord:
    """What one rater or reader has marked in a translation; no spans where nothing was marked.

    text: as readers and metrics see it, without the readings of ruby; the spans are ranges of it. errors: the
    campaign's own severities and categories, if it has some.
    """

    translation_id: int
    document: str
    text: str
    rater: str
    spans: tuple[MarkedSpan, ...]
    errors: OwnErrors = NO_OWN_ERRORS


def marks_of_campaign(engine: Engine, viewer: Viewer, campaign_id: int) -> list[MarkRecord]:
    """The marks that hold, rater by rater; of check items and of protocols without marks none.

    Of a reading study: what disturbed readers in the versions that they read to the end, and in the passages
    that they compared, all of one severity.
    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        if campaign.protocol in STUDIES:
            return _disturbing(session, campaign)
    return _marks(engine, campaign_id)


def marks_of_translation(
    engine: Engine, viewer: Viewer, campaign_id: int, translation_id: int
) -> list[MarkRecord]:
    """Those of one translation. Raises AccessError as `marks_of_campaign`."""
    viewer.must_see_scores()
    return _marks(engine, campaign_id, Item.translation_id == translation_id)


def _marks(engine: Engine, campaign_id: int, *of: ColumnElement[bool]) -> list[MarkRecord]:
    query = (
        select(Item.rater_id, Item.translation_id, Segment.document, Translation.text, RatingEvent.spans)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET, *of)
        .where(RatingEvent.spans.is_not(None), RatingEvent.skipped_reason.is_(None), is_latest())
        .order_by(Item.rater_id, Item.place)
    )
    with read_session(engine) as session:
        rows = session.execute(query).all()
        names = rater_names(session, campaign_id)
        errors = from_json(campaign_in(session, campaign_id).design).errors
    return [
        MarkRecord(
            translation_id=row.translation_id,
            document=row.document,
            text=plain(row.text),
            rater=names[row.rater_id],
            spans=tuple(_shown(row.text, span) for span in spans_from_json(row.spans)),
            errors=errors,
        )
        for row in rows
    ]


def _disturbing(session: Session, campaign: Campaign) -> list[MarkRecord]:
    """One record for each reader and segment of a version that was read as a whole or in a passage."""
    excerpt = excerpt_ids(session, campaign)
    query = (
        select(Reading.id, Reading.rater_id, Translation.id, Segment.id, Segment.document, Translation.text)
        .join(Translation, Translation.system_id == Reading.system_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Reading.campaign_id == campaign.id, Segment.id.in_(excerpt))
        .order_by(Reading.rater_id, Reading.place, Segment.id)
    )
    finished = Reading.finished_at.is_not(None)
    whole = set(session.scalars(select(Reading.id).where(Reading.campaign_id == campaign.id, finished)))
    pairs = _compared(session, campaign, excerpt)
    read = {(reading, segment) for reading in whole for segment in excerpt}.union(*pairs.values())
    rows = [row for row in session.execute(query) if (row[0], row[3]) in read]
    names = rater_names(session, campaign.id)
    spans: dict[tuple[int, int], list[MarkedSpan]] = {}
    for reading, chunk, one in held_in(session, Highlight.reading_id.in_({row[0] for row in rows})):
        if one.kind == DISTURBS and (reading in whole if chunk is None else chunk in pairs):
            span = MarkedSpan(start=one.start, end=one.end, severity=MINOR)
            spans.setdefault((reading, one.segment_id), []).append(span)
    return [
        MarkRecord(
            translation_id=translation,
            document=document,
            text=plain(text),
            rater=names[rater],
            spans=tuple(_shown(text, span) for span in spans.get((reading, segment), ())),
        )
        for reading, rater, translation, segment, document, text in rows
        if text.strip()
    ]


def _compared(
    session: Session, campaign: Campaign, excerpt: Sequence[int]
) -> dict[int, set[tuple[int, int]]]:
    """Of each chunk that a reader compared, its readings and segments."""
    query = select(ChunkPair).where(ChunkPair.campaign_id == campaign.id, ChunkPair.finished_at.is_not(None))
    return {
        one.id: {
            (reading, segment)
            for segment in excerpt
            if one.first_segment_id <= segment <= one.last_segment_id
            for reading in (one.left_id, one.right_id)
        }
        for one in session.scalars(query)
    }


def _shown(text: str, span: MarkedSpan) -> MarkedSpan:
    """A span of the stored text as one of the text that is shown."""
    if span.missing or span.side != TARGET_SIDE:
        return span
    ((start, end),) = plain_places(text, [(span.start, span.end)])
    return replace(span, start=start, end=end)
