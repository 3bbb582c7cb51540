"""A metric that is added to METRICS appears on the pages without a change to any other file."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.metrics import METRICS
from core.metrics.base import Metric, Option, Scorer
from core.metrics.surface import BleuTrace
from core.types import Result
from db.queries import list_campaigns, list_translations, store_scores
from db.records import ScoreRow
from tests.support.widgets import when_scored


def prepare(settings, backends, pairs):
    def compute(pair, fetched):
        value = min(len(pair.hypothesis) / 100, 1.0)
        return Result(metric="toy", score=value, parts={"toy": value}, signature="toy|v1")

    return Scorer(compute=compute, signature="toy|v1")


TOY = Metric(
    name="toy",
    summary="The length of the translation.",
    paper="none",
    headline="toy",
    low=0.0,
    high=1.0,
    trace=BleuTrace,
    build=prepare,
    options=(
        Option(name="counted", default="letters", summary="What is counted.", choices=("letters", "words")),
        Option(name="longest", default="100", summary="The length that scores 1."),
    ),
)


@pytest.fixture
def added(monkeypatch, backends):
    monkeypatch.setitem(METRICS, "toy", TOY)
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)


def test_the_scoring_form_offers_it_and_stores_its_scores(added, start, engine, html_of):
    at = start("en", "pages/debug/systems/page.py")
    chosen = at.selectbox(key="campaign-systems").value
    box = at.multiselect(key=f"score-metrics-{chosen}")
    assert "toy" in box.options
    assert "toy" in box.value
    box.set_value(["toy"]).run()
    at.button(key="score-run").click().run()
    at = when_scored(at)
    n = sum(not text.is_reference for text in list_translations(engine, chosen))
    assert f"Computed: {n} · there already: 0" in html_of(at)


@pytest.mark.slow
@pytest.mark.embedded
def test_the_hack_lab_shows_it_for_a_pair_and_for_a_campaign(added, start):
    at = start("en", "pages/debug/hacks/page.py")
    assert "toy" in at.segmented_control(key="hack-metric").options
    at.session_state["hack-tabs"] = "A campaign"
    at.run()
    (box,) = [box for box in at.multiselect if box.label == "Metrics"]
    assert "toy" in box.value
    assert not at.exception


def test_the_contrast_tab_and_the_grid_offer_it_with_its_options(added, start, engine):
    at = start("en", "pages/debug/meta/page.py")
    at.segmented_control(key="meta-what").set_value("contrast").run()
    assert "toy" in at.multiselect(key="contrast-metrics").value
    most_rated = max(list_campaigns(engine), key=lambda campaign: campaign.n_ratings)
    at.segmented_control(key="meta-what").set_value("grid").run()
    at.selectbox(key="campaign-meta").set_value(most_rated.id).run()
    at.multiselect(key="grid-metrics").set_value(["toy"]).run()
    assert at.multiselect(key="grid-axes").options == ["counted", "longest"]
    assert not at.exception


def test_metrics_against_people_have_a_row_for_it(added, start, engine, html_of):
    start()
    campaign = max(list_campaigns(engine), key=lambda campaign: campaign.n_ratings)
    texts = [text for text in list_translations(engine, campaign.id) if not text.is_reference]
    rows = [
        ScoreRow(translation_id=text.id, metric="toy", signature="toy|v1", score=(7 * number) % 13 / 13)
        for number, text in enumerate(texts)
    ]
    store_scores(engine, rows)
    at = start("en", "pages/debug/meta/page.py")
    at.selectbox(key="campaign-meta").set_value(campaign.id).run()
    assert not at.exception
    assert "<td>toy</td>" in html_of(at)


def test_its_options_have_their_own_names_and_summaries(added):
    def page():
        import streamlit as st

        from pages.ui import widgets

        st.session_state["settings"] = widgets.options("toy", ("counted", "longest"), "toy")

    at = AppTest.from_function(page).run()
    assert not at.exception
    counted, longest = at.segmented_control(key="toy-counted"), at.text_input(key="toy-longest")
    assert (counted.label, counted.options) == ("counted", ["letters", "words"])
    assert counted.help == "What is counted."
    assert (longest.label, longest.value, longest.help) == ("longest", "100", "The length that scores 1.")
    assert at.session_state["settings"] == {"counted": "letters", "longest": "100"}
