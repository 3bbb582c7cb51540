"""A reading study as its organiser sees it: the plan of orders, and all that readers gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.orm import Session

from core.errors import InputError
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.excerpt import length_of, unit_of
from core.raters.reading.orders import Order, OrderBalance, balance, planned_orders
from core.text.japanese import plain
from db.design import Design, from_json, reading_of
from db.engine import read_session
from db.models import ChunkPair, Highlight, PageVisit, Reading, ReadingAnswer, System, Translation
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.close import answers_in
from db.queries.rater_names import rater_names
from db.queries.reading import held_in, highlights_in
from db.queries.reading_plan import chunks_in
from db.queries.sealed import hidden_names
from db.queries.versions import excerpt_ids, orders_in, versions_in
from db.records import ComparedRecord, HighlightRecord, ReaderRecord, ReadRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """Who reads what: orders of the readers planned, by numbers of `versions`; `given` of them hold already.

    length: of the excerpt in `unit`, `words` or `characters`, the mean over versions. chunks: of the close
    reading of each reader, 0 without one.
    """

    versions: tuple[str, ...]
    orders: tuple[Order, ...]
    given: int
    balance: OrderBalance
    length: int
    unit: str
    chunks: int


def study_plan(
    engine: Engine, viewer: Viewer, campaign_id: int, design: Design, protocol: str | None = None
) -> StudyPlan:
    """The plan of a campaign under this design, for at least `design.raters` readers.

    protocol: the campaign's unless another one is tried.
    Raises AccessError for a viewer who does not manage, InputError where there are too few versions and for a
    human version that is not there.
    """
    viewer.must_manage()
    choices = reading_of(design)
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        every = versions_in(session, campaign)
        hidden = hidden_names(session, campaign_id)
        left_out = {hidden.get(name, name) for name in design.left_out}
        versions = [one for one in every if one[1] not in left_out]
        names = tuple(name for _, name in versions)
        human = hidden.get(choices.human, choices.human)
        check_versions(names, choices, human)
        given = orders_in(session, campaign_id, versions)
        lengths = [sum(one) for one in _lengths(session, campaign_id, versions, choices)]
        chunks = len(chunks_in(session, campaign, choices, protocol))
        seed, unit = campaign.seed, unit_of(campaign.target_lang)
    orders = planned_orders(len(names), choices.versions, design.raters, seed=seed, given=given)
    return StudyPlan(
        versions=names,
        orders=orders,
        given=len(given),
        balance=balance(orders, len(names), choices.versions),
        length=round(sum(lengths) / max(len(lengths), 1)),
        unit=unit,
        chunks=chunks,
    )


def check_versions(names: Sequence[str], choices: ReadingChoices, human: str) -> None:
    """Raise InputError for fewer versions than a reader reads, and for a human one that is not there."""
    if len(names) < choices.versions:
        raise InputError(
            "There are {n} versions and a reader is to read {wanted}; choose fewer.",
            n=len(names),
            wanted=choices.versions,
        )
    if human and human not in names:
        raise InputError(
            "There is no version “{name}” for the human translation; there are: {names}.",
            name=human,
            names=", ".join(names),
        )


def _lengths(
    session: Session, campaign_id: int, versions: list[tuple[int, str]], choices: ReadingChoices
) -> list[list[int]]:
    """Of each version the length of each segment of the excerpt, in words or characters."""
    campaign = campaign_in(session, campaign_id)
    ids = excerpt_ids(session, campaign, choices)
    found = []
    for system, _ in versions:
        texts = _texts(session, system)
        found.append([length_of(texts.get(one, ""), campaign.target_lang) for one in ids])
    return found


def _texts(session: Session, system_id: int) -> dict[int, str]:
    query = select(Translation.segment_id, Translation.text).where(Translation.system_id == system_id)
    return dict(session.execute(query).all())


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionText:
    """A version as it is read: its segments in order, with stored texts. length: words or characters."""

    system: str
    segments: tuple[tuple[int, str], ...]
    length: int

    def characters(self) -> int:
        """Characters of the whole text without readings."""
        return sum(len(plain(text)) for _, text in self.segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """All of a study: its versions' texts, and its readers in the order in which they came.

    human: the shown name of the version by a human translator, "" where there is none.
    """

    campaign: str
    lang: str
    seed: int
    human: str
    versions: tuple[VersionText, ...]
    readers: tuple[ReaderRecord, ...]


def study_of(engine: Engine, viewer: Viewer, campaign_id: int) -> StudyRecord:
    """Everything that readers gave; systems whose names are sealed have the names of the seal.

    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    return _study(engine, campaign_id, None)


def own_study(engine: Engine, viewer: Viewer, campaign_id: int, rater_id: int) -> StudyRecord:
    """The same with one reader alone. Raises AccessError for another person."""
    viewer.must_be(rater_id)
    return _study(engine, campaign_id, rater_id)


