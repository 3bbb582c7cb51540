"""The demo campaigns that come with the program."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from core.assets import ASSETS
from db.campaigns.load import load_demo
from db.formats import tables
from db.formats.bundle import ReadOptions

DEMOS = ASSETS / "demo"
DEMO_SEED = 1891


def seed_demo(engine: Engine, folder: Path = DEMOS) -> list[str]:
    """Load every folder with a campaign.json whose campaign is not there yet; returns the names loaded.

    Safe to repeat and to run in several processes at once. Raises FileError for a damaged demo.
    """
    loaded = []
    for file in sorted(folder.glob("*/campaign.json")):
        bundle = tables.read(file.parent, ReadOptions())
        seed = DEMO_SEED if bundle.meta.seed is None else bundle.meta.seed
        if load_demo(engine, bundle, seed=seed) is not None:
            loaded.append(bundle.name)
    return loaded
