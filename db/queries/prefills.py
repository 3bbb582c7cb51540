"""Errors marked in translations before raters see them: their origin, and what raters changed.

The marks are stored apart from the ratings, so that what raters changed of them is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, Select, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from core.codec import decode_trace
from core.errors import InputError
from core.metrics.gemba.metric import GembaTrace
from core.raters.assignment import TARGET
from core.raters.prefilled import SpanChanges, fitting, span_changes
from core.raters.protocols import (
    MarkedSpan,
    Protocol,
    check_spans,
    spans_from_json,
    spans_to_json,
)
from db.design import from_json, protocol_of
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    Event,
    Item,
    MetricScore,
    Prefill,
    Rater,
    RatingEvent,
    Segment,
    System,
    Translation,
    is_latest,
)
from db.permissions import Viewer
from db.queries.rater_names import rater_names
from db.queries.rows import records
from db.queries.sealed import hidden_names
from db.records import RaterRecord

Marks = Mapping[int, Sequence[MarkedSpan]]
"""Marked errors by translation id; a translation without errors has an empty list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillSummary:
    """What is filled in: how many translations and marks, by origin."""

    origin: str
    translations: int
    marks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillUse:
    """What a rater made of the marks of one translation."""

    rater: str
    document: str
    position: int
    system: str
    origin: str
    changes: SpanChanges


def set_prefills(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    marks: Marks,
    *,
    origin: str,
    rater_id: int | None = None,
) -> int:
    """Fill in marks, in place of earlier ones of the same translations; gives the number of translations.

    origin, rater_id: the rater, file or model that marked them, as organisers see it. Severities and
    categories that the protocol lacks are adapted (`core.raters.prefilled.fitting`). What a rater has marked
    already stays.

    Raises InputError for a protocol without marks and for translations of other campaigns, RatingError for a
    mark outside its text.
    """
    viewer.must_manage()
    with write_session(engine) as session:
        protocol = _protocol(session, campaign_id)
        lengths = _lengths(session, campaign_id)
        if not set(marks) <= set(lengths):
            raise InputError("Some of these translations are not of this campaign; reload the page.")
        rows = []
        for translation, spans in marks.items():
            fitted = fitting(spans, protocol)
            check_spans(fitted, protocol, lengths[translation])
            rows.append(
                {
                    "translation_id": translation,
                    "origin": origin[:200],
                    "rater_id": rater_id,
                    "spans": spans_to_json(fitted),
                }
            )
        session.execute(delete(Prefill).where(Prefill.translation_id.in_(marks)))
        if rows:
            session.execute(insert(Prefill), rows)
        details = {"origin": origin[:200], "translations": len(rows)}
        session.add(Event(kind="prefill", campaign_id=campaign_id, rater_id=viewer.rater_id, details=details))
        return len(rows)


def clear_prefills(engine: Engine, viewer: Viewer, campaign_id: int) -> None:
    """Remove all marks that are filled in. What raters have marked or stored stays."""
    viewer.must_manage()
    with write_session(engine) as session:
        session.execute(delete(Prefill).where(Prefill.translation_id.in_(_translations(campaign_id))))


def prefill_summary(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PrefillSummary]:
    """What is filled in now, by origin."""
    viewer.must_manage()
    query = select(Prefill.origin, Prefill.spans).where(
        Prefill.translation_id.in_(_translations(campaign_id))
    )
    translations: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    with read_session(engine) as session:
        for origin, spans in session.execute(query.order_by(Prefill.translation_id)):
            translations[origin] += 1
            marks[origin] += len(spans)
    return [
        PrefillSummary(origin=origin, translations=count, marks=marks[origin])
        for origin, count in translations.items()
    ]


def raters_with_marks(engine: Engine, viewer: Viewer, campaign_id: int) -> list[RaterRecord]:
    """The raters of a campaign who have marked errors."""
    viewer.must_manage()
    marked = (
        select(Item.rater_id)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET, RatingEvent.spans.is_not(None))
    )
    query = select(Rater.id, Rater.name, Rater.imported).where(Rater.id.in_(marked)).order_by(Rater.id)
    with read_session(engine) as session:
        return records(session, RaterRecord, query)


