"""A class: hidden until released, the own result only, and a gradebook."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import AccessError, InputError
from db.campaigns.demos import seed_demo
from db.design import from_json
from db.engine import migrate
from db.permissions import OPERATOR, Viewer
from db.queries import (
    ensure_items,
    first_link,
    get_campaign,
    items_of,
    join,
    list_campaigns,
    list_translations,
    look,
    make_link,
    new_link,
    open_link,
    save_profile,
    save_rating,
    store_scores,
)
from db.queries.classroom import (
    METRICS,
    class_scores,
    metric_scores,
    own_record,
    pace,
    panel,
    panel_comments,
    release,
    remove,
    rename,
    save_guess,
    students,
)
from db.queries.manage import set_campaign
from db.records import ScoreRow
from pages.learn.grades import gradebook
from tests.pages.conftest import ROOT

PAGE = "pages/learn/class.py"


@pytest.fixture
def course(engine):
    """Two students and one expert on the Holmes demo: (campaign, tokens by name)."""
    migrate(engine)
    seed_demo(engine)
    open_link(engine, first_link(engine))
    campaign = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    tokens = {}
    for name, part, scores in (("Fox", "student", (80, 60, 90)), ("=Hen", "student", (10, 20, 30)),
                               ("Mori", "panel", (60, 60, 80))):  # fmt: skip
        tokens[name] = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name=name, part=part)
        person = look(engine, tokens[name]).rater_id
        own = Viewer(role="rater", rater_id=person)
        save_profile(engine, own, person, native_language="ja", level="", consent=True)
        ensure_items(engine, campaign, person)
        first = sorted(
            items_of(engine, campaign, person), key=lambda item: (item.segment_id, item.translation)
        )
        for item, score in zip(first, scores, strict=False):
            said = f"*{score}*: <b>a name is wrong</b>"
            save_rating(engine, item_id=item.id, rater_id=person, score=score, comment=said)
    tokens["Mina"] = new_link(engine, OPERATOR, role="teacher", name="Mina")
    return campaign, tokens


@pytest.fixture
def page(database):
    def opened(token, lang="en"):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params["lang"] = lang
        at.query_params["k"] = token
        at.run()
        at.switch_page(PAGE).run()
        assert not at.exception
        return at

    return opened


def shown(at, label):
    return [metric.value for metric in at.metric if metric.label == label][-1]


def of(engine, tokens, name):
    """The person as a visitor."""
    return Viewer(role="rater", rater_id=look(engine, tokens[name]).rater_id)


def design(engine, campaign, **changes):
    """Change the design of a campaign."""
    record = get_campaign(engine, campaign)
    changed = replace(from_json(record.design), **changes)
    set_campaign(
        engine, OPERATOR, campaign, name=record.name, protocol=record.protocol, design=changed, deadline=None
    )


def test_before_a_release_a_student_sees_their_own_scores_and_nothing_else(course, page, engine, html_of):
    campaign, tokens = course
    at = page(tokens["Fox"])
    assert not at.error
    assert not at.metric
    html = html_of(at)
    assert "Your own scores are below" in html
    assert all(f">{score}<" in html for score in (80, 60, 90))
    fox = of(engine, tokens, "Fox")
    for hidden in (panel, panel_comments, class_scores, metric_scores):
        with pytest.raises(AccessError):
            hidden(engine, fox, campaign)


def test_the_teacher_releases_and_each_student_sees_their_own_only(course, page, engine, html_of):
    campaign, tokens = course
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    at.toggle(key=f"release-panel-{campaign}").set_value(True).run()
    assert not at.exception
    assert get_campaign(engine, campaign).released_at is not None
    at = page(tokens["Fox"])
    assert (shown(at, "Shared items"), shown(at, "Bias")) == ("3", "+10.0")
    html = html_of(at)
    assert html.count("Experts: “*80*: &lt;b&gt;a name is wrong&lt;/b&gt;”") == 1  # Mori’s, as it was typed
    assert "*10*" not in html  # another student’s
    assert "=Hen" not in html
    assert "Student 80, experts 60.0: +20.0 points" in html
    assert "Class (mean" not in html
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    at.toggle(key=f"release-class-{campaign}").set_value(True).run()
    html = html_of(page(tokens["Fox"]))
    assert "Class (mean of 2)" in html
    assert ">45<" in html  # the mean of 80 and 10


def open_tab(at, campaign, name):
    """A tab of the teacher's page."""
    at.selectbox(key="campaign-class").set_value(campaign).run()
    at.session_state["class-tabs"] = name
    at.run()
    assert not at.exception
    return at


