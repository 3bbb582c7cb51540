"""The agreement page, in both languages, with the demo's numbers."""

import re

import pytest

from core.raters.agreement import report
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, list_campaigns, save_rating
from db.queries.evaluation import judgements

PAGE = "pages/evaluate/agreement/page.py"


def campaign(engine, beginning):
    return next(c.id for c in list_campaigns(engine) if c.name.startswith(beginning))


def shown(start, engine, lang, beginning):
    at = start(lang, PAGE)
    at.selectbox(key="campaign-agreement").set_value(campaign(engine, beginning)).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_demo_shows_its_numbers(start, engine, html_of, lang):
    at = shown(start, engine, lang, "Wikipedia")
    found = report(judgements(engine, OPERATOR, campaign(engine, "Wikipedia")).scores, method="raw")
    page = html_of(at)
    assert f"{found.mean_r:.2f}".removeprefix("0") in page
    assert "position-1" in page
    assert f"{found.gold[0].mean:.1f}" in page
    assert len(at.get("plotly_chart")) == 3
    assert {"en": "not persons", "ja": "人ではありません"}[lang] in page


@pytest.mark.parametrize(
    "method", ["z", *(pytest.param(one, marks=pytest.mark.slow) for one in ("centred", "minmax", "rank"))]
)
def test_switch_changes_gold_but_not_r(start, engine, html_of, method):
    at = shown(start, engine, "en", "Wikipedia")
    before = html_of(at)
    at.segmented_control(key="agreement-method").set_value(method).run()
    assert not at.exception
    after = html_of(at)
    assert "mean pairwise r 0.91" in before
    assert "mean pairwise r 0.91" in after
    assert before != after


def test_choosing_a_pair_by_keyboard(start, engine, html_of):
    at = shown(start, engine, "en", "Wikipedia")
    assert at.selectbox(key="agreement-pair").options[2] == "position-2 × position-3"
    at.selectbox(key="agreement-pair").set_value(("position-2", "position-3")).run()
    assert "r 0.92 · 95 % 0.88 to 0.94 · n = 100" in html_of(at)


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_nobody_rated_yet(start, engine, html_of, lang):
    at = shown(start, engine, lang, "Holmes")
    assert not at.get("plotly_chart")
    assert {"en": "There are no scores", "ja": "まだ評点がありません"}[lang] in html_of(at)
    assert at.get("page_link")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_few_shared_and_no_variance_are_sentences(start, engine, html_of, lang):
    start(lang)
    number = campaign(engine, "Holmes")
    for name, scores in {"Few": [10, 20], "Flat <b>": [50] * 5, "Full": [1, 50, 99, 20, 30]}.items():
        rater = enter_rater(engine, name)
        ensure_items(engine, number, rater.id)
        items = sorted(
            items_of(engine, number, rater.id), key=lambda item: (item.segment_id, item.translation)
        )
        for item, score in zip(items, scores, strict=False):
            save_rating(engine, item_id=item.id, rater_id=rater.id, score=score)
    at = shown(start, engine, lang, "Holmes")
    page = html_of(at)
    assert "Few × Full (n = 2)" in page
    assert "Flat &lt;b&gt; × Full (n = 5)" in page
    assert not re.search(r"\bnan\b", page, re.IGNORECASE)
    at.segmented_control(key="agreement-method").set_value("z").run()
    assert not at.exception
    assert {"en": "gave every item the same score", "ja": "すべてに同じ点"}[lang] in html_of(at)


def test_one_rater_alone(start, engine, html_of):
    start()
    number = campaign(engine, "Holmes")
    rater = enter_rater(engine, "Solo")
    ensure_items(engine, number, rater.id)
    save_rating(engine, item_id=items_of(engine, number, rater.id)[0].id, rater_id=rater.id, score=0)
    at = shown(start, engine, "en", "Holmes")
    assert "No two raters" in html_of(at)


def test_the_figures_are_those_of_the_ratings_as_they_stand_after_a_change(start, engine, html_of):
    """They are kept between visits, so a correction must make them anew."""
    start()
    number = campaign(engine, "Holmes")
    for name, scores in {"Ann": [10, 50, 90], "Ben": [10, 50, 90]}.items():
        rater = enter_rater(engine, name)
        ensure_items(engine, number, rater.id)
        items = sorted(items_of(engine, number, rater.id), key=lambda item: item.segment_id)
        same = [item for item in items if item.translation == items[0].translation] or items
        for item, score in zip(same, scores, strict=False):
            save_rating(engine, item_id=item.id, rater_id=rater.id, score=score)
    first = html_of(shown(start, engine, "en", "Holmes"))
    assert html_of(shown(start, engine, "en", "Holmes")) == first
    save_rating(engine, item_id=same[0].id, rater_id=rater.id, score=90)
    found = report(judgements(engine, OPERATOR, number).scores, method="raw")
    after = html_of(shown(start, engine, "en", "Holmes"))
    assert after != first
    assert all(f">{rater.mean:.1f}<" in after for rater in found.raters)
