"""Decisions between raters of one translation. They are no ratings; those of the raters stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, Select, func, insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from core.errors import InputError, RatingError, UnavailableError, Wording
from core.raters.assignment import TARGET
from core.raters.protocols import MarkedSpan, check_spans, spans_from_json, spans_to_json
from db.design import Design, from_json, protocol_of
from db.engine import read_session, write_session
from db.models import (
    Adjudication,
    Campaign,
    Item,
    Rater,
    RatingEvent,
    Segment,
    System,
    Translation,
    is_latest,
    now,
)
from db.permissions import Viewer
from db.queries.rating import check_score, check_text, score_of
from db.queries.sealed import hidden_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """A translation that several raters judged. spread: highest minus lowest score, MQM's where marks only.

    marks: how many marks differ between the two raters with the most and the fewest.
    """

    translation_id: int
    segment_id: int
    system_id: int
    document: str
    position: int
    system: str
    raters: int
    spread: float
    marks: int
    decided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterJudgement:
    """What a rater says of a translation. scales: answers on the campaign's own scales, by name."""

    rater: str
    score: float | None
    spans: tuple[MarkedSpan, ...] | None
    comment: str
    edited: str | None
    scales: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A third person's score and marks. rater: who decided; empty in the open demo."""

    rater: str
    document: str
    position: int
    system: str
    score: float | None
    spans: tuple[MarkedSpan, ...] | None
    comment: str
    revision: int
    decided_at: datetime


def disputed(engine: Engine, viewer: Viewer, campaign_id: int) -> list[Disputed]:
    """The translations with two raters or more, those with the widest difference first.

    Raises AccessError for a viewer who may not manage campaigns.
    """
    viewer.must_manage()
    query = _judgements(campaign_id).add_columns(
        Translation.segment_id, Translation.system_id, Segment.document, Segment.position, System.name
    )
    decided = select(Adjudication.translation_id).distinct()
    with read_session(engine) as session:
        design = _design(session, campaign_id)
        hidden = hidden_names(session, campaign_id)
        done = set(session.scalars(decided))
        rows: dict[int, list[Row[Any]]] = {}
        for row in session.execute(query):
            rows.setdefault(row.translation_id, []).append(row)
    found = [
        Disputed(
            translation_id=translation,
            segment_id=given[0].segment_id,
            system_id=given[0].system_id,
            document=given[0].document,
            position=given[0].position,
            system=hidden.get(given[0].name, given[0].name),
            raters=len(given),
            spread=_range([score_of(row.score, row.spans, design) for row in given]),
            marks=int(_range([len(row.spans or ()) for row in given])),
            decided=translation in done,
        )
        for translation, given in rows.items()
        if len(given) > 1
    ]
    return sorted(found, key=lambda one: (-one.spread, -one.marks, one.document, one.position, one.system))


def judgements_of(engine: Engine, viewer: Viewer, translation_id: int) -> list[RaterJudgement]:
    """What each rater says of a translation, in the order of the raters."""
    viewer.must_manage()
    query = _judgements(None).where(Item.translation_id == translation_id)
    with read_session(engine) as session:
        return [
            RaterJudgement(
                rater=row.rater,
                score=row.score,
                spans=None if row.spans is None else spans_from_json(row.spans),
                comment=row.comment,
                edited=row.edited,
                scales=row.scales or {},
            )
            for row in session.execute(query)
        ]


def save_decision(
    engine: Engine,
    viewer: Viewer,
    translation_id: int,
    *,
    score: float | None,
    spans: Sequence[MarkedSpan] | None,
    comment: str = "",
) -> None:
    """Store a decision as a further revision. score: None where the protocol has none; spans likewise.

    Raises RatingError for what the protocol does not allow, UnavailableError if storing fails.
    """
    viewer.must_manage()
    check_text(comment, Wording("comment"))
    value = check_score(score, None, marked=spans is not None)
    for _ in range(2):  # another window may take the revision's number first
        try:
            with write_session(engine) as session:
                _check_fits(session, translation_id, value, spans)
                last = select(func.max(Adjudication.revision))
                query = last.where(Adjudication.translation_id == translation_id)
                row = {
                    "translation_id": translation_id,
                    "rater_id": viewer.rater_id,
                    "revision": (session.scalar(query) or 0) + 1,
                    "score": value,
                    "spans": None if spans is None else spans_to_json(spans),
                    "comment": comment,
                    "created_at": now(),
                }
                session.execute(insert(Adjudication).values(**row))
                return
        except IntegrityError:
            continue
    raise UnavailableError("The decision could not be stored; try again.")