def test_a_gap_leads_to_the_lens_for_the_teacher_and_not_for_the_student(course, page):
    campaign, tokens = course
    at = open_tab(page(tokens["Mina"]), campaign, "Grades")
    assert any(str(one.key).startswith("class-lens-") for one in at.button)
    at.toggle(key=f"release-panel-{campaign}").set_value(True).run()
    at = page(tokens["Fox"])
    assert shown(at, "Shared items") == "3"
    assert not any(str(one.key).startswith("class-lens-") for one in at.button)


@pytest.mark.parametrize(("lang", "tab"), [("en", "Grades"), ("ja", "成績")])
def test_the_teacher_sees_everybody_and_one_at_a_time(course, page, html_of, lang, tab):
    campaign, tokens = course
    at = open_tab(page(tokens["Mina"], lang), campaign, tab)
    assert "Fox" in html_of(at)
    assert "=Hen" in html_of(at)
    assert at.selectbox(key="class-student")


def test_the_cockpit_shows_who_is_where_and_the_spread_of_each_item(course, page, html_of):
    campaign, tokens = course
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    assert shown(at, "Students") == "2"
    html = html_of(at)
    assert html.count("3 / 168") == 2
    assert ">10<" in html  # the lowest of the first item, whose highest is 80
    assert ">80<" in html


def test_before_the_class_stand_items_one_by_one_and_nobodys_name(course, page, html_of):
    """Fox and Hen rated three items, two of them both: 80 and 10, 60 and 20, 90 and 30."""
    campaign, tokens = course
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    assert "Fox" in html_of(at)
    at.toggle(key="projector").set_value(True).run()
    assert not at.exception
    assert "Fox" not in html_of(at)
    at.session_state["class-tabs"] = "Grades"
    at.run()
    assert "Grades and names are hidden" in html_of(at)
    assert "Fox" not in html_of(at)
    at.session_state["class-tabs"] = "Reveal"
    at.run()
    first = html_of(at)
    assert "1 of 3" in first
    assert first.count("<dt>Experts</dt>") == 1
    at.button(key="reveal-arrow_forward").click().run()
    assert "2 of 3" in html_of(at)
    assert html_of(at) != first
    assert "Fox" not in html_of(at)


def test_the_gradebook_is_a_csv_that_no_spreadsheet_takes_for_formulas(course, engine):
    campaign, _ = course
    book = gradebook(students(engine, OPERATOR, campaign), panel(engine, OPERATOR, campaign))
    rows = list(csv.DictReader(io.StringIO(book.decode("utf-8-sig"))))
    assert [(row["student"], row["shared"], float(row["bias"])) for row in rows] == [
        ("'=Hen", "3", pytest.approx(-140 / 3, abs=1e-3)),
        ("Fox", "3", 10.0),
    ]
    assert {row["r_low"] for row in rows} == {""}  # three items say nothing about r
    assert "points from the experts (3 items)" in rows[1]["feedback"]


def test_only_teachers_and_organisers_release_and_see_everybody(course, engine):
    campaign, tokens = course
    fox = of(engine, tokens, "Fox")
    for forbidden in (
        lambda: release(engine, fox, campaign, released=True),
        lambda: students(engine, fox, campaign),
        lambda: pace(engine, fox, campaign, rating=False),
        lambda: rename(engine, fox, campaign, fox.rater_id, "Vixen"),
        lambda: remove(engine, fox, campaign, fox.rater_id),
    ):
        with pytest.raises(AccessError):
            forbidden()
    release(engine, OPERATOR, campaign, released=True)
    with pytest.raises(AccessError):
        panel(engine, Viewer(role="rater", rater_id=10_000), campaign)


