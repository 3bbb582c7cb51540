"""The starter class: a campaign of six items with a panel whose scores say that they are examples."""

from __future__ import annotations

from core.text.locale import Speaker
from core.types import TextPair
from db.campaigns.load import load_bundle
from db.design import COURSEWORK
from db.engine import Engine
from db.formats.bundle import Bundle, Meta, OutputRow, SegmentRow, SystemRow
from db.permissions import Viewer
from db.queries import add_member, find_campaign, list_campaigns, list_translations, store_scores
from db.queries.evaluation import raters_of
from db.records import RatingRecord
from pages.learn import stored
from pages.learn.examples import STARTER, STARTER_SYSTEMS, StarterItem

DOCUMENT = "starter"
GUESSED = ("bertscore", "mteqa")
"""The metrics whose verdicts the class guesses."""


def make(engine: Engine, viewer: Viewer, lang: str) -> int:
    """Make the campaign into a language with its panel and every metric's scores; gives its id.

    One that is there is given as it is. Raises AccessError for a visitor who may not make campaigns.
    """
    viewer.must_manage()
    made = _bundle([one for one in STARTER if one.lang == lang], lang)
    if made.name in {one.name for one in list_campaigns(engine)}:
        return find_campaign(engine, made.name).id
    campaign_id = load_bundle(engine, made, made.name).campaign_id
    for translation in list_translations(engine, campaign_id):
        pair = TextPair(reference=translation.reference, hypothesis=translation.text, lang=lang)
        store_scores(engine, stored.rows_for(pair, translation.id))
    _appoint_panel(engine, viewer, campaign_id)
    return campaign_id


def _appoint_panel(engine: Engine, viewer: Viewer, campaign_id: int) -> None:
    for number in raters_of(engine, viewer, campaign_id):
        add_member(engine, viewer, campaign_id=campaign_id, rater_id=number, part="panel")


def _bundle(items: list[StarterItem], lang: str) -> Bundle:
    english, japanese = Speaker("en"), Speaker("ja")
    segments = tuple(
        SegmentRow(DOCUMENT, place, one.reference, one.source) for place, one in enumerate(items)
    )
    rows = [
        (segment, one, system)
        for segment, one in zip(segments, items, strict=True)
        for system in STARTER_SYSTEMS
    ]
    return Bundle(
        name=f"{english.t('starter.name')} ({english.t(f'language.{lang}')})",
        langs=("en" if lang == "ja" else "ja", lang),
        systems=tuple(SystemRow(system) for system in STARTER_SYSTEMS),
        segments=segments,
        outputs=tuple(OutputRow(segment.key, system, one.text(system)) for segment, one, system in rows),
        ratings=tuple(
            RatingRecord(
                key=segment.key,
                system=system,
                rater=f"{english.t('starter.panel')} / {japanese.t('starter.panel')}",
                score=float(one.good_score if system == one.good_system else one.bad_score),
                comment=_comment(one, system, lang),
            )
            for segment, one, system in rows
        ),
        meta=Meta(
            name_ja=f"{japanese.t('starter.name')}（{japanese.t(f'language.{lang}')}）",
            design={"consent": COURSEWORK, "guesses": GUESSED},
            description_en=english.t("starter.what"),
            description_ja=japanese.t("starter.what"),
        ),
    )


def _comment(one: StarterItem, system: str, lang: str) -> str:
    """What the panel would say of a translation, in the language of the translations."""
    said = Speaker("ja" if lang == "ja" else "en")
    return said.t(f"learn.ab.is.{'paraphrase' if system == one.good_system else one.bad_kind}")
