"""Practice: made by the organiser on the page, done by a rater before the first item."""

from __future__ import annotations

import pytest

from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from core.text.locale import words
from db.design import Design
from db.permissions import OPERATOR
from db.queries import enter_rater, get_campaign, items_of, list_campaigns, list_translations
from db.queries.manage import set_campaign, set_state
from db.queries.practice import add_practice, practice_items, practice_tries, set_practice
from tests.support.widgets import button

MIDDLE = Expected(low=40, high=60)


@pytest.fixture
def holmes(engine):
    return next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))


@pytest.fixture
def texts(engine, holmes):
    return [one for one in list_translations(engine, holmes) if not one.is_reference]


@pytest.fixture
def practised(start, engine, holmes, texts):
    """A campaign with practice, and a rater who has read the guideline."""

    def opened(protocol="adequacy", expected=(MIDDLE,), lang="en", **limits):
        set_campaign(engine, OPERATOR, holmes, name="Holmes", protocol=protocol, design=Design())
        for one, answer in zip(texts, expected, strict=False):
            add_practice(
                engine,
                OPERATOR,
                holmes,
                translation_id=one.id,
                expected=answer,
                feedback_en="Because of **this**.",
                feedback_ja="理由です。",
            )
        if limits:
            set_practice(engine, OPERATOR, holmes, **limits)
        return enter(start(lang), holmes)

    return opened


def enter(at, campaign, name="Aki"):
    at.selectbox(key="campaign-rate").set_value(campaign).run()
    at.text_input(key="rater-name").set_value(name)
    at.button(key="start").click().run()
    if any(one.key == "begin" for one in at.button):
        at.button(key="begin").click().run()
    assert not at.exception
    return at


def answer(at, score):
    at.number_input[0].set_value(score).run()
    button(at, "practice-check").click().run()
    assert not at.exception
    return at


def items(engine, holmes):
    return items_of(engine, holmes, enter_rater(engine, "Aki").id)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_rater_answers_reads_what_was_expected_and_then_begins(practised, engine, holmes, html_of, lang):
    at = practised(expected=[MIDDLE] * 2, lang=lang)
    said = words(lang)
    assert said["practice.place"].format(place=1, total=2) in html_of(at)
    assert said["practice.expected_score"].format(low=40, high=60) not in html_of(at)
    answer(at, 50)
    for line in (said["practice.right"], said["practice.expected_score"].format(low=40, high=60)):
        assert line in html_of(at)
    assert ("Because of **this**." if lang == "en" else "理由です。") in html_of(at)
    assert at.number_input[0].disabled
    assert at.number_input[0].value == 50
    button(at, "practice-next").click().run()
    answer(at, 90)
    assert said["practice.not_yet"] in html_of(at)
    button(at, "practice-next").click().run()
    assert said["practice.result"].format(right=1, total=2) in html_of(at)
    at.button(key="practice-begin").click().run()
    assert at.number_input[0].key == f"score-{items(engine, holmes)[0].id}"
    assert all(item.revision == 0 for item in items(engine, holmes))


def test_practice_goes_on_where_it_stopped_and_is_not_asked_again(practised, start, engine, holmes, html_of):
    at = answer(practised(expected=[MIDDLE] * 2), 50)
    again = enter(start(), holmes)
    assert "Practice, 2 of 2" in html_of(again)
    answer(again, 50)
    third = enter(start(), holmes)
    assert third.number_input[0].key == f"score-{items(engine, holmes)[0].id}"
    button(at, "practice-next").click().run()  # the first window, left behind, asks nothing twice
    assert "2 of 2 right" in html_of(at)


def test_below_the_pass_mark_it_is_repeated_and_after_the_last_try_the_organiser_is_asked(
    practised, engine, holmes, html_of
):
    at = practised(expected=[MIDDLE], pass_mark=1, tries=2)
    answer(at, 0)
    button(at, "practice-next").click().run()
    assert "at least 1 right answers" in html_of(at)
    button(at, "practice-again").click().run()
    assert at.number_input[0].value is None
    answer(at, 100)
    button(at, "practice-next").click().run()
    assert "ask the organiser" in html_of(at)
    assert not [one for one in at.button if (one.key or "").startswith("practice-")]
    assert not at.number_input


