"""Whole documents on a screen, corrected translations, marks filled in beforehand, and adjudication."""

from __future__ import annotations

import pytest

from core.raters.protocols import MarkedSpan
from db.campaigns.load import load_bundle
from db.design import DOCUMENT, DOCUMENTS, Design
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, history, items_of, list_translations, save_rating
from db.queries.adjudication import decisions
from db.queries.documents import document_scores
from db.queries.manage import set_campaign
from db.queries.prefills import prefill_summary, set_prefills
from pages.evaluate.rate import document
from tests.support.db_bundles import small_bundle
from tests.support.widgets import button

MINOR = MarkedSpan(0, 3, "minor")


@pytest.fixture
def small(engine):
    """A campaign of two documents of three segments, in two translations, under a protocol and a design."""

    def made(protocol="adequacy", **design):
        number = load_bundle(engine, small_bundle(6, ("ash", "beech")), "Small").campaign_id
        set_campaign(engine, OPERATOR, number, name="Small", protocol=protocol, design=Design(**design))
        return number

    return made


def items(engine, campaign, name="Aki"):
    return items_of(engine, campaign, enter_rater(engine, name).id)


def judge(engine, campaign, name, **given):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    item = next(one for one in items_of(engine, campaign, rater) if one.translation == "ash says 0")
    save_rating(engine, item_id=item.id, rater_id=rater, **given)


def field(at, key):
    return next(one for one in at.number_input if one.key == key)


def test_a_document_is_judged_segment_by_segment_and_as_a_whole(start, enter, engine, small, html_of):
    campaign = small(order=DOCUMENTS, layout=DOCUMENT)
    at = enter(start(), "Aki", campaign)
    mine = items(engine, campaign)
    shown = mine[:3]
    assert [one.key for one in at.number_input] == [
        *(f"side-{one.id}" for one in shown),
        f"document-score-{shown[-1].id}",
    ]
    for item, score in zip(shown, (10, 20, 30), strict=True):
        assert item.translation in html_of(at)
        field(at, f"side-{item.id}").set_value(score).run()
    field(at, f"document-score-{shown[-1].id}").set_value(25).run()
    assert [one.score for one in items(engine, campaign)[:3]] == [10, 20, 30]
    assert all(history(engine, one.id, enter_rater(engine, "Aki").id)[0].seconds is not None for one in shown)
    assert [one.score for one in document_scores(engine, OPERATOR, campaign)] == [25]
    button(at, "next").click().run()
    assert at.number_input[0].key == f"side-{mine[3].id}"
    button(at, "previous").click().run()
    assert [one.value for one in at.number_input] == [10, 20, 30, 25]


@pytest.mark.parametrize("wrong", ["segment", "document"])
def test_next_does_not_pass_a_number_that_is_no_score(start, enter, engine, small, wrong):
    campaign = small(order=DOCUMENTS, layout=DOCUMENT)
    at = enter(start(), "Aki", campaign)
    first = at.number_input[0].key
    place = 0 if wrong == "segment" else -1
    at.number_input[place].set_value(101).run()
    button(at, "next").click().run()
    assert at.number_input[0].key == first
    assert len(at.error) == 1
    at.number_input[place].set_value(99).run()
    button(at, "next").click().run()
    assert at.number_input[0].key != first


def test_errors_of_a_whole_document_are_stored_with_next(start, enter, engine, small):
    campaign = small("mqm", order=DOCUMENTS, layout=DOCUMENT)
    at = enter(start(), "Aki", campaign)
    button(at, "next").click().run()
    assert not at.exception
    assert [one.spans for one in items(engine, campaign)] == [()] * 3 + [None] * 9


def test_a_long_document_has_even_screens_and_its_score_is_on_the_last(monkeypatch, engine, small):
    monkeypatch.setattr(document, "MOST_SEGMENTS", 2)
    campaign = small(order=DOCUMENTS, layout=DOCUMENT)
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    mine = items_of(engine, campaign, rater)
    assert [document.screen(mine, place) for place in range(4)] == [
        range(1),
        range(1, 3),
        range(1, 3),
        range(3, 4),
    ]
    assert document.document(mine, 1) == range(3)


def test_a_rater_corrects_a_translation_beside_the_score(start, enter, engine, small):
    campaign = small(post_edit=True)
    at = enter(start(), "Aki", campaign)
    first = items(engine, campaign)[0]
    assert at.text_area[0].value == first.translation
    at.text_area[0].set_value("a better text").run()
    assert items(engine, campaign)[0].edited == "a better text"  # a draft, before any score
    assert items(engine, campaign)[0].revision == 0
    at.number_input[0].set_value(40).run()
    button(at, "next").click().run()
    second = items(engine, campaign)[1]
    assert at.text_area[0].value == second.translation
    at.number_input[0].set_value(50).run()
    assert [(one.score, one.edited) for one in items(engine, campaign)[:2]] == [
        (40, "a better text"),
        (50, None),
    ]
    again = enter(start(), "Aki", campaign)
    button(again, "previous").click().run()
    button(again, "previous").click().run()
    assert again.text_area[0].value == "a better text"


def test_a_rater_is_told_of_marks_that_are_there_already(start, enter, engine, small):
    campaign = small("esa")
    texts = {row.id: [MINOR] for row in list_translations(engine, campaign)}
    set_prefills(engine, OPERATOR, campaign, texts, origin="x")
    at = enter(start(), "Aki", campaign)
    assert [one.value[:31] for one in at.info] == ["Errors are marked already. Keep"]
    at.number_input[0].set_value(40).run()
    assert items(engine, campaign)[0].spans == (MINOR,)
    assert not at.info


def test_an_organiser_fills_in_a_raters_marks_and_sees_what_the_next_rater_changed(
    start, engine, small, html_of
):
    campaign = small("esa")
    judge(engine, campaign, "Aki", score=50, spans=(MINOR,))
    at = start("en", "pages/evaluate/manage/page.py")
    at.selectbox(key="campaign-manage").set_value(campaign).run()
    at.session_state["manage-tabs"] = "Pre-filled marks"
    at.run()
    assert not at.exception
    button(at, "prefill-fill").click().run()
    (summary,) = prefill_summary(engine, OPERATOR, campaign)
    assert (summary.origin, summary.marks) == ("Aki", 1)
    judge(engine, campaign, "Ben", score=50, spans=())
    at.run()
    assert "What raters changed" in [one.value for one in at.subheader]
    assert "Ben" in html_of(at)
    button(at, "prefill-clear").click().run()
    assert prefill_summary(engine, OPERATOR, campaign) == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_organiser_decides_between_two_raters(start, engine, small, html_of, lang):
    campaign = small("esa")
    judge(engine, campaign, "Aki", score=50, spans=(MINOR,), comment="too free")
    judge(engine, campaign, "Ben", score=90, spans=())
    at = start(lang, "pages/evaluate/adjudicate.py")
    at.selectbox(key="campaign-adjudicate").set_value(campaign).run()
    assert not at.exception
    page = html_of(at)
    assert "too free" in page
    assert "Aki" not in page  # the texts decide
    assert "Ben" not in page
    takes = [one for one in at.button if (one.key or "").startswith("adjudicate-take-")]
    takes[1].click().run()
    assert next(one for one in at.number_input).value == 90
    next(one for one in at.number_input).set_value(70).run()
    button(at, "adjudicate-store").click().run()
    assert not at.exception
    (decision,) = decisions(engine, OPERATOR, campaign)
    assert (decision.system, decision.score, decision.spans) == ("ash", 70, ())
