"""Close reading on the pages: set up, compared as far as no browser is needed, and looked at."""

from __future__ import annotations

import pytest

from core.raters.reading.choices import ReadingChoices
from core.text.locale import words
from db.campaigns.load import load_bundle
from db.campaigns.study import set_up
from db.design import from_json, reading_of
from db.permissions import OPERATOR, Viewer
from db.queries import enter_rater, get_campaign
from db.queries.close import chunks_of
from db.queries.manage import set_state
from db.queries.study import study_of
from tests.support.close_studies import PARAGRAPHS, compare_all
from tests.support.reading_studies import come, go_through, study_bundle

AGREEMENT, MANAGE = "pages/evaluate/agreement/page.py", "pages/evaluate/manage/page.py"
ANSWER = {words(lang)["reading.answer"] for lang in ("en", "ja")}
TWO = ReadingChoices(human="ash", chunks=26)
"""Two chunks of four paragraphs."""


@pytest.fixture
def study(engine):
    """A study of chunks alone; its campaign's number."""
    return made(engine, "Closely", "chunks")


def made(engine, name, protocol, choices=TWO):
    number = load_bundle(engine, study_bundle(name, PARAGRAPHS), name).campaign_id
    set_up(engine, OPERATOR, number, choices, protocol=protocol)
    return number


def choose(at, page, number):
    at.selectbox(key=f"campaign-{page}").set_value(number).run()
    assert not at.exception
    return at


def prefer(at, chunk, preferred, margin):
    at.radio(key=f"chunk-{chunk}-preferred").set_value(preferred)
    at.radio(key=f"chunk-{chunk}-margin").set_value(margin)
    at.text_area(key=f"chunk-{chunk}-why").set_value("**so** <b>")
    save(at)


def save(at):
    (button,) = [one for one in at.button if one.label in ANSWER]
    button.click().run()
    assert not at.exception


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_reader_compares_passage_by_passage_goes_back_and_finishes(
    start, enter, engine, html_of, monkeypatch, study, lang
):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)
    at = enter(start(lang), "Aki", study)
    person = enter_rater(engine, "Aki").id
    assert at.header[0].value == words(lang)["chunks.title"]
    at.button(key="chunks-begin").click().run()
    first, second = chunks_of(engine, Viewer(rater_id=person), study, person)
    assert words(lang)["chunks.where"].format(place=1, total=2) in html_of(at)
    save(at)
    assert len(at.error) == 1  # nothing is chosen yet
    prefer(at, first.id, 0, 2)
    assert words(lang)["chunks.where"].format(place=2, total=2) in html_of(at)
    at.button(key="chunk-before").click().run()
    assert at.radio(key=f"chunk-{first.id}-preferred").value == 0
    prefer(at, first.id, 1, 3)
    prefer(at, second.id, -1, None)
    assert words(lang)["reading.thanks"] in html_of(at)
    (reader,) = study_of(engine, OPERATOR, study).readers
    assert [one.answers["preferred"] for one in reader.compared] == [1, -1]
    assert reader.compared[0].answers["why"] == "**so** <b>"
    assert all(name not in html_of(at) for name in ("ash", "elm"))


def test_the_close_reading_follows_the_comparison_after_the_pause(start, enter, engine):
    choices = ReadingChoices(human="ash", chunks=26, pause_hours=24, questions=())
    waiting = made(engine, "Waiting", "reading", choices)
    go_through(engine, waiting, "Aki", prefers="ash", guess="ash")
    at = enter(start("en"), "Aki", waiting)
    assert at.info[0].value.startswith("You can start the close reading at")
    at_once = made(engine, "At once", "reading")
    go_through(engine, at_once, "Ben", prefers="ash", guess="ash")
    at = enter(start("en"), "Ben", at_once)
    assert at.header[0].value == "Close reading"


def test_a_reader_goes_on_where_they_stopped_and_a_closed_study_shows_no_text(
    start, enter, engine, html_of, study
):
    person, _ = come(engine, study, "Aki")
    compare_all(engine, study, person, "Aki", ["ash", None], only=1)
    at = enter(start("en"), "Aki", study)
    assert "passage 2 of 2" in html_of(at)
    set_state(engine, OPERATOR, study, "closed")
    at.run()
    assert at.info[0].value == words("en")["rate.closed"]


def test_an_organiser_adds_a_close_reading_with_the_usual_length(start, engine, html_of):
    number = made(engine, "Plan", "reading", ReadingChoices())
    at = choose(start("en", MANAGE), "manage", number)
    key = f"design-{number}"
    at.toggle(key=f"{key}-chunks-on").set_value(True).run()
    assert at.number_input(key=f"{key}-chunks").value == 300
    at.number_input(key=f"{key}-chunks").set_value(26).run()
    assert "Close reading: 2 passages" in html_of(at)
    at.toggle(key=f"{key}-guess").set_value(False).run()
    at.button(key=f"{key}-save").click().run()
    assert not at.exception
    choices = reading_of(from_json(get_campaign(engine, number).design))
    assert (choices.chunks, choices.guess) == (26, False)
    at.toggle(key=f"chunk-preview-{number}").set_value(True).run()
    assert not at.exception
    assert study_of(engine, OPERATOR, number).readers == ()


def test_a_campaign_becomes_a_study_of_passages_by_the_switch(start, engine):
    number = made(engine, "Switch", "reading", ReadingChoices())
    at = choose(start("en", MANAGE), "manage", number)
    at.segmented_control(key=f"design-{number}-protocol").set_value("chunks").run()
    at.button(key=f"design-{number}-save").click().run()
    assert not at.exception
    assert get_campaign(engine, number).protocol == "chunks"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_results_of_passages_have_intervals_readers_and_a_warning(start, engine, html_of, study, lang):
    at = choose(start(lang, AGREEMENT), "agreement", study)
    assert not at.warning
    for name, prefers in (("Aki", ["ash", "ash"]), ("Ben", ["ash", "elm"])):
        person, _ = come(engine, study, name)
        compare_all(engine, study, person, name, prefers)
    at.run()
    assert not at.exception
    assert len(at.warning) == 1
    shown = html_of(at)
    assert "3 / 4" in shown
    assert ("0.19 to 0.99" if lang == "en" else "0.19〜0.99") in shown  # Clopper and Pearson for 3 of 4
    assert words(lang)["close.agreement_few"].format(readers=2) in shown
    assert "in 1" in shown
    assert [one.value for one in at.metric] == ["2", "2", "4"]
