"""A rater's practice: what is still to be answered, and answers stored apart from the ratings."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import RatingError
from core.raters.practice import judge
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
    Item,
    PracticeAnswer,
    PracticeItem,
    PracticeRun,
    RatingEvent,
    Translation,
    now,
)
from db.queries.practice import count, expected_of, finish, has_passed
from db.queries.rating import check_score
from db.records import PracticeReply, PracticeState


def practice_state(engine: Engine, campaign_id: int, rater_id: int) -> PracticeState:
    """Where a rater is in the practice of a campaign.

    It is due for a rater with items of an open campaign who has not passed it: before the first rating, and
    with a pass mark at any time.
    """
    with read_session(engine) as session:
        campaign = session.get_one(Campaign, campaign_id)
        design, items = from_json(campaign.design), count(session, campaign_id)
        run = _last_run(session, campaign_id, rater_id)
        replies = {} if run is None else _replies(session, run.id)
        finished = run is not None and run.finished_at is not None
        passed = has_passed(session, campaign_id, rater_id, design.practice_pass)
        asked = design.practice_pass is not None or not _has_rated(session, campaign_id, rater_id)
        return PracticeState(
            items=items,
            needed=min(design.practice_pass or 0, items),
            run=1 if run is None else run.number,
            replies=replies,
            finished=finished,
            total=run.total if finished and run is not None else items,
            right=sum(reply.right for reply in replies.values())
            if run is None or not finished
            else run.correct,
            passed=passed,
            again=finished and _tries_left(run, design.practice_tries),
            due=not passed and asked and _takes_answers(session, campaign, rater_id),
        )


def answer_practice(
    engine: Engine, *, practice_id: int, rater_id: int, score: float | None, spans: Sequence[MarkedSpan] = ()
) -> PracticeReply:
    """Store an answer in the current try; the first one to an item counts, and is given back for another.

    score: 0 to 100 where the protocol asks for one. spans: what is marked, where errors are marked. The last
    answer ends the try.

    Raises RatingError for an item that is gone, a campaign that is not open, a rater without items in it, an
    answer that the protocol does not have, and a try that has ended.
    """
    with write_session(engine) as session:
        item = session.get(PracticeItem, practice_id)
        if item is None:
            raise RatingError("This practice item is not there any more; reload the page.")
        campaign = session.get_one(Campaign, item.campaign_id)
        _must_take_answers(session, campaign, rater_id)
        protocol = protocol_of(campaign.protocol, from_json(campaign.design))
        text = session.get_one(Translation, item.translation_id).text
        given = _checked(protocol, score, spans, length=len(text))
        run = _last_run(session, campaign.id, rater_id) or _new_run(session, campaign.id, rater_id, 1)
        known = _replies(session, run.id).get(practice_id)
        if known is not None:
            return known
        if run.finished_at is not None:
            raise RatingError("This practice has ended; reload the page.")
        right = judge(expected_of(item), protocol, score=given, spans=spans).right
        session.add(
            PracticeAnswer(
                run_id=run.id,
                practice_item_id=practice_id,
                score=given,
                spans=spans_to_json(spans) if protocol.marks else None,
                correct=right,
            )
        )
        session.flush()
        finish(session, campaign, run)
        return _replies(session, run.id)[practice_id]


def practise_again(engine: Engine, *, campaign_id: int, rater_id: int) -> None:
    """Begin another try after a finished one; nothing happens while one is under way.

    Raises RatingError where no try is left, and for a campaign that is not open.
    """
    with write_session(engine) as session:
        campaign = session.get_one(Campaign, campaign_id)
        _must_take_answers(session, campaign, rater_id)
        run = _last_run(session, campaign_id, rater_id)
        if run is None or run.finished_at is None:
            return
        if not _tries_left(run, from_json(campaign.design).practice_tries):
            raise RatingError("Practice cannot be repeated any more; ask the organiser.")
        _new_run(session, campaign_id, rater_id, run.number + 1)


def _checked(
    protocol: Protocol, score: float | None, spans: Sequence[MarkedSpan], *, length: int
) -> float | None:
    """The score as it is stored; RatingError for what the protocol does not have."""
    if score is not None and not protocol.scored:
        raise RatingError("This campaign asks for marked errors and no score; reload the page.")
    check_spans(spans, protocol, {"target": length})
    return check_score(score, None, marked=not protocol.scored)


def _takes_answers(session: Session, campaign: Campaign, rater_id: int) -> bool:
    """Whether the campaign is open and the rater has items in it."""
    is_open = campaign.state == "open" and (campaign.deadline is None or campaign.deadline >= now())
    own = select(Item.id).where(Item.campaign_id == campaign.id, Item.rater_id == rater_id).limit(1)
    return is_open and session.scalar(own) is not None


def _must_take_answers(session: Session, campaign: Campaign, rater_id: int) -> None:
    if not _takes_answers(session, campaign, rater_id):
        raise RatingError(
            "The campaign is closed or not yours, so the answer was not stored; ask the organiser."
        )


def _has_rated(session: Session, campaign_id: int, rater_id: int) -> bool:
    query = (
        select(RatingEvent.id)
        .join(Item, Item.id == RatingEvent.item_id)
        .where(Item.campaign_id == campaign_id, Item.rater_id == rater_id)
    )
    return session.scalar(query.limit(1)) is not None


def _last_run(session: Session, campaign_id: int, rater_id: int) -> PracticeRun | None:
    query = select(PracticeRun).where(
        PracticeRun.campaign_id == campaign_id, PracticeRun.rater_id == rater_id
    )
    return session.scalar(query.order_by(PracticeRun.number.desc()).limit(1))


def _new_run(session: Session, campaign_id: int, rater_id: int, number: int) -> PracticeRun:
    run = PracticeRun(campaign_id=campaign_id, rater_id=rater_id, number=number)
    session.add(run)
    session.flush()
    return run


def _tries_left(run: PracticeRun | None, tries: int | None) -> bool:
    return tries is None or run is None or run.number < tries


def _replies(session: Session, run_id: int) -> dict[int, PracticeReply]:
    rows = session.scalars(select(PracticeAnswer).where(PracticeAnswer.run_id == run_id))
    return {
        row.practice_item_id: PracticeReply(
            practice_id=row.practice_item_id,
            score=row.score,
            spans=() if row.spans is None else spans_from_json(row.spans),
            right=row.correct,
        )
        for row in rows
    }
