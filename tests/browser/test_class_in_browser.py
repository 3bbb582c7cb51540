"""A whole class in real browsers: a teacher, an expert and four students, one of them on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from core.text.locale import words
from db.campaigns.load import load_bundle
from db.design import COURSEWORK, Design
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import first_link, list_translations, new_link, open_link, store_scores
from db.queries.classroom import students
from db.queries.manage import set_campaign
from db.records import ScoreRow
from tests.browser.conftest import running

pytestmark = pytest.mark.slow

REFERENCES = ("斎藤さんは橋の上で弟を待っていた。", "雨は一時にやんだ。")
SYSTEMS = {
    "faithful": (
        "斎藤さんは、橋のところで弟が来るのをずっと待ち続けていた。",
        "一時になると、雨はあがった。",
    ),
    "opposite": ("斎藤さんは橋の上で弟を待っていなかった。", "雨は一時にはやまなかった。"),
}
STUDENTS = (("Aki", "ja", False), ("Ben", "en", False), ("Chika", "ja", True), ("Dai", "en", False))


@pytest.fixture
def school(tmp_path):
    """An app with a class of four items: its address and database, the campaign, and two links."""
    database = f"sqlite:///{tmp_path / 'class.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    open_link(engine, first_link(engine))
    segments = tuple(SegmentRow("d", n, text, source="…") for n, text in enumerate(REFERENCES))
    outputs = tuple(
        OutputRow(("d", n), name, text) for name, texts in SYSTEMS.items() for n, text in enumerate(texts)
    )
    bundle = Bundle(name="Class", langs=("en", "ja"), systems=tuple(map(SystemRow, SYSTEMS)),
                    segments=segments, outputs=outputs)  # fmt: skip
    number = load_bundle(engine, bundle, "Class").campaign_id
    design = Design(consent=COURSEWORK, guesses=("bleu",))
    set_campaign(engine, OPERATOR, number, name="Class", protocol="adequacy", design=design)
    values = {"opposite": 90.0, "faithful": 10.0}
    rows = [
        ScoreRow(translation_id=one.id, metric="bleu", signature="bleu|v1", score=values[one.system])
        for one in list_translations(engine, number)
    ]
    store_scores(engine, rows)
    teacher = new_link(engine, OPERATOR, role="organiser", name="Mina")
    expert = new_link(engine, OPERATOR, role="rater", campaign_id=number, part="panel", name="Mori")
    with running("app.py", tmp_path, YOMIKURABE_DB=database) as address:
        yield address, engine, number, teacher, expert
    engine.dispose()


def rate_all(page, say, scores, *, guess=None):
    """From the profile to the end: agree, begin, score every item by what it says, perhaps guess."""
    page.get_by_text(say["profile.consent.coursework"]).click()
    page.get_by_role("button", name=say["profile.save"], exact=True).click()
    page.get_by_role("button", name=say["rate.begin"], exact=True).click()
    for place in range(len(scores)):
        where = say["rate.place"].format(place=place + 1, total=len(scores))
        expect(page.get_by_text(where)).to_be_visible()
        shown = page.locator(".yk-novel", has_text=re.compile("|".join(scores)))
        expect(shown).to_have_count(1)
        score = next(value for key, value in scores.items() if key in shown.inner_text())
        if guess is not None:
            page.get_by_role("radio", name=say[f"reveal.level.{guess}"], exact=True).click()
        page.locator("[data-stale=false]").get_by_test_id("stNumberInputField").fill(str(score))
        page.get_by_role("button", name=say["rate.next"], exact=True).click()
    expect(page.get_by_text(say["rate.thanks"])).to_be_visible()


SCORES = {"待ち続けていた": 90, "待っていなかった": 80, "あがった": 85, "やまなかった": 75}
EXPERT = {"待ち続けていた": 92, "待っていなかった": 5, "あがった": 88, "やまなかった": 4}


def test_a_class_from_the_link_to_the_grades(school, visitor):
    address, engine, number, teacher_link, expert_link = school
    en = words("en")
    teacher = visitor()
    teacher.goto(f"{address}/?k={teacher_link}")
    expect(teacher.get_by_role("heading", name=en["front.campaigns"])).to_be_visible()
    teacher.wait_for_function("document.cookie.includes('-link-')")
    teacher.goto(f"{address}/class")
    teacher.get_by_role("tab", name=en["class.tab.joining"]).click()
    teacher.get_by_role("button", name=en["joining.make"]).click()
    expect(teacher.get_by_role("img", name=en["joining.picture"])).to_be_visible()
    link = teacher.get_by_text(re.compile(r"\?k=")).first.inner_text().partition("?k=")[2].strip()
    assert "k=" not in teacher.url

    expert = visitor()
    expert.goto(f"{address}/?k={expert_link}")
    rate_all(expert, en, EXPERT)

    pages = {}
    for name, lang, phone in STUDENTS:
        say = words(lang)
        page = pages[name] = visitor(lang={"ja": "ja-JP", "en": "en-GB"}[lang], phone=phone)
        page.goto(f"{address}/?k={link}")
        page.get_by_label(say["rate.name"]).fill(name)
        page.get_by_role("button", name=say["door.join_enter"], exact=True).click()
        rate_all(page, say, SCORES, guess=2)
        assert link not in page.url
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("link", name=say["rate.see_class"]).click()
        expect(page.get_by_text(say["class.not_released"])).to_be_visible()

    teacher.get_by_role("tab", name=en["class.tab.now"]).click()
    expect(teacher.get_by_text("4 / 4")).to_have_count(4)
    for step in ("class", "panel", "metrics"):
        teacher.get_by_text(en[f"class.release.{step}"], exact=True).click()
        teacher.wait_for_timeout(500)
    teacher.get_by_role("tab", name=en["class.tab.reveal"]).click()
    expect(
        teacher.get_by_text(re.compile("The class is 7[15] points above the experts")).first
    ).to_be_visible()
    teacher.get_by_role("tab", name=en["class.tab.grades"]).click()
    expect(teacher.get_by_text("Chika").first).to_be_visible()

    for name, lang, _ in STUDENTS:
        say, page = words(lang), pages[name]
        page.reload()
        expect(page.get_by_text(say["reveal.panel"]).first).to_be_visible()
        expect(page.get_by_text("✓").first).to_be_visible()  # BLEU puts the opposite into the high third
    assert {one.name for one in students(engine, OPERATOR, number)} == {name for name, *_ in STUDENTS}
