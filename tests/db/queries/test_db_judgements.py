"""The lean tables of scores say what the full one says."""

from __future__ import annotations

import pytest

from core.errors import AccessError
from core.raters.protocols import MarkedSpan
from core.raters.quality import KINDS
from db.design import Design
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating
from db.queries.evaluation import judgements, newest, rating_table
from db.queries.manage import set_campaign, set_check_texts, set_state


def rate(engine, campaign, name, scores):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    for item, score in zip(items_of(engine, campaign, rater), scores, strict=False):
        save_rating(engine, item_id=item.id, rater_id=rater, score=score, seconds=7)


def test_scores_and_places_are_those_of_the_full_table(engine, campaign):
    rate(engine, campaign, "Aki", range(0, 100, 3))
    rate(engine, campaign, "Ben", (50, 60, 70))
    rate(engine, campaign, "Ben", (51,))  # a second revision
    full = rating_table(engine, OPERATOR, campaign)
    lean = judgements(engine, OPERATOR, campaign)
    assert [one[:3] for one in lean.scores] == [(row.rater, row.item, row.score) for row in full]
    for row in full:
        place = lean.places[row.item]
        assert (place.segment_id, place.document, place.system) == (row.segment, row.document, row.system)
    assert {system: len(own) for system, own in lean.by_system().items()} == {
        system: sum(row.system == system for row in full) for system in {row.system for row in full}
    }
    assert not lean.computed


def test_check_items_are_no_judgements_but_belong_to_quality(engine, campaign):
    set_campaign(
        engine, OPERATOR, campaign, name="Small", protocol="adequacy",
        design=Design(repeats=0.1, references=0.1, degraded=0.1, distance=3),
    )  # fmt: skip
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference and one.text]
    set_check_texts(engine, OPERATOR, campaign, [(one.id, "splice", "××") for one in texts])
    set_state(engine, OPERATOR, campaign, "open")
    rate(engine, campaign, "Aki", range(48))
    assert len(judgements(engine, OPERATOR, campaign).scores) == 36
    rows = rating_table(engine, OPERATOR, campaign, kinds=KINDS)
    assert [(row.rater, row.score, row.seconds) for row in rows] == [("Aki", n, 7) for n in range(48)]
    assert [row for row in rows if row.kind == "target"] == rating_table(engine, OPERATOR, campaign)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert {row.characters for row in rows if row.kind == "degraded"} == {2}


def test_where_only_errors_are_marked_the_score_is_mqms(engine, campaign):
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="mqm", design=Design())
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    item = items_of(engine, campaign, rater)[0]
    span = MarkedSpan(side="target", start=0, end=1, severity="major", category="accuracy/mistranslation")
    save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=[span])
    found = judgements(engine, OPERATOR, campaign)
    (row,) = rating_table(engine, OPERATOR, campaign)
    assert found.computed
    assert [one.score for one in found.scores] == [row.score]
    assert row.computed
    assert row.score < 0


def test_a_new_rating_makes_a_new_version(engine, campaign):
    before = newest(engine, campaign)
    rate(engine, campaign, "Aki", (1,))
    after = newest(engine, campaign)
    assert before == (0, 0)
    assert after[0] == 1


@pytest.mark.parametrize("ask", [judgements, rating_table])
def test_who_may_not_see_scores_gets_none(engine, campaign, ask):
    with pytest.raises(AccessError):
        ask(engine, Viewer(role="rater", rater_id=1), campaign)
