"""Lessons that a teacher makes on the lens and in the hack lab: saved, opened, sent as files; and the kit."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from core.errors import InputError
from core.report.page import find_browser
from db.permissions import OPERATOR, Viewer
from db.queries.lessons import list_lessons, save_lesson
from db.records import LessonRecord
from pages.learn import sheets
from pages.ui import maker

pytestmark = pytest.mark.embedded
LESSON = LessonRecord(
    id=0,
    title="橋 <b>",
    page="hacks",
    state={
        "reference": "斎藤さんは橋の上で弟を待っていた。",
        "translation": "斎藤さんは橋の上で弟を待っていなかった。",
        "edited": "斎藤さんは橋の上で弟を待っていた。",
        "lang": "ja",
        "edits": ["flip-negation", "no-such-edit"],
        "seed": 4,
        "effect": "repaired",
    },
    question="なぜ？",
    remark="秘密",
    lang="ja",
)


@pytest.fixture
def page(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(path, lang="en"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        return start(lang, path)

    return opened


def test_a_pair_under_the_lens_becomes_a_lesson_with_its_texts_and_tab(page, engine, type_pair, html_of):
    at = type_pair(page("pages/debug/pair/page.py"), "The cat sat.", "A cat was sitting.")
    at.text_input(key="maker-title").set_value("Cats")
    at.text_area(key="maker-question").set_value("Which word is met worst?")
    at.button(key="maker-keep").click().run()
    assert not at.exception
    (kept,) = list_lessons(engine)
    assert (kept.title, kept.page, kept.question) == ("Cats", "pair", "Which word is met worst?")
    assert kept.state["reference"] == "The cat sat."
    assert kept.state["translation"] == "A cat was sitting."
    assert kept.state["weight"] == "none"
    assert "edited" not in kept.state


def test_a_lesson_keeps_the_options_of_the_lens_and_opens_with_them(page, engine, type_pair):
    at = type_pair(page("pages/debug/pair/page.py"), "The cat sat.", "A cat was sitting.")
    at.session_state["names-kana"] = "plain"
    at.session_state["names-quantile"] = 0.4
    at.session_state["subspace-window"] = "sentence"
    at.session_state["structure-filter"] = "role"
    at.run()
    at.text_input(key="maker-title").set_value("Options")
    at.button(key="maker-keep").click().run()
    (kept,) = list_lessons(engine)
    told = ["names-kana=plain", "names-quantile=0.4", "subspace-window=sentence", "structure-filter=role"]
    assert set(told) <= set(kept.state["options"])

    held: dict = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.ui.maker.st.session_state", held)
        bad = [*told, "names-mode=no such mode", "subspace-energy=7", "x", "structure-trees=dependency"]
        maker.restore(replace(kept, state={**kept.state, "options": bad}))
    assert held["names-quantile"] == 0.4
    assert (held["names-kana"], held["subspace-window"]) == ("plain", "sentence")
    assert (held["structure-filter"], held["structure-trees"]) == ("role", "dependency")
    assert not {"names-mode", "subspace-energy"} & held.keys()


def test_a_lesson_without_a_title_is_refused_in_a_sentence(page, engine, type_pair):
    at = type_pair(page("pages/debug/pair/page.py"), "The cat sat.", "A cat was sitting.")
    at.button(key="maker-keep").click().run()
    assert any("title is blank" in one.value for one in at.error)
    assert list_lessons(engine) == []


@pytest.mark.slow
def test_the_hack_lab_saves_the_edited_text_and_what_the_edit_does(page, engine, type_pair):
    at = type_pair(page("pages/debug/hacks/page.py"), "The cat sat.", "A cat was sitting.")
    at.text_input(key="maker-title").set_value("Full stops")
    at.segmented_control(key="maker-effect").set_value("broken")
    at.button(key="maker-keep").click().run()
    assert not at.exception
    (kept,) = list_lessons(engine)
    assert kept.state["edited"] == f"A cat was sitting{'.' * 8}"
    assert (kept.state["edits"], kept.state["effect"]) == (["maru-7"], "broken")


def test_a_saved_lesson_shows_before_and_after_with_the_verdict(page, engine, html_of):
    save_lesson(engine, OPERATOR, LESSON)
    at = page("pages/learn/made.py")
    shown = html_of(at)
    assert "The mistake is repaired; " in shown
    assert '<tr><td>BERTScore F</td><td class="yk-number">0.963</td>' in shown
    assert "→ 1.000" in shown
    assert "なぜ？" in shown
    assert "秘密" in shown
    assert "<b>" not in shown.replace("橋 &lt;b&gt;", "")


def test_a_student_sees_the_question_and_not_the_remark(page, engine, html_of, monkeypatch):
    save_lesson(engine, OPERATOR, LESSON)
    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role="rater", rater_id=1))
    at = page("pages/learn/made.py")
    shown = html_of(at)
    assert "なぜ？" in shown
    assert "秘密" not in shown
    assert not [one for one in at.button if (one.key or "").startswith("made-")]


def test_a_lesson_goes_into_a_file_and_back(engine):
    number = save_lesson(engine, OPERATOR, LESSON)
    (kept,) = list_lessons(engine)
    again = maker.from_file(maker.to_file(kept))
    assert replace(again, id=number) == kept


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"state": []},
        {"title": 3},
        {"state": {"reference": "a", "translation": "b"}},
        {"state": {"reference": "a", "translation": "b", "lang": "en", "edited": 5}},
    ],
)
def test_another_file_is_refused(change):
    document = json.loads(maker.to_file(LESSON)) | change
    with pytest.raises(InputError, match="no lesson file"):
        maker.from_file(json.dumps(document).encode())


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[]", b"{}"])
def test_what_is_no_json_object_is_refused(data):
    with pytest.raises(InputError, match="no lesson file"):
        maker.from_file(data)


def test_a_file_cannot_hold_a_page_or_state_that_a_form_could_not(engine):
    document = json.loads(maker.to_file(LESSON)) | {"page": "manage"}
    with pytest.raises(InputError, match="no lesson about the page manage"):
        maker.from_file(json.dumps(document).encode())


def test_it_opens_in_the_hack_lab_with_the_edits_that_are_known_here(page, engine):
    save_lesson(engine, OPERATOR, LESSON)
    at = page("pages/learn/made.py")
    at.button(key="made-open").click().run()
    assert not at.exception
    assert at.session_state["hack-edits"] == ["flip-negation"]
    assert at.session_state["hack-seed"] == 4
    assert at.session_state["typed-hypothesis"] == LESSON.state["translation"]


def test_a_teacher_removes_a_lesson(page, engine, html_of):
    save_lesson(engine, OPERATOR, LESSON)
    at = page("pages/learn/made.py")
    at.button(key="made-remove").click().run()
    assert not at.exception
    assert list_lessons(engine) == []
    assert "There is no lesson of your own yet." in html_of(at)


@pytest.fixture
def in_japanese(backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    monkeypatch.setattr("pages.ui.state.language", lambda: "ja")


def test_the_worksheet_has_the_texts_without_their_kinds_and_numbers(in_japanese):
    shown = sheets.worksheet(answers=False)
    assert "斎藤さんは橋の上で弟を待っていなかった。" in shown
    assert "反対の意味" not in shown
    assert "0.963" not in shown
    assert shown.count("___") > 10


@pytest.mark.slow
def test_the_answers_have_the_figures_and_verdicts_of_the_metrics(in_japanese):
    shown = sheets.worksheet(answers=True)
    (row,) = re.findall(r"<td>4 · 反対の意味</td>(.*?)</tr>", shown, re.S)[:1]
    assert re.findall(r">([\d.]+)</td>", row)[:3] == ["82.4", "85.5", "0.963"]
    assert (
        "意味が壊れました。BLEU は2.6、BERTScore F は0.015上がりました。MTEQA は0.200下がりました。" in shown
    )
    assert "訳は悪くなったのに、3つの値のうち2つが上がりました。" in shown


def test_the_plan_fills_ninety_minutes_without_a_gap():
    ends = [(first, last) for first, last, _ in sheets.PLAN]
    assert ends[0][0] == 0
    assert ends[-1][1] == 90
    assert all(one[1] == two[0] for one, two in pairwise(ends))


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_kit_makes_its_papers_as_html_and_pdf(page, lang):
    at = page("pages/learn/kit.py", lang)
    for name in ("plan", "worksheet", "answers"):
        at.button(key=f"kit-{name}").click().run()
        assert not at.exception
        assert not at.error
        html, pdf = at.session_state["kit-made"][name, lang]
        assert html.startswith(b"<!DOCTYPE html>")
        assert (pdf is not None and pdf.startswith(b"%PDF")) is (find_browser() is not None)


def test_the_kit_is_not_for_students(page, monkeypatch):
    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role="rater", rater_id=1))
    at = page("pages/learn/kit.py")
    assert at.error
    assert not [one for one in at.button if (one.key or "").startswith("kit-")]
