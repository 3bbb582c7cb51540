"""The demo campaigns, which an empty database gets: texts, and scores that were computed beforehand."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from core.assets import ASSETS
from db.campaigns.load import load_demo
from db.campaigns.score_archive import read_archive, store_archive
from db.formats import tables
from db.formats.bundle import ReadOptions
from db.queries import list_campaigns

DEMOS = ASSETS / "demo"
DEMO_SEED = 1891
SCORES = "scores.jsonl.gz"
"""The file of a demo's scores (`db.campaigns.score_archive`)."""


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