def test_an_answer_without_a_score_or_with_an_impossible_one_is_not_stored(practised, engine, holmes):
    at = practised()
    button(at, "practice-check").click().run()
    assert "A score from 0 to 100 is missing" in at.error[0].value
    at.number_input[0].set_value(500).run()
    button(at, "practice-check").click().run()
    assert "A score from 0 to 100 is missing" in at.error[0].value
    assert practice_tries(engine, OPERATOR, holmes) == []
    assert at.number_input[0].value == 500


@pytest.mark.parametrize(("protocol", "score"), [("esa", 50), ("mqm", None)])
def test_where_errors_are_marked_the_marks_are_judged_and_shown(
    practised, engine, holmes, texts, html_of, protocol, score
):
    text = texts[0].text
    expected = Expected(start=0, end=len(text), severity="major")
    at = practised(protocol, [expected, Expected(clean=True)])
    first, second = practice_items(engine, holmes)
    assert not [one for one in at.button if (one.key or "").startswith("next-")]
    mark(at, f"1-{first.id}", MarkedSpan(0, 2, "major", "style/awkward" if protocol == "mqm" else ""))
    if score is not None:
        at.number_input[0].set_value(score).run()
    button(at, "practice-check").click().run()
    assert not at.exception
    assert "Right." in html_of(at)
    assert "at least major" in html_of(at)
    button(at, "practice-next").click().run()
    mark(at, f"1-{second.id}", MarkedSpan(0, 2, "minor", "style/awkward" if protocol == "mqm" else ""))
    if score is not None:
        at.number_input[0].set_value(score).run()
    button(at, "practice-check").click().run()
    assert "Not right yet." in html_of(at)
    assert "There is no error to be marked here." in html_of(at)
    (run,) = practice_tries(engine, OPERATOR, holmes)
    assert (run.right, run.total, run.passed) == (1, 2, True)


def mark(at, key, span):
    """What the component's message leaves behind: AppTest has no browser to mark with."""
    at.session_state["practice-marks"] = (key, (span,))
    at.run()
    assert not at.exception


def test_an_error_without_its_category_is_asked_for_as_in_the_task(practised, engine, holmes):
    at = practised("mqm", [Expected(clean=True)])
    (item,) = practice_items(engine, holmes)
    mark(at, f"1-{item.id}", MarkedSpan(0, 2, "minor"))
    button(at, "practice-check").click().run()
    assert "no category yet" in at.error[0].value
    at.session_state["practice-chosen"] = (f"1-{item.id}", 0)
    at.run()
    next(one for one in at.selectbox if one.key.startswith("practice-category")).set_value("other").run()
    button(at, "practice-check").click().run()
    assert not at.error
    assert len(practice_tries(engine, OPERATOR, holmes)) == 1


def test_side_by_side_the_items_of_a_segment_stand_together(practised, engine, holmes, texts, html_of):
    assert texts[0].segment_id == texts[1].segment_id
    at = practised("side-by-side", [Expected(low=0, high=50), Expected(low=50, high=100)])
    assert len(at.number_input) == 2
    at.number_input[0].set_value(10).run()
    button(at, "practice-check").click().run()
    assert "missing" in at.error[0].value
    at.number_input[1].set_value(10).run()
    button(at, "practice-check").click().run()
    html = html_of(at)
    assert (html.count("Right."), html.count("Not right yet.")) == (1, 1)
    (run,) = practice_tries(engine, OPERATOR, holmes)
    assert (run.right, run.total) == (1, 2)


@pytest.mark.slow
def test_a_rating_is_refused_when_a_pass_mark_is_set_meanwhile(enter_desk, engine, holmes, texts):
    at = enter_desk()
    add_practice(engine, OPERATOR, holmes, translation_id=texts[0].id, expected=Expected(low=0, high=100))
    set_practice(engine, OPERATOR, holmes, pass_mark=1, tries=None)
    at.number_input[0].set_value(50).run()
    assert "Practice comes first" in at.error[0].value
    assert items(engine, holmes)[0].revision == 0


@pytest.fixture
def enter_desk(start, holmes):
    return lambda: enter(start(), holmes)


