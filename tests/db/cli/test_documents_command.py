"""`db documents`: the documents of a campaign, scored from its names and voices."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.errors import AccessError
from core.novel.glossary import GlossaryTerm
from db.__main__ import app
from db.campaigns.documents import document_scores
from db.campaigns.glossary import glossary, save_glossary
from db.campaigns.load import load_bundle
from db.campaigns.novel import novel_texts
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.records import RatingRecord

REFERENCE = ("ホームズは警部に会った。", "ホームズは警部と別れた。")
DRIFT = ("ホームズは警部に会った。", "ホルムスは警部と別れた。")


@pytest.fixture
def campaign(engine):
    segments = tuple(SegmentRow(f"d{n // 2}", n % 2, REFERENCE[n % 2]) for n in range(24))
    texts = {"kept": REFERENCE, "drift": DRIFT}
    outputs = tuple(OutputRow(one.key, name, texts[name][one.position]) for one in segments for name in texts)
    ratings = tuple(
        RatingRecord(one.key, one.system, "Aki", 90 if one.system == "kept" else 40) for one in outputs
    )
    bundle = Bundle(
        name="Documents",
        langs=("en", "ja"),
        systems=tuple(map(SystemRow, texts)),
        segments=segments,
        outputs=outputs,
        ratings=ratings,
    )
    return load_bundle(engine, bundle, "Documents").campaign_id


@pytest.mark.slow
@pytest.mark.embedded
def test_scores_are_computed_where_they_are_missing_and_correlated_with_people(engine, campaign, monkeypatch):
    save_glossary(engine, OPERATOR, campaign, [GlossaryTerm(term="警部")])
    monkeypatch.setattr("db.cli.documents.ready_engine", lambda: engine)
    done = CliRunner().invoke(app, ["documents", "--campaign", "Documents", "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    scores = {
        (one["document"], one["system"]): one["score"]
        for one in found["documents"]
        if one["metric"] == "consistency"
    }
    # drift: ホームズ is spelled in two ways (0), the term of the glossary twice alike (1)
    assert scores["d0", "kept"] == 1
    assert scores["d0", "drift"] == pytest.approx(0.5)
    rows = {one["name"]: one["r"] for one in found["people"]}
    assert rows["consistency"]["value"] == pytest.approx(1)
    assert rows["voice"]["missing"] == "few-items"
    texts = novel_texts(engine, campaign)
    assert document_scores(engine, OPERATOR, campaign, texts)[1] == ()


def test_nothing_is_computed_and_nothing_changed_for_those_who_may_not(engine, campaign):
    texts = novel_texts(engine, campaign)
    assert document_scores(engine, OPERATOR, campaign, texts) == ([], ("consistency", "voice"))
    with pytest.raises(AccessError):
        document_scores(engine, Viewer("rater"), campaign, texts)
    with pytest.raises(AccessError):
        save_glossary(engine, Viewer("teacher"), campaign, [GlossaryTerm(term="警部")])
    assert glossary(engine, campaign) == ()
