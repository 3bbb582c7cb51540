"""The starter class: six items, a panel that says that it is none, and every metric's scores."""

from __future__ import annotations

import pytest

from core.errors import AccessError
from db.campaigns.demos import seed_demo
from db.design import COURSEWORK, from_json
from db.engine import migrate
from db.permissions import OPERATOR, Viewer
from db.queries import get_campaign, list_campaigns, list_translations
from db.queries.classroom import metric_scores, panel
from db.queries.evaluation import raters_of
from pages.learn import starter
from pages.learn.examples import AB_METRICS

pytestmark = pytest.mark.embedded


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_six_items_have_a_panel_that_is_called_an_example_and_all_scores(engine, lang):
    number = starter.make(engine, OPERATOR, lang)
    translations = {one.id: one for one in list_translations(engine, number)}
    assert len(translations) == 6
    scores = panel(engine, OPERATOR, number)
    assert sorted(scores.values()) == [5, 20, 60, 90, 92, 95]
    assert list(raters_of(engine, OPERATOR, number).values()) == [
        "Example scores, not by experts / 作例の点（専門家ではない）"
    ]
    assert "no expert gave them" in get_campaign(engine, number).description_en
    found = metric_scores(engine, OPERATOR, number)
    assert set(found) == set(AB_METRICS)
    assert all(len(one) == 6 for one in found.values())


def test_the_worst_translation_is_the_opposite_and_bertscore_does_not_see_it(engine):
    """The panel gives it 5 and its paraphrase 95; BERTScore .963 and .900."""
    number = starter.make(engine, OPERATOR, "ja")
    people, bertscore = panel(engine, OPERATOR, number), metric_scores(engine, OPERATOR, number)["bertscore"]
    worst, best = min(people, key=people.__getitem__), max(people, key=people.__getitem__)
    assert (people[worst], people[best]) == (5, 95)
    assert bertscore[worst] == pytest.approx(0.963, abs=0.0005)
    assert bertscore[best] == pytest.approx(0.900, abs=0.0005)


def test_its_students_agree_to_coursework_and_guess_two_metrics_that_are_scored(engine):
    number = starter.make(engine, OPERATOR, "en")
    design = from_json(get_campaign(engine, number).design)
    assert design.consent == COURSEWORK
    assert design.guesses == ("bertscore", "mteqa")
    assert set(design.guesses) <= set(metric_scores(engine, OPERATOR, number))


def test_it_is_made_once(engine):
    assert starter.make(engine, OPERATOR, "ja") == starter.make(engine, OPERATOR, "ja")


def test_only_an_organiser_makes_it(engine):
    for who in (Viewer(role="teacher", rater_id=1), Viewer(role="rater", rater_id=1), Viewer()):
        with pytest.raises(AccessError):
            starter.make(engine, who, "ja")


def test_the_kit_makes_it_and_leads_to_the_class(start, engine, monkeypatch):
    migrate(engine)
    seed_demo(engine, scores=False)
    monkeypatch.setattr("pages.ui.state.language", lambda: "en")  # AppTest asks for captions, too
    at = start("en", "pages/learn/kit.py")
    at.button(key="kit-starter").click().run()
    assert not at.exception
    assert not at.error
    assert any(one.name == "Starter class (English)" for one in list_campaigns(engine))
    assert "class" in {link.proto.page for link in at.get("page_link")}
