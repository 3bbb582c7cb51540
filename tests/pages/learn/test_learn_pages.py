"""The lessons on names and subspaces, with the real embedded encoder, and what all lessons share."""

import re
import subprocess
import sys

import pytest

from core.assets import ROOT
from pages.learn import examples
from pages.ui import glossary
from pages.ui.frame import PAGES

pytestmark = pytest.mark.embedded
LESSONS = ("ab", "names", "structure", "questions", "raters", "judge", "story", "fool", "subspace")


@pytest.fixture
def lesson(start, backends, monkeypatch):
    """A lesson, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(name, lang="en", example=None):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        at = start(lang, f"pages/learn/{name}.py")
        if example is not None:
            at.segmented_control(key=f"lesson-{name}").set_value(example).run()
            assert not at.exception
        return at

    return opened


def change(at, name):
    at.button(key=f"lesson-{name}-change").click().run()
    assert not at.exception
    return at


def row(page, head):
    """The cells of the row that begins with `head`."""
    (found,) = re.findall(f"<tr><td>{re.escape(head)}</td>(.*?)</tr>", page)
    return re.findall("<td[^>]*>([^<]*)</td>", found)


def test_a_against_b_is_the_first_lesson_in_the_menu():
    assert next(name for section, name, *_ in PAGES if section == "learn") == "ab"


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_opens_and_has_an_answer_for_the_teacher(lesson, html_of, monkeypatch, name, lang):
    at = lesson(name, lang)
    answer = {"en": "For the teacher: answers", "ja": "教員用：答え"}[lang]
    assert answer in [one.label for one in at.expander]
    assert {"en": "To think about", "ja": "考えてみましょう"}[lang] in html_of(at)


def test_a_student_gets_the_question_without_the_answer(lesson, html_of, monkeypatch):
    from db.permissions import Viewer

    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role="rater", rater_id=1))
    at = lesson("questions")
    assert "For the teacher: answers" not in [one.label for one in at.expander]
    assert "To think about" in html_of(at)


def test_a_wrong_name_in_english_costs_more_than_bertscore_takes(lesson, html_of):
    at = lesson("names", example="bridge-en")
    before = row(html_of(at), "BERTScore + reading")
    assert before == ["0.939"]
    shown = html_of(change(at, "names"))
    first, _, moved = row(shown, "BERTScore + reading")
    assert first == "0.939"
    assert float(moved.split("−")[1]) > float(row(shown, "BERTScore F")[2].split("−")[1])
    assert "The meaning is broken; " in shown
    assert len(at.get("plotly_chart")) == 1


def test_a_japanese_name_that_is_rare_in_novels_costs_more_and_a_frequent_one_does_not(lesson, html_of):
    shown = html_of(change(lesson("names", example="igarashi"), "names"))
    assert row(shown, "BERTScore F")[:2] == ["0.972", "→ 0.891"]
    assert row(shown, "BERTScore + reading")[:2] == ["0.972", "→ 0.812"]
    assert "found no rare word" not in shown
    shown = html_of(change(lesson("names", example="bridge"), "names"))
    assert row(shown, "BERTScore F") == row(shown, "BERTScore + reading")
    assert "found no rare word" in shown


def test_the_papers_pair_has_the_papers_numbers_beside_ours(lesson, html_of):
    at = lesson("names", example="place")
    assert row(html_of(at), "In the paper") == ["0.477", "0.514", "0.492"]
    shown = html_of(change(at, "names"))
    assert row(shown, "BERTScore F") == ["0.767", "→ 0.826", "▲ +0.059"]
    assert "The mistake is repaired; BERTScore F rose by 0.059" in shown


@pytest.mark.parametrize("name", ["names", "subspace", "structure"])
def test_nothing_typed_gives_a_sentence(lesson, html_of, name):
    at = lesson(name)
    at.text_area[1].set_value(" ").run()
    assert not at.exception
    assert "One of the two texts is empty" in html_of(at)


@pytest.mark.parametrize("example", [one.name for one in examples.SUBSPACE])
def test_the_difference_of_both_sentences_stands_there_with_the_verdict_that_follows(
    lesson, html_of, example
):
    shown = html_of(lesson("subspace", example=example))
    close, implied, apart = (
        [float(cell) for cell in row(shown, head)[:2]]
        for head in ("contains a close word", "only implies it", "difference of the two")
    )
    for number in (0, 1):
        assert close[number] - implied[number] == pytest.approx(apart[number], abs=1e-9)
    holds = apart[1] < apart[0]
    assert ("Here it holds" in shown) is holds
    assert ("Here it does not hold" in shown) is not holds
    assert holds is (example != "genius")


def test_the_papers_difference_stands_beside_ours_and_genius_is_explained(lesson, html_of):
    """Ishibashi et al.: royal .72 − .60 = .12 and .76 − .69 = .07; genius .09 and .06."""
    at = lesson("subspace")
    assert row(html_of(at), "difference of the two") == ["0.252", "0.213", "0.12", "0.07"]
    assert "finds neither better than the other" not in html_of(at)
    at.segmented_control(key="lesson-subspace").set_value("genius").run()
    assert row(html_of(at), "difference of the two") == ["0.013", "0.024", "0.09", "0.06"]
    assert "finds neither better than the other" in html_of(at)


def test_an_unrelated_sentence_brings_the_mixture_nearer_to_the_word(lesson, html_of):
    at = change(lesson("subspace"), "subspace")
    before = row(html_of(at), "only implies it")
    text = at.text_area[0].value + " The train was late, and it rained all day." * 2
    at.text_area[0].set_value(text).run()
    _, every, *paper = row(html_of(at), "your texts")
    assert float(every) > float(before[1])
    assert paper == ["–", "–"]


def test_the_glossary_has_twenty_words_and_those_of_the_lesson_first(lesson, html_of):
    assert len(glossary.WORDS) == len(set(glossary.WORDS)) == 20
    shown = html_of(lesson("subspace"))
    found = re.findall("<dt>(.*?)</dt>", shown)
    assert len(found) == 20
    assert found[:2] == ["vector", "token"]


def test_the_texts_the_example_and_the_projector_are_in_the_address(lesson):
    at = change(lesson("questions", example="cats"), "questions")
    at.toggle(key="projector").set_value(True).run()
    assert at.query_params["example"] == "cats"
    assert at.query_params["translation"] == "サイトウさんは3月12日、東京で猫を三匹見た。"
    assert at.query_params["projector"] == "1"
    assert "reference" not in at.query_params


def test_before_a_class_there_are_numbers_and_no_explanations(lesson, html_of):
    at = lesson("questions")
    assert "So ask (MTEQA)" in html_of(at)
    at.toggle(key="projector").set_value(True).run()
    shown = html_of(at)
    assert "So ask (MTEQA)" not in shown
    assert "BERTScore F" in shown
    assert "html{font-size:" in shown


@pytest.mark.slow
def test_the_first_lesson_answers_a_guess_without_loading_a_model(tmp_path):
    """All eight metrics come from the stored results: torch is not imported."""
    code = f"""
