"""Metrics against people over systems: every coefficient, and which metric is closer."""

from __future__ import annotations

import re

import pytest

from db.campaigns.load import load_bundle
from db.queries import list_translations, store_scores
from db.records import ScoreRow
from tests.support.report_files import small

SYSTEMS = ("ash", "beech", "cedar", "dogwood")
PEOPLE = {"Aki": {name: [10 * place + n for n in range(4)] for place, name in enumerate(SYSTEMS, 1)}}
CHRF = {"ash": 1.0, "beech": 3.0, "cedar": 2.0, "dogwood": 4.0}


@pytest.fixture
def four(start, engine):
    """A campaign of four systems in people's order; chrF swaps the middle two, BLEU turns them round."""
    start()
    number = load_bundle(engine, small(PEOPLE, systems=SYSTEMS), "Four").campaign_id
    rows = []
    for one in list_translations(engine, number):
        value = CHRF[one.system] + one.segment_id % 4 / 100
        rows.append(ScoreRow(translation_id=one.id, metric="chrf", signature="c|1", score=value, flags=()))
        rows.append(ScoreRow(translation_id=one.id, metric="bleu", signature="b|1", score=-value, flags=()))
    store_scores(engine, rows)
    return number


def opened(start, number, tab, lang="en"):
    at = start(lang, "pages/debug/meta/page.py")
    at.selectbox(key="campaign-meta").set_value(number).run()
    at.session_state["meta-tabs"] = tab
    at.run()
    assert not at.exception
    return at


def test_a_metric_has_every_coefficient_over_systems(four, start, html_of):
    shown = html_of(opened(start, four, "Systems"))
    for head in ("Pearson", "95 %", "Spearman", "Kendall", "Pairs in order", "Soft pairs"):
        assert head in shown
    # ranks 1 3 2 4: rho = 1 - 6 (1 + 1) / (4 · 15) = .8, tau = (5 - 1) / 6 = .667, 5 of 6 pairs; r = .8
    row = shown[shown.index("<td>chrF</td>") :].partition("</tr>")[0]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
    # two documents are too few for an interval; nobody is an outlier
    assert cells[:-1] == ["chrF", "4", "0.800", "–", "0.800", "0.667", "0.800", "0.833"]


def test_which_metric_is_closer_is_tested_over_systems_too(four, start):
    at = opened(start, four, "Which is closer")
    pictures = []
    for test in ("permutation", "systems"):
        at.segmented_control(key="meta-test").set_value(test).run()
        assert not at.exception
        pictures.append(next(one for one in at.get("plotly_chart") if "chrF" in str(one.proto)))
    whole, of_systems = (str(one.proto) for one in pictures)
    assert whole != of_systems


def test_the_tabs_are_worded_in_japanese(four, start, html_of):
    assert "スピアマン" in html_of(opened(start, four, "システム", "ja"))
    at = opened(start, four, "どちらが人に近いか", "ja")
    assert "PERM-BOTH（システム）" in at.segmented_control(key="meta-test").options
