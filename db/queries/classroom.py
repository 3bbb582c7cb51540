"""Classes: students, an expert panel, and scores that stay hidden until their release."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError
from core.metrics import METRICS as METRIC_NAMES
from core.raters.assignment import TARGET
from core.raters.grading import panel_means
from db.design import from_json
from db.engine import read_session, write_session
from db.models import Campaign, Event, Guess, Item, Member, Rater, RatingEvent, is_latest, now
from db.names import check_rater_name
from db.permissions import NO_ACCESS, Viewer
from db.queries.campaigns import campaign_in
from db.queries.joining import must_be_free
from db.queries.people import withdraw
from db.queries.scores import scores_of_campaign
from db.records import CampaignRecord, StudentRecord

PANEL, CLASS, METRICS = "panel", "class", "metrics"
STEPS = (CLASS, PANEL, METRICS)
"""What a teacher releases, one after the other; a student's own scores are always open to them."""

NOT_RELEASED = "The panel's scores are not released yet; ask your teacher."
_SINCE = {CLASS: "class_released_at", PANEL: "released_at", METRICS: "metrics_released_at"}


def released(campaign: CampaignRecord) -> frozenset[str]:
    """What the students of a campaign may see beside their own scores."""
    return frozenset(step for step, field in _SINCE.items() if getattr(campaign, field) is not None)


def release(engine: Engine, viewer: Viewer, campaign_id: int, *, step: str = PANEL, released: bool) -> None:
    """Let a class see the scores of a step, or take them back. Only for teachers and organisers."""
    viewer.must_see_scores()
    with write_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        field = _SINCE[step]
        setattr(campaign, field, (getattr(campaign, field) or now()) if released else None)
        kind = f"{step}-released" if released else f"{step}-hidden"
        session.add(Event(kind=kind, campaign_id=campaign_id, rater_id=viewer.rater_id))


def pace(
    engine: Engine, viewer: Viewer, campaign_id: int, *, rating: bool, minutes: float | None = None
) -> None:
    """Start or stop the rating of a class; a start may end by itself. Only for teachers and organisers.

    minutes: after how many minutes from now ratings are refused; None for never.
    """
    viewer.must_see_scores()
    with write_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        if campaign.state == "draft":
            raise InputError("The campaign is being prepared; open it on the page for managing campaigns.")
        campaign.state = "open" if rating else "closed"
        campaign.deadline = now() + timedelta(minutes=minutes) if rating and minutes else None
        kind = "campaign-open" if rating else "campaign-closed"
        session.add(Event(kind=kind, campaign_id=campaign_id, rater_id=viewer.rater_id))


def rename(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int, name: str) -> None:
    """Give a person of a class another name. Only for teachers and organisers.

    Raises InputError for a name that another person of the class has, and for a person of another campaign.
    """
    viewer.must_see_scores()
    shown = check_rater_name(name)
    with write_session(engine) as session:
        _student(session, campaign_id, rater_id)
        must_be_free(session, campaign_id, shown, but=rater_id)
        session.get_one(Rater, rater_id).name = shown