@pytest.fixture
def manage(start, engine, holmes):
    """The practice tab of the demo, under a protocol."""

    def opened(protocol="adequacy", lang="en"):
        set_campaign(engine, OPERATOR, holmes, name="Holmes", protocol=protocol, design=Design())
        at = start(lang, "pages/evaluate/manage/page.py")
        at.selectbox(key="campaign-manage").set_value(holmes).run()
        at.session_state["manage-tabs"] = {"en": "Practice", "ja": "練習"}[lang]
        at.run()
        assert not at.exception
        return at

    return opened


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_organiser_adds_an_item_sees_it_and_removes_it(manage, engine, holmes, html_of, lang):
    at = manage(lang=lang)
    key = f"practice-{holmes}-0"
    at.number_input(key=f"{key}-low").set_value(20)
    at.number_input(key=f"{key}-high").set_value(45)
    at.text_input(key=f"{key}-feedback-en").set_value("A *name* is wrong.")
    at.button(key=f"{key}-add").click().run()
    assert not at.exception
    assert not at.error
    (item,) = practice_items(engine, holmes)
    assert (item.expected, item.feedback_en) == (Expected(low=20, high=45), "A *name* is wrong.")
    assert words(lang)["practice.expected_score"].format(low=20, high=45) in html_of(at)
    assert "A *name* is wrong." in html_of(at)
    assert f"practice-{holmes}-1-add" in {one.key for one in at.button}  # a second click has no button
    button(at, "practice-remove").click().run()
    assert practice_items(engine, holmes) == []


@pytest.mark.slow
def test_the_piece_that_must_be_marked_is_found_in_the_text_or_refused(
    manage, engine, holmes, texts, html_of
):
    at = manage("esa")
    key = f"practice-{holmes}-0"
    at.text_input(key=f"{key}-piece").set_value("nowhere at all")
    at.button(key=f"{key}-add").click().run()
    assert "does not stand in the translation" in at.error[0].value
    piece = texts[0].text[3:9]
    at.text_input(key=f"{key}-piece").set_value(piece)
    at.selectbox(key=f"{key}-severity").set_value("major")
    at.button(key=f"{key}-add").click().run()
    (item,) = practice_items(engine, holmes)
    assert item.expected == Expected(low=0, high=100, start=3, end=9, severity="major")
    assert f"“{piece}”, at least major" in html_of(at)


def test_a_pass_mark_and_tries_are_stored_and_survive_the_form_of_the_design(manage, engine, holmes):
    at = manage()
    at.button(key=f"practice-{holmes}-0-add").click().run()
    at.number_input(key=f"practice-{holmes}-mark-1").set_value(1)
    at.number_input(key=f"practice-{holmes}-tries").set_value(3)
    at.button(key=f"practice-{holmes}-save").click().run()
    at.session_state["manage-tabs"] = "How it is rated"
    at.run()
    at.button(key=f"design-{holmes}-save").click().run()
    assert not at.exception
    design = get_campaign(engine, holmes).design
    assert (design["practice_pass"], design["practice_tries"]) == (1, 3)


def test_the_organiser_sees_tries_and_right_answers(practised, start, engine, holmes, html_of):
    at = practised(expected=[MIDDLE], pass_mark=1, tries=None)
    answer(at, 0)
    button(at, "practice-next").click().run()
    button(at, "practice-again").click().run()
    answer(at, 50)
    page = start("en", "pages/evaluate/manage/page.py")
    page.selectbox(key="campaign-manage").set_value(holmes).run()
    page.session_state["manage-tabs"] = "Practice"
    page.run()
    html = html_of(page)
    row = html[html.index("Aki") :]
    assert [cell in row for cell in (">2<", "1 of 1 right", ">yes<")] == [True] * 3
    assert len(page.get("download_button")) == 1


def test_the_practice_of_a_closed_campaign_is_shown_and_not_changed(manage, engine, holmes, texts):
    add_practice(engine, OPERATOR, holmes, translation_id=texts[0].id, expected=Expected(low=0, high=100))
    set_state(engine, OPERATOR, holmes, "closed")
    at = manage()
    assert "stays as it is" in at.info[-1].value
    assert not [one for one in at.button if (one.key or "").startswith("practice-")]
