"""The lessons on structure and on questions: one click changes one thing, and the right number moves."""

import re

import pytest

pytestmark = pytest.mark.embedded


@pytest.fixture
def lesson(start, backends, monkeypatch):
    """A lesson, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    return lambda name, lang="en": start(lang, f"pages/learn/{name}.py")


def numbers(page):
    """BLEU, BERTScore and the lesson's own metric, out of the table."""
    return [float(cell) for cell in re.findall(r"<td[^>]*>([\d.]+)</td>", page)[:3]]


def test_the_telescope_stands_there_with_blue_fifty_and_a_click_puts_it_right(lesson, html_of):
    at = lesson("structure")
    bleu, bertscore, structure = numbers(html_of(at))
    assert bleu == 50.00
    assert structure < bertscore - 0.15
    assert len(at.get("plotly_chart")) == 1
    at.button(key="lesson-structure-change").click().run()
    assert not at.exception
    assert numbers(html_of(at)) == [100, 1, 1]


def test_who_saw_whom_is_told_apart_by_structure_alone(lesson, html_of):
    at = lesson("structure")
    at.segmented_control(key="lesson-structure").set_value(1).run()
    _, bertscore, structure = numbers(html_of(at))
    assert bertscore > 0.9
    assert structure < 0.5


def test_two_cats_become_three_and_one_question_breaks(lesson, html_of):
    at = lesson("questions")
    at.segmented_control(key="lesson-questions").set_value(2).run()
    before = numbers(html_of(at))[2]
    at.button(key="lesson-questions-change").click().run()
    assert not at.exception
    after = numbers(html_of(at))[2]
    assert before == 1
    assert after < before
    (frame,) = at.dataframe
    assert list(frame.value) == ["Question", "Expected", "Given", "Counts"]  # what fits into the column
    broken = frame.value[frame.value["Counts"] < 1]
    assert list(broken["Expected"]) == ["二匹"]


@pytest.mark.parametrize("name", ["structure", "questions"])
def test_the_lessons_open_in_japanese(lesson, name, html_of):
    assert "BERTScore" in html_of(lesson(name, "ja"))
