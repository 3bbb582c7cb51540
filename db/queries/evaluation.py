"""People's and metrics' scores of a campaign as columns: 200,000 ratings load in two seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from sqlalchemy import ColumnElement, Engine, Row, Select, String, case, func, or_, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.errors import InputError, YomikurabeError
from core.metaeval.evaluation import Evaluation
from core.metrics import find_metric
from core.raters.agreement import gold
from core.raters.assignment import DEGRADED, TARGET
from core.raters.own_scales import OwnScale, as_points
from core.raters.ratings import Method, Rating, normalise
from core.signature import differences
from db.design import Design, from_json
from db.engine import read_session
from db.models import (
    Campaign,
    CheckText,
    Item,
    ItemCheck,
    MetricScore,
    RatingEvent,
    Segment,
    System,
    Translation,
    is_latest,
)
from db.permissions import Viewer
from db.queries.rater_names import rater_names
from db.queries.rating import score_of
from db.queries.sealed import hidden_names


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationPlace:
    """Where a translation belongs."""

    segment_id: int
    document: str
    position: int
    domain: str
    system: str
    is_reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """Every score that holds; the item of a score is its translation's id. places: by translation.

    Check items are no judgements. computed: the scores are MQM's, 0 or below, from the marked errors. scale:
    the campaign's own scale whose answers the scores are, mapped linearly to 0–100; None for the protocol's.
    """

    scores: tuple[Rating, ...]
    places: Mapping[int, TranslationPlace]
    computed: bool
    scale: OwnScale | None = None

    def by_system(self, scores: Sequence[Rating] | None = None) -> dict[str, list[Rating]]:
        """The scores of each system, its items named by their segments; systems in order of appearance.

        scores: the same on another scale.
        """
        found: dict[str, list[Rating]] = {}
        of = {key: (found.setdefault(one.system, []), one.segment_id) for key, one in self.places.items()}
        for one in self.scores if scores is None else scores:
            ratings, segment = of[cast(int, one.item)]
            ratings.append(Rating(one.rater, segment, one.score))
        return {system: ratings for system, ratings in found.items() if ratings}


def judgements(engine: Engine, viewer: Viewer, campaign_id: int, *, scale: str = "") -> Judgements:
    """The scores of a campaign, rater by rater.

    scale: the name of one of the campaign's own scales, whose answers are taken instead (`_taken`). Raises
    AccessError for a viewer who may not see scores, InputError for a scale that the campaign does not have.
    """
    viewer.must_see_scores()
    query = _scores(campaign_id).where(Item.kind == TARGET)
    rows, names, places, design = _read(engine, campaign_id, query)
    taken = _taken(rows, design, scale)
    scores = tuple(
        Rating(names[rater], translation, score)
        for (_, _, _, rater, translation), score in zip(rows, taken, strict=True)
        if score is not None
    )
    computed = not scale and any(given is None for given, *_ in rows)
    own = find_scale(design, scale) if scale else None
    return Judgements(scores=scores, places=places, computed=computed, scale=own)


def find_scale(design: Design, name: str) -> OwnScale:
    """A campaign's own scale by its name. Raises InputError for one that it does not have."""
    for scale in design.scales:
        if scale.name == name:
            return scale
    if not design.scales:
        raise InputError("The campaign has no scales of its own; leave the scale out.")
    raise InputError(
        "The campaign has no scale “{name:.40}”; choose one of {names}.",
        name=name,
        names=", ".join(one.name for one in design.scales),
    )


Rows = Sequence[Row[*tuple[Any, ...]]]
"""Rows that begin with `_SCORE`. Columns are taken by place; by name they take longer than the query."""


def _taken(rows: Rows, design: Design, scale: str) -> list[float | None]:
    """Of each row the score that statistics take: the protocol's own, where no scale is named.

    With one, its answer mapped linearly to 0–100, its lowest value to 0 and its highest to 100; None for a
    rating without an answer on it.
    """
    if not scale:
        return [score_of(score, spans, design) for score, spans, *_ in rows]
    own = find_scale(design, scale)
    answers = [(scales or {}).get(scale) for _, _, scales, *_ in rows]
    return [None if answer is None else as_points(own, answer) for answer in answers]


