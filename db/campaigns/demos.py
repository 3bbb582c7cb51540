"""The demo campaigns, which an empty database gets: texts, and scores that were computed beforehand.

The scores that visitors give to passages of a demo are kept in a campaign of their own, so that they change
no figure of the demo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Engine

from core.assets import ASSETS
from db.campaigns.load import load_demo
from db.campaigns.score_archive import read_archive, store_archive
from db.formats import tables
from db.formats.bundle import Bundle, Meta, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.queries import find_campaign, list_campaigns, list_translations, scores_of_translation, store_scores
from db.records import CampaignRecord, TranslationRecord

DEMOS = ASSETS / "demo"
DEMO_SEED = 1891
SCORES = "scores.jsonl.gz"
"""The file of a demo's scores (`db.campaigns.score_archive`)."""

_VISITORS = "Visitors' scores: {}"
_VISITORS_JA = "訪問者の採点：{}"


def seed_demo(engine: Engine, folder: Path = DEMOS, *, scores: bool = True) -> list[str]:
    """Load every folder with a campaign.json whose campaign is not there yet; returns the names loaded.

    scores: with the scores and traces beside it (`SCORES`), which a campaign that is there does not get.
    Safe to repeat and to run in several processes at once. Raises FileError for a damaged demo.
    """
    loaded = []
    there = {campaign.name for campaign in list_campaigns(engine)}
    for file in sorted(folder.glob("*/campaign.json")):
        bundle = tables.read(file.parent, ReadOptions())
        if bundle.name in there:
            continue
        kept = file.with_name(SCORES)
        archive = read_archive(kept) if scores and kept.exists() else None
        seed = DEMO_SEED if bundle.meta.seed is None else bundle.meta.seed
        if (done := load_demo(engine, bundle, seed=seed)) is not None:
            loaded.append(bundle.name)
            if archive is not None:
                store_archive(engine, done.campaign_id, archive)
    return loaded


def visitors_campaign(
    engine: Engine, demo: CampaignRecord, passages: Sequence[TranslationRecord]
) -> CampaignRecord:
    """The campaign of the scores that visitors give to these passages of a demo; made when it is not there.

    Each passage is a document of its own, in the order given. Stored scores and traces of the passages come
    with it.
    """
    name = _VISITORS.format(demo.name)
    segments = tuple(
        SegmentRow(str(number), 0, one.reference, one.source) for number, one in enumerate(passages, 1)
    )
    bundle = Bundle(
        name=name,
        langs=(demo.source_lang, demo.target_lang),
        systems=tuple(SystemRow(system) for system in sorted({one.system for one in passages})),
        segments=segments,
        outputs=tuple(
            OutputRow(segment.key, one.system, one.text)
            for segment, one in zip(segments, passages, strict=True)
        ),
        meta=Meta(
            name_ja=_VISITORS_JA.format(demo.name_ja or demo.name),
            credits_en=demo.credits_en,
            credits_ja=demo.credits_ja,
        ),
    )
    if (made := load_demo(engine, bundle, seed=DEMO_SEED)) is not None:
        ids = {one.document: one.id for one in list_translations(engine, made.campaign_id)}
        for segment, one in zip(segments, passages, strict=True):
            of_demo = scores_of_translation(engine, one.id)
            store_scores(engine, [replace(row, translation_id=ids[segment.document]) for row in of_demo])
    return find_campaign(engine, name)