def marks_of_rater(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> Marks:
    """What a rater marked last in each translation of a campaign."""
    viewer.must_manage()
    query = (
        select(Item.translation_id, RatingEvent.spans)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.rater_id == rater_id, Item.kind == TARGET)
        .where(RatingEvent.spans.is_not(None), is_latest())
    )
    with read_session(engine) as session:
        return {row.translation_id: spans_from_json(row.spans) for row in session.execute(query)}


def judges(engine: Engine, viewer: Viewer, campaign_id: int) -> list[str]:
    """Signatures of stored `gemba-mqm` scores whose evidence is stored, so that their errors are known."""
    viewer.must_manage()
    query = _judged(campaign_id).with_only_columns(MetricScore.signature).distinct()
    with read_session(engine) as session:
        return sorted(session.scalars(query))


def marks_of_judge(engine: Engine, viewer: Viewer, campaign_id: int, signature: str) -> Marks:
    """The errors that a language model listed, where it quoted words that stand in the translation.

    A reply that cannot be read gives no entry, so that it is not taken for a text without errors.
    """
    viewer.must_manage()
    found: dict[int, list[MarkedSpan]] = {}
    query = _judged(campaign_id).where(MetricScore.signature == signature)
    with read_session(engine) as session:
        for row in session.execute(query):
            trace = decode_trace(row.trace)
            if not isinstance(trace, GembaTrace) or trace.given.text != row.text:
                continue
            readable = [sample for sample in trace.given.samples if sample.readable]
            if readable:
                found[row.translation_id] = [
                    MarkedSpan(fault.start, fault.end, fault.severity, fault.category)
                    for fault in sorted(readable[0].faults, key=lambda one: (one.start, one.end))
                    if 0 <= fault.start < fault.end
                ]
    return found


def prefill_uses(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PrefillUse]:
    """What raters kept, changed, removed and added, for each rated translation with marks filled in.

    The rater whose marks were filled in is left out. Systems whose names are sealed have the names of the
    seal.
    """
    viewer.must_see_scores()
    query = (
        select(
            Item.rater_id,
            Segment.document,
            Segment.position,
            System.name.label("system"),
            Prefill.origin,
            Prefill.spans.label("given"),
            RatingEvent.spans.label("final"),
        )
        .select_from(Prefill)
        .join(Item, Item.translation_id == Prefill.translation_id)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET)
        .where(RatingEvent.spans.is_not(None), is_latest())
        .where(or_(Prefill.rater_id.is_(None), Prefill.rater_id != Item.rater_id))
        .where(RatingEvent.created_at >= Prefill.created_at)
        .order_by(Item.rater_id, Item.place)
    )
    with read_session(engine) as session:
        hidden, names = hidden_names(session, campaign_id), rater_names(session, campaign_id)
        return [
            PrefillUse(
                rater=names[row.rater_id],
                document=row.document,
                position=row.position,
                system=hidden.get(row.system, row.system),
                origin=row.origin,
                changes=span_changes(spans_from_json(row.given), spans_from_json(row.final)),
            )
            for row in session.execute(query)
        ]


def _judged(campaign_id: int) -> Select[*tuple[object, ...]]:
    return (
        select(MetricScore.translation_id, MetricScore.trace, Translation.text)
        .join(Translation, Translation.id == MetricScore.translation_id)
        .where(MetricScore.metric == "gemba-mqm", MetricScore.trace.is_not(None))
        .where(MetricScore.translation_id.in_(_translations(campaign_id)))
        .order_by(MetricScore.id)
    )


def _translations(campaign_id: int) -> Select[int]:
    return select(Translation.id).join(Segment).where(Segment.campaign_id == campaign_id)


def _lengths(session: Session, campaign_id: int) -> dict[int, dict[str, int]]:
    query = (
        select(
            Translation.id,
            func.length(Translation.text).label("target"),
            func.length(func.coalesce(Segment.source, "")).label("source"),
        )
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    return {row.id: {"target": row.target, "source": row.source} for row in session.execute(query)}


def _protocol(session: Session, campaign_id: int) -> Protocol:
    row = session.execute(select(Campaign.protocol, Campaign.design).where(Campaign.id == campaign_id)).one()
    protocol = protocol_of(row.protocol, from_json(row.design))
    if not protocol.marks:
        raise InputError("Raters of this campaign mark no errors; choose the protocol ESA or MQM first.")
    return protocol
