"""A stored trace opens on the pair page: the same numbers and pictures as computing, and no model."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from core.assets import ROOT
from core.metrics import find_metric
from core.text.languages import base_lang
from db.campaigns.stored_results import read_results, score_row
from db.queries import (
    get_translation,
    list_campaigns,
    list_segments,
    list_systems,
    scores_of_translation,
    store_scores,
    translations_of_segment,
)
from pages.ui.widgets import metrics

pytestmark = pytest.mark.embedded
PAGE = "pages/debug/pair/page.py"
TABS = ("Names (readings)", "Subspace", "Structure", "Questions", "Diff", "Words (BLEU)", "Characters (chrF)")

OPENED = """
import sys, time
from streamlit.testing.v1 import AppTest
from db.engine import database_url, make_engine
from db.queries import list_campaigns
from pages.auth import session
session.at_this_machine = lambda: True  # AppTest has no browser
chosen, *tabs = sys.argv[1:]
campaign = next(one.id for one in list_campaigns(make_engine(database_url())) if one.name.startswith(chosen))
began = time.process_time()
at = AppTest.from_file("app.py", default_timeout=60).run()
at.session_state["campaign-pair"] = campaign
at.switch_page("pages/debug/pair/page.py")
seconds = 0.0
for tab in tabs:
    at.session_state["pair-tabs"] = tab
    at.run()
    assert not at.exception, at.exception
    assert not at.error, at.error
    seconds = seconds or time.process_time() - began
    assert at.selectbox(key="campaign-pair").value == campaign
    assert len([one for one in at.metric if one.value != "–"]) >= 8, tab
    assert not {"torch", "transformers", "spacy"} & set(sys.modules), tab
print(seconds)
"""


@pytest.fixture
def first(engine):
    """The translation with which the page opens."""
    campaign = list_campaigns(engine)[0]
    segment, system = list_segments(engine, campaign.id)[0], list_systems(engine, campaign.id)[0]
    return get_translation(engine, segment.id, system.id)


@pytest.fixture
def store(engine, first, backends):
    """Store results of the first translation, and of the one that it is compared with."""

    def stored(*, changed=lambda row: row, names=None):
        campaign = list_campaigns(engine)[0]
        lang = base_lang(campaign.target_lang)
        context = [segment.pair(lang) for segment in list_segments(engine, campaign.id)]
        others = [one for one in translations_of_segment(engine, first.segment_id) if one.id != first.id]
        for name in names or metrics():
            scorer = find_metric(name).prepare({}, backends, context)
            rows = [score_row(one.id, scorer.score(one.pair(lang))) for one in (first, others[0])]
            store_scores(engine, map(changed, rows))

    return stored


def numbers(at):
    return [(metric.label, metric.value) for metric in at.metric]


def pictures(at):
    return [json.loads(one.proto.spec, object_hook=unpacked) for one in at.get("plotly_chart")]


def unpacked(value):
    """Arrays of a figure as lists."""
    if "bdata" not in value:
        return value
    return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist()


def alike(one, other):
    """Whether two figures are the same; numbers that are only shown may differ by half of the 4th decimal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == pytest.approx(other, abs=0.00006) if isinstance(one, float) else one == other


def tables(at):
    return [one.value.round(3).astype(object).fillna("none").to_dict("list") for one in at.dataframe]


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["Tokens (BERTScore)", *TABS])
def test_a_stored_trace_shows_what_computing_shows(pair_page, store, html_of, monkeypatch, tab):
    computed = pair_page(tab=tab)
    store()

    def nothing(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr("core.metrics.base.Scorer.score", nothing)
    opened = pair_page(tab=tab)
    assert not opened.error
    assert numbers(opened) == numbers(computed)[: len(numbers(opened))]
    assert alike(pictures(opened), pictures(computed))
    assert tables(opened) == tables(computed)
    if tab != "Subspace":  # whose comparison with random tokens is computed on request
        assert html_of(opened) == html_of(computed)
    assert not [one for one in opened.button if one.key.startswith("keep-")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "tabs"),
    [
        ("Holmes", TABS),
        ("Wikipedia", [tab for tab in TABS if tab != "Diff"]),  # with one system, with a text that is typed
    ],
)
def test_the_demos_of_a_first_start_open_without_a_model_in_little_time(scored, campaign, tabs):
    environment = {**os.environ, "YOMIKURABE_DB": scored}
    done = subprocess.run(
        [sys.executable, "-c", OPENED, campaign, "Tokens (BERTScore)", *tabs],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 3  # with the frame and a plotting library; the page alone needs half of it


def damaged(row):
    return type(row)(**{**_fields(row), "trace": {**row.trace, "packed": row.trace["packed"][:40]}})


def newer(row):
    return type(row)(**{**_fields(row), "trace": {**row.trace, "format": 99}})


def _fields(row):
    return {name: getattr(row, name) for name in row.__slots__}


@pytest.mark.parametrize("changed", [damaged, newer])
def test_a_trace_that_cannot_be_read_is_computed_again_and_can_be_kept(
    pair_page, store, engine, first, changed
):
    store(changed=changed, names=["bertscore"])
    at = pair_page()
    assert len(at.get("plotly_chart")) == 1
    (button,) = [one for one in at.button if one.key.startswith("keep-numbers")]
    button.click().run()
    assert not at.exception
    (row,) = [one for one in scores_of_translation(engine, first.id) if one.metric == "bertscore"]
    assert read_results(engine, first.id).find("bertscore", row.signature).score == row.score
    assert not [one for one in at.button if one.key.startswith("keep-")]


@pytest.mark.slow
def test_other_settings_are_kept_beside_the_first_ones(pair_page, store, engine, first):
    store()
    at = pair_page()
    before = {(row.metric, row.signature) for row in scores_of_translation(engine, first.id)}
    at.segmented_control(key="pair-specials").set_value("exclude").run()
    (button,) = [one for one in at.button if one.key.startswith("keep-numbers")]
    button.click().run()
    assert not at.exception
    after = {(row.metric, row.signature) for row in scores_of_translation(engine, first.id)}
    added = {metric for metric, _ in after - before}
    assert before < after
    assert added == {"bertscore", "bertscore-reading"}


def test_only_those_who_manage_campaigns_can_keep_a_score(pair_page, engine, first, monkeypatch):
    from db.permissions import TEACHER, Viewer

    at = pair_page()
    (button,) = [one for one in at.button if one.key.startswith("keep-numbers")]
    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role=TEACHER))
    button.click().run()  # the right was taken away while the page was open
    assert scores_of_translation(engine, first.id) == []
    assert [one.value for one in at.error]
    at.run()
    assert not [one for one in at.button if one.key.startswith("keep-")]