def test_a_guess_is_made_while_rating_and_judged_when_the_metrics_are_revealed(course, page, engine, html_of):
    campaign, tokens = course
    design(engine, campaign, guesses=("chrf",))
    fox = of(engine, tokens, "Fox")
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["lang"], at.query_params["k"] = "en", tokens["Fox"]
    at.run()
    (switch,) = [one for one in at.segmented_control if str(one.key).startswith("guess-chrf-")]
    number = int(switch.key.rpartition("-")[2])
    switch.set_value(2).run()
    assert not at.exception
    (item,) = [one for one in items_of(engine, campaign, fox.rater_id) if one.id == number]
    save_rating(engine, item_id=item.id, rater_id=fox.rater_id, score=50)
    assert list(own_record(engine, fox, campaign).guesses.values()) == [{"chrf": 2}]
    assert "guess: high" in html_of(page(tokens["Fox"]))
    (translation,) = own_record(engine, fox, campaign).guesses
    everything = [one.id for one in list_translations(engine, campaign) if not one.is_reference]
    store_scores(
        engine,
        [
            ScoreRow(translation_id=one, metric="chrf", signature="chrf|v1", score=float(one == translation))
            for one in everything
        ],
    )
    release(engine, OPERATOR, campaign, step=METRICS, released=True)
    assert "high ✓ (guessed)" in html_of(page(tokens["Fox"]))
    with pytest.raises(InputError, match="released"):
        save_guess(engine, fox, item.id, "chrf", 0)
    with pytest.raises(AccessError):
        save_guess(engine, of(engine, tokens, "=Hen"), item.id, "chrf", 0)


def test_rating_stops_by_a_click_or_by_the_timer(course, engine):
    campaign, _ = course
    pace(engine, OPERATOR, campaign, rating=True, minutes=10)
    record, now = get_campaign(engine, campaign), datetime.now(UTC)
    assert record.takes_ratings(now + timedelta(minutes=9))
    assert not record.takes_ratings(now + timedelta(minutes=11))
    pace(engine, OPERATOR, campaign, rating=False)
    assert not get_campaign(engine, campaign).takes_ratings(now)
    pace(engine, OPERATOR, campaign, rating=True)
    assert get_campaign(engine, campaign).takes_ratings(now + timedelta(days=9))


def test_names_are_unique_in_a_class_and_a_link_has_a_cap(course, engine):
    campaign, _ = course
    link = make_link(engine, OPERATOR, role="rater", campaign_id=campaign, part="student", most=1)
    with pytest.raises(InputError, match="takes part already"):
        join(engine, link.token, " fox ")
    visit, _ = join(engine, link.token, "Owl", student_number="A-17")
    assert {one.name: one.number for one in students(engine, OPERATOR, campaign)}["Owl"] == "A-17"
    with pytest.raises(AccessError, match="as many people as it may"):
        join(engine, link.token, "Cat")
    rename(engine, OPERATOR, campaign, visit.rater_id, "Eule")
    with pytest.raises(InputError, match="takes part already"):
        rename(engine, OPERATOR, campaign, visit.rater_id, "FOX")
    remove(engine, OPERATOR, campaign, visit.rater_id)
    assert [one.name for one in students(engine, OPERATOR, campaign)] == ["=Hen", "Fox"]
    with pytest.raises(InputError, match="no such student"):
        remove(engine, OPERATOR, campaign, 10_000)


def test_a_class_link_is_shown_again_with_its_picture_and_a_persons_link_never(course, page, engine):
    campaign, _ = course
    link = make_link(engine, OPERATOR, role="rater", campaign_id=campaign, part="student", most=30)
    owner = new_link(engine, OPERATOR, role="organiser", name="Rin")
    for _ in range(2):
        at = open_tab(page(owner), campaign, "Way in")
        (address,) = [one.value for one in at.code if "?k=" in one.value]
        assert address.endswith(link.token)
        assert at.get("image")
    assert "30" in " ".join(one.body for one in at.get("html"))


@pytest.mark.parametrize(
    ("consent", "asked"),
    [("research", "stored and studied"), ("coursework", "my teacher sees"), ("none", None)],
)
def test_what_a_class_agrees_to_is_the_organisers_choice(course, engine, consent, asked):
    campaign, _ = course
    design(engine, campaign, consent=consent)
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Kit", part="student")
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["lang"], at.query_params["k"] = "en", token
    at.run()
    boxes = [one.label for one in at.checkbox if one.key == "profile-consent"]
    if asked is None:
        assert not boxes
        assert at.header[0].value == "Guideline"
    else:
        assert asked in boxes[0]
        assert at.header[0].value == "About you"
