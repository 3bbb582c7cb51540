"""Practice items of a campaign: chosen and changed by the organiser; who has passed; what raters answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, case, delete, func, select
from sqlalchemy.orm import Session

from core.errors import InputError, Wording
from core.raters.practice import Expected, check_expected
from db.design import check_design, from_json, to_json
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    PracticeAnswer,
    PracticeItem,
    PracticeRun,
    Rater,
    Segment,
    System,
    Translation,
    now,
)
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.sealed import hidden_names
from db.records import PracticeAnswerRow, PracticeRecord, PracticeTry

FEEDBACK_LIMIT = 500
"""Characters of the sentence that is shown after an answer."""
MOST_ITEMS = 50


def practice_items(engine: Engine, campaign_id: int) -> list[PracticeRecord]:
    """The practice items of a campaign, in the order in which they are shown."""
    query = (
        select(
            PracticeItem,
            Translation.segment_id,
            Segment.document,
            Segment.position,
            Segment.source,
            Segment.reference,
            Translation.text.label("translation"),
            Campaign.target_lang.label("lang"),
        )
        .join(Translation, Translation.id == PracticeItem.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(Campaign, Campaign.id == PracticeItem.campaign_id)
        .where(PracticeItem.campaign_id == campaign_id)
        .order_by(PracticeItem.place)
    )
    with read_session(engine) as session:
        return [_record(dict(row)) for row in session.execute(query).mappings()]


def _record(row: dict[str, Any]) -> PracticeRecord:
    item: PracticeItem = row.pop("PracticeItem")
    return PracticeRecord(
        id=item.id,
        translation_id=item.translation_id,
        expected=expected_of(item),
        feedback_en=item.feedback_en,
        feedback_ja=item.feedback_ja,
        **row,
    )


def expected_of(item: PracticeItem) -> Expected:
    """What is expected of an answer to a stored item."""
    return Expected(
        low=item.low,
        high=item.high,
        start=item.piece_start,
        end=item.piece_end,
        severity=item.severity,
        clean=item.clean,
    )


def stored_expectation(expected: Expected) -> dict[str, Any]:
    """The same as values of the columns: the inverse of `expected_of`."""
    return {
        "low": expected.low,
        "high": expected.high,
        "piece_start": expected.start,
        "piece_end": expected.end,
        "severity": expected.severity,
        "clean": expected.clean,
    }


def add_practice(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    *,
    translation_id: int,
    expected: Expected,
    feedback_en: str = "",
    feedback_ja: str = "",
) -> int:
    """Put a translation behind the practice items of a draft or open campaign; gives the item's id.

    Raises AccessError, and InputError for a translation of another campaign or one that is there already,
    for an answer that cannot be expected, and for a sentence that is too long.
    """
    viewer.must_manage()
    for sentence in (feedback_en, feedback_ja):
        if len(sentence) > FEEDBACK_LIMIT:
            raise InputError(
                "The {what} has {n} characters and {limit} are allowed.",
                what=Wording("feedback"),
                n=len(sentence),
                limit=FEEDBACK_LIMIT,
            )
    with write_session(engine) as session:
        _unclosed(session, campaign_id)
        text = session.scalar(
            select(Translation.text)
            .join(Segment, Segment.id == Translation.segment_id)
            .where(Translation.id == translation_id, Segment.campaign_id == campaign_id)
        )
        if text is None:
            raise InputError("This translation is not one of the campaign's; reload the page.")
        check_expected(expected, length=len(text))
        there = session.execute(
            select(PracticeItem.translation_id, PracticeItem.place).where(
                PracticeItem.campaign_id == campaign_id
            )
        ).all()
        if any(row.translation_id == translation_id for row in there):
            raise InputError("This translation is a practice item already; remove it there to change it.")
        if len(there) >= MOST_ITEMS:
            raise InputError("A campaign has at most {limit} practice items.", limit=MOST_ITEMS)
        item = PracticeItem(
            campaign_id=campaign_id,
            translation_id=translation_id,
            place=max((row.place for row in there), default=-1) + 1,
            **stored_expectation(expected),
            feedback_en=feedback_en.strip(),
            feedback_ja=feedback_ja.strip(),
        )
        session.add(item)
        session.flush()
        return item.id


def remove_practice(engine: Engine, viewer: Viewer, campaign_id: int, practice_id: int) -> None:
    """Take an item and the answers to it away; nothing happens where it is gone. A try may end by that."""
    viewer.must_manage()
    with write_session(engine) as session:
        campaign = _unclosed(session, campaign_id)
        item = session.get(PracticeItem, practice_id)
        if item is None or item.campaign_id != campaign_id:
            return
        session.execute(delete(PracticeAnswer).where(PracticeAnswer.practice_item_id == practice_id))
        session.delete(item)
        session.flush()
        unfinished = select(PracticeRun).where(
            PracticeRun.campaign_id == campaign_id, PracticeRun.finished_at.is_(None)
        )
        for run in session.scalars(unfinished).all():
            finish(session, campaign, run)


def set_practice(
    engine: Engine, viewer: Viewer, campaign_id: int, *, pass_mark: int | None, tries: int | None
) -> None:
    """How many items must be right before rating, and how many tries there are; None for no such limit.

    Raises AccessError, and InputError for numbers below 1 and for a pass mark above the number of items.
    """
    viewer.must_manage()
    with write_session(engine) as session:
        campaign = _unclosed(session, campaign_id)
        if pass_mark is not None and pass_mark > count(session, campaign_id):
            raise InputError("The pass mark is higher than the number of practice items; lower it.")
        design = replace(from_json(campaign.design), practice_pass=pass_mark, practice_tries=tries)
        check_design(design, campaign.protocol)
        campaign.design = to_json(design)


def count(session: Session, campaign_id: int) -> int:
    """How many practice items a campaign has."""
    query = select(func.count()).select_from(PracticeItem).where(PracticeItem.campaign_id == campaign_id)
    return session.scalar(query) or 0


def has_passed(session: Session, campaign_id: int, rater_id: int, needed: int | None) -> bool:
    """Whether a rater has done the practice well enough.

    A try that was enough on its day stays so; one that was not is enough where the pass mark was lowered, or
    items were removed, to what it has. needed: the pass mark; None for any finished try.
    """
    items = count(session, campaign_id)
    finished = session.execute(
        select(PracticeRun.passed, PracticeRun.correct).where(
            PracticeRun.campaign_id == campaign_id,
            PracticeRun.rater_id == rater_id,
            PracticeRun.finished_at.is_not(None),
        )
    )
    return not items or any(run.passed or run.correct >= min(needed or 0, items) for run in finished)


def finish(session: Session, campaign: Campaign, run: PracticeRun) -> None:
    """Close a try in which every item is answered; leave any other as it is."""
    items = count(session, campaign.id)
    answers = session.scalars(select(PracticeAnswer.correct).where(PracticeAnswer.run_id == run.id)).all()
    if not items or len(answers) < items:
        return
    needed = from_json(campaign.design).practice_pass or 0
    run.correct, run.total, run.finished_at = sum(answers), len(answers), now()
    run.passed = run.correct >= min(needed, items)


def practice_tries(engine: Engine, viewer: Viewer, campaign_id: int) -> list[PracticeTry]:
    """Every rater's tries, in the order in which raters came; answers so far of one that is under way."""
    viewer.must_manage()
    answered = (
        select(
            PracticeAnswer.run_id,
            func.count().label("n"),
            func.sum(case((PracticeAnswer.correct, 1), else_=0)).label("right"),
        )
        .group_by(PracticeAnswer.run_id)
        .subquery()
    )
    query = (
        select(PracticeRun, Rater.name, answered.c.n, answered.c.right)
        .join(Rater, Rater.id == PracticeRun.rater_id)
        .outerjoin(answered, answered.c.run_id == PracticeRun.id)
        .where(PracticeRun.campaign_id == campaign_id)
        .order_by(PracticeRun.rater_id, PracticeRun.number)
    )
    with read_session(engine) as session:
        return [
            PracticeTry(
                rater=name,
                number=run.number,
                right=run.correct if run.finished_at else int(right or 0),
                total=run.total if run.finished_at else int(n or 0),
                passed=run.passed,
                finished_at=run.finished_at,
            )
            for run, name, n, right in session.execute(query).all()
        ]


