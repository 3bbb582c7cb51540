"""What the ratings say, tab by tab: figures, sentences in their place, and the ledger of raters."""

from __future__ import annotations

import re

import pytest

from core.raters.quality import check_raters
from core.raters.ranking import system_means
from core.raters.ratings import Rating
from core.raters.reliability import reliability
from core.raters.rules import Rules
from core.report.raters import rater_row
from core.text.locale import Speaker, words
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import migrate, write_session
from db.formats import get_format
from db.formats.bundle import Bundle, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.models import Campaign
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating
from db.queries.evaluation import judgements
from db.queries.manage import set_campaign, set_check_texts, set_state
from db.records import RatingRecord

PAGE = "pages/evaluate/agreement/page.py"
TABS = ("Agreement", "Reliability", "Normalisation", "Systems", "Raters")
SYSTEMS = ("ash", "beech", "cedar")


def campaign(engine, scores, systems=SYSTEMS, segments=8):
    """scores: by rater, a function of segment and system that gives a score, or None for none."""
    rows = [
        SegmentRow(f"d{number // 4}", number % 4, f"参照 {number}", "source", "novel")
        for number in range(segments)
    ]
    ratings = [
        RatingRecord(row.key, system, rater, float(given(number, place)), seconds=20.0)
        for rater, given in scores.items()
        for number, row in enumerate(rows)
        for place, system in enumerate(systems)
        if given(number, place) is not None
    ]
    bundle = Bundle(
        name="Small",
        langs=("en", "ja"),
        systems=tuple(map(SystemRow, systems)),
        segments=tuple(rows),
        outputs=tuple(OutputRow(row.key, system, f"訳 {system}") for row in rows for system in systems),
        ratings=tuple(ratings),
    )
    migrate(engine)
    return load_bundle(engine, bundle, "Small").campaign_id


@pytest.fixture
def shown(start):
    def opened(number, tab=None, lang="en"):
        at = start(lang, PAGE)
        at.selectbox(key="campaign-agreement").set_value(number)
        if tab is not None:
            at.session_state["agreement-tabs"] = tab
        at.run()
        assert not at.exception
        return at

    return opened


THREE = {
    "Aki": lambda segment, system: 60 + 3 * segment - 8 * system,
    "Ben": lambda segment, system: 55 + 2 * segment - 9 * system + (segment * 7 + system) % 5,
    "Chie": lambda segment, system: 70 + segment - 7 * system + (segment * 3 + system) % 4,
}


def test_reliability_says_what_the_statistics_say(engine, shown, html_of):
    number = campaign(engine, THREE)
    at = shown(number, "Reliability")
    page = html_of(at)
    found = reliability(judgements(engine, OPERATOR, number).scores)
    for one in (found.mean_r, found.icc_single, found.icc_mean, found.alpha):
        assert f'<td class="yk-number">{one.value:.2f}</td>' in page
    assert "d0" in page
    at.segmented_control(key="reliability-by").set_value("domain").run()
    assert "novel" in html_of(at)


def test_systems_stand_in_clusters_with_the_name_of_the_test(engine, shown, html_of):
    number = campaign(engine, THREE)
    page = html_of(shown(number, "Systems"))
    means = system_means(judgements(engine, OPERATOR, number).by_system())
    assert [one.system for one in means] == list(SYSTEMS)
    for one in means:
        assert f"{one.mean:.1f}" in page
    assert "Wilcoxon signed-rank" in page


def test_an_order_that_hangs_on_the_normalisation_is_a_warning_with_the_pairs(engine, shown, html_of):
    def lenient(segment, system):
        return {0: 90, 1: None, 2: 88 - segment}[system]

    def strict(segment, system):
        return {0: None, 1: 40 + segment, 2: 30 - segment}[system]

    number = campaign(engine, {"Aki": lenient, "Ben": strict})
    at = shown(number, "Normalisation")
    assert at.warning
    page = html_of(at)
    assert "ash is ahead of beech under: raw" in page
    at.toggle(key="orders-mixed").set_value(True).run(timeout=60)
    assert not at.exception


def test_a_flat_rater_and_a_single_rating_are_warned_of(engine, shown, html_of):
    scores = {
        **THREE,
        "Dan": lambda segment, system: 50 + (segment == 0) * 0.1,
        "Eri": lambda segment, system: 77 if (segment, system) == (0, 0) else None,
    }
    page = html_of(shown(campaign(engine, scores), "Normalisation"))
    assert "Dan has hardly used the scale" in page
    assert "Eri has given few scores (1)" in page


