"""A class: hidden until released, the own result only, and a gradebook."""

from __future__ import annotations

import csv
import io

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import AccessError
from db.campaigns.demos import seed_demo
from db.engine import migrate
from db.permissions import OPERATOR, Viewer
from db.queries import (
    ensure_items,
    first_link,
    get_campaign,
    items_of,
    list_campaigns,
    look,
    new_link,
    open_link,
    save_profile,
    save_rating,
)
from db.queries.classroom import panel, release, students
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
            save_rating(engine, item_id=item.id, rater_id=person, score=score)
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


def test_until_released_a_student_sees_nothing_of_the_panel(course, page, engine, html_of):
    campaign, tokens = course
    at = page(tokens["Fox"])
    assert "not released yet" in at.error[0].value
    assert not at.metric
    with pytest.raises(AccessError):
        panel(engine, Viewer(role="rater", rater_id=look(engine, tokens["Fox"]).rater_id), campaign)


def test_the_teacher_releases_and_each_student_sees_their_own_only(course, page, engine, html_of):
    campaign, tokens = course
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    at.toggle(key=f"release-{campaign}").set_value(True).run()
    assert not at.exception
    assert get_campaign(engine, campaign).released_at is not None
    at = page(tokens["Fox"])
    assert (shown(at, "Shared items"), shown(at, "Bias")) == ("3", "+10.0")
    html = html_of(at)
    assert "=Hen" not in html
    assert "Student 80, experts 60.0: +20.0 points" in html


def test_a_gap_leads_to_the_lens_for_the_teacher_and_not_for_the_student(course, page):
    campaign, tokens = course
    at = page(tokens["Mina"])
    at.selectbox(key="campaign-class").set_value(campaign).run()
    assert any(str(one.key).startswith("class-lens-") for one in at.button)
    at.toggle(key=f"release-{campaign}").set_value(True).run()
    at = page(tokens["Fox"])
    assert shown(at, "Shared items") == "3"
    assert not any(str(one.key).startswith("class-lens-") for one in at.button)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_teacher_sees_everybody_and_one_at_a_time(course, page, html_of, lang):
    campaign, tokens = course
    at = page(tokens["Mina"], lang)
    at.selectbox(key="campaign-class").set_value(campaign).run()
    assert not at.exception
    assert "Fox" in html_of(at)
    assert "=Hen" in html_of(at)
    assert at.selectbox(key="class-student")


def test_the_gradebook_is_a_csv_that_no_spreadsheet_takes_for_formulas(course, engine):
    campaign, _ = course
    book = gradebook(students(engine, OPERATOR, campaign), panel(engine, OPERATOR, campaign))
    rows = list(csv.DictReader(io.StringIO(book)))
    assert [(row["student"], row["n"], float(row["bias"])) for row in rows] == [
        ("'=Hen", "3", pytest.approx(-140 / 3, abs=1e-3)),
        ("Fox", "3", 10.0),
    ]


def test_only_teachers_and_organisers_release_and_see_everybody(course, engine):
    campaign, tokens = course
    fox = Viewer(role="rater", rater_id=look(engine, tokens["Fox"]).rater_id)
    for forbidden in (
        lambda: release(engine, fox, campaign, released=True),
        lambda: students(engine, fox, campaign),
    ):
        with pytest.raises(AccessError):
            forbidden()
    release(engine, OPERATOR, campaign, released=True)
    with pytest.raises(AccessError):
        panel(engine, Viewer(role="rater", rater_id=10_000), campaign)