def practice_answers(engine: Engine, viewer: Viewer, campaign_id: int) -> Sequence[PracticeAnswerRow]:
    """Every answer to the practice items that there are, rater by rater, try by try."""
    viewer.must_manage()
    query = (
        select(
            PracticeAnswer, PracticeRun.number, Rater.name, Segment.document, Segment.position, System.name
        )
        .join(PracticeRun, PracticeRun.id == PracticeAnswer.run_id)
        .join(Rater, Rater.id == PracticeRun.rater_id)
        .join(PracticeItem, PracticeItem.id == PracticeAnswer.practice_item_id)
        .join(Translation, Translation.id == PracticeItem.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(PracticeRun.campaign_id == campaign_id)
        .order_by(PracticeRun.rater_id, PracticeRun.number, PracticeItem.place)
    )
    with read_session(engine) as session:
        hidden = hidden_names(session, campaign_id)
        return [
            PracticeAnswerRow(
                rater=rater,
                number=number,
                document=document,
                position=position,
                system=hidden.get(system, system),
                score=answer.score,
                errors=None if answer.spans is None else len(answer.spans),
                right=answer.correct,
                answered_at=answer.created_at,
            )
            for answer, number, rater, document, position, system in session.execute(query).all()
        ]


def _unclosed(session: Session, campaign_id: int) -> Campaign:
    campaign = campaign_in(session, campaign_id)
    if campaign.state == "closed":
        raise InputError("The campaign is closed, so its practice stays as it is.")
    return campaign
