"""`db voice`: the voices of a campaign."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from db.__main__ import app as database
from db.campaigns.load import load_bundle
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow

REFERENCES = ["「僕だ」とホームズは言った。", "ホームズは立った。"]
OUTPUTS = ["「俺だ」とホームズは言った。", "ホームズは立った。"]


@pytest.mark.embedded
def test_a_campaign_has_its_voices(engine, monkeypatch):
    segments = tuple(SegmentRow("d", place, text) for place, text in enumerate(REFERENCES))
    bundle = Bundle(
        name="Voice",
        langs=("en", "ja"),
        systems=(SystemRow("a"),),
        segments=segments,
        outputs=tuple(OutputRow(one.key, "a", OUTPUTS[one.position]) for one in segments),
    )
    load_bundle(engine, bundle, "Voice")
    monkeypatch.setattr("db.cli.novel.ready_engine", lambda: engine)
    done = CliRunner().invoke(database, ["voice", "--campaign", "Voice", "--json"])
    told = json.loads(done.stdout)
    assert told["reference"]["quotations"][0]["speaker"] == "ホームズ"
    (broken,) = told["systems"]["a"]["breaks"]
    assert (broken["segment"], broken["expected"], broken["found"]) == ("d:0", "僕", "俺")
