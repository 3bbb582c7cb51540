"""From the database into a bundle: what load.py puts in, taken out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, Select, or_, select

from core.raters.assignment import DEGRADED, REPEAT, TARGET
from core.raters.protocols import spans_from_json
from db.engine import reading
from db.formats.bundle import (
    Bundle,
    CheckRow,
    ItemRow,
    Key,
    Meta,
    OutputRow,
    RatingRow,
    SegmentRow,
    SystemRow,
)
from db.models import CheckText, Item, ItemCheck, Rater, Rating
from db.queries import get_campaign, list_segments, list_systems, list_translations
from db.queries.latest import is_latest
from db.queries.sealed import seal_of
from db.records import CampaignRecord
from db.seal import Seal
from db.seal import to_json as seal_to_json


def read_bundle(engine: Engine, campaign_id: int, *, history: bool = False) -> Bundle:
    """A campaign as it stands, with every rating of a translation that holds: scores, marked errors, or both.

    history: everything that was said, in each rater's order: all revisions, skips and check items, with the
    items and the damaged texts. Raises InputError for an unknown campaign.
    """
    campaign = get_campaign(engine, campaign_id)
    outputs = list_translations(engine, campaign_id)
    seal = seal_of(engine, campaign_id)
    if history and (seal is None or seal[1] is not None):  # as they came, from which the orders follow
        outputs.sort(key=lambda row: row.id)
    rated = {row.id: ((row.document, row.position), row.system) for row in outputs}
    texts = {row.id: row.text for row in outputs}
    items, ratings, checks = _said(engine, campaign_id, rated, texts, history=history)
    return Bundle(
        name=campaign.name,
        langs=(campaign.source_lang, campaign.target_lang),
        systems=tuple(
            SystemRow(system.name, system.is_reference, system.label_en, system.label_ja)
            for system in list_systems(engine, campaign_id)
        ),
        segments=tuple(
            SegmentRow(row.document, row.position, row.reference, row.source, row.domain, row.external_id)
            for row in list_segments(engine, campaign_id)
        ),
        outputs=tuple(OutputRow(*rated[row.id], row.text) for row in outputs),
        ratings=ratings,
        checks=checks,
        items=items,
        meta=_meta(campaign, seal),
    )


def _meta(campaign: CampaignRecord, seal: tuple[str, Seal | None] | None) -> Meta:
    told = None if seal is None else {"commitment": seal[0]} if seal[1] is None else seal_to_json(seal[1])
    own = {name: getattr(campaign, name) for name in Meta.__slots__ if name != "seal"}
    return Meta(**own, seal=told)


Rated = Mapping[int, tuple[Key, str]]
"""Segment and system of each translation by its id."""


def _said(
    engine: Engine, campaign_id: int, rated: Rated, texts: Mapping[int, str], *, history: bool
) -> tuple[tuple[ItemRow, ...], tuple[RatingRow, ...], tuple[CheckRow, ...]]:
    """Items, ratings and checks; without history only the ratings of translations that hold."""
    events = _events(campaign_id)
    if not history:
        said = or_(Rating.score.is_not(None), Rating.spans.is_not(None))
        events = events.where(Item.kind == TARGET, is_latest(), said)
    with reading(engine) as session:
        ratings = tuple(_rating(row, rated) for row in session.execute(events).mappings())
        if not history:
            return (), ratings, ()
        items = tuple(
            ItemRow(row.name, *rated[row.translation_id], row.place, row.kind, row.mark, row.rule or "")
            for row in session.execute(_items(campaign_id))
        )
        damaged = select(CheckText.translation_id, CheckText.text, CheckText.rule).order_by(CheckText.id)
        checks = [
            CheckRow(*rated[row.translation_id], DEGRADED, row.text, row.rule)
            for row in session.execute(damaged)
            if row.translation_id in rated
        ]
    ids = {where: translation for translation, where in rated.items()}
    repeated = dict.fromkeys((item.key, item.system) for item in items if item.kind == REPEAT)
    return items, ratings, (*checks, *(CheckRow(*one, REPEAT, texts[ids[one]]) for one in repeated))


def _items(campaign_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(Rater.name, Item.translation_id, Item.place, Item.kind, Item.mark, CheckText.rule)
        .join(Rater, Rater.id == Item.rater_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.campaign_id == campaign_id)
        .order_by(Rater.id, Item.place)
    )


def _events(campaign_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Rater.name.label("rater"),
            Item.translation_id,
            Item.kind,
            Item.mark,
            Rating.score,
            Rating.comment,
            Rating.seconds,
            Rating.created_at.label("rated_at"),
            Rating.spans,
            Rating.skipped_reason,
        )
        .select_from(Rating)
        .join(Item, Item.id == Rating.item_id)
        .join(Rater, Rater.id == Item.rater_id)
        .where(Item.campaign_id == campaign_id)
        .order_by(Rater.id, Item.place, Rating.revision)
    )


def _rating(row: Mapping[Any, Any], rated: Rated) -> RatingRow:
    values = dict(row)
    key, system = rated[values.pop("translation_id")]
    spans = values.pop("spans")
    return RatingRow(key, system, spans=None if spans is None else spans_from_json(spans), **values)