def test_who_falls_under_a_rule_is_listed_and_what_leaving_out_would_do(engine, shown, html_of):
    scores = {**THREE, "Dan": lambda segment, system: 50}
    at = shown(campaign(engine, scores), "Raters")
    page = html_of(at)
    assert "nearly always the same score" in page
    assert "1.00" in page
    assert "none left out" in page
    assert "No rules were declared" in page


def test_one_name_for_the_pace_and_a_drift_of_few_items_is_a_dash(engine, shown, html_of):
    fast = {**THREE, "Aki": lambda segment, system: 60 + 3 * segment - 8 * system}
    page = html_of(shown(campaign(engine, fast, segments=6), "Raters"))  # 18 items
    assert words("en")["quality.column.pace"] == words("en")["progress.column.pace"]
    row = page.partition("<td>Aki</td>")[2].partition("</tr>")[0]
    assert row.endswith('<td class="yk-number">–</td>')
    assert "No slope is shown" in page


def test_a_share_is_told_apart_from_a_p_value(engine):
    english, japanese = Speaker("en"), Speaker("ja")
    rows = [Rating("r", item, 50.0, kind="target") for item in (1, 2)]
    rows += [Rating("r", 1, 40.0, kind="degraded"), Rating("r", 2, 60.0, kind="degraded")]
    (few,) = check_raters(rows, Rules())
    assert rater_row(few, english)[4] == "50 % right (2)"
    assert rater_row(few, japanese)[4] == "正しい順 50 %（2）"
    rows += [Rating("r", item, 50.0, kind="target") for item in (3, 4)]
    rows += [Rating("r", item, 40.0, kind="degraded") for item in (3, 4)]
    (more,) = check_raters(rows, Rules())
    assert rater_row(more, english)[4] == f"p {more.degraded.p:.3f} (4)"


def test_declared_rules_are_the_ones_that_count(engine, shown, html_of):
    number = campaign(engine, {**THREE, "Dan": lambda segment, system: 50})
    with write_session(engine) as session:  # as they would have been set before anybody had items
        session.get(Campaign, number).design = {"rules": {"same_share": None}}
    page = html_of(shown(number, "Raters"))
    assert "By the rules that were declared" in page
    assert "nearly always the same score" not in page


BAD = {
    "one-rater": ({"Aki": THREE["Aki"]}, SYSTEMS, 8),
    "one-item": ({name: (lambda segment, system: 5) for name in ("Aki", "Ben")}, ("ash",), 1),
    "all-ties": ({name: (lambda segment, system: 50) for name in ("Aki", "Ben")}, SYSTEMS, 8),
    "disjoint": (
        {
            "Aki": lambda segment, system: segment if system == 0 else None,
            "Ben": lambda segment, system: segment if system == 1 else None,
        },
        SYSTEMS,
        8,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("kind", list(BAD))
def test_where_there_is_no_figure_there_is_a_sentence_and_never_nan(engine, shown, html_of, kind, lang):
    scores, systems, segments = BAD[kind]
    number = campaign(engine, scores, systems, segments)
    for tab in TABS if lang == "en" else (None,):
        page = html_of(shown(number, tab, lang))
        assert not re.search(r"\bnan\b", page, re.IGNORECASE)


@pytest.mark.slow
def test_a_campaign_with_only_check_items_has_its_raters_and_no_systems(engine, shown, html_of, start):
    number = campaign(engine, {})
    set_campaign(
        engine, OPERATOR, number, name="Small", protocol="adequacy", design=Design(degraded=0.2, distance=2)
    )
    texts = [one for one in list_translations(engine, number) if one.text]
    set_check_texts(engine, OPERATOR, number, [(one.id, "splice", "×") for one in texts])
    set_state(engine, OPERATOR, number, "open")
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    for item in items_of(engine, number, rater):
        if item.translation == "×":
            save_rating(engine, item_id=item.id, rater_id=rater, score=10, seconds=5)
    for tab in TABS:
        shown(number, tab)
    assert "Aki" in html_of(shown(number, "Raters"))


def test_the_campaign_can_be_taken_away_and_what_is_left_out_is_said(engine, shown, html_of, tmp_path):
    number = campaign(engine, THREE)
    at = shown(number, "Files")
    at.button(key="takeaway-make").click().run()
    assert not at.exception
    _, _, made = at.session_state["takeaway-made"]
    (tmp_path / made.name).write_bytes(made.data)
    again = get_format("history").read(tmp_path / made.name, ReadOptions())
    assert len(again.ratings) == 72
    assert "The whole campaign is in it." in html_of(at)
    at.selectbox(key="takeaway-format").set_value("wmt-csv").run()
    at.button(key="takeaway-make").click().run()
    assert "24 translations were left out." in html_of(at)
