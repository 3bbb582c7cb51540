"""Marks of people beside the evidence of metrics: on the pair page and on *Metrics against people*."""

from __future__ import annotations

import pytest

from db.campaigns.load import load_bundle
from db.campaigns.scoring import score_campaign
from db.queries import list_segments, list_systems
from tests.support.fake_backends import FakeEncoder, fake_backends
from tests.support.marked_campaign import marked_bundle
from tests.support.widgets import when_scored

pytestmark = pytest.mark.embedded


@pytest.fixture
def marked(engine, start):
    """The id of a campaign with marks and scores of BLEU and chrF."""
    start()
    number = load_bundle(engine, marked_bundle(24), "Marked").campaign_id
    score_campaign(engine, number, {"bleu": {}, "chrf": {}}, fake_backends(FakeEncoder({})))
    return number


def shown(at) -> str:
    return " ".join(one.body for one in at.get("html"))


def test_the_comparison_is_computed_in_the_background_and_then_shown(start, marked):
    def tab():
        at = start("en", "pages/debug/meta/page.py")
        at.session_state["meta-tabs"] = "Where errors are"
        at.selectbox(key="campaign-meta").set_value(marked).run()
        assert not at.exception
        return at

    at = tab()
    assert "loads no model" in shown(at)
    at.button(key="pointing-begin").click().run()
    when_scored(at)
    said = shown(tab())
    assert (
        "36 translations as one person each rated or read them, in 6 documents; 36 of them have a mark"
        in said
    )
    assert "Translations that two raters have marked" in " ".join(one.value for one in at.subheader) or said
    for name in ("BLEU", "chrF", "Another rater", "Random numbers", "Length of words"):
        assert name in said


def test_the_pair_page_shows_marks_above_and_evidence_below(pair_page, engine, marked):
    at = pair_page(tab="Marked errors")
    segment = list_segments(engine, marked)[0]
    at.session_state["campaign-pair"] = marked
    at.session_state[f"segment-{marked}"] = segment.id
    at.session_state[f"system-{marked}"] = list_systems(engine, marked)[0].id
    at.session_state["pair-tabs"] = "Marked errors"
    at.run()
    assert not at.exception
    said = shown(at)
    assert "Errors marked by Aki" in said
    assert "Evidence of BERTScore F" in said
    assert "which have no place in the translation: 1." in said
    at.segmented_control(key="marks-metric").set_value("bleu").run()
    values = {one.label: one.value for one in at.metric}
    assert values["Average precision"] == values["ROC AUC"] == "1.000"
    assert values["Marked"] == "47%"  # 8 of 17 letters


@pytest.mark.slow
def test_typed_texts_and_unmarked_translations_say_that_there_are_none(pair_page, type_pair):
    at = pair_page("ja", tab="人の印")
    assert "まだ誰も誤りの印を付けていません" in shown(at)
    at = type_pair(pair_page(tab="Marked errors"), "the cat", "the dog")
    assert "Typed texts have no marks." in shown(at)
