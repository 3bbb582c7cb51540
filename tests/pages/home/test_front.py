"""The front page: three ways in, the campaigns with their next step, and who is sent on at once."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from sqlalchemy import text as sql
from streamlit.testing.v1 import AppTest

from core.assets import ROOT
from core.text.locale import words
from db.permissions import OPERATOR
from db.queries import (
    find_campaign,
    find_translation,
    first_link,
    list_campaigns,
    new_link,
    open_link,
    scores_of_campaign,
    store_scores,
)
from db.records import ScoreRow
from pages.home.front.mine import next_step

FRONT = "pages/home/front/page.py"


def clicked(at, key):
    at = at.button(key=key).click().run()
    assert not at.exception
    return at


@pytest.mark.parametrize(
    ("lang", "text", "numbers"),
    [
        (
            "en",
            "The Brazilian state of Espírito Santo fell below the police helicopter",
            ["27", "37.8", "0.878"],
        ),
        ("ja", "シャーマン・ホームズの予言は間もなく", ["28.1", "0.835"]),
    ],
)
def test_the_second_way_in_shows_a_pair_with_its_stored_numbers(scored, start, html_of, lang, text, numbers):
    """27 is the mean of 13, 27 and 40, which MLQE-PE has for this sentence."""
    page = html_of(start(lang, FRONT))
    assert text in re.sub(r"<[^>]*>", "", page)
    for value in numbers:
        assert f">{value}<" in page


def test_the_pair_opens_under_the_lens(scored, start, monkeypatch, backends):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    at = clicked(start("en", FRONT), "front-look")
    assert at.header[0].value == words("en")["page.pair"]
    campaign = at.selectbox(key="campaign-pair").value
    assert at.selectbox(key=f"segment-{campaign}").format_func
    assert at.session_state["pair-origin"] == "campaign"


def test_without_the_demo_the_page_leads_on_all_the_same(start, engine, html_of):
    with engine.begin() as connection:
        connection.execute(sql("UPDATE campaign SET name = 'Mine' WHERE name LIKE 'Wikipedia%'"))
    at = start("en", FRONT)
    assert words("en")["front.no_demo"] in html_of(at)
    assert "rate" in {link.proto.page for link in at.get("page_link")}


def test_each_lesson_has_its_picture(start):
    at = start("en", FRONT)
    lessons = {"ab", "names", "subspace", "structure", "questions", "raters", "judge", "story", "fool"} | {
        "readers"
    }
    assert lessons <= {link.proto.page for link in at.get("page_link")}
    assert len(at.get("image")) == len(lessons)


def test_the_campaign_with_ratings_leads_to_agreement(start, engine):
    wikipedia = next(one.id for one in list_campaigns(engine) if one.n_ratings)
    at = clicked(start("en", FRONT), f"next-{wikipedia}")
    assert at.header[0].value == words("en")["page.agreement"]
    assert at.selectbox(key="campaign-agreement").value == wikipedia


def test_the_next_step_follows_state_and_ratings(start, engine):
    new = replace(list_campaigns(engine)[0], demo=False, n_ratings=0)
    assert next_step(replace(new, state="draft"), manages=True) == ("open", "manage")
    assert next_step(new, manages=True) == ("invite", "manage")
    assert next_step(new, manages=False) == ("scores", "systems")
    assert next_step(replace(new, n_ratings=3), manages=True) == ("watch", "progress")
    assert next_step(replace(new, n_ratings=3, state="closed"), manages=True) == ("agree", "agreement")


def test_a_rater_goes_straight_to_work_and_an_organiser_is_told_the_way_back(start, engine, html_of):
    open_link(engine, first_link(engine))
    campaign = list_campaigns(engine)[0].id
    rater = new_link(engine, OPERATOR, role="rater", name="Aki", campaign_id=campaign)
    organiser = new_link(engine, OPERATOR, role="organiser", name="Haru")

    def come(token):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params["k"] = token
        return at.run()

    at = come(rater)
    assert not at.exception
    assert at.header[0].value == words("en")["profile.title"]
    assert "k" not in at.query_params
    assert at.query_params["as"]
    page = html_of(come(organiser))
    assert words("en")["organiser.title"] in page
    assert words("en")["organiser.keep"] in page


@pytest.mark.slow
def test_the_front_page_imports_no_model_library(scored):
    script = (
        "import sys\nfrom pages.auth import session\nsession.at_this_machine = lambda: True\n"
        "from streamlit.testing.v1 import AppTest\n"
        "at = AppTest.from_file('app.py', default_timeout=60).run()\n"
        "assert not at.exception and at.button(key='front-look')\n"
        "print(sorted({'torch', 'transformers', 'spacy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_pages_on_people_open_on_the_campaign_with_ratings(start, engine):
    wikipedia = next(one.id for one in list_campaigns(engine) if one.n_ratings)
    at = start("en", "pages/evaluate/agreement/page.py")
    assert at.selectbox(key="campaign-agreement").value == wikipedia


def test_the_pages_opened_last_are_linked(start):
    at = start("en", "pages/learn/names.py")
    at.switch_page(FRONT).run()
    assert [link.proto.page for link in at.get("page_link")].count(
        "names"
    ) == 2  # the lesson, and the way back


def test_others_of_the_same_passage_are_shown_with_their_mean(scored, start, engine, html_of):
    at = start("en", "pages/home/passages.py")
    for value in (30, 90, 5):
        (field,) = at.number_input
        field.set_value(value)
        (button,) = [one for one in at.button if one.label in ("Next", "Show all scores")]
        at = button.click().run()
        assert not at.exception
    page = html_of(at)
    assert "Others (mean of 3)" in page
    for value in ("14", "95", "1"):  # means of (10, 1, 31), (100, 84, 100) and (1, 1, 1)
        assert f">{value}<" in page
    ratings = {one.name: one.n_ratings for one in list_campaigns(engine)}
    assert ratings["Wikipedia, Estonian to English"] == 300
    assert ratings["Visitors' scores: Wikipedia, Estonian to English"] == 3


def test_visitors_see_each_other_and_change_nothing_in_the_demo(scored, start, engine, html_of):
    for value in (30, 50):
        at = start("ja", "pages/home/passages.py")
        for number in range(3):
            at.number_input[0].set_value(value)
            label = words("ja")["passages.show" if number == 2 else "passages.next"]
            (button,) = [one for one in at.button if one.label == label]
            at = button.click().run()
            assert not at.exception
    page = html_of(at)
    assert "ほかの人（1人の平均）" in page
    assert ">30<" in page
    visitors = find_campaign(engine, "Visitors' scores: Holmes, English to Japanese")
    names = {one.metric for one in scores_of_campaign(engine, visitors.id)}
    assert {"bleu", "bertscore", "mteqa"} <= names


def test_an_empty_score_is_asked_for_and_nothing_is_stored(start, engine):
    at = start("ja", "pages/home/passages.py")
    (button,) = [one for one in at.button if one.label == words("ja")["passages.next"]]
    at = button.click().run()
    assert at.warning[0].value == words("ja")["passages.needed"]
    assert [one.n_ratings for one in list_campaigns(engine)] == [0, 300]


def test_a_stranger_of_a_closed_app_rates_without_storing(start, engine, html_of):
    open_link(engine, first_link(engine))
    at = start("en", "pages/home/passages.py")
    for value in (30, 90, 5):
        at.number_input[0].set_value(value)
        (button,) = [one for one in at.button if one.label in ("Next", "Show all scores")]
        at = button.click().run()
        assert not at.exception
    page = html_of(at)
    assert words("en")["passages.unstored"] in page
    assert "Others" not in page
    assert sum(one.n_ratings for one in list_campaigns(engine)) == 300


def test_a_score_with_other_settings_does_not_take_the_place_of_the_first(scored, start, engine, html_of):
    wikipedia = next(one.id for one in list_campaigns(engine) if one.n_ratings)
    pair = find_translation(engine, wikipedia, "77", "mlqe-nmt")
    other = ScoreRow(
        translation_id=pair.id, metric="bertscore", signature="bertscore|a", score=0.111, parts={"f1": 0.111}
    )
    store_scores(engine, [other])
    page = html_of(start("en", FRONT))
    assert ">0.878<" in page
    assert "0.111" not in page


@pytest.mark.slow
def test_the_tour_leads_over_six_pages_and_back(scored, start, monkeypatch, backends, html_of):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    at = clicked(start("en", FRONT), "tour-start")
    titles = [at.header[0].value]
    for _ in range(5):
        at = clicked(at, "tour-next")
        titles.append(at.header[0].value)
    said = words("en")
    pages = ("passages", "agreement", "pair", "hacks", "meta", "agreement")
    assert titles == [said[f"page.{name}"] for name in pages]
    assert said["tour.report"] in html_of(at)
    at = clicked(at, "tour-leave")
    assert at.header[0].value == said["front.question"]
    assert said["tour.report"] not in html_of(at)
