"""A campaign's scores as statistics want them: few columns, so that 200,000 come in a second or two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Engine, case, func, or_, select
from sqlalchemy.orm import Session

from core.raters.assignment import TARGET
from core.raters.protocols import mqm_score, spans_from_json
from core.raters.quality_rows import QualityRow
from core.raters.ratings import Rating as Score
from db.design import from_json
from db.engine import reading
from db.models import Campaign, CheckText, Item, ItemCheck, Rater, Rating, Segment, System, Translation
from db.permissions import Viewer
from db.queries.latest import is_latest
from db.queries.sealed import hidden_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
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

    Check items are no judgements. computed: the scores are MQM's, 0 or below, from the marked errors.
    """

    scores: tuple[Score, ...]
    places: Mapping[int, Place]
    computed: bool

    def by_system(self) -> dict[str, list[Score]]:
        """The scores of each system, its items named by their segments; systems in order of appearance."""
        found: dict[str, list[Score]] = {}
        of = {key: (found.setdefault(one.system, []), one.segment_id) for key, one in self.places.items()}
        for rater, item, score in self.scores:
            ratings, segment = of[cast(int, item)]
            ratings.append(Score(rater, segment, score))
        return {system: ratings for system, ratings in found.items() if ratings}


def judgements(engine: Engine, viewer: Viewer, campaign_id: int) -> Judgements:
    """The scores of a campaign, rater by rater. Raises AccessError for a viewer who may not see scores."""
    viewer.must_see_scores()
    spans = case((Rating.score.is_(None), Rating.spans))
    query = (
        select(Item.rater_id, Item.translation_id, Rating.score, spans)
        .join(Rating, Rating.item_id == Item.id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET)
        .where(or_(Rating.score.is_not(None), Rating.spans.is_not(None)), is_latest())
        .order_by(Item.rater_id, Item.place)
    )
    with reading(engine) as session:
        rows = session.execute(query).all()
        names = _raters(session, {row[0] for row in rows})
        places = _places(session, campaign_id)
        five = _five_errors(session, campaign_id)
    computed = any(row[2] is None for row in rows)
    scores = tuple(
        Score(names[rater], item, _mqm(marked, five_errors=five) if score is None else score)
        for rater, item, score, marked in rows
    )
    return Judgements(scores=scores, places=places, computed=computed)


def newest(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """How many rating events a campaign has and the latest one's id: while both stay, so do its scores."""
    query = (
        select(func.count(Rating.id), func.coalesce(func.max(Rating.id), 0))
        .join(Item, Item.id == Rating.item_id)
        .where(Item.campaign_id == campaign_id)
    )
    with reading(engine) as session:
        count, last = session.execute(query).one()
    return count, last


def quality_rows(engine: Engine, viewer: Viewer, campaign_id: int) -> list[QualityRow]:
    """Every score that holds, check items too, with what is known around it. AccessError as `judgements`."""
    viewer.must_see_scores()
    spans = case((Rating.score.is_(None), Rating.spans))
    text = func.length(func.coalesce(CheckText.text, Translation.text))
    query = (
        select(
            Item.rater_id,
            Item.translation_id,
            Item.place,
            Item.kind,
            Rating.score,
            spans,
            Rating.seconds,
            text,
        )
        .join(Rating, Rating.item_id == Item.id)
        .join(Translation, Translation.id == Item.translation_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.campaign_id == campaign_id)
        .where(or_(Rating.score.is_not(None), Rating.spans.is_not(None)), is_latest())
        .order_by(Item.rater_id, Item.place)
    )
    with reading(engine) as session:
        rows = session.execute(query).all()
        names = _raters(session, {row[0] for row in rows})
        places = _places(session, campaign_id)
        five = _five_errors(session, campaign_id)
    return [_quality_row(row, names[row[0]], places[row[1]], five_errors=five) for row in rows]


def _quality_row(row: Sequence[Any], rater: str, place: Place, *, five_errors: bool) -> QualityRow:
    _, translation, order, kind, score, marked, seconds, characters = row
    return QualityRow(
        rater=rater,
        item=translation,
        segment=place.segment_id,
        system=place.system,
        document=place.document,
        place=order,
        score=_mqm(marked, five_errors=five_errors) if score is None else score,
        kind=kind,
        seconds=seconds,
        characters=characters,
    )


def _mqm(marked: list[dict[str, Any]], *, five_errors: bool) -> float:
    """MQM's score where only errors were marked."""
    return mqm_score(spans_from_json(marked), five_errors=five_errors)


def _raters(session: Session, ids: Iterable[int]) -> dict[int, str]:
    rows = session.execute(select(Rater.id, Rater.name).where(Rater.id.in_(list(ids))))
    return {row.id: row.name for row in rows}


def _places(session: Session, campaign_id: int) -> dict[int, Place]:
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
        translation: Place(
            segment_id=segment,
            document=document,
            position=position,
            domain=domain,
            system=hidden.get(system, system),
            is_reference=is_reference,
        )
        for translation, segment, document, position, domain, system, is_reference in session.execute(query)
    }


def _five_errors(session: Session, campaign_id: int) -> bool:
    return from_json(
        session.scalar(select(Campaign.design).where(Campaign.id == campaign_id)) or {}
    ).five_errors
