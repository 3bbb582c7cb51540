"""Who has finished a campaign, whether they passed its hidden checks, and what they take to the platform."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from core.raters.completion import JudgedItem, count_checks
from core.raters.platforms import completion_address
from core.raters.rules import Rules
from db.design import Design, from_json, rules_of
from db.engine import read_session
from db.models import Campaign, Item, Member, RatingEvent, Translation
from db.permissions import Viewer
from db.queries.rating import score_of
from db.queries.reading import finished_in
from db.records import CompletionRecord, OutcomeRecord


def completion(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> CompletionRecord | None:
    """The code that a rater takes to the platform they came from, and its address; for that rater only.

    None while an item is open and in a campaign without codes; an empty code, and no address, for a rater
    who did not pass where there is no code for that. Raises AccessError for another person.
    """
    viewer.must_be(rater_id)
    with read_session(engine) as session:
        design, rules = _choices(session, campaign_id)
        if not design.code_passed:
            return None
        found = _outcomes(session, campaign_id, design, rules, rater_id)
        if not found:
            return None
        code = design.code_passed if found[0].passed else design.code_failed
        address = completion_address(
            design.completion_address, code, _parameters(session, campaign_id, rater_id)
        )
    return CompletionRecord(code=code, address=address if code else "")


def _parameters(session: Session, campaign_id: int, rater_id: int) -> Mapping[str, str]:
    """What the platform said of a rater; nothing of one who did not come from there."""
    query = select(Member.parameters).where(Member.campaign_id == campaign_id, Member.rater_id == rater_id)
    return session.scalar(query) or {}


def outcomes(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[int, OutcomeRecord] | None:
    """By rater, for those who have finished; None in a campaign without codes.

    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    with read_session(engine) as session:
        design, rules = _choices(session, campaign_id)
        if not design.code_passed:
            return None
        return {one.rater_id: one for one in _outcomes(session, campaign_id, design, rules)}


def _choices(session: Session, campaign_id: int) -> tuple[Design, Rules]:
    campaign = session.get_one(Campaign, campaign_id)
    design = from_json(campaign.design)
    return design, rules_of(design, campaign.target_lang)


def _outcomes(
    session: Session, campaign_id: int, design: Design, rules: Rules, rater_id: int | None = None
) -> list[OutcomeRecord]:
    """Of all raters who have finished, or of one.

    What held when the last open item was judged counts: who sees their code, or none, cannot better it by
    trying other scores.
    """
    found = []
    for rater, finished in _finished(session, campaign_id, rater_id).items():
        count = count_checks(_judged(session, campaign_id, rater, finished, design), rules)
        found.append(
            OutcomeRecord(
                rater_id=rater,
                passed=count.reaches(design.pass_share),
                right=count.passed,
                counted=count.counted,
            )
        )
    return found


def _finished(session: Session, campaign_id: int, rater_id: int | None) -> dict[int, datetime]:
    """When each rater judged the last open item, or compared all versions; only who has finished."""
    first = (
        select(RatingEvent.item_id, func.min(RatingEvent.created_at).label("at"))
        .group_by(RatingEvent.item_id)
        .subquery()
    )
    query = (
        select(Item.rater_id, func.max(first.c.at).label("at"))
        .outerjoin(first, first.c.item_id == Item.id)
        .where(Item.campaign_id == campaign_id)
        .group_by(Item.rater_id)
        .having(func.count() == func.count(first.c.item_id))
    )
    if rater_id is not None:
        query = query.where(Item.rater_id == rater_id)
    read = finished_in(session, campaign_id)
    return dict(session.execute(query).all()) | {
        rater: at for rater, at in read.items() if rater_id in (None, rater)
    }


def _judged(
    session: Session, campaign_id: int, rater_id: int, finished: datetime, design: Design
) -> list[JudgedItem]:
    """A rater's items as they stood at an instant."""
    query = (
        select(
            Item.id,
            Item.kind,
            Item.translation_id,
            Translation.segment_id,
            RatingEvent.score,
            RatingEvent.spans,
            RatingEvent.skipped_reason,
        )
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .join(Translation, Translation.id == Item.translation_id)
        .where(Item.campaign_id == campaign_id, Item.rater_id == rater_id)
        .where(RatingEvent.created_at <= finished)
        .order_by(RatingEvent.revision)
    )
    latest = {row.id: row for row in session.execute(query)}
    return [
        JudgedItem(
            kind=row.kind,
            item=row.translation_id,
            segment=row.segment_id,
            score=None if row.skipped_reason is not None else score_of(row.score, row.spans, design),
        )
        for row in latest.values()
    ]
