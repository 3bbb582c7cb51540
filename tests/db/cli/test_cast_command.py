"""`db cast`: the cast list of a campaign."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from db.__main__ import app as database
from db.campaigns.load import load_bundle
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow

REFERENCES = ["シャーロック・ホームズは笑った。", "ホームズは立った。", "ホームズは去った。"]
DRIFT = ["シャーロック・ホームズは笑った。", "彼は立った。", "ホームズは去った。"]


@pytest.mark.embedded
def test_a_campaign_has_its_cast_list(engine, monkeypatch):
    segments = tuple(SegmentRow("d", place, text) for place, text in enumerate(REFERENCES))
    bundle = Bundle(
        name="Cast",
        langs=("en", "ja"),
        systems=(SystemRow("a"),),
        segments=segments,
        outputs=tuple(OutputRow(one.key, "a", DRIFT[one.position]) for one in segments),
    )
    load_bundle(engine, bundle, "Cast")
    monkeypatch.setattr("db.cli.novel.ready_engine", lambda: engine)
    done = CliRunner().invoke(database, ["cast", "--campaign", "Cast", "--json"])
    names = {one["name"]: one for one in json.loads(done.stdout)["names"]}
    assert names["シャーロック・ホームズ"]["systems"]["a"]["lost"] == ["d:1"]
