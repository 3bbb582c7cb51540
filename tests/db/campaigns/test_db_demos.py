"""The demo campaigns: loaded once, by one or by many, and ready to be rated."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from db.campaigns.demos import DEMOS, seed_demo
from db.engine import make_engine
from db.queries import ensure_items, enter_rater, list_campaigns


def demo_folder(tables: Path, tmp_path: Path) -> Path:
    shutil.copytree(tables, tmp_path / "demo" / "harbour")
    (tmp_path / "demo" / "not-a-demo").mkdir()
    return tmp_path / "demo"


def test_a_demo_is_loaded_once(engine, tables, tmp_path):
    folder = demo_folder(tables, tmp_path)
    assert seed_demo(engine, folder) == ["Harbour and market"]
    assert seed_demo(engine, folder) == []
    (campaign,) = list_campaigns(engine)
    assert (campaign.name, campaign.name_ja, campaign.demo) == ("Harbour and market", "港と市場", True)


def test_a_demo_is_loaded_once_by_many_at_once(engine, url, tables, tmp_path):
    folder = demo_folder(tables, tmp_path)
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: seed_demo(make_engine(url), folder), range(4)))
    assert sorted(loaded) == [[], [], [], ["Harbour and market"]]
    assert len(list_campaigns(engine)) == 1


def test_the_demos_of_the_program_load_and_can_be_rated(engine):
    loaded = seed_demo(engine)
    assert len(loaded) == len(list(DEMOS.glob("*/campaign.json"))) > 0
    rater = enter_rater(engine, "Aki")
    for campaign in list_campaigns(engine):
        assert campaign.demo
        assert ensure_items(engine, campaign.id, rater.id) == campaign.n_segments * campaign.n_systems
