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


@pytest.mark.embedded
def test_a_glossary_is_kept_with_the_campaign_and_written_again(engine, monkeypatch, tmp_path):
    segments = tuple(SegmentRow("d", place, text) for place, text in enumerate(REFERENCES))
    bundle = Bundle(
        name="Terms",
        langs=("en", "ja"),
        systems=(SystemRow("a"),),
        segments=segments,
        outputs=tuple(OutputRow(one.key, "a", DRIFT[one.position]) for one in segments),
    )
    load_bundle(engine, bundle, "Terms")
    monkeypatch.setattr("db.cli.novel.ready_engine", lambda: engine)
    (tmp_path / "terms.tsv").write_text("term\tforms\n笑った\t微笑んだ\n", "utf-8")
    given = ["cast", "--campaign", "Terms", "--json"]
    CliRunner().invoke(database, [*given, "--glossary", str(tmp_path / "terms.tsv")])
    done = CliRunner().invoke(database, [*given, "--write-glossary", str(tmp_path / "again.tsv")])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    (term,) = [one for one in found["names"] if one["kind"] == "term"]
    assert (term["name"], term["forms"][0]["segments"]) == ("笑った", ["d:0"])
    assert found["terms_consistency"] == {"a": None}
    assert (tmp_path / "again.tsv").read_text("utf-8").splitlines()[1] == "笑った\t微笑んだ\t\t"