import sys
from streamlit.testing.v1 import AppTest
at = AppTest.from_file({str(ROOT / "app.py")!r}, default_timeout=120)
at.query_params["lang"] = "en"
at.run()
at.switch_page("pages/learn/ab.py").run()
at.segmented_control(key="lesson-ab-guess-bertscore").set_value("a").run()
at.button(key="lesson-ab-show").click().run()
assert not at.exception, at.exception
html = "".join(one.proto.body for one in at.get("html"))
heavy = {{"torch", "transformers"}} & set(sys.modules)
print("BERTScore F</td>" in html, "MTEQA</td>" in html, sorted(heavy))
"""
    environment = {"YOMIKURABE_DB": f"sqlite:///{tmp_path / 'l.sqlite'}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "True True []", done.stderr[-2000:]


def test_what_the_lessons_count_with_is_the_metrics_own_default():
    asked = [one for one in examples.asked() if one.metric in ("bertscore", "bertscore-reading", "mteqa")]
    assert all(not one.settings for one in asked)
    assert len(asked) > 100


@pytest.mark.parametrize(
    ("name", "query", "gone"),
    [
        ("ab", {"example": "nonsense", "guess": "c", "mistake": "x", "metric": "y"}, "example"),
        ("names", {"example": "nonsense"}, "example"),
        ("questions", {"translation": "x" * 700}, "translation"),
        ("structure", {"method": "nonsense"}, "method"),
        ("raters", {"stricter": "many", "without": "E"}, "points taken off"),
        ("judge", {"prompt": "none"}, "prompt"),
        ("fool", {"example": "fr"}, "example"),
        ("made", {"lesson": "12345"}, "lesson"),
    ],
)
def test_an_address_with_something_that_is_not_there_says_so(
    database, monkeypatch, backends, name, query, gone
):
    from streamlit.testing.v1 import AppTest

    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    monkeypatch.setattr("pages.ui.state.language", lambda: "en")
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.run()
    for key, value in query.items():
        at.query_params[key] = value
    at.switch_page(f"pages/learn/{name}.py").run()
    assert not at.exception
    assert any(gone in one.value for one in at.warning)
