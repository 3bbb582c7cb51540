"""The errors that people have marked in translations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Engine, select

from core.raters.assignment import TARGET
from core.raters.protocols import TARGET as TARGET_SIDE
from core.raters.protocols import MarkedSpan, spans_from_json
from core.text.japanese import plain, plain_places
from db.engine import read_session
from db.models import Item, RatingEvent, Segment, Translation, is_latest
from db.permissions import Viewer
from db.queries.rater_names import rater_names


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkRecord:
    """What one rater has marked in a translation; no spans where the rater found no error.

    text: as readers and metrics see it, without the readings of ruby; the spans are ranges of it.
    """

    translation_id: int
    document: str
    text: str
    rater: str
    spans: tuple[MarkedSpan, ...]


def marks_of_campaign(engine: Engine, viewer: Viewer, campaign_id: int) -> list[MarkRecord]:
    """The marks that hold, rater by rater; of check items and of protocols without marks none.

    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
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
    return [
        MarkRecord(
            translation_id=row.translation_id,
            document=row.document,
            text=plain(row.text),
            rater=names[row.rater_id],
            spans=tuple(_shown(row.text, span) for span in spans_from_json(row.spans)),
        )
        for row in rows
    ]


def _shown(text: str, span: MarkedSpan) -> MarkedSpan:
    """A span of the stored text as one of the text that is shown."""
    if span.missing or span.side != TARGET_SIDE:
        return span
    ((start, end),) = plain_places(text, [(span.start, span.end)])
    return replace(span, start=start, end=end)
