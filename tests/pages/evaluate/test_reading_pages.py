"""Reading studies on the pages: set up, read as far as no browser is needed, answered, and looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.raters.reading.choices import ReadingChoices
from core.raters.reading.told import EndReached
from core.text.locale import words
from db.campaigns.scoring import score_campaign
from db.design import from_json, reading_of
from db.permissions import OPERATOR, Viewer
from db.queries import enter_rater, get_campaign
from db.queries.manage import set_state
from db.queries.reading import readings_of
from db.queries.study import study_of
from tests.support.fake_backends import FakeEncoder, fake_backends
from tests.support.reading_studies import come, go_through, make_study, study_bundle, tell
from tests.support.widgets import when_scored

AGREEMENT, MANAGE = "pages/evaluate/agreement/page.py", "pages/evaluate/manage/page.py"


@pytest.fixture
def study(engine):
    """A study of two short English versions; its campaign's number."""
    return make_study(engine, ReadingChoices(human="ash"), study_bundle("A short study"))


def choose(at, page, number):
    at.selectbox(key=f"campaign-{page}").set_value(number).run()
    assert not at.exception
    return at


@pytest.mark.parametrize(
    ("lang", "balanced"), [("en", "The plan is balanced."), ("ja", "計画は釣り合っています。")]
)
def test_an_organiser_sees_who_reads_what_and_changes_it(start, engine, html_of, monkeypatch, lang, balanced):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)
    number = make_study(engine, ReadingChoices(), study_bundle("Plan"), readers=3)
    at = choose(start(lang, MANAGE), "manage", number)
    key = f"design-{number}"
    assert not [one.value for one in at.success]
    at.number_input(key=f"{key}-readers").set_value(4).run()
    assert [one.value for one in at.success] == [balanced]
    shown = html_of(at)
    assert shown.count("ash") >= 5
    at.selectbox(key=f"{key}-human").set_value("elm")
    at.number_input(key=f"{key}-pause").set_value(12.0)
    at.toggle(key=f"{key}-undecided").set_value(False).run()
    at.button(key=f"{key}-save").click().run()
    assert not at.exception
    design = from_json(get_campaign(engine, number).design)
    choices = reading_of(design)
    assert (design.raters, choices.human, choices.pause_hours, choices.no_difference) == (
        4,
        "elm",
        12.0,
        False,
    )


def test_a_rated_protocol_becomes_a_study_by_the_switch(start, engine):
    (demo,) = [one for one in (1,) if get_campaign(engine, one).protocol == "adequacy"]
    at = choose(start("en", MANAGE), "manage", demo)
    at.segmented_control(key=f"design-{demo}-protocol").set_value("reading").run()
    assert not at.exception
    at.button(key=f"design-{demo}-save").click().run()
    assert get_campaign(engine, demo).protocol == "reading"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_reader_begins_answers_and_compares(start, enter, engine, html_of, monkeypatch, study, lang):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)
    at = enter(start(lang), "Aki", study)
    person = enter_rater(engine, "Aki").id
    viewer = Viewer(rater_id=person)
    first, second = readings_of(engine, viewer, study, person)
    for number, reading in enumerate((first, second), start=1):
        tell(engine, person, reading.id, EndReached(mark="e"))
        at.run()
        key = f"reading-answer-{reading.id}"
        assert f"{number}" in at.header[0].value
        at.button[0].click().run()
        assert len(at.error) == 1
        at.radio(key=f"{key}-quality").set_value(3 + number)
        at.text_area(key=f"{key}-comment").set_value("**fine** <b>")
        at.button[0].click().run()
        assert not at.exception
    key = f"reading-final-{study}"
    for name, value in (("preferred", 1), ("margin", 3), ("human", 0), ("sure", 1)):
        at.radio(key=f"{key}-{name}").set_value(value)
    at.button[0].click().run()
    assert not at.exception
    assert words(lang)["reading.thanks"] in html_of(at)
    (reader,) = study_of(engine, OPERATOR, study).readers
    assert [one.answers for one in reader.read] == [
        {"quality": 4, "comment": "**fine** <b>"},
        {"quality": 5, "comment": "**fine** <b>"},
    ]
    assert (reader.final["preferred"], reader.final["sure"]) == (1, 1)