def decision_of(engine: Engine, viewer: Viewer, translation_id: int) -> Decision | None:
    """The decision that holds for a translation, or None."""
    viewer.must_manage()
    query = _decisions().where(Adjudication.translation_id == translation_id)
    with read_session(engine) as session:
        row = session.execute(query).one_or_none()
        return None if row is None else _decision(row, {})


def decisions(engine: Engine, viewer: Viewer, campaign_id: int) -> list[Decision]:
    """The decisions of a campaign that hold. Sealed systems have the names of the seal."""
    viewer.must_manage()
    query = _decisions().where(Segment.campaign_id == campaign_id)
    with read_session(engine) as session:
        hidden = hidden_names(session, campaign_id)
        return [_decision(row, hidden) for row in session.execute(query)]


def _judgements(campaign_id: int | None) -> Select[*tuple[Any, ...]]:
    query = (
        select(
            Item.translation_id,
            Rater.name.label("rater"),
            RatingEvent.score,
            RatingEvent.spans,
            RatingEvent.comment,
            RatingEvent.edited,
            RatingEvent.scales,
        )
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .join(Rater, Rater.id == Item.rater_id)
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(Item.kind == TARGET, is_latest())
        .where(or_(RatingEvent.score.is_not(None), RatingEvent.spans.is_not(None)))
        .order_by(Item.translation_id, Rater.id)
    )
    return query if campaign_id is None else query.where(Item.campaign_id == campaign_id)


def _decisions() -> Select[*tuple[Any, ...]]:
    other = aliased(Adjudication)
    last = select(func.max(other.revision)).where(other.translation_id == Adjudication.translation_id)
    return (
        select(
            func.coalesce(Rater.name, "").label("rater"),
            Segment.document,
            Segment.position,
            System.name.label("system"),
            Adjudication.score,
            Adjudication.spans,
            Adjudication.comment,
            Adjudication.revision,
            Adjudication.created_at,
        )
        .select_from(Adjudication)
        .outerjoin(Rater, Rater.id == Adjudication.rater_id)
        .join(Translation, Translation.id == Adjudication.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(Adjudication.revision == last.scalar_subquery())
        .order_by(Segment.document, Segment.position, System.id)
    )


def _decision(row: Row[Any], hidden: dict[str, str]) -> Decision:
    return Decision(
        rater=row.rater,
        document=row.document,
        position=row.position,
        system=hidden.get(row.system, row.system),
        score=row.score,
        spans=None if row.spans is None else spans_from_json(row.spans),
        comment=row.comment,
        revision=row.revision,
        decided_at=row.created_at,
    )


def _check_fits(
    session: Session, translation_id: int, score: float | None, spans: Sequence[MarkedSpan] | None
) -> None:
    query = (
        select(
            Campaign.protocol,
            Campaign.design,
            func.length(Translation.text).label("target"),
            func.length(func.coalesce(Segment.source, "")).label("source"),
        )
        .select_from(Translation)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(Campaign, Campaign.id == Segment.campaign_id)
        .where(Translation.id == translation_id)
    )
    row = session.execute(query).one_or_none()
    if row is None:
        raise InputError("There is no such translation; reload the page.")
    protocol = protocol_of(row.protocol, from_json(row.design))
    if protocol.scored and score is None:
        raise RatingError("The decision has no score; give one from 0 to 100.")
    if not protocol.scored and score is not None:
        raise RatingError("This campaign asks for marked errors and no score; reload the page.")
    if spans is not None:
        check_spans(spans, protocol, {"target": row.target, "source": row.source})


def _range(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _design(session: Session, campaign_id: int) -> Design:
    design = session.scalar(select(Campaign.design).where(Campaign.id == campaign_id))
    return from_json(design or {})