def raters_of(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[int, str]:
    """The names of a campaign's people, by id; no two have the same. Raises AccessError without the right."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        return rater_names(session, campaign_id)


def newest(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """How many rating events a campaign has and the latest one's id: while both stay, so do its scores."""
    query = (
        select(func.count(RatingEvent.id), func.coalesce(func.max(RatingEvent.id), 0))
        .join(Item, Item.id == RatingEvent.item_id)
        .where(Item.campaign_id == campaign_id)
    )
    with read_session(engine) as session:
        count, last = session.execute(query).one()
    return count, last


def rating_table(
    engine: Engine, viewer: Viewer, campaign_id: int, *, kinds: Sequence[str] = (TARGET,), scale: str = ""
) -> list[Rating]:
    """Every score that holds with what is known about it, rater by rater, items in their order.

    An item is a translation's id, a segment its id. kinds: of the items; check items are left out unless they
    are asked for, so that none enters a mean. Systems whose names are sealed have the names of the seal.
    scale: as in `judgements`. Raises AccessError for a viewer who may not see scores, InputError for a scale
    that the campaign does not have.
    """
    viewer.must_see_scores()
    return _rating_table(engine, campaign_id, Item.kind.in_(kinds), scale=scale)


def ratings_of_translation(engine: Engine, viewer: Viewer, translation_id: int) -> list[Rating]:
    """Every score of one translation that holds, in the order of the raters; as `rating_table`."""
    viewer.must_see_scores()
    query = select(Segment.campaign_id).join(Translation).where(Translation.id == translation_id)
    with read_session(engine) as session:
        campaign_id = session.scalar(query)
    if campaign_id is None:
        return []
    return _rating_table(engine, campaign_id, Item.kind == TARGET, Item.translation_id == translation_id)


def _rating_table(
    engine: Engine, campaign_id: int, *of: ColumnElement[bool], scale: str = ""
) -> list[Rating]:
    text = func.length(func.coalesce(CheckText.text, Translation.text)).label("characters")
    about = (Item.id, Item.place, Item.kind, Item.mark, RatingEvent.seconds, text)
    query = (
        _scores(campaign_id, *about)
        .join(Translation, Translation.id == Item.translation_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(*of)
    )
    rows, names, places, design = _read(engine, campaign_id, query)
    first = _first_scores(engine, campaign_id, design, scale)
    of_text = {key: (one.segment_id, one.system, one.document) for key, one in places.items()}
    found = []
    for row, score in zip(rows, _taken(rows, design, scale), strict=True):
        given, _, _, rater, translation, item, place, kind, mark, seconds, characters = row
        if score is not None:
            segment, system, document = of_text[translation]
            where = (segment, system, document, place)
            said = (kind, mark, seconds, characters, not scale and given is None, first.get(item))
            found.append(Rating._make((names[rater], translation, score, *where, *said)))
    return found


def _first_scores(engine: Engine, campaign_id: int, design: Design, scale: str) -> dict[int, float]:
    """What was said first of damaged texts and their originals, by item; empty without second tries."""
    if not design.second_try:
        return {}
    damaged = aliased(Item)
    has_damaged = (
        select(damaged.id)
        .where(damaged.rater_id == Item.rater_id, damaged.translation_id == Item.translation_id)
        .where(damaged.kind == DEGRADED)
        .exists()
    )
    query = (
        select(*_SCORE, RatingEvent.item_id)
        .join(Item, Item.id == RatingEvent.item_id)
        .where(Item.campaign_id == campaign_id, Item.kind.in_((TARGET, DEGRADED)), has_damaged)
        .where(or_(RatingEvent.score.is_not(None), RatingEvent.spans.is_not(None)))
        .order_by(RatingEvent.revision.desc())  # of an item the lowest is taken last
    )
    with read_session(engine) as session:
        rows = session.execute(query).all()
    taken = zip(rows, _taken(rows, design, scale), strict=True)
    return {item: score for (_, _, _, item), score in taken if score is not None}


_SCORE = (
    RatingEvent.score,
    case((RatingEvent.score.is_(None), RatingEvent.spans)).label("spans"),
    RatingEvent.scales,
)
"""The score; where none was given, the marked errors; the answers on own scales."""


def _scores(campaign_id: int, *about: ColumnElement[Any] | InstrumentedAttribute[Any]) -> Select[Any]:
    """The scores of a campaign that hold: `_SCORE`, rater, translation, and these columns."""
    return (
        select(*_SCORE, Item.rater_id, Item.translation_id, *about)
        .join(RatingEvent, RatingEvent.item_id == Item.id)
        .where(Item.campaign_id == campaign_id)
        .where(or_(RatingEvent.score.is_not(None), RatingEvent.spans.is_not(None)), is_latest())
        .order_by(Item.rater_id, Item.place)
    )


def _read(
    engine: Engine, campaign_id: int, query: Select[Any]
) -> tuple[Rows, dict[int, str], dict[int, TranslationPlace], Design]:
    """The rows of a query; raters by id, translations by id, and the campaign's design."""
    with read_session(engine) as session:
        rows = session.connection().execute(query).all()  # without what the session does for objects
        names = rater_names(session, campaign_id)
        design = session.scalar(select(Campaign.design).where(Campaign.id == campaign_id))
        return rows, names, _places(session, campaign_id), from_json(design or {})


def _places(session: Session, campaign_id: int) -> dict[int, TranslationPlace]:
    query = (
        select(
            Translation.id,
            Segment.id,
            Segment.document,
            Segment.position,
            Segment.domain,
            System.name,
            System.is_reference,
        )
        .join(Segment, Segment.id == Translation.segment_id)
        .join(System, System.id == Translation.system_id)
        .where(Segment.campaign_id == campaign_id)
    )
    hidden = hidden_names(session, campaign_id)
    return {
        translation: TranslationPlace(
            segment_id=segment,
            document=document,
            position=position,
            domain=domain,
            system=hidden.get(system, system),
            is_reference=is_reference,
        )
        for translation, segment, document, position, domain, system, is_reference in session.execute(query)
    }


_Scores = Mapping[tuple[str, str], Mapping[int, float | None]]
"""By metric and signature: the score of each translation, None for a missing one."""


def evaluation(
    engine: Engine, viewer: Viewer, campaign_id: int, *, method: Method = "raw", scale: str = ""
) -> Evaluation:
    """All translations of a campaign's systems. method: how raters' scores are brought on one scale.

    scale: one of the campaign's own whose answers are people's scores, as in `judgements`. A metric that was
    stored with several signatures has a column for each, named by what differs. Raises AccessError for a
    viewer who may not see scores.
    """
    given = judgements(engine, viewer, campaign_id, scale=scale)
    places = {key: one for key, one in given.places.items() if not one.is_reference}
    lengths, scores, flags = _stored(engine, campaign_id)
    order = sorted(places, key=lambda key: (places[key].segment_id, places[key].system))
    people = {one.item: one.mean for one in gold(normalise(given.scores, method=method).ratings)}
    systems, documents, domains = (_names(getattr(places[key], name) for key in order) for name in _NAMED)
    columns = column_names(scores)
    return Evaluation(
        translation=np.array(order, np.int64),
        segment=np.array([places[key].segment_id for key in order], np.int64),
        system=_indices([places[key].system for key in order], systems),
        document=_indices([places[key].document for key in order], documents),
        domain=_indices([places[key].domain for key in order], domains),
        position=np.array([places[key].position for key in order], np.int64),
        length=np.array([lengths[key] for key in order], np.int64),
        people=np.array([people.get(key, np.nan) for key in order], np.float64),
        metrics={name: _values(scores[key], order) for name, key in columns.items()},
        flags={flag: np.array([key in ids for key in order], bool) for flag, ids in sorted(flags.items())},
        systems=systems,
        documents=documents,
        domains=domains,
        lower=frozenset(name for name, key in columns.items() if not _upwards(key[0])),
        signatures={name: key[1] for name, key in columns.items()},
    )


_NAMED = ("system", "document", "domain")


def newest_score(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """How many metric scores a campaign has and the latest one's id: while both stay, so do the scores."""
    query = (
        select(func.count(MetricScore.id), func.coalesce(func.max(MetricScore.id), 0))
        .join(Translation, Translation.id == MetricScore.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    with read_session(engine) as session:
        count, last = session.execute(query).one()
    return count, last


def _stored(engine: Engine, campaign_id: int) -> tuple[dict[int, int], _Scores, dict[str, set[int]]]:
    """Of each translation the reference's length; all scores; the translations that have a flag."""
    texts = (
        select(Translation.id, func.length(Segment.reference))
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    own = MetricScore.translation_id.in_(
        select(Translation.id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    columns = (MetricScore.metric, MetricScore.signature, MetricScore.translation_id, MetricScore.score)
    flagged = select(MetricScore.translation_id, MetricScore.flags).where(
        own, sql_cast(MetricScore.flags, String) != "[]"
    )
    scores: dict[tuple[str, str], dict[int, float | None]] = {}
    flags: dict[str, set[int]] = {}
    with read_session(engine) as session:
        lengths = {one[0]: one[1] for one in session.execute(texts)}
        for metric, signature, key, score in session.execute(
            select(*columns).where(own).order_by(MetricScore.id)
        ):
            scores.setdefault((metric, signature), {})[key] = score
        for key, given in session.execute(flagged):
            for flag in given:
                flags.setdefault(flag, set()).add(key)
    return lengths, scores, flags


def column_names(scores: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """A name for each metric and signature: the metric's, and with several of one what differs."""
    by_metric: dict[str, list[str]] = {}
    for metric, signature in scores:
        by_metric.setdefault(metric, []).append(signature)
    found: dict[str, tuple[str, str]] = {}
    for metric, signatures in by_metric.items():
        for place, signature in enumerate(signatures):
            name = metric if not place else f"{metric} ({_told(signatures[0], signature)})"
            found[name] = (metric, signature)
    return found


def _told(first: str, other: str) -> str:
    """What the other signature has otherwise: `layer: 9 ≠ 12` becomes `layer 12`."""
    parts = [one.partition(": ") for one in differences(first, other)]
    return ", ".join(f"{key} {values.rpartition('≠ ')[2]}" for key, _, values in parts)


def _upwards(metric: str) -> bool:
    """Of a metric that is not known here, such as one from outside, higher is taken to be better."""
    try:
        return find_metric(metric).higher_is_better
    except YomikurabeError:
        return True


def _names(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _indices(values: Sequence[str], names: Sequence[str]) -> np.ndarray:
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[value] for value in values], np.int64)


def _values(scores: Mapping[int, float | None], order: Sequence[int]) -> np.ndarray:
    found = (scores.get(key) for key in order)
    return np.array([np.nan if value is None else value for value in found], np.float64)