def remove(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> int:
    """Take a student out of a class with all that they gave; gives how many ratings. As `withdraw`.

    For a person who joined twice. Only for organisers, and only for students.
    """
    viewer.must_manage()
    with read_session(engine) as session:
        _student(session, campaign_id, rater_id)
    return withdraw(engine, viewer, rater_id)


def students(engine: Engine, viewer: Viewer, campaign_id: int) -> list[StudentRecord]:
    """Every student with their scores, by translation. Only for teachers and organisers."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        return _students(session, campaign_id)


def own_record(engine: Engine, viewer: Viewer, campaign_id: int) -> StudentRecord:
    """The visitor's own scores and guesses. Raises AccessError for a visitor of whom nothing is known."""
    if viewer.rater_id is None:
        raise AccessError(NO_ACCESS)
    with read_session(engine) as session:
        rater = session.get_one(Rater, viewer.rater_id)
        return _record_of(session, campaign_id, [(rater.id, rater.name, rater.student_number)])[0]


def class_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> list[dict[int, float]]:
    """Each student's scores by translation, without names. For a student once they are released."""
    with read_session(engine) as session:
        _must_be_released(session, viewer, campaign_id, CLASS)
        return [dict(one.scores) for one in _students(session, campaign_id)]


def panel(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[int, float]:
    """The panel's mean by translation. For a student only once it is released, and only of the own class."""
    with read_session(engine) as session:
        _must_be_released(session, viewer, campaign_id, PANEL)
        experts = _panel(session, campaign_id)
        return panel_means(list(_scores(session, campaign_id, experts).values()))


def panel_comments(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[int, list[str]]:
    """What the panel wrote beside its scores, by translation, without names. As `panel`."""
    with read_session(engine) as session:
        _must_be_released(session, viewer, campaign_id, PANEL)
        query = (
            select(Item.translation_id, RatingEvent.comment)
            .join(RatingEvent, RatingEvent.item_id == Item.id)
            .where(Item.campaign_id == campaign_id, Item.kind == TARGET)
            .where(Item.rater_id.in_(_panel(session, campaign_id)))
            .where(RatingEvent.score.is_not(None), RatingEvent.comment != "", is_latest())
            .order_by(Item.rater_id, Item.place)
        )
        found: dict[int, list[str]] = {}
        for row in session.execute(query):
            found.setdefault(row.translation_id, []).append(row.comment)
        return found


def metric_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[str, dict[int, float]]:
    """By metric the stored score of every translation, higher is better; of several settings the first.

    For a student only once they are released.
    """
    with read_session(engine) as session:
        _must_be_released(session, viewer, campaign_id, METRICS)
    found: dict[str, dict[int, float]] = {}
    for row in scores_of_campaign(engine, campaign_id):
        if row.score is not None and row.metric in METRIC_NAMES:
            upwards = METRIC_NAMES[row.metric].higher_is_better
            found.setdefault(row.metric, {}).setdefault(
                row.translation_id, row.score * (1 if upwards else -1)
            )
    return found


def save_guess(engine: Engine, viewer: Viewer, item_id: int, metric: str, level: int) -> None:
    """Store what a person guesses that a metric says of an item of theirs; a later guess replaces it.

    Raises AccessError for another person's item, InputError for a metric that is not guessed in this
    campaign, and once the metrics' scores are released.
    """
    with write_session(engine) as session:
        item = session.get(Item, item_id)
        if item is None:
            raise InputError("There is no such item any more; reload the page.")
        viewer.must_be(item.rater_id)
        campaign = session.get_one(Campaign, item.campaign_id)
        if metric not in from_json(campaign.design).guesses:
            raise InputError("This metric is not guessed here.")
        if campaign.metrics_released_at is not None:
            raise InputError("The metrics' scores are released, so guesses stay as they are.")
        session.merge(Guess(item_id=item_id, metric=metric, level=level))


def guesses_of(engine: Engine, viewer: Viewer, item_id: int) -> dict[str, int]:
    """What a person guessed about an item of theirs, by metric."""
    with read_session(engine) as session:
        item = session.get(Item, item_id)
        if item is None:
            return {}
        viewer.must_be(item.rater_id)
        guesses = session.scalars(select(Guess).where(Guess.item_id == item_id))
        return {guess.metric: guess.level for guess in guesses}


def _panel(session: Session, campaign_id: int) -> Sequence[int]:
    query = select(Member.rater_id).where(Member.campaign_id == campaign_id, Member.part == "panel")
    return session.scalars(query).all()


def _student(session: Session, campaign_id: int, rater_id: int) -> Member:
    """A student of the class. Raises InputError for anybody else."""
    member = session.scalar(
        select(Member).where(
            Member.campaign_id == campaign_id, Member.rater_id == rater_id, Member.part == "student"
        )
    )
    if member is None:
        raise InputError("There is no such student in this class; reload the page.")
    return member


def _must_be_released(session: Session, viewer: Viewer, campaign_id: int, step: str) -> None:
    """Raise AccessError for a student before the release, and for everybody who is not of the class."""
    campaign = campaign_in(session, campaign_id)
    if viewer.sees_scores:
        return
    part = session.scalar(
        select(Member.part).where(Member.campaign_id == campaign_id, Member.rater_id == viewer.rater_id)
    )
    if part is None:
        viewer.must_see_scores()
    if getattr(campaign, _SINCE[step]) is None:
        raise AccessError(NOT_RELEASED)


def _students(session: Session, campaign_id: int) -> list[StudentRecord]:
    people = session.execute(
        select(Rater.id, Rater.name, Rater.student_number)
        .join(Member, Member.rater_id == Rater.id)
        .where(Member.campaign_id == campaign_id, Member.part == "student")
        .order_by(Rater.name, Rater.id)
    )
    return _record_of(session, campaign_id, people.all())


def _record_of(
    session: Session, campaign_id: int, people: Sequence[tuple[int, str, str]]
) -> list[StudentRecord]:
    ids = [number for number, *_ in people]
    scores, guesses = _scores(session, campaign_id, ids), _guesses(session, campaign_id, ids)
    return [
        StudentRecord(
            rater_id=one,
            name=name,
            number=number,
            scores=scores.get(one, {}),
            guesses=guesses.get(one, {}),
        )
        for one, name, number in people
    ]


def _guesses(
    session: Session, campaign_id: int, raters: Iterable[int]
) -> dict[int, dict[int, dict[str, int]]]:
    query = (
        select(Item.rater_id, Item.translation_id, Guess.metric, Guess.level)
        .join(Guess, Guess.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.rater_id.in_(list(raters)), Item.kind == TARGET)
    )
    found: dict[int, dict[int, dict[str, int]]] = {}
    for row in session.execute(query):
        found.setdefault(row.rater_id, {}).setdefault(row.translation_id, {})[row.metric] = row.level
    return found


def _scores(session: Session, campaign_id: int, raters: Iterable[int]) -> dict[int, dict[int, float]]:
    """The scores that hold, by rater and translation; checks and skips are left out."""
    query = (
        select(Item.rater_id, Item.translation_id, RatingEvent.score)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.rater_id.in_(list(raters)), Item.kind == TARGET)
        .where(RatingEvent.score.is_not(None), is_latest())
        .order_by(Item.place)
    )
    found: dict[int, dict[int, float]] = {}
    for row in session.execute(query):
        found.setdefault(row.rater_id, {})[row.translation_id] = row.score
    return found