def test_a_reader_can_go_back_to_the_text_before_answering(start, enter, engine, study):
    at = enter(start("en"), "Aki", study)
    person = enter_rater(engine, "Aki").id
    first, _ = readings_of(engine, Viewer(rater_id=person), study, person)
    tell(engine, person, first.id, EndReached(mark="e"))
    at.run()
    assert at.header[0].value == "About version 1"
    at.button(key="reading-back-to-text").click().run()
    assert not at.exception
    assert not at.header


def test_a_pause_is_kept_and_a_closed_study_shows_no_text(start, enter, engine):
    number = make_study(engine, ReadingChoices(pause_hours=24, questions=()), study_bundle("Pause"))
    at = enter(start("en"), "Aki", number)
    person = enter_rater(engine, "Aki").id
    first, _ = readings_of(engine, Viewer(rater_id=person), number, person)
    tell(engine, person, first.id, EndReached(mark="e"))
    at.run()
    assert at.info[0].value.startswith("The next version opens at")
    set_state(engine, OPERATOR, number, "closed")
    at.run()
    assert at.info[0].value == words("en")["rate.closed"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_results_have_an_interval_for_each_share_and_a_warning(start, engine, html_of, study, lang):
    at = choose(start(lang, AGREEMENT), "agreement", study)
    assert not at.warning
    marks = {"ash": [(0, 0, 3, "pleases")], "elm": [(0, 0, 2, "disturbs")]}
    for name, prefers in (("Aki", "ash"), ("Ben", "ash"), ("Cho", "elm")):
        go_through(engine, study, name, prefers=prefers, guess="ash", marks=marks)
    come(engine, study, "Dan")
    at.run()
    assert not at.exception
    assert len(at.warning) == 1
    shown = html_of(at)
    assert "2 / 3" in shown
    assert ("0.09 to 0.99" if lang == "en" else "0.09〜0.99") in shown  # Clopper and Pearson for 2 of 3
    assert [one.value for one in at.metric] == ["3", "3"]
    assert "because" in shown
    assert "Dan" not in shown


def test_the_results_tell_whether_metrics_point_at_what_disturbed_readers(start, engine, html_of):
    right, wrong = ("One two three four.",) * 12, ("One two XXXX four.",) * 12
    bundle = study_bundle("Pointed", {"ash": wrong, "elm": right})
    segments = tuple(replace(segment, reference=right[0]) for segment in bundle.segments)
    number = make_study(engine, bundle=replace(bundle, segments=segments))
    score_campaign(engine, number, {"bleu": {}}, fake_backends(FakeEncoder({})))
    marks = {"ash": [(n, 8, 12, "disturbs") for n in range(12)]}
    go_through(engine, number, "Aya", prefers="elm", guess="elm", marks=marks)
    at = choose(start("en", AGREEMENT), "agreement", number)
    at.button(key="pointing-begin").click().run()
    when_scored(at)
    assert "24 translations as one person each rated or read them, in 1 documents; 12 of them" in html_of(at)
    assert not [one for one in at.button if one.key == "pointing-begin"]


def test_the_report_is_made_on_the_page_and_names_no_reader(start, engine, study):
    go_through(engine, study, "Aya", prefers="ash", guess="ash")
    at = start("en").switch_page("pages/evaluate/agreement/page.py")
    at.query_params["campaign"] = str(study)
    at.run()
    at.button(key="report-make").click().run()
    assert not at.exception
    _, page, files = at.session_state["report-made"]
    assert "What readers preferred" in page.decode()
    assert "Aya" not in page.decode()
    assert files == {}


def test_a_rater_who_enters_does_not_see_what_is_said_of_the_texts(start, engine, study):
    at = choose(start("en"), "rate", study)
    assert not at.expander


def test_a_preview_stores_nothing(start, engine, study):
    at = choose(start("en", MANAGE), "manage", study)
    at.toggle(key=f"study-preview-{study}").set_value(True).run()
    assert not at.exception
    assert study_of(engine, OPERATOR, study).readers == ()