def _study(engine: Engine, campaign_id: int, rater_id: int | None) -> StudyRecord:
    """With all readers, or with one."""
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        ids = excerpt_ids(session, campaign)
        versions = []
        for system, name in versions_in(session, campaign):
            texts = _texts(session, system)
            own = tuple((one, texts[one]) for one in ids if texts.get(one, "").strip())
            length = sum(length_of(text, campaign.target_lang) for _, text in own)
            versions.append(VersionText(system=name, segments=own, length=length))
        hidden = hidden_names(session, campaign_id)
        human = reading_of(from_json(campaign.design)).human
        return StudyRecord(
            campaign=campaign.name,
            lang=campaign.target_lang,
            seed=campaign.seed,
            human=hidden.get(human, human),
            versions=tuple(versions),
            readers=_readers(session, campaign_id, rater_id),
        )


def _readers(session: Session, campaign_id: int, only: int | None) -> tuple[ReaderRecord, ...]:
    rows = session.execute(_readings(campaign_id)).all()
    names, hidden = rater_names(session, campaign_id), hidden_names(session, campaign_id)
    marks = highlights_in(session, [row.id for row in rows])
    answers: dict[tuple[int, int | None], dict[str, Any]] = {}
    told = select(ReadingAnswer).where(ReadingAnswer.campaign_id == campaign_id)
    whole = told.where(ReadingAnswer.chunk_pair_id.is_(None)).order_by(ReadingAnswer.id)
    for one in session.scalars(whole):
        answers.setdefault((one.rater_id, one.reading_id), {})[one.question] = one.value["answer"]
    read: dict[int, list[ReadRecord]] = {}
    for row in rows:
        read.setdefault(row.rater_id, []).append(
            ReadRecord(
                rater=names[row.rater_id],
                system=hidden.get(row.name, row.name),
                place=row.place,
                finished_at=row.finished_at,
                active=row.active or 0.0,
                away=row.away or 0.0,
                visits=row.visits,
                highlights=tuple(marks.get(row.id, ())),
                answers=answers.get((row.rater_id, row.id), {}),
            )
        )
    compared = compared_in(session, campaign_id)
    return tuple(
        ReaderRecord(
            rater=names[rater],
            read=tuple(own),
            final=answers.get((rater, None), {}),
            compared=tuple(compared.get(rater, ())),
        )
        for rater, own in read.items()
        if only in (rater, None)
    )


def compared_in(session: Session, campaign_id: int) -> dict[int, list[ComparedRecord]]:
    """The chunks of each reader, in the order of the text, with all that they gave."""
    here = ChunkPair.campaign_id == campaign_id
    hidden = hidden_names(session, campaign_id)
    named = select(Reading.id, System.name).join(System, System.id == Reading.system_id)
    system = dict(session.execute(named.where(Reading.campaign_id == campaign_id)).all())
    spent = (
        select(PageVisit.chunk_pair_id, func.sum(PageVisit.active), func.sum(PageVisit.away))
        .join(ChunkPair, ChunkPair.id == PageVisit.chunk_pair_id)
        .where(here)
        .group_by(PageVisit.chunk_pair_id)
    )
    seconds = {pair: (active, away) for pair, active, away in session.execute(spent)}
    pairs = session.scalars(select(ChunkPair).where(here).order_by(ChunkPair.rater_id, ChunkPair.place)).all()
    marks: dict[tuple[int | None, int], list[HighlightRecord]] = {}
    chunks = select(ChunkPair.id).where(here)
    for reading, pair, one in held_in(session, Highlight.chunk_pair_id.in_(chunks)):
        marks.setdefault((pair, reading), []).append(one)
    answers = answers_in(session, here)
    found: dict[int, list[ComparedRecord]] = {}
    for row in pairs:
        left, right = (system[one] for one in (row.left_id, row.right_id))
        active, away = seconds.get(row.id, (0.0, 0.0))
        sides = enumerate((row.left_id, row.right_id))
        found.setdefault(row.rater_id, []).append(
            ComparedRecord(
                place=row.place,
                first=row.first_segment_id,
                last=row.last_segment_id,
                left=hidden.get(left, left),
                right=hidden.get(right, right),
                finished_at=row.finished_at,
                active=active,
                away=away,
                highlights={side: tuple(marks.get((row.id, one), ())) for side, one in sides},
                answers=answers.get(row.id, {}),
            )
        )
    return found


def _readings(campaign_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Reading.id,
            Reading.rater_id,
            System.name,
            Reading.place,
            Reading.finished_at,
            func.sum(PageVisit.active).label("active"),
            func.sum(PageVisit.away).label("away"),
            func.count(PageVisit.id).label("visits"),
        )
        .join(System, System.id == Reading.system_id)
        .outerjoin(PageVisit, (PageVisit.reading_id == Reading.id) & PageVisit.chunk_pair_id.is_(None))
        .where(Reading.campaign_id == campaign_id)
        .group_by(Reading.id, Reading.rater_id, System.name, Reading.place, Reading.finished_at)
        .order_by(Reading.rater_id, Reading.place)
    )
